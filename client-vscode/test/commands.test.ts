import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { PendingQuestion } from "../src/ask/question";
import { askCommands } from "../src/commands/ask";
import { chooseModel } from "../src/commands/models";
import { reportCommands } from "../src/commands/report";
import { noStorage } from "../src/reports/shelf";
import { ReportStore } from "../src/reports/store";
import { link, report } from "./reports";
import {
  commandHandlers,
  commands,
  models,
  Position,
  settings,
  shownMessages,
  Uri,
  user,
  window,
} from "./vscode";
import { workspaceSettings } from "./vscode";

/** The commands, on fake views and a fake server that only record their calls. */
function commandsOnFakes(more: { selected?: string } = {}) {
  const store = new ReportStore(noStorage, () => 10);
  const questions: PendingQuestion[] = [];
  const steps: unknown[] = [];
  const rows = more.selected === undefined ? [] : [{ reportId: more.selected }];
  const services = {
    store,
    asker: {
      ask: (question: PendingQuestion) => {
        questions.push(question);
        return Promise.resolve(undefined);
      },
    },
    flow: { show: () => Promise.resolve(), select: (at: number) => steps.push(at) },
    revealer: { reveal: () => Promise.resolve() },
    reports: { commandTarget: (row?: unknown) => row ?? rows[0] },
    recent: { add: () => Promise.resolve(), for: () => [] },
  };
  askCommands(services as never);
  reportCommands(services as never);
  const run = (name: string, ...args: unknown[]) =>
    commands.executeCommand(`sightline.ui.${name}`, ...args);
  return { store, questions, steps, run };
}

/** Sets an active editor with this word at the cursor, or none if it is empty. */
function placeCursorOn(text: string): void {
  const position = new Position(3, 0);
  const word = text === "" ? undefined : { start: position };
  window.activeTextEditor = {
    document: {
      uri: Uri.file("/repo/a.py"),
      getWordRangeAtPosition: () => word,
      getText: () => text,
    },
    selection: { isEmpty: true, active: position, start: position },
  };
}

beforeEach(() => {
  commandHandlers.clear();
});

describe("removing a report", () => {
  for (const [description, selected, row, remaining] of [
    ["with a key removes the selected one, not the shown one", "old", undefined, ["new", "mid"]],
    ["with a key removes nothing if none is selected", undefined, undefined, ["new", "mid", "old"]],
    ["from the menu removes the one it was opened on", "old", { reportId: "mid" }, ["new", "old"]],
  ] as const) {
    it(description, async () => {
      const { store, run } = commandsOnFakes(selected === undefined ? {} : { selected });
      for (const id of ["old", "mid", "new"]) store.add(report({ id }));
      store.show("new");
      await run("removeReport", row);
      assert.deepEqual(
        store.all().map(({ id }) => id),
        remaining,
      );
    });
  }
});

it("next and previous visit every step, also two steps at one place", async () => {
  const { store, steps, run } = commandsOnFakes();
  store.add(report({ id: "r", links: [link(1), link(2), link(1), link(3)] }));
  store.show("r");
  for (let count = 0; count < 5; count++) await run("nextLink");
  await run("previousLink");
  assert.deepEqual(steps, [0, 1, 2, 3, 0, 3]);
});

it("a step whose file is gone shows a message and does not block the next step", async () => {
  const { store, steps, run } = commandsOnFakes();
  store.add(report({ id: "r", links: [link(1), link(2, { location: null }), link(3)] }));
  store.show("r");
  shownMessages.length = 0;
  for (let count = 0; count < 3; count++) await run("nextLink");
  assert.deepEqual(steps, [0, 1, 2]);
  await run("openNode", { gone: { path: "shop/step2.py", step: 1 } });
  assert.equal(store.visitedIndex, 1);
  assert.deepEqual(
    shownMessages,
    new Array<string>(2).fill(
      "shop/step2.py no longer exists. Ask again to find where the code is now.",
    ),
  );
});

it("asking again keeps the original arguments", async () => {
  const { store, questions, run } = commandsOnFakes();
  const request = { command: "sightline.explore", argument: { scope: ["a/**"] } };
  store.add(report({ id: "r" }), { request });
  await run("refresh", { reportId: "r" });
  assert.deepEqual(questions[0]?.argument.scope, ["a/**"]);
  assert.equal(questions[0].replaces, "r");
});

/** Answers the open input: types `value` or accepts one of `activeRows`. */
async function answer(
  activeRows: { label: string; question?: unknown }[],
  value = "",
): Promise<void> {
  const pick = window.picks.at(-1);
  assert.ok(pick !== undefined);
  Object.assign(pick, { value, activeItems: activeRows });
  pick.accepted.fire();
  await new Promise(setImmediate);
}

it("explaining folders limits the question to them and ignores the cursor", async () => {
  const { questions, run } = commandsOnFakes();
  const folders = ["shop", "app/[id]"].map((path) => Uri.file(`/repo/${path}`));
  void run("explainInFolder", folders[0], folders);
  await answer([], "How is it paid?");
  assert.deepEqual(questions[0]?.argument, {
    query: "How is it paid?",
    intent: "explain",
    scope: ["file:///repo/shop", "file:///repo/app/[id]"],
  });
});

it("a follow-up about the symbol at the cursor has its anchor", async () => {
  const { store, questions, run } = commandsOnFakes();
  store.add(report({ id: "r" }));
  store.show("r");
  placeCursorOn("place_order");
  void run("followUp");
  const question = { query: "How does `place_order` work?", aboutPlace: true };
  await answer([{ label: question.query, question }]);
  const { reportId, anchor } = questions[0]?.argument as { reportId: string; anchor: object };
  assert.equal(reportId, "r");
  assert.deepEqual(anchor, {
    uri: "file:///repo/a.py",
    position: { line: 3, character: 0 },
  });
});

