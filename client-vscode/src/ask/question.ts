import type { Intent, Position, Report } from "../reports/report";
import type { Request } from "../reports/store";

/** A place that a question starts from: an LSP position in a file. */
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
  /** What the view shows while it is answered. */
  query: string;
  /** The report that the answer stands in for. */
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

/** The question of a report once more, with all that was asked; the answer stands in for it. */
export function again(report: Report, request: Request | undefined, forceRefresh = true): Asking {
  const { query, intent } = report;
  const { command, argument } = request ?? asking({ query, intent });
  const { reportId, ...asked } = argument;
  return {
    query,
    command: command === "sightline.followUp" ? "sightline.explore" : command,
    argument: {
      ...asked,
      // A report that is gone by now is left out of the answer; the other command would refuse.
      ...(reportId !== undefined && { followUp: { reportId } }),
      query,
      forceRefresh,
      replaces: report.id,
    },
    replaces: report.id,
  };
}

/** The same with further keywords, which make it another question: a cached answer will do. */
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
