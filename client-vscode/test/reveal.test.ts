import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Report } from "../src/reports/report";
import { linkPlace, placesOf } from "../src/views/flowNodes";
import { Revealer } from "../src/views/reveal";
import { link, report } from "./reports";
import type { Range } from "./vscode";
import { textDocument, Uri, visibleEditorsChanged, window } from "./vscode";

/** The 0-based lines decorated in an editor that becomes visible after the report changed. */
async function drawn(before: Report, after: Report): Promise<number[]> {
  const [shown] = before.links;
  const place = shown && linkPlace(before.id, shown, 0);
  assert.ok(place !== undefined);
  const lines: number[] = [];
  const editor = {
    document: textDocument(Uri.parse(place.location.uri)),
    setDecorations: (_: unknown, ranges: Range[]) =>
      lines.push(...ranges.map(({ start }) => start.line)),
    revealRange: () => undefined,
  };
  window.visibleTextEditors = [editor];
  const revealer = new Revealer();
  await revealer.reveal(place);
  lines.length = 0;
  revealer.updateHighlight(placesOf(after));
  assert.deepEqual(lines, []);
  visibleEditorsChanged.fire();
  window.visibleTextEditors = [];
  revealer.dispose();
  return lines;
}

describe("what is highlighted", () => {
  const at = (line: number) => ({
    uri: "file:///repo/shop/step1.py",
    range: { start: { line, character: 0 }, end: { line, character: 4 } },
  });
  const moved = link(1, { location: at(20), quoteLocation: at(21) });
  const gone = link(1, { location: null, quoteLocation: null });
  const before = report({ id: "r", links: [link(1)] });
  for (const [what, after, expected] of [
    ["stays where it is", before, [9, 10]],
    ["follows a step that moved", report({ id: "r", links: [moved] }), [20, 21]],
    ["loses a quote that is gone", report({ id: "r", links: [{ ...moved, stale: true }] }), [20]],
    ["stays in another report that has the same step", report({ links: [link(1)] }), [9, 10]],
    ["is not drawn for another report without it", report({ links: [moved] }), []],
    ["is not drawn in a file that is gone", report({ id: "r", links: [gone] }), []],
  ] as const) {
    it(what, async () => {
      assert.deepEqual(await drawn(before, after), expected);
    });
  }
});
