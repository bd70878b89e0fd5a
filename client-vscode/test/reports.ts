import type { Hop, Link, Report } from "../src/reports/report";

/** Builds reports for tests: the caller gives what matters, the rest has defaults. */

export function link(number: number, overrides: Partial<Link> = {}): Link {
  const start = number * 10;
  const lineLocation = (line: number) => ({
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
    location: lineLocation(start),
    quoteLocation: lineLocation(start + 1),
    ...overrides,
  };
}

export function hop(number: number, overrides: Partial<Hop> = {}): Hop {
  return {
    relation: "calls",
    from: `c${number}`,
    to: `c${number + 1}`,
    via: [],
    site: { path: `shop/step${number}.py`, line: number * 10 + 1 },
    witness: "graph:type",
    ...overrides,
  };
}

let count = 0;

export function report(overrides: Partial<Report> = {}): Report {
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
    ...overrides,
  };
}
