import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { PendingQuestion } from "../src/ask/question";
import { askCommands } from "../src/commands/ask";
import { chooseModel } from "../src/commands/models";
import { reportCommands } from "../src/commands/report";
import { noStorage } from "../src/reports/shelf";
import { ReportStore } from "../src/reports/store";
import { link, report } from "./reports";
import { answers, commands, models, Position, settings, shown, Uri, user, window } from "./vscode";
import { workspaceSettings } from "./vscode";

/** The commands, on fake views and a fake server that only record their calls. */
function room(more: { selected?: string } = {}) {
  const store = new ReportStore(noStorage, () => 10);
  const asked: PendingQuestion[] = [];
  const steps: unknown[] = [];
  const rows = more.selected === undefined ? [] : [{ reportId: more.selected }];
  const parts = {
    store,
    asker: {
      ask: (question: PendingQuestion) => {
        asked.push(question);
        return Promise.resolve(undefined);
      },
    },
    flow: { show: () => Promise.resolve(), select: (at: number) => steps.push(at) },
    revealer: { reveal: () => Promise.resolve() },
    reports: { commandTarget: (row?: unknown) => row ?? rows[0] },
    recent: { add: () => Promise.resolve(), for: () => [] },
  };
  askCommands(parts as never);
  reportCommands(parts as never);
  const run = (name: string, ...args: unknown[]) =>
    commands.executeCommand(`sightline.ui.${name}`, ...args);
  return { store, asked, steps, run };
}

/** Sets an active editor with this word at the cursor, or none if it is empty. */
function pointAt(text: string): void {
  const at = new Position(3, 0);
  const word = text === "" ? undefined : { start: at };
  window.activeTextEditor = {
    document: {
      uri: Uri.file("/repo/a.py"),
      getWordRangeAtPosition: () => word,
      getText: () => text,
    },
    selection: { isEmpty: true, active: at, start: at },
  };
}

beforeEach(() => {
  answers.clear();
});

describe("removing a report", () => {
  for (const [how, selected, row, left] of [
    ["with a key: the selected one, not the shown one", "old", undefined, ["new", "mid"]],
    ["with a key, where none is selected: nothing", undefined, undefined, ["new", "mid", "old"]],
    ["from the menu: the one it was opened on", "old", { reportId: "mid" }, ["new", "old"]],
  ] as const) {
    it(how, async () => {
      const { store, run } = room(selected === undefined ? {} : { selected });
      for (const id of ["old", "mid", "new"]) store.add(report({ id }));
      store.show("new");
      await run("removeReport", row);
      assert.deepEqual(
        store.all().map(({ id }) => id),
        left,
      );
    });
  }
});

it("going along a flow comes by each step, also where two are of one place", async () => {
  const { store, steps, run } = room();
  store.add(report({ id: "r", links: [link(1), link(2), link(1), link(3)] }));
  store.show("r");
  for (let count = 0; count < 5; count++) await run("nextLink");
  await run("previousLink");
  assert.deepEqual(steps, [0, 1, 2, 3, 0, 3]);
});

it("a step whose file is gone says so and does not end the way", async () => {
  const { store, steps, run } = room();
  store.add(report({ id: "r", links: [link(1), link(2, { location: null }), link(3)] }));
  store.show("r");
  shown.length = 0;
  for (let count = 0; count < 3; count++) await run("nextLink");
  assert.deepEqual(steps, [0, 1, 2]);
  await run("openNode", { gone: { path: "shop/step2.py", step: 1 } });
  assert.equal(store.visitedIndex, 1);
  assert.deepEqual(
    shown,
    new Array<string>(2).fill(
      "shop/step2.py no longer exists. Ask again to find where the code is now.",
    ),
  );
});

it("asking again asks all that was asked", async () => {
  const { store, asked, run } = room();
  const request = { command: "sightline.explore", argument: { scope: ["a/**"] } };
  store.add(report({ id: "r" }), { request });
  await run("refresh", { reportId: "r" });
  assert.deepEqual(asked[0]?.argument.scope, ["a/**"]);
  assert.equal(asked[0].replaces, "r");
});

/** Answers the open input: types `value` or accepts one of the `active` rows. */
async function answer(active: { label: string; question?: unknown }[], value = ""): Promise<void> {
  const pick = window.picks.at(-1);
  assert.ok(pick !== undefined);
  Object.assign(pick, { value, activeItems: active });
  pick.accepted.fire();
  await new Promise(setImmediate);
}

it("asks about folders, and about nothing else", async () => {
  const { asked, run } = room();
  const folders = ["shop", "app/[id]"].map((path) => Uri.file(`/repo/${path}`));
  void run("explainInFolder", folders[0], folders);
  await answer([], "How is it paid?");
  assert.deepEqual(asked[0]?.argument, {
    query: "How is it paid?",
    intent: "explain",
    scope: ["file:///repo/shop", "file:///repo/app/[id]"],
  });
});

it("a follow-up about the symbol at the cursor starts there", async () => {
  const { store, asked, run } = room();
  store.add(report({ id: "r" }));
  store.show("r");
  pointAt("place_order");
  void run("followUp");
  const about = { query: "How does `place_order` work?", aboutPlace: true };
  await answer([{ label: about.query, question: about }]);
  const { reportId, anchor } = asked[0]?.argument as { reportId: string; anchor: object };
  assert.equal(reportId, "r");
  assert.deepEqual(anchor, {
    uri: "file:///repo/a.py",
    position: { line: 3, character: 0 },
  });
});

