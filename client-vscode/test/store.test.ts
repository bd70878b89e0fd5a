import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FileStorage, noStorage } from "../src/reports/shelf";
import { ReportStore } from "../src/reports/store";
import { report } from "./reports";

function ids(store: ReportStore): string[] {
  return store.all().map(({ id }) => id);
}

function filled(size: number, ...names: string[]): ReportStore {
  const store = new ReportStore(noStorage, () => size);
  for (const id of names) store.add(report({ id }));
  return store;
}

describe("the reports of a workspace", () => {
  it("keeps the newest first, pinned ones before all", () => {
    const store = filled(10, "a", "b", "c");
    store.pin("a", true);
    assert.deepEqual(ids(store), ["a", "c", "b"]);
    store.pin("a", false);
    assert.deepEqual(ids(store), ["c", "b", "a"]);
  });

  it("forgets the oldest, but never a pinned one or the shown one", () => {
    const store = filled(2, "a", "b");
    store.pin("a", true);
    store.show("b");
    for (const id of ["c", "d", "e"]) store.add(report({ id }));
    assert.deepEqual(new Set(ids(store)), new Set(["a", "b", "d", "e"]));
  });

  it("keeps the latest until the next, even where none is to be kept", () => {
    const store = filled(0, "a", "b");
    assert.deepEqual(ids(store), ["b"]);
  });

  it("lets an answer stand in for the one it replaces, pin included", () => {
    const store = filled(10, "a", "b");
    store.pin("a", true);
    store.add(report({ id: "c" }), { replaces: "a" });
    assert.deepEqual(ids(store), ["c", "b"]);
    assert.ok(store.isPinned("c"));
  });

  it("shows nothing any more when the shown report is removed", () => {
    const store = filled(10, "a", "b");
    const heard: (string | undefined)[] = [];
    store.onDidChangeCurrent((current) => heard.push(current?.id));
    store.show("a");
    store.remove("a");
    store.show("gone");
    assert.deepEqual(heard, ["a", undefined]);
    assert.equal(store.current, undefined);
  });

  it("tells when the shown report says something else, and only then", () => {
    const store = filled(10, "a", "b");
    store.show("a");
    let told = 0;
    store.onDidChangeCurrent(() => (told += 1));
    store.update(report({ id: "b", confidence: "low" }));
    assert.equal(told, 0);
    store.update(report({ id: "a", confidence: "low" }));
    assert.equal(told, 1);
    assert.equal(store.current?.confidence, "low");
  });

  it("moves a report before another, or to the end", () => {
    const store = filled(10, "a", "b", "c");
    store.move("a", "c");
    assert.deepEqual(ids(store), ["a", "c", "b"]);
    store.move("a", undefined);
    assert.deepEqual(ids(store), ["c", "b", "a"]);
  });
});

describe("reports between sessions", () => {
  it("come back with their pins, after those asked meanwhile", async () => {
    const folder = await mkdtemp(join(tmpdir(), "shelf-"));
    const file = join(folder, "deep", "reports.json");
    const first = new ReportStore(new FileStorage(file), () => 10);
    const request = { command: "c", argument: { scope: ["s"] } };
    first.add(report({ id: "a" }), { request });
    first.add(report({ id: "b" }), { request });
    first.add(report({ id: "gone" }), { request });
    first.remove("gone");
    first.pin("a", true);
    await first.saved();
    const second = new ReportStore(new FileStorage(file), () => 10);
    second.add(report({ id: "c" }));
    await second.load();
    assert.deepEqual(ids(second), ["a", "c", "b"]);
    assert.deepEqual(second.request("b"), request);
    assert.equal(second.request("gone"), undefined);
    await second.saved();
    await rm(folder, { recursive: true });
  });

  for (const damaged of [
    "",
    "{",
    "null",
    '{"reports":[{"id":7},null]}',
    '{"pinned":{},"requests":{"a":7}}',
  ]) {
    it(`start empty from a damaged file: ${damaged}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "shelf-"));
      const file = join(folder, "reports.json");
      await writeFile(file, damaged);
      assert.deepEqual(await new FileStorage(file).load(), {
        reports: [],
        pinned: [],
        requests: {},
      });
      assert.equal(await readFile(file, "utf8"), damaged);
      await rm(folder, { recursive: true });
    });
  }
});