describe("asking again with keywords", () => {
  const SUGGESTED = ["cart", "stock"];

  /** Types texts one after another, checks the rows with the given labels after each, and finally accepts. */
  async function answerPicker(suggested: string[] | undefined, ...inputs: [string, ...string[]][]) {
    const { store, questions, run } = commandsOnFakes();
    store.add(report({ id: "r", ...(suggested && { suggestedKeywords: suggested }) }));
    store.show("r");
    void run("askWithKeywords");
    const pick = window.picks.at(-1);
    assert.ok(pick !== undefined);
    for (const [value, ...labels] of inputs) {
      pick.value = value;
      pick.typed.fire(value);
      const checked: { label: string }[] = pick.items.filter(({ label }) => labels.includes(label));
      assert.equal(checked.length, labels.length, JSON.stringify(pick.items));
      pick.selectedItems = [...pick.selectedItems, ...checked];
    }
    const offered = pick.items.map(({ label }) => label);
    pick.accepted.fire();
    await new Promise(setImmediate);
    assert.ok(questions.every(({ replaces }) => replaces === "r"));
    return { keywords: questions[0]?.argument.keywords, offered };
  }

  for (const [description, suggested, inputs, expected] of [
    ["checked", SUGGESTED, [["", "stock", "cart"]], ["cart", "stock"]],
    ["typed while nothing is checked", SUGGESTED, [["Order, cart Order"]], ["Order", "cart"]],
    ["typed in addition to checked ones", SUGGESTED, [["", "cart"], ["order"]], ["cart", "order"]],
    ["checked, without the text that filtered them", SUGGESTED, [["car", "cart"]], ["cart"]],
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
    [
      "checked after being typed, though the text is now half deleted",
      [],
      [["order", "order"], ["ord"]],
      ["order"],
    ],
    ["typed while none are suggested", undefined, [["order"]], ["order"]],
    ["none", SUGGESTED, [], undefined],
    ["only blanks", SUGGESTED, [[" , "]], undefined],
  ] as [string, string[] | undefined, [string, ...string[]][], string[] | undefined][]) {
    it(`asks with keywords: ${description}`, async () => {
      const { keywords } = await answerPicker(suggested, ...inputs);
      assert.deepEqual(keywords, expected);
    });
  }

  it("lists the typed words that are not listed already", async () => {
    const separator = "Words from the code near the answer";
    const { offered } = await answerPicker(SUGGESTED, ["order", "order"], ["stock order outbox"]);
    assert.deepEqual(offered, ["outbox", "order", separator, "cart", "stock"]);
    assert.deepEqual((await answerPicker(undefined, [""])).offered, []);
  });

  it("asks nothing when the picker is closed", async () => {
    const { store, questions, run } = commandsOnFakes();
    store.add(report({ id: "r", suggestedKeywords: SUGGESTED }));
    store.show("r");
    void run("askWithKeywords");
    const pick = window.picks.at(-1);
    pick?.hide();
    await new Promise(setImmediate);
    assert.deepEqual(questions, []);
  });

  it("asks for a question if there is no report", async () => {
    const { questions, run } = commandsOnFakes();
    void run("askWithKeywords");
    await answer([], "How is it paid?");
    assert.equal(questions[0]?.argument.query, "How is it paid?");
    assert.equal(questions[0].replaces, undefined);
  });
});

describe("debugging at the cursor", () => {
  for (const [place, text, expected] of [
    ["a name", "place_order", "Why does `place_order` fail? "],
    ["a blank line", "", ""],
  ] as const) {
    it(`begins the question at ${place}`, () => {
      placeCursorOn(text);
      void commandsOnFakes().run("debugHere");
      assert.equal(window.picks.at(-1)?.value, expected);
    });
  }
});

describe("choosing a model", () => {
  const NONE = "$(shield) No model";
  const ONE = "$(sparkle) One";
  const OFF = { judge: "offline" };
  const EDITOR = { model: "editor", editorModel: "one" };
  for (const [
    description,
    chosen,
    userSettings,
    workspaceValues,
    expectedUser,
    expectedWorkspace,
  ] of [
    ["none, over the user's model", NONE, { model: "m" }, {}, OFF, {}],
    ["none, over the user's judge", NONE, { judge: "packet" }, {}, OFF, {}],
    ["none, over the workspace's model", NONE, {}, { model: "m" }, OFF, {}],
    ["none, over the workspace's judge", NONE, {}, { judge: "packet" }, OFF, OFF],
    ["one, after none", ONE, OFF, {}, EDITOR, {}],
    ["one, over the workspace's model", ONE, {}, { model: "m" }, EDITOR, { model: "editor" }],
    ["one, with a judge set", ONE, { judge: "packet" }, {}, { judge: "packet", ...EDITOR }, {}],
  ] as const) {
    it(description, async () => {
      models.push({ id: "one", name: "One" } as never);
      for (const [name, value] of Object.entries(userSettings)) settings.set(name, value);
      for (const [name, value] of Object.entries(workspaceValues))
        workspaceSettings.set(name, value);
      user.presses = chosen;
      await chooseModel(() => Promise.resolve(false));
      assert.deepEqual(Object.fromEntries(settings), expectedUser);
      assert.deepEqual(Object.fromEntries(workspaceSettings), expectedWorkspace);
      models.length = 0;
      settings.clear();
      workspaceSettings.clear();
    });
  }
});
