import type { Action, Confidence, Hop, Intent, LineRange, Link, Report, Witness } from "./report";

/** The wording of the views, for people who do not know the internals. */

// WITNESSES and ACTIONS must match explorer_core/report/words.py; a test compares them.

const WITNESSES: Record<Witness, string> = {
  editor: "confirmed by the editor's language server",
  server: "confirmed by a language server",
  jedi: "confirmed by static analysis",
  "graph:scope": "resolved by scope",
  "graph:import": "resolved by import",
  "graph:type": "resolved by type",
  "graph:name": "matched by name only",
};

const UNCONFIRMED = "not confirmed";

/** Shorter wording for a narrow side bar. */
const BRIEF_WITNESSES: Record<Witness, string> = {
  ...WITNESSES,
  editor: "confirmed by the editor",
  "graph:scope": "by scope",
  "graph:import": "by import",
  "graph:type": "by type",
  "graph:name": "by name only",
};

const ACTIONS: Record<Action, string> = {
  answer_from_report: "The flow answers the question",
  read_targets: "Read the listed places first",
  targeted_gap_search: "Something is missing",
  skip_explore_result: "Nothing relevant found",
};

const CONFIDENCES: Record<Confidence, string> = {
  high: "High confidence",
  medium: "Medium confidence",
  low: "Low confidence",
};

const INTENTS: Record<Intent, string> = {
  explain: "Explain",
  locate: "Locate",
  edit: "Plan an edit",
  debug: "Debug",
};

export function witness(hop: Hop): string {
  return hop.witness === null ? UNCONFIRMED : WITNESSES[hop.witness];
}

export function briefWitness(hop: Hop): string {
  return hop.witness === null ? UNCONFIRMED : BRIEF_WITNESSES[hop.witness];
}

export function action(report: Report): string {
  return ACTIONS[report.action];
}

export function confidence(report: Report): string {
  return CONFIDENCES[report.confidence];
}

export function intent(of: Intent): string {
  return INTENTS[of];
}

export function span(range: LineRange): string {
  return range.start === range.end ? String(range.start) : `${range.start}-${range.end}`;
}

/** `checkout.py:10-22`, prefixed with as many folders as it takes to distinguish the file from `others`. */
export function place(
  path: string,
  range: LineRange | null,
  others: readonly string[] = [],
): string {
  const file = shortPath(path, others);
  return range === null ? file : `${file}:${span(range)}`;
}

function shortPath(path: string, others: readonly string[]): string {
  const parts = path.split("/");
  for (let count = 1; count < parts.length; count++) {
    const end = parts.slice(-count).join("/");
    const ends = (other: string): boolean => other === end || other.endsWith(`/${end}`);
    if (!others.some((other) => other !== path && ends(other))) return end;
  }
  return path;
}

/** `1 step is stale` */
export function staleSteps(count: number): string {
  return count === 1 ? "1 step is stale" : `${count} steps are stale`;
}

/** A fact or purpose without its backticks, which a tree view does not render. */
export function plain(text: string): string {
  return text.replaceAll("`", "");
}

/** Each relation, as seen from its start and from its end. */
const RELATIONS: Record<Hop["relation"], [forward: string, backward: string]> = {
  calls: ["calls", "is called by"],
  feeds: ["sends to", "receives from"],
  references: ["references", "is referenced by"],
  imports: ["imports", "is imported by"],
  extends: ["extends", "is extended by"],
  implements: ["implements", "is implemented by"],
  overrides: ["overrides", "is overridden by"],
  contains: ["contains", "is contained in"],
};

/** Roles of places listed beside the flow: no hop needs to lead to them. */
const ROLES_BESIDE_FLOW = ["also", "user"];

/**
 * Describes the hop from a link to its successor: `calls step 3 via Basket.total`. Empty if there is
 * nothing to say.
 */
export function hop(links: readonly Link[], index: number): string {
  const link = links[index];
  const next = links[index + 1];
  if (link === undefined || next === undefined) return "";
  if (link.hop === null) {
    return ROLES_BESIDE_FLOW.includes(next.role) ? "" : `no known relation to step ${index + 2}`;
  }
  const via = link.hop.via.length > 0 ? ` via ${link.hop.via.join(", ")}` : "";
  const [forward, backward] = RELATIONS[link.hop.relation];
  const verb = link.hop.from === link.id || link.hop.to === next.id ? forward : backward;
  return `${verb} step ${index + 2}${via}`;
}

export function tokens(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

/** `offline judge`, `claude-x, 12k tokens in, 800 out` */
export function judgedBy(report: Report): string {
  if (report.judge === "offline") return "offline judge, no model used";
  const { inputTokens, outputTokens } = report.usage;
  const tokensUsed =
    inputTokens + outputTokens > 0
      ? `, ${tokens(inputTokens)} tokens in, ${tokens(outputTokens)} out`
      : "";
  return `${report.model ?? "a model"} (${report.judge})${tokensUsed}`;
}

export function ago(createdAt: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(createdAt)) / 1000);
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 60) return "now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? "yesterday" : `${days} days ago`;
}
