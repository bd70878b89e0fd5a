import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Report } from "../src/reports/report";
import { linkPlace, placesOf } from "../src/views/flowNodes";
import { Revealer } from "../src/views/reveal";
import { link, report } from "./reports";
import type { Range } from "./vscode";
import { textDocument, Uri, visibleEditorsChanged, window } from "./vscode";

/** The 0-based lines decorated in an editor that becomes visible after the report changed. */
async function decoratedLines(before: Report, after: Report): Promise<number[]> {
  const [firstLink] = before.links;
  const place = firstLink && linkPlace(before.id, firstLink, 0);
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

describe("the highlighted place", () => {
  const lineLocation = (line: number) => ({
    uri: "file:///repo/shop/step1.py",
    range: { start: { line, character: 0 }, end: { line, character: 4 } },
  });
  const movedLink = link(1, { location: lineLocation(20), quoteLocation: lineLocation(21) });
  const missingLink = link(1, { location: null, quoteLocation: null });
  const before = report({ id: "r", links: [link(1)] });
  for (const [what, after, expected] of [
    ["stays where it is", before, [9, 10]],
    ["follows a step that moved", report({ id: "r", links: [movedLink] }), [20, 21]],
    ["loses a stale quote", report({ id: "r", links: [{ ...movedLink, stale: true }] }), [20]],
    ["stays for another report with the same step", report({ links: [link(1)] }), [9, 10]],
    ["is removed for another report without the step", report({ links: [movedLink] }), []],
    ["is removed if the file is gone", report({ id: "r", links: [missingLink] }), []],
  ] as const) {
    it(what, async () => {
      assert.deepEqual(await decoratedLines(before, after), expected);
    });
  }
});
