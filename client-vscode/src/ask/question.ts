import type { Intent, Position } from "../reports/report";

/** A place that a question starts from: an LSP position in a file. */
export interface Anchor {
  uri: string;
  position: Position;
  symbol?: string;
}

/** The argument of `sightline.explore` and `sightline.followUp`. */
export interface Question {
  query: string;
  intent: Intent;
  anchor?: Anchor;
  keywords?: string[];
  scope?: string[];
  /** The report that this follows up. */
  reportId?: string;
  /** The report that the answer stands in for. */
  replaces?: string;
  forceRefresh?: boolean;
}
