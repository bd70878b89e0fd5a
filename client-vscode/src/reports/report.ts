/** A report as sent over LSP; see docs/schema/report.json. Lines are 1-based and inclusive. */

export interface LineRange {
  start: number;
  end: number;
}

/** An LSP location: 0-based, in the session's position encoding. */
export interface Location {
  uri: string;
  range: { start: Position; end: Position };
}

export interface Position {
  line: number;
  character: number;
}

export type Intent = "explain" | "locate" | "edit" | "debug";
export type Confidence = "low" | "medium" | "high";
export type Action =
  "answer_from_report" | "read_targets" | "targeted_gap_search" | "skip_explore_result";
type Relation =
  | "calls"
  | "feeds"
  | "references"
  | "imports"
  | "extends"
  | "implements"
  | "overrides"
  | "contains";
export type Witness =
  "editor" | "server" | "jedi" | "graph:scope" | "graph:import" | "graph:type" | "graph:name";

export interface Hop {
  relation: Relation;
  from: string;
  to: string;
  via: string[];
  site: { path: string; line: number; location?: Location | null } | null;
  witness: Witness | null;
}

export interface Link {
  id: string;
  path: string;
  range: LineRange;
  role: string;
  fact: string;
  quote: string;
  quoteRange: LineRange;
  stale: boolean;
  hop: Hop | null;
  location?: Location | null;
  quoteLocation?: Location | null;
}

interface ReadTarget {
  id: string;
  path: string;
  range: LineRange;
  purpose: string;
  required: boolean;
  location?: Location | null;
}

interface PrimaryPlace {
  id: string;
  path: string;
  range: LineRange | null;
  location?: Location | null;
}

interface Usage {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  costUsd: number | null;
  steps: number;
}

export interface Report {
  schemaVersion: number;
  id: string;
  createdAt: string;
  root: string;
  query: string;
  intent: Intent;
  confidence: Confidence;
  action: Action;
  judge: "offline" | "packet" | "conversation";
  model: string | null;
  stopReason: string;
  notes: string[];
  primary: PrimaryPlace[];
  links: Link[];
  readTargets: ReadTarget[];
  missing: string[];
  searchTargets: { terms: string[]; scope: string }[];
  /** Absent from servers that do not suggest keywords. */
  suggestedKeywords?: string[];
  dropped: { what: string; id: string | null; why: string }[];
  coverage: { indexed: number; total: number };
  usage: Usage;
  elapsedMs: Record<string, number>;
}

/** The keywords a report suggests for asking again, deduplicated. Tolerates malformed reports. */
export function suggestedKeywords({ suggestedKeywords: keywords }: Report): string[] {
  const entries: unknown[] = Array.isArray(keywords) ? keywords : [];
  const filled = entries.filter((word) => typeof word === "string" && word.trim() !== "");
  return [...new Set(filled as string[])];
}

/** Whether a JSON value has the fields that every view of a report relies on. */
export function isReport(value: unknown): value is Report {
  if (typeof value !== "object" || value === null) return false;
  const report = value as Partial<Report>;
  return (
    typeof report.id === "string" && typeof report.query === "string" && Array.isArray(report.links)
  );
}
