import type { Hop, Link, Report } from "../src/reports/report";

/** Builds reports for tests: the caller gives what matters, the rest has defaults. */

export function link(number: number, more: Partial<Link> = {}): Link {
  const start = number * 10;
  const at = (line: number) => ({
    uri: `file:///repo/shop/step${number}.py`,
    range: { start: { line: line - 1, character: 0 }, end: { line: line - 1, character: 20 } },
  });
  return {
    id: `c${number}`,
    path: `shop/step${number}.py`,
    range: { start, end: start + 5 },
    role: "step",
    fact: `\`f${number}\` calls \`f${number + 1}\`.`,
    quote: `return f${number + 1}()`,
    quoteRange: { start: start + 1, end: start + 1 },
    stale: false,
    hop: hop(number),
    location: at(start),
    quoteLocation: at(start + 1),
    ...more,
  };
}

export function hop(number: number, more: Partial<Hop> = {}): Hop {
  return {
    relation: "calls",
    from: `c${number}`,
    to: `c${number + 1}`,
    via: [],
    site: { path: `shop/step${number}.py`, line: number * 10 + 1 },
    witness: "graph:type",
    ...more,
  };
}

let count = 0;

export function report(more: Partial<Report> = {}): Report {
  return {
    schemaVersion: 1,
    id: `r${++count}`,
    createdAt: "2026-11-21T08:00:00Z",
    root: "/repo",
    query: "How is an order placed?",
    intent: "explain",
    confidence: "high",
    action: "answer_from_report",
    judge: "offline",
    model: null,
    stopReason: "completed",
    notes: [],
    primary: [],
    links: [link(1), link(2), link(3, { hop: null })],
    readTargets: [],
    missing: [],
    searchTargets: [],
    dropped: [],
    coverage: { indexed: 4, total: 4 },
    usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: null, steps: 0 },
    elapsedMs: { retrieve: 20 },
    ...more,
  };
}
