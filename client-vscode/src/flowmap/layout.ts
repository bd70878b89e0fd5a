import type { Link, Report } from "../reports/report";
import { hop as relation, plain, span, witness } from "../reports/words";
import { clip, wrap } from "./measure";

/** Where everything of a flow map stands, in pixels at 100 %. */
export interface Layout {
  width: number;
  height: number;
  files: FileBox[];
  nodes: NodeBox[];
  arrows: Arrow[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface FileBox extends Box {
  name: string;
  folder: string;
}

export interface NodeBox extends Box {
  link: Link;
  number: number;
  /** `entry · lines 10-22` */
  head: string;
  fact: string[];
  quote: string[];
}

export interface Arrow {
  /** From one step to the next; the head is where the relation points. */
  points: { x: number; y: number }[];
  head: "start" | "end" | "none";
  vouched: boolean;
  label: { x: number; y: number; lines: string[] };
  spoken: string;
}

export const TEXT = { head: 11, fact: 13, quote: 12, label: 11, file: 13 } as const;
export const LINE = { head: 17, fact: 18, quote: 17, label: 14 } as const;

const MARGIN = 16;
const NODE_WIDTH = 380;
export const PADDING = 12;
/** Text of a node starts right of its number. */
export const INDENT = 40;
const FILE_PADDING = 12;
export const FILE_HEAD = 30;
/** Room for an arrow and two lines of its label. */
const GAP = 46;
const LANE = 22;
const LABEL_WIDTH = 190;
const MOST_FACT_LINES = 4;
const FILE_WIDTH = NODE_WIDTH + 2 * FILE_PADDING;

/**
 * One column of files in the order in which the flow first reaches them, each with its steps.
 * Neighbours are joined by a straight arrow; a step that leads elsewhere takes a lane of its own at the right.
 */
export function layOut({ links }: Report): Layout {
  const nodes = new Map<number, NodeBox>();
  const files: FileBox[] = [];
  let y = MARGIN;
  const order: number[] = [];
  for (const [path, steps] of byFile(links)) {
    const top = y;
    y += FILE_HEAD;
    for (const [at, step] of steps.entries()) {
      if (at > 0) y += GAP;
      const node = nodeBox(links[step] as Link, step + 1, MARGIN + FILE_PADDING, y);
      nodes.set(step, node);
      order.push(step);
      y += node.height;
    }
    y += FILE_PADDING;
    files.push({ x: MARGIN, y: top, width: FILE_WIDTH, height: y - top, ...named(path) });
    y += GAP;
  }
  const arrows = links.slice(1).map((_, at) => arrow(links, at, nodes, order));
  const lanes = arrows.map(({ points, label }) => Math.max(label.x, ...points.map(({ x }) => x)));
  const side = lanes.some((x) => x > MARGIN + FILE_WIDTH) ? LABEL_WIDTH : 0;
  return {
    width: Math.max(MARGIN + FILE_WIDTH, ...lanes) + side + MARGIN,
    height: Math.max(2 * MARGIN, y - GAP + MARGIN),
    files,
    nodes: [...nodes.values()].sort((a, b) => a.number - b.number),
    arrows,
  };
}

function byFile(links: readonly Link[]): Map<string, number[]> {
  const files = new Map<string, number[]>();
  for (const [at, { path }] of links.entries()) {
    const steps = files.get(path);
    if (steps === undefined) files.set(path, [at]);
    else steps.push(at);
  }
  return files;
}

function named(path: string): { name: string; folder: string } {
  const cut = path.lastIndexOf("/");
  const name = clip(path.slice(cut + 1), NODE_WIDTH, TEXT.file, "sans");
  return { name, folder: path.slice(0, Math.max(0, cut)) };
}

function nodeBox(link: Link, number: number, x: number, y: number): NodeBox {
  const room = NODE_WIDTH - INDENT - PADDING;
  const lines = `${link.range.start === link.range.end ? "line" : "lines"} ${span(link.range)}`;
  const head = [link.stale ? "stale" : "", link.role, lines].filter(Boolean).join(" · ");
  const fact = wrap(plain(link.fact), room, TEXT.fact, MOST_FACT_LINES);
  const quote = link.quote
    .split("\n")
    .map((line) => clip(line.trim(), room - PADDING, TEXT.quote, "mono"));
  const height =
    2 * PADDING + LINE.head + fact.length * LINE.fact + 6 + quote.length * LINE.quote + 4;
  return {
    ...{ link, number, x, y, width: NODE_WIDTH, height },
    ...{ head: clip(head, room, TEXT.head, "sans"), fact, quote },
  };
}

function arrow(
  links: readonly Link[],
  at: number,
  nodes: ReadonlyMap<number, NodeBox>,
  order: readonly number[],
): Arrow {
  const [from, to] = [nodes.get(at) as NodeBox, nodes.get(at + 1) as NodeBox];
  const { hop } = links[at] as Link;
  const said = relation(links, at);
  const by = hop === null ? "" : witness(hop);
  const head = hop === null ? "none" : pointsOn(hop, links, at) ? "end" : "start";
  const told = { head, vouched: hop?.witness != null, spoken: `${said} ${by}`.trimEnd() } as const;
  if (order.indexOf(at + 1) === order.indexOf(at) + 1) {
    const x = from.x + INDENT;
    const sameFile = from.link.path === to.link.path;
    // Below a file's edge, where its background ends, or between two steps of one file.
    const y = from.y + from.height + (sameFile ? 20 : FILE_PADDING + 20);
    const lines = [said, by].filter(Boolean).map((line) => shortened(line, NODE_WIDTH - INDENT));
    const points = [
      { x, y: from.y + from.height },
      { x, y: to.y },
    ];
    return { points, label: { x: x + 12, y, lines }, ...told };
  }
  const lane = MARGIN + FILE_WIDTH + LANE * (1 + (at % 3));
  const [start, end] = [from.y + from.height * 0.7, to.y + to.height * 0.3];
  const lines = [...wrap(said, LABEL_WIDTH - 24, TEXT.label, 2), ...wrap(by, LABEL_WIDTH - 24, TEXT.label, 2)];
  const points = [
    { x: from.x + from.width, y: start },
    { x: lane, y: start },
    { x: lane, y: end },
    { x: to.x + to.width, y: end },
  ];
  const middle = (start + end) / 2 + at * LINE.label * 0.5;
  return { points, label: { x: lane + 8, y: middle, lines }, ...told };
}

function pointsOn(hop: NonNullable<Link["hop"]>, links: readonly Link[], at: number): boolean {
  return hop.from === links[at]?.id || hop.to === links[at + 1]?.id;
}

function shortened(text: string, room: number): string {
  return clip(text, room, TEXT.label, "sans");
}
