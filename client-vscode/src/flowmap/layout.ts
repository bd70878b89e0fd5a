import type { Link, Report } from "../reports/report";
import { hop as relation, plain, span, witness } from "../reports/words";
import { clip, wrap } from "./measure";

/** The position of every element of a flow map, in pixels at 100 % zoom. */
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
  /** The polyline from one step to the next. `head` is the end that the relation points to. */
  points: { x: number; y: number }[];
  head: "start" | "end" | "none";
  isConfirmed: boolean;
  label: { x: number; y: number; lines: string[] };
  spoken: string;
}

export const TEXT = { head: 11, fact: 13, quote: 12, label: 11, file: 13 } as const;
export const LINE = { head: 17, fact: 18, quote: 17, label: 14 } as const;

const MARGIN = 16;
const NODE_WIDTH = 380;
export const PADDING = 12;
/** Offset of a node's text, to the right of its number. */
export const INDENT = 40;
/** Offset of the centre of a node's number. */
export const NUMBER = 20;
export const FILE_PADDING = 12;
export const FILE_HEAD = 30;
/** Vertical space for an arrow and its label of two lines. */
const GAP = 46;
const LANE = 22;
const LABEL_WIDTH = 190;
const MAX_FACT_LINES = 4;
const FILE_WIDTH = NODE_WIDTH + 2 * FILE_PADDING;

/**
 * Lays out one column of files, in the order in which the flow first reaches them, each with its steps.
 * A straight arrow joins consecutive steps that are adjacent in the column. Every other arrow gets a lane
 * of its own on the right.
 */
export function layOut({ links }: Report): Layout {
  const nodes = new Map<number, NodeBox>();
  const files: FileBox[] = [];
  let y = MARGIN;
  const order: number[] = [];
  for (const [path, steps] of byFile(links)) {
    const top = y;
    y += FILE_HEAD;
    for (const [index, step] of steps.entries()) {
      if (index > 0) y += GAP;
      const link = links[step];
      if (link === undefined) continue;
      const node = nodeBox(link, step + 1, MARGIN + FILE_PADDING, y);
      nodes.set(step, node);
      order.push(step);
      y += node.height;
    }
    y += FILE_PADDING;
    files.push({ x: MARGIN, y: top, width: FILE_WIDTH, height: y - top, ...nameAndFolder(path) });
    y += GAP;
  }
  let lane = 0;
  const arrows = links.slice(1).flatMap((_, index) => {
    const [from, to] = [nodes.get(index), nodes.get(index + 1)];
    if (from === undefined || to === undefined) return [];
    const relationText = relationTextOf(links, index);
    const areAdjacent = order.indexOf(index + 1) === order.indexOf(index) + 1;
    return [
      areAdjacent
        ? straightArrow(from, to, relationText)
        : laneArrow(from, to, relationText, ++lane),
    ];
  });
  const lanesWidth = lane === 0 ? 0 : LANE * lane + LABEL_WIDTH;
  placeLabels(arrows, MARGIN + FILE_WIDTH + LANE * lane + 10);
  const bottoms = arrows.map(({ label }) => label.y + label.lines.length * LINE.label);
  return {
    width: 2 * MARGIN + FILE_WIDTH + lanesWidth,
    height: Math.max(2 * MARGIN, y - GAP + MARGIN, ...bottoms),
    files,
    nodes: [...nodes.values()].sort((a, b) => a.number - b.number),
    arrows,
  };
}

/** Stacks the lanes' labels to the right of all lanes, each as close to its arrow's middle as space allows. */
function placeLabels(arrows: readonly Arrow[], x: number): void {
  let nextFreeY = 0;
  const laneLabels = arrows.filter(({ points }) => points.length > 2).map(({ label }) => label);
  for (const label of laneLabels.sort((a, b) => a.y - b.y)) {
    label.x = x;
    label.y = Math.max(label.y, nextFreeY);
    nextFreeY = label.y + (label.lines.length + 1) * LINE.label;
  }
}

