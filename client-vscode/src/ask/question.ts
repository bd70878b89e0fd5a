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

/** A question on its way to the server. */
export interface Asking {
  /** What the view shows while it is answered. */
  query: string;
  command: string;
  argument: Record<string, unknown>;
  /** The report that the answer stands in for. */
  replaces?: string;
}

export function asking(question: Question): Asking {
  const { replaces, ...argument } = question;
  return {
    query: question.query,
    command: question.reportId === undefined ? "sightline.explore" : "sightline.followUp",
    argument: { ...argument, ...(replaces !== undefined && { replaces }) },
    ...(replaces !== undefined && { replaces }),
  };
}

const PLACE_QUESTIONS: Record<string, string> = {
  reached: "How is this reached?",
  used: "Where is this used?",
};

/** The question of a lens or a code action of the server; its answer is shown in the Flow view. */
export function askingFrom(command: string, given: Record<string, unknown>): Asking {
  const { query, ask, replaces } = given;
  const place = typeof ask === "string" ? PLACE_QUESTIONS[ask] : undefined;
  return {
    query: typeof query === "string" && query !== "" ? query : (place ?? "What does this do?"),
    command,
    argument: { ...given, show: false },
    ...(typeof replaces === "string" && { replaces }),
  };
}
