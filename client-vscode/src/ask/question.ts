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
export interface PendingQuestion extends Request {
  /** The text the view shows while the question is being answered. */
  query: string;
  /** The id of the report that the answer replaces. */
  replaces?: string;
}

export function pendingQuestion(question: Question): PendingQuestion {
  return {
    query: question.query,
    command: question.reportId === undefined ? "sightline.explore" : "sightline.followUp",
    argument: { ...question },
  };
}

/** The id of the report that a question follows up. */
export function followedReportId({ argument }: Request): string | undefined {
  const { reportId, followUp } = argument as { reportId?: unknown; followUp?: Request["argument"] };
  const id = reportId ?? followUp?.reportId;
  return typeof id === "string" ? id : undefined;
}

/** Repeats a report's question with all its original arguments. The answer replaces the report. */
export function repeatQuestion(
  report: Report,
  request: Request | undefined,
  forceRefresh = true,
): PendingQuestion {
  const { query, intent } = report;
  const { command, argument } = request ?? pendingQuestion({ query, intent });
  const { reportId, ...otherArguments } = argument;
  return {
    query,
    command: command === "sightline.followUp" ? "sightline.explore" : command,
    argument: {
      ...otherArguments,
      // `sightline.explore` ignores a followed-up report that no longer exists; `sightline.followUp` would fail.
      ...(reportId !== undefined && { followUp: { reportId } }),
      query,
      forceRefresh,
      replaces: report.id,
    },
    replaces: report.id,
  };
}

/** Like `repeatQuestion`, with extra keywords. They make it a new question, so a cached answer is acceptable. */
export function repeatWithKeywords(
  keywords: readonly string[],
  report: Report,
  request: Request | undefined,
): PendingQuestion {
  const repeated = repeatQuestion(report, request, false);
  const { keywords: existing = [] } = repeated.argument;
  const previous: unknown[] = Array.isArray(existing) ? existing : [existing];
  const all = new Set([...previous, ...keywords]);
  return { ...repeated, argument: { ...repeated.argument, keywords: [...all] } };
}

const PLACE_QUESTIONS: Record<string, string> = {
  reached: "How is this reached?",
  used: "Where is this used?",
};

/** The question behind one of the server's lenses or code actions. The Flow view shows its answer. */
export function questionFromCommand(
  command: string,
  argument: Record<string, unknown>,
): PendingQuestion {
  const { query, ask, replaces } = argument;
  const placeQuestion = typeof ask === "string" ? PLACE_QUESTIONS[ask] : undefined;
  return {
    query:
      typeof query === "string" && query !== "" ? query : (placeQuestion ?? "What does this do?"),
    command,
    argument: { ...argument, show: false },
    ...(typeof replaces === "string" && { replaces }),
  };
}
