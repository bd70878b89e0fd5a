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

function storeWith(size: number, ...names: string[]): ReportStore {
  const store = new ReportStore(noStorage, () => size);
  for (const id of names) store.add(report({ id }));
  return store;
}

describe("the report store", () => {
  it("lists the newest first, after the pinned ones", () => {
    const store = storeWith(10, "a", "b", "c");
    store.pin("a", true);
    assert.deepEqual(ids(store), ["a", "c", "b"]);
    store.pin("a", false);
    assert.deepEqual(ids(store), ["c", "b", "a"]);
  });

  it("drops the oldest, but never a pinned one or the shown one", () => {
    const store = storeWith(2, "a", "b");
    store.pin("a", true);
    store.show("b");
    for (const id of ["c", "d", "e"]) store.add(report({ id }));
    assert.deepEqual(new Set(ids(store)), new Set(["a", "b", "d", "e"]));
  });

  it("keeps the latest even if the history size is 0", () => {
    const store = storeWith(0, "a", "b");
    assert.deepEqual(ids(store), ["b"]);
  });

  it("replaces a report by its repeated answer, including the pin", () => {
    const store = storeWith(10, "a", "b");
    store.pin("a", true);
    store.add(report({ id: "c" }), { replaces: "a" });
    assert.deepEqual(ids(store), ["c", "b"]);
    assert.ok(store.isPinned("c"));
  });

  it("shows nothing after the shown report is removed", () => {
    const store = storeWith(10, "a", "b");
    const shownIds: (string | undefined)[] = [];
    store.onDidChangeCurrent((current) => shownIds.push(current?.id));
    store.show("a");
    store.remove("a");
    store.show("gone");
    assert.deepEqual(shownIds, ["a", undefined]);
    assert.equal(store.current, undefined);
  });

  it("announces updates of the shown report only", () => {
    const store = storeWith(10, "a", "b");
    store.show("a");
    let changes = 0;
    store.onDidChangeCurrent(() => (changes += 1));
    store.update(report({ id: "b", confidence: "low" }));
    assert.equal(changes, 0);
    store.update(report({ id: "a", confidence: "low" }));
    assert.equal(changes, 1);
    assert.equal(store.current?.confidence, "low");
  });

  it("moves a report before another or to the end", () => {
    const store = storeWith(10, "a", "b", "c");
    store.move("a", "c");
    assert.deepEqual(ids(store), ["a", "c", "b"]);
    store.move("a", undefined);
    assert.deepEqual(ids(store), ["c", "b", "a"]);
  });
});

describe("stored reports", () => {
  it("return with pins and requests, after those added meanwhile", async () => {
    const folder = await mkdtemp(join(tmpdir(), "shelf-"));
    const file = join(folder, "deep", "reports.json");
    const firstStore = new ReportStore(new FileStorage(file), () => 10);
    const request = { command: "c", argument: { scope: ["s"] } };
    firstStore.add(report({ id: "a" }), { request });
    firstStore.add(report({ id: "b" }), { request });
    firstStore.add(report({ id: "gone" }), { request });
    firstStore.remove("gone");
    firstStore.pin("a", true);
    await firstStore.saved();
    const secondStore = new ReportStore(new FileStorage(file), () => 10);
    secondStore.add(report({ id: "c" }));
    await secondStore.load();
    assert.deepEqual(ids(secondStore), ["a", "c", "b"]);
    assert.deepEqual(secondStore.request("b"), request);
    assert.equal(secondStore.request("gone"), undefined);
    await secondStore.saved();
    await rm(folder, { recursive: true });
  });

  for (const damaged of [
    "",
    "{",
    "null",
    '{"reports":[{"id":7},null]}',
    '{"pinned":{},"requests":{"a":7}}',
  ]) {
    it(`are empty if the file is damaged: ${damaged}`, async () => {
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
