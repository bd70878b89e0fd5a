import { suggestedKeywords } from "../reports/report";
import type { Link, Report } from "../reports/report";
import * as words from "../reports/words";
import { KEY_VARIABLE } from "../server/apiKey";
import type { Node, Place } from "./node";

/** The command that repeats the shown report's question. */
const REFRESH = "sightline.ui.refresh";
/** How many suggested words fit into a narrow view. */
const MAX_SHOWN_KEYWORDS = 3;

export interface Running {
  query: string;
  message: string;
  percentage: number | undefined;
}

/**
 * The rows of the Flow view for a report and for the running question. `scope` names what the question
 * was limited to.
 */
export function flowNodes(
  report: Report | undefined,
  running: Running | undefined,
  expandQuotes: boolean,
  scope = "",
): Node[] {
  const nodes: Node[] = [];
  if (running !== undefined) nodes.push(progress(running));
  else if (report !== undefined) {
    nodes.push(...staleNode(report), ...partialIndexNode(report), ...summaryNodes(report));
  }
  if (nodes.length > 0) nodes.push(...scopeNode(scope));
  if (report === undefined) return nodes;
  report.links.forEach((link, index) => nodes.push(linkNode(report, link, index, expandQuotes)));
  if (report.links.length === 0) nodes.push(...primaryNodes(report));
  if (running === undefined) nodes.push(...groups(report), ...keywordsNode(report));
  return nodes;
}

function progress(running: Running): Node {
  const share = running.percentage === undefined ? "" : `${running.percentage}%`;
  return {
    id: "running",
    label: running.message,
    description: share,
    icon: "loading~spin",
    tooltip: running.query,
    spoken: `Answering: ${running.message} ${share}`,
    context: "sightline.running",
    children: [],
  };
}

/** Says what the question was limited to, because the answer may lie outside of it. */
function scopeNode(scope: string): Node[] {
  if (scope === "") return [];
  const label = `Only in ${scope}`;
  return [
    {
      id: "scope",
      label,
      icon: "filter",
      tooltip: label,
      spoken: label,
      context: "sightline.scope",
      children: [],
    },
  ];
}

/** The topmost row: the code has changed and the answer no longer matches it. */
function staleNode(report: Report): Node[] {
  const count = report.links.filter((link) => link.stale).length;
  if (count === 0) return [];
  const label = words.staleSteps(count);
  return [
    {
      id: `${report.id}/stale`,
      label,
      description: "ask again",
      icon: "warning",
      colour: "list.warningForeground",
      tooltip:
        "The quoted text has been changed since the answer was given. Ask again to find where it is now.",
      spoken: `${label}. Ask again to check the answer.`,
      context: "sightline.stale",
      command: REFRESH,
      children: [],
    },
  ];
}

/** Says that only part of the files was indexed, as for the first questions about a folder. */
function partialIndexNode(report: Report): Node[] {
  const { indexed, total } = report.coverage;
  if (indexed >= total) return [];
  const label = `Based on ${indexed} of ${total} files`;
  const why = "The index was still being built. Ask again to search all of it.";
  return [
    {
      id: `${report.id}/part`,
      label,
      description: "ask again",
      icon: "database",
      colour: "list.warningForeground",
      tooltip: why,
      spoken: `${label}. ${why}`,
      context: "sightline.part",
      command: REFRESH,
      children: [],
    },
  ];
}

/** The answer's confidence and the recommended action, in two rows so that a narrow view cuts off neither. */
function summaryNodes(report: Report): Node[] {
  const judge = report.judge === "offline" ? "offline judge" : (report.model ?? report.judge);
  const confidence: Node = {
    id: `${report.id}/head`,
    label: words.confidence(report),
    description: judge,
    icon: { high: "pass", medium: "info", low: "warning" }[report.confidence],
    colour: {
      high: "testing.iconPassed",
      medium: "notificationsInfoIcon.foreground",
      low: "list.warningForeground",
    }[report.confidence],
    tooltip: headTooltip(report),
    spoken: `Question: ${report.query}. ${words.confidence(report)}, ${judge}. ${report.links.length} steps.`,
    context: "sightline.head",
    children: [],
  };
  const action: Node = {
    id: `${report.id}/action`,
    label: words.action(report),
    icon: {
      answer_from_report: "comment-discussion",
      read_targets: "book",
      targeted_gap_search: "search",
      skip_explore_result: "circle-slash",
    }[report.action],
    tooltip: headTooltip(report),
    spoken: words.action(report),
    context: "sightline.action",
    children: [],
  };
  return [confidence, action];
}

