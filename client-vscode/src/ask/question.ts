import type { Intent, Position, Report } from "../reports/report";
import type { Request } from "../reports/store";

/** The place a question starts from: an LSP position in a file. */
export interface Anchor {
  uri: string;
  position: Position;
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
}

/** A question on its way to the server. */
export interface Asking extends Request {
  /** The text the view shows while the question is being answered. */
  query: string;
  /** The id of the report that the answer replaces. */
  replaces?: string;
}

export function asking(question: Question): Asking {
  return {
    query: question.query,
    command: question.reportId === undefined ? "sightline.explore" : "sightline.followUp",
    argument: { ...question },
  };
}

/** The id of the report that a question follows up. */
export function followed({ argument }: Request): string | undefined {
  const { reportId, followUp } = argument as { reportId?: unknown; followUp?: Request["argument"] };
  const id = reportId ?? followUp?.reportId;
  return typeof id === "string" ? id : undefined;
}

/** Repeats a report's question with all its original arguments. The answer replaces the report. */
export function again(report: Report, request: Request | undefined, forceRefresh = true): Asking {
  const { query, intent } = report;
  const { command, argument } = request ?? asking({ query, intent });
  const { reportId, ...asked } = argument;
  return {
    query,
    command: command === "sightline.followUp" ? "sightline.explore" : command,
    argument: {
      ...asked,
      // `sightline.explore` ignores a followed-up report that no longer exists; `sightline.followUp` would fail.
      ...(reportId !== undefined && { followUp: { reportId } }),
      query,
      forceRefresh,
      replaces: report.id,
    },
    replaces: report.id,
  };
}

/** Like `again`, with extra keywords. They make it a new question, so a cached answer is acceptable. */
export function againWith(
  keywords: readonly string[],
  report: Report,
  request: Request | undefined,
): Asking {
  const asked = again(report, request, false);
  const { keywords: had = [] } = asked.argument;
  const before: unknown[] = Array.isArray(had) ? had : [had];
  const all = new Set([...before, ...keywords]);
  return { ...asked, argument: { ...asked.argument, keywords: [...all] } };
}

const PLACE_QUESTIONS: Record<string, string> = {
  reached: "How is this reached?",
  used: "Where is this used?",
};

/** The question behind one of the server's lenses or code actions. The Flow view shows its answer. */
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
