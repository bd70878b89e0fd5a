import type { Report } from "../reports/report";
import { plain, span } from "../reports/words";
import { layOut, FILE_HEAD, FILE_PADDING, INDENT, LINE, NUMBER, PADDING, TEXT } from "./layout";
import type { Arrow, FileBox, NodeBox } from "./layout";
import { clip, measure } from "./measure";
import { element, escaped } from "./svg";

/** Draws the flow as an SVG document without colours: elements have classes, and a style sheet colours them. */
export function draw(report: Report, style = ""): string {
  const layout = layOut(report);
  const parts = [
    element("title", {}, [escaped(`Flow map: ${report.query}`)]),
    ...(style === "" ? [] : [element("style", {}, [escaped(style)])]),
    element("rect", { class: "ground", width: layout.width, height: layout.height }),
    ...layout.files.map(file),
    ...layout.arrows.map(arrow),
    ...layout.nodes.map(node),
  ];
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "flow",
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      width: layout.width,
      height: layout.height,
      role: "group",
      "aria-label": `Flow map: ${report.query}`,
    },
    parts,
  );
}

function file({ x, y, width, height, name, folder }: FileBox): string {
  const start = x + FILE_PADDING + INDENT;
  const nameWidth = measure(name, TEXT.file, "sans") + 10;
  const clippedFolder = clip(
    folder,
    width - FILE_PADDING - INDENT - PADDING - nameWidth,
    TEXT.label,
    "sans",
  );
  return element("g", { class: "file" }, [
    element("rect", { x, y, width, height, rx: 6 }),
    label(name, start, y + FILE_HEAD - 10, TEXT.file, "name"),
    folder === ""
      ? ""
      : label(clippedFolder, start + nameWidth, y + FILE_HEAD - 10, TEXT.label, "folder"),
  ]);
}

function node({ x, y, width, height, number, link, head, fact, quote }: NodeBox): string {
  const left = x + INDENT;
  let line = y + PADDING + 10;
  const parts = [
    element("rect", { class: "box", x, y, width, height, rx: 4 }),
    element("circle", { class: "number", cx: x + NUMBER, cy: y + PADDING + 8, r: 11 }),
    element(
      "text",
      {
        class: "number",
        x: x + NUMBER,
        y: y + PADDING + 12,
        "font-size": 12,
        "text-anchor": "middle",
      },
      [escaped(String(number))],
    ),
    label(head, left, line, TEXT.head, "head"),
  ];
  line += LINE.head;
  for (const each of fact) {
    parts.push(label(each, left, line, TEXT.fact, "fact"));
    line += LINE.fact;
  }
  const top = line - LINE.fact + 10;
  const inner = { x: left - 6, y: top, width: width - INDENT - PADDING + 6 };
  parts.push(
    element("rect", { class: "quote", ...inner, height: quote.length * LINE.quote + 8, rx: 3 }),
    ...quote.map((each, index) =>
      label(each, left, top + 17 + index * LINE.quote, TEXT.quote, "quote"),
    ),
  );
  const location = `${link.path}, lines ${span(link.range)}`;
  const spoken = `Step ${number}${link.stale ? ", stale" : ""}. ${plain(link.fact)} ${location}`;
  return element(
    "g",
    {
      class: link.stale ? "node stale" : "node",
      role: "link",
      tabindex: 0,
      "data-step": number - 1,
      "aria-label": spoken,
    },
    [element("title", {}, [escaped(`${link.path}:${span(link.range)}`)]), ...parts],
  );
}

function arrow({ points, head, isConfirmed, label: caption, spoken }: Arrow): string {
  const path = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join(" ");
  const [tip, before] = head === "start" ? points : points.toReversed();
  const lines = caption.lines.map((line, index) =>
    label(
      line,
      caption.x,
      caption.y + index * LINE.label,
      TEXT.label,
      index === 0 ? "relation" : "witness",
    ),
  );
  const tipElement =
    head === "none" || tip === undefined || before === undefined ? "" : tipOf(tip, before);
  return element(
    "g",
    { class: isConfirmed ? "arrow" : "arrow unvouched", role: "img", "aria-label": spoken },
    [
      element("path", {
        class: "line",
        d: path,
        ...(isConfirmed ? {} : { "stroke-dasharray": "5 4" }),
      }),
      tipElement,
      ...lines,
    ],
  );
}

function tipOf(tip: { x: number; y: number }, before: { x: number; y: number }): string {
  const [dx, dy] = [Math.sign(tip.x - before.x), Math.sign(tip.y - before.y)];
  const side = (by: number): string =>
    `${tip.x - 9 * dx + by * 5 * dy} ${tip.y - 9 * dy + by * 5 * dx}`;
  return element("path", { class: "tip", d: `M${tip.x} ${tip.y} L${side(1)} L${side(-1)} Z` });
}

function label(text: string, x: number, y: number, size: number, className: string): string {
  return element("text", { class: className, x, y, "font-size": size }, [escaped(text)]);
}