function headTooltip(report: Report): string {
  const seconds = Object.values(report.elapsedMs).reduce((sum, each) => sum + each, 0) / 1000;
  const lines = [
    report.query,
    "",
    `${words.intent(report.intent)} | ${words.confidence(report)} | ${words.action(report)}`,
    `${words.judgedBy(report)}, ${seconds.toFixed(1)} s`,
  ];
  return [...lines, ...report.notes].join("\n");
}

function linkNode(report: Report, link: Link, index: number, expanded: boolean): Node {
  const fact = words.plain(link.fact);
  const place = words.place(link.path, link.range, pathsOf(report));
  const description = [link.role, place].filter(Boolean).join(" · ");
  const text = fact === "" ? place : fact.replace(/\.$/, "");
  const hop = hopNode(report, index);
  const spoken = [
    `Step ${index + 1} of ${report.links.length}${link.stale ? ", stale: the quoted text is gone" : ""}`,
    link.role,
    text,
    `${link.path}, lines ${words.span(link.range)}`,
    hop?.spoken ?? "",
  ];
  return {
    id: `${report.id}/${index}`,
    label: link.stale ? `${index + 1}. Stale: ${text}` : `${index + 1}. ${text}`,
    description,
    icon: link.stale ? "warning" : "circle-filled",
    colour: link.stale ? "list.warningForeground" : "charts.blue",
    tooltip: `${index + 1}. ${fact}\n\n${link.path}:${words.span(link.range)}${link.stale ? "\n\nThe quoted text is gone; ask again." : ""}`,
    code: link.quote,
    spoken: spoken.filter(Boolean).join(". "),
    context: link.stale ? "sightline.link.stale" : "sightline.link",
    expanded,
    children: [quoteNode(report, link, index), ...(hop === undefined ? [] : [hop])],
    ...destination(report, link, index),
  };
}

/** The row for a quote. The file comes first, because a narrow view cuts off the end. */
function quoteNode(report: Report, link: Link, index: number): Node {
  const lines = link.quote.split("\n").map((line) => line.trim());
  return {
    id: `${report.id}/${index}/quote`,
    label: words.place(link.path, link.quoteRange, pathsOf(report)),
    description: lines.join(" "),
    icon: "quote",
    tooltip: `${link.path}:${words.span(link.quoteRange)}`,
    code: link.quote,
    spoken: `Quote, line ${words.span(link.quoteRange)}: ${lines.join(" ")}`,
    context: "sightline.quote",
    children: [],
    ...destination(report, link, index),
  };
}

function hopNode(report: Report, index: number): Node | undefined {
  const link = report.links[index];
  if (link === undefined || index + 1 >= report.links.length) return undefined;
  const relation = words.hop(report.links, index);
  if (relation === "") return undefined;
  const witness = link.hop === null ? "" : words.witness(link.hop);
  const briefWitness = link.hop === null ? "" : words.briefWitness(link.hop);
  const site = link.hop?.site;
  const line = site == null ? "" : `line ${site.line}`;
  const location = site?.location ?? undefined;
  const id = `${report.id}/${index}/hop`;
  return {
    id,
    label: relation,
    description: briefWitness,
    ...hopIcon(link),
    tooltip: [relation, witness, site == null ? "" : `${site.path}:${site.line}`]
      .filter(Boolean)
      .join("\n"),
    spoken: `Then: ${relation} ${witness} ${line}`.trimEnd(),
    context: "sightline.hop",
    children: [],
    ...(location !== undefined && {
      place: { id, location, quote: location, text: `${site?.path ?? ""}:${site?.line ?? 1}` },
    }),
  };
}

/** A hop's icon shows how reliable its witness is. */
function hopIcon(link: Link): { icon: string; colour?: string } {
  switch (link.hop?.witness) {
    case "editor":
    case "server":
    case "jedi":
      return { icon: "verified-filled", colour: "testing.iconPassed" };
    case "graph:scope":
    case "graph:import":
    case "graph:type":
      return { icon: "arrow-down", colour: "charts.blue" };
    case "graph:name":
      return { icon: "question", colour: "list.warningForeground" };
    default:
      return { icon: "dash", colour: "disabledForeground" };
  }
}

function primaryNodes(report: Report): Node[] {
  return report.primary.map((place, index) => {
    const text = words.place(place.path, place.range, pathsOf(report));
    const folder = place.path.slice(0, Math.max(0, place.path.lastIndexOf("/")));
    const location = place.location ?? undefined;
    const id = `${report.id}/primary/${index}`;
    return {
      id,
      label: text,
      description: folder,
      icon: "file-code",
      tooltip: place.path,
      spoken: `Place ${index + 1}: ${text} in ${folder}`,
      context: "sightline.target",
      children: [],
      ...(location !== undefined && { place: { id, location, text: place.path } }),
    };
  });
}