describe("asking again with keywords", () => {
  const SUGGESTED = ["cart", "stock"];

  /** Types texts one after another, checks the rows with the given labels after each, and finally accepts. */
  async function picked(suggested: string[] | undefined, ...turns: [string, ...string[]][]) {
    const { store, asked, run } = room();
    store.add(report({ id: "r", ...(suggested && { suggestedKeywords: suggested }) }));
    store.show("r");
    void run("askWithKeywords");
    const pick = window.picks.at(-1);
    assert.ok(pick !== undefined);
    for (const [value, ...labels] of turns) {
      pick.value = value;
      pick.typed.fire(value);
      const checked: { label: string }[] = pick.items.filter(({ label }) => labels.includes(label));
      assert.equal(checked.length, labels.length, JSON.stringify(pick.items));
      pick.selectedItems = [...pick.selectedItems, ...checked];
    }
    const offered = pick.items.map(({ label }) => label);
    pick.accepted.fire();
    await new Promise(setImmediate);
    assert.ok(asked.every(({ replaces }) => replaces === "r"));
    return { keywords: asked[0]?.argument.keywords, offered };
  }

  for (const [what, suggested, turns, expected] of [
    ["checked", SUGGESTED, [["", "stock", "cart"]], ["cart", "stock"]],
    ["typed, though nothing is checked", SUGGESTED, [["Order, cart Order"]], ["Order", "cart"]],
    ["typed beside what is checked", SUGGESTED, [["", "cart"], ["order"]], ["cart", "order"]],
    ["checked, not what it was found by", SUGGESTED, [["car", "cart"]], ["cart"]],
    [
      "typed one after another, each checked",
      SUGGESTED,
      [
        ["order", "order"],
        ["outbox", "outbox"],
        ["", "stock"],
      ],
      ["order", "outbox", "stock"],
    ],
    ["checked, also where its text is half deleted", [], [["order", "order"], ["ord"]], ["order"]],
    ["typed, where none are suggested", undefined, [["order"]], ["order"]],
    ["none", SUGGESTED, [], undefined],
    ["none but blanks", SUGGESTED, [[" , "]], undefined],
  ] as [string, string[] | undefined, [string, ...string[]][], string[] | undefined][]) {
    it(`asks with the words that are ${what}`, async () => {
      const { keywords } = await picked(suggested, ...turns);
      assert.deepEqual(keywords, expected);
    });
  }

  it("offers what is typed unless it is offered already", async () => {
    const words = "Words from the code near the answer";
    const { offered } = await picked(SUGGESTED, ["order", "order"], ["stock order outbox"]);
    assert.deepEqual(offered, ["outbox", "order", words, "cart", "stock"]);
    assert.deepEqual((await picked(undefined, [""])).offered, []);
  });

  it("leaves all as it is where the picker is left", async () => {
    const { store, asked, run } = room();
    store.add(report({ id: "r", suggestedKeywords: SUGGESTED }));
    store.show("r");
    void run("askWithKeywords");
    const pick = window.picks.at(-1);
    pick?.hide();
    await new Promise(setImmediate);
    assert.deepEqual(asked, []);
  });

  it("asks a first question where there is no report", async () => {
    const { asked, run } = room();
    void run("askWithKeywords");
    await answer([], "How is it paid?");
    assert.equal(asked[0]?.argument.query, "How is it paid?");
    assert.equal(asked[0].replaces, undefined);
  });
});

describe("debugging what is at the cursor", () => {
  for (const [where, text, expected] of [
    ["a name", "place_order", "Why does `place_order` fail? "],
    ["a blank line", "", ""],
  ] as const) {
    it(`begins the question at ${where}`, () => {
      pointAt(text);
      void room().run("debugHere");
      assert.equal(window.picks.at(-1)?.value, expected);
    });
  }
});

describe("choosing a model", () => {
  const NONE = "$(shield) No model";
  const ONE = "$(sparkle) One";
  const OFF = { judge: "offline" };
  const EDITOR = { model: "editor", editorModel: "one" };
  for (const [what, chosen, own, ofWorkspace, ownThen, ofWorkspaceThen] of [
    ["none, of the user's", NONE, { model: "m" }, {}, OFF, {}],
    ["none, where a judge is set", NONE, { judge: "packet" }, {}, OFF, {}],
    ["none, where the workspace has one", NONE, {}, { model: "m" }, OFF, {}],
    ["none, where the workspace has a judge", NONE, {}, { judge: "packet" }, OFF, OFF],
    ["one, after none", ONE, OFF, {}, EDITOR, {}],
    ["one, where the workspace has another", ONE, {}, { model: "m" }, EDITOR, { model: "editor" }],
    ["one, with a judge", ONE, { judge: "packet" }, {}, { judge: "packet", ...EDITOR }, {}],
  ] as const) {
    it(what, async () => {
      models.push({ id: "one", name: "One" } as never);
      for (const [name, value] of Object.entries(own)) settings.set(name, value);
      for (const [name, value] of Object.entries(ofWorkspace)) workspaceSettings.set(name, value);
      user.presses = chosen;
      await chooseModel(() => Promise.resolve(false));
      assert.deepEqual(Object.fromEntries(settings), ownThen);
      assert.deepEqual(Object.fromEntries(workspaceSettings), ofWorkspaceThen);
      models.length = 0;
      settings.clear();
      workspaceSettings.clear();
    });
  }
});