function byFile(links: readonly Link[]): Map<string, number[]> {
  const files = new Map<string, number[]>();
  for (const [index, { path }] of links.entries()) {
    const steps = files.get(path);
    if (steps === undefined) files.set(path, [index]);
    else steps.push(index);
  }
  return files;
}

function nameAndFolder(path: string): { name: string; folder: string } {
  const slash = path.lastIndexOf("/");
  const name = clip(path.slice(slash + 1), NODE_WIDTH, TEXT.file, "sans");
  return { name, folder: path.slice(0, Math.max(0, slash)) };
}

function nodeBox(link: Link, number: number, x: number, y: number): NodeBox {
  const maxWidth = NODE_WIDTH - INDENT - PADDING;
  const lineText = `${link.range.start === link.range.end ? "line" : "lines"} ${span(link.range)}`;
  const head = [link.stale ? "stale" : "", link.role, lineText].filter(Boolean).join(" · ");
  const fact = wrap(plain(link.fact), maxWidth, TEXT.fact, MAX_FACT_LINES);
  const quote = link.quote
    .split("\n")
    .map((line) => clip(line.trim(), maxWidth - PADDING, TEXT.quote, "mono"));
  const height =
    2 * PADDING + LINE.head + fact.length * LINE.fact + 6 + quote.length * LINE.quote + 4;
  return {
    ...{ link, number, x, y, width: NODE_WIDTH, height },
    ...{ head: clip(head, maxWidth, TEXT.head, "sans"), fact, quote },
  };
}

type RelationText = Pick<Arrow, "head" | "isConfirmed" | "spoken"> & {
  relation: string;
  witnessLabel: string;
};

function relationTextOf(links: readonly Link[], index: number): RelationText {
  const hop = links[index]?.hop ?? null;
  const relationLabel = relation(links, index);
  const witnessLabel = hop === null ? "" : witness(hop);
  const head = hop === null ? "none" : pointsForward(hop, links, index) ? "end" : "start";
  return {
    relation: relationLabel,
    witnessLabel,
    head,
    isConfirmed: hop?.witness != null,
    spoken: `${relationLabel || `then step ${index + 2}`} ${witnessLabel}`.trimEnd(),
  };
}

/** A vertical arrow through the step numbers, down to the next step. */
function straightArrow(
  from: NodeBox,
  to: NodeBox,
  { relation: relationLabel, witnessLabel, ...relationText }: RelationText,
): Arrow {
  const x = from.x + NUMBER;
  const bottom = from.y + from.height;
  // Between two files, the label is placed outside both boxes.
  const y = bottom + (from.link.path === to.link.path ? 20 : FILE_PADDING + 20);
  const maxWidth = NODE_WIDTH - INDENT;
  const lines = [relationLabel, witnessLabel]
    .filter(Boolean)
    .map((line) => clip(line, maxWidth, TEXT.label, "sans"));
  const points = [
    { x, y: bottom },
    { x, y: to.y },
  ];
  return { points, label: { x: from.x + INDENT, y, lines }, ...relationText };
}

/** An arrow in its own lane to the right of the files. `placeLabels` then moves its label past all lanes. */
function laneArrow(
  from: NodeBox,
  to: NodeBox,
  { relation: relationLabel, witnessLabel, ...relationText }: RelationText,
  lane: number,
): Arrow {
  const x = MARGIN + FILE_WIDTH + LANE * lane;
  const [start, end] = [from.y + from.height * 0.7, to.y + to.height * 0.3];
  const maxWidth = LABEL_WIDTH - MARGIN;
  const head = relationLabel === "" ? "" : `${from.number} ${relationLabel}`;
  const lines = [head, witnessLabel]
    .filter(Boolean)
    .flatMap((line) => wrap(line, maxWidth, TEXT.label, 2));
  const points = [
    { x: from.x + from.width, y: start },
    { x, y: start },
    { x, y: end },
    { x: to.x + to.width, y: end },
  ];
  return { points, label: { x: x + 8, y: (start + end) / 2, lines }, ...relationText };
}

function pointsForward(
  hop: NonNullable<Link["hop"]>,
  links: readonly Link[],
  index: number,
): boolean {
  return hop.from === links[index]?.id || hop.to === links[index + 1]?.id;
}
