import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { draw } from "../src/flowmap/drawing";
import { layOut } from "../src/flowmap/layout";
import type { Arrow, Layout } from "../src/flowmap/layout";
import { clip, measure, wrap } from "../src/flowmap/measure";
import type { Link } from "../src/reports/report";
import { hop, link, report } from "./reports";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The links of a flow through files: "aab" is two steps in a.py, then one in b.py. */
function linksThrough(files: string, overrides: Partial<Link> = {}): Link[] {
  return Array.from(files, (file, index) =>
    link(index + 1, { path: `shop/${file}.py`, ...overrides }),
  );
}

function inside(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

function areDisjoint(a: Box, b: Box): boolean {
  return (
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
  );
}

function everyPair<T>(items: readonly T[], predicate: (a: T, b: T) => boolean): boolean {
  return items.every((a, index) => items.slice(index + 1).every((b) => predicate(a, b)));
}

/** The bounding box of an arrow's label. */
function labelBox({ label }: Arrow): Box {
  const width = Math.max(...label.lines.map((line) => measure(line, 11, "sans")));
  return { x: label.x, y: label.y - 11, width, height: label.lines.length * 14 };
}

function isLane({ points }: Arrow): boolean {
  return points.length > 2;
}

/** Checks the invariants of every layout. */
function check(layout: Layout, count: number): void {
  const { files, nodes, arrows, width, height } = layout;
  assert.deepEqual(
    nodes.map(({ number }) => number),
    Array.from({ length: count }, (_, index) => index + 1),
  );
  const canvas = { x: 0, y: 0, width, height };
  assert.ok([...files, ...nodes].every((box) => inside(box, canvas)));
  assert.ok(nodes.every((node) => files.filter((file) => inside(node, file)).length === 1));
  assert.ok(everyPair(files, areDisjoint) && everyPair(nodes, areDisjoint));
  assert.equal(arrows.length, Math.max(0, count - 1));
  for (const [index, { points }] of arrows.entries()) {
    const [from, to] = [nodes[index], nodes[index + 1]];
    const [first, last] = [points[0], points.at(-1)];
    assert.ok(from && to && first && last);
    const touches = (node: Box, { x, y }: { x: number; y: number }): boolean =>
      x >= node.x && x <= node.x + node.width && y >= node.y && y <= node.y + node.height;
    assert.ok(touches(from, first) && touches(to, last));
    assert.ok(points.every(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height));
  }
  const labels = arrows.map(labelBox);
  assert.ok(labels.every((box) => inside(box, canvas)));
  assert.ok(everyPair(labels, areDisjoint));
  assert.ok(labels.every((box) => nodes.every((node) => areDisjoint(box, node))));
}

describe("the layout of a flow map", () => {
  for (const files of ["", "a", "aaa", "abc", "aba", "abab", "abcabcabc", "aabbaabb"]) {
    it(`has no overlaps for the flow ${files === "" ? "without steps" : files}`, () => {
      check(layOut(report({ links: linksThrough(files) })), files.length);
    });
  }

  it("has no overlaps for long facts, quotes, roles and labels", () => {
    const overrides = {
      fact: "`a_very_long_name_without_any_break_in_it_at_all_that_goes_on_and_on` ".repeat(9),
      quote: `${"x".repeat(300)}\n  return 1\n`,
      role: "role ".repeat(40),
      hop: hop(1, { via: ["Some.long_name", "Another.long_name"], witness: "editor" }),
    };
    check(layOut(report({ links: linksThrough("abab", overrides) })), 4);
  });

  it("has a box for each file, in the order in which the flow reaches them", () => {
    const { files } = layOut(report({ links: linksThrough("cabac") }));
    assert.deepEqual(
      files.map(({ name, folder }) => [name, folder]),
      [
        ["c.py", "shop"],
        ["a.py", "shop"],
        ["b.py", "shop"],
      ],
    );
    assert.ok(files.every(({ y }, index) => index === 0 || y > (files[index - 1]?.y ?? 0)));
  });

  it("joins adjacent steps by a straight arrow, and gives every other arrow its own lane", () => {
    assert.ok(!layOut(report({ links: linksThrough("aabc") })).arrows.some(isLane));
    const { arrows, files } = layOut(report({ links: linksThrough("abab") }));
    const lanes = arrows.filter(isLane).map(({ points }) => points[1]?.x ?? 0);
    assert.equal(lanes.length, 3);
    assert.equal(new Set(lanes).size, lanes.length);
    assert.ok(lanes.every((x) => files.every((file) => x > file.x + file.width)));
  });

  it("is no wider than its files without lanes", () => {
    const narrowWidth = layOut(report({ links: linksThrough("aab") })).width;
    assert.equal(narrowWidth, layOut(report({ links: linksThrough("abc") })).width);
    assert.ok(layOut(report({ links: linksThrough("aba") })).width > narrowWidth);
  });

  it("points an arrow in the direction of the relation, and names its witness", () => {
    const links = [
      link(1, { hop: hop(1, { witness: "editor" }) }),
      link(2, { hop: hop(2, { from: "c3", to: "c2", witness: "graph:name" }) }),
      link(3, { hop: hop(3, { witness: null }) }),
      link(4, { hop: null }),
      link(5),
    ];
    const { arrows } = layOut(report({ links }));
    assert.deepEqual(
      arrows.map(({ head, isConfirmed: vouched }) => [head, vouched]),
      [
        ["end", true],
        ["start", true],
        ["end", false],
        ["none", false],
      ],
    );
    assert.match(arrows[0]?.spoken ?? "", /calls step 2 confirmed by the editor's language server/);
    assert.match(arrows[3]?.spoken ?? "", /no known relation to step 5/);
  });

  it("shows staleness, role and lines above a step", () => {
    const stale = link(2, { stale: true, range: { start: 4, end: 4 }, role: "sink" });
    const { nodes } = layOut(report({ links: [link(1), stale] }));
    assert.deepEqual(
      nodes.map(({ head }) => head),
      ["step · lines 10-15", "stale · sink · line 4"],
    );
  });
});

it("two steps at one place have different data-step attributes", () => {
  const svg = draw(report({ links: [link(1), link(2), link(1)] }));
  const steps = [...svg.matchAll(/data-step="(\d)"/g)].map(([, step]) => step);
  assert.deepEqual(steps, ["0", "1", "2"]);
});

describe("text in a flow map", () => {
  it("is clipped with an ellipsis if it does not fit", () => {
    assert.equal(clip("short", 100, 12, "sans"), "short");
    for (const text of ["a long text that cannot fit", "篮子篮子篮子篮子", "🧺🧺🧺🧺🧺🧺🧺"]) {
      const clipped = clip(text, 60, 12, "mono");
      assert.ok(clipped.endsWith("…") && clipped.isWellFormed());
      assert.ok(measure(clipped, 12, "mono") <= 60);
    }
  });
  it("wraps between words into at most the given number of lines", () => {
    const lines = wrap("one two three four five six seven eight nine ten", 60, 12, 3);
    assert.equal(lines.length, 3);
    assert.ok(lines.at(-1)?.endsWith("…"));
    assert.ok(lines.every((line) => measure(line, 12, "sans") <= 60));
    assert.deepEqual(wrap("  ", 60, 12, 3), []);
    assert.equal(wrap("one two three", 500, 12, 3).join(" "), "one two three");
  });
});