function groups(report: Report): Node[] {
  const nodes: Node[] = [];
  const group = (name: string, label: string, icon: string, children: Node[]): void => {
    if (children.length === 0) return;
    nodes.push({
      id: `${report.id}/${name}`,
      label,
      description: String(children.length),
      icon,
      spoken: `${label}, ${children.length}`,
      context: `sightline.group.${name}`,
      expanded: true,
      children,
    });
  };
  const read = report.action === "read_targets" ? "Read before acting" : "Worth reading";
  group("targets", read, "book", targetNodes(report));
  group(
    "missing",
    "Missing",
    "warning",
    textNodes(report, "missing", "circle-outline", report.missing),
  );
  const searches = report.searchTargets.map(
    ({ terms, scope }) => `${terms.join(", ")}${scope === "" ? "" : ` in ${scope}`}`,
  );
  group("searches", "Search next", "search", textNodes(report, "searches", "search", searches));
  group(
    "notes",
    "Notes",
    "note",
    textNodes(report, "notes", "note", report.notes).map(withKeyCommand),
  );
  return nodes;
}

function targetNodes(report: Report): Node[] {
  return report.readTargets.map((target, index) => {
    const place = words.place(target.path, target.range, pathsOf(report));
    const purpose = words.plain(target.purpose);
    const location = target.location ?? undefined;
    const id = `${report.id}/target/${index}`;
    return {
      id,
      label: place,
      description: [target.required ? "required" : "", purpose].filter(Boolean).join(" · "),
      icon: target.required ? "circle-filled" : "circle-outline",
      tooltip: `${target.path}:${words.span(target.range)}\n${purpose}`,
      spoken: `${target.required ? "Required: " : ""}${place}. ${purpose}`,
      context: "sightline.target",
      children: [],
      ...(location !== undefined && {
        place: { id, location, text: `${target.path}:${words.span(target.range)} ${purpose}` },
      }),
    };
  });
}

function textNodes(report: Report, name: string, icon: string, notes: readonly string[]): Node[] {
  return notes.map((text, index) => ({
    id: `${report.id}/${name}/${index}`,
    label: words.plain(text),
    icon,
    tooltip: text,
    spoken: words.plain(text),
    context: `sightline.${name}`,
    children: [],
  }));
}

/** Rewrites a note that asks for an API key: here a command sets it, not an environment variable. */
function withKeyCommand(note: Node): Node {
  if (!note.label.includes(KEY_VARIABLE)) return note;
  const label = "The model needs an API key";
  const more = { description: "set the key", icon: "key", command: "sightline.ui.setApiKey" };
  return { ...note, label, ...more, spoken: `${label}. ${note.spoken}` };
}

/** For an uncertain answer: offers words from the code that may name what was asked about. */
function keywordsNode(report: Report): Node[] {
  const suggested = suggestedKeywords(report);
  if (suggested.length === 0) return [];
  const label = "Ask again with suggested keywords…";
  const shownKeywords = suggested.slice(0, MAX_SHOWN_KEYWORDS).join(", ");
  return [
    {
      id: `${report.id}/keywords`,
      label,
      description: suggested.length > MAX_SHOWN_KEYWORDS ? `${shownKeywords}, …` : shownKeywords,
      icon: "lightbulb",
      tooltip: `Pick the words that fit what you mean:\n${suggested.join(", ")}`,
      spoken: `${label} ${shownKeywords}`,
      context: "sightline.keywords",
      command: "sightline.ui.askWithKeywords",
      children: [],
    },
  ];
}

function destination(report: Report, link: Link, index: number): Pick<Node, "place" | "gone"> {
  const place = linkPlace(report.id, link, index);
  return place === undefined ? { gone: { path: link.path, step: index } } : { place };
}

/** Every file that an answer names. */
function pathsOf({ links, primary, readTargets }: Report): string[] {
  return [...links, ...primary, ...readTargets].map(({ path }) => path);
}

/** All places that a report's rows open. */
export function placesOf(report: Report): Place[] {
  const all = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...all(node.children)]);
  return all(flowNodes(report, undefined, true)).flatMap(({ place }) => place ?? []);
}

/** The place that a report's link opens; undefined if its file is gone. */
export function linkPlace(reportId: string, link: Link, index: number): Place | undefined {
  if (link.location == null) return undefined;
  const text = `${link.path}:${words.span(link.range)} ${words.plain(link.fact)}\n> ${link.quote.replaceAll("\n", "\n> ")}`;
  const id = `${reportId}/${index}`;
  const place = { id, location: link.location, step: index, text };
  return link.quoteLocation == null || link.stale ? place : { ...place, quote: link.quoteLocation };
}
