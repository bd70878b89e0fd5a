import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Asker } from "../src/ask/asker";
import { items } from "../src/ask/input";
import type { InputOptions } from "../src/ask/input";
import { isName } from "../src/ask/place";
import {
  pendingQuestion,
  questionFromCommand,
  repeatQuestion,
  repeatWithKeywords,
} from "../src/ask/question";
import { RecentQuestions } from "../src/ask/recent";
import { scopeOf } from "../src/ask/scope";
import { noStorage } from "../src/reports/shelf";
import { ReportStore } from "../src/reports/store";
import { Failure } from "../src/server/failure";
import { report } from "./reports";
import { executedCommands, shownMessages, user } from "./vscode";

interface Sent {
  params: { command: string; arguments: Record<string, unknown>[]; workDoneToken: string };
  progress: (token: unknown, value: unknown) => void;
  token: {
    isCancellationRequested: boolean;
    onCancellationRequested: (run: () => void) => unknown;
  };
}

/** A fake server that answers with `answer`, and an asker that uses it. */
function askerWith(respond: (sent: Sent) => Promise<unknown>) {
  const listeners = new Map<unknown, (value: unknown) => void>();
  const client = {
    onProgress: (_: unknown, token: unknown, listener: (value: unknown) => void) => {
      listeners.set(token, listener);
      return { dispose: () => listeners.delete(token) };
    },
    sendRequest: (_: string, params: Sent["params"], token: Sent["token"]) =>
      respond({ params, token, progress: (token, value) => listeners.get(token)?.(value) }),
  };
  const server = { ready: () => Promise.resolve(client) };
  const store = new ReportStore(noStorage, () => 10);
  const log = { error: () => undefined };
  const asker = new Asker(server as never, store, log as never);
  return { asker, store, listeners };
}

const question = pendingQuestion({ query: "How?", intent: "explain" });
const nextTick = () => new Promise((resolve) => setTimeout(resolve, 5));

function errorWithCode(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

beforeEach(() => {
  shownMessages.length = 0;
  executedCommands.length = 0;
  user.presses = undefined;
});

describe("Asker", () => {
  it("stores and shows the answer, and reports progress and the partial flow meanwhile", async () => {
    const observed: unknown[] = [];
    const { asker, store, listeners } = askerWith(async ({ params, progress }) => {
      const partial = params.arguments[0]?.partialResultToken;
      progress(params.workDoneToken, { kind: "report", message: "Searching", percentage: 20 });
      progress(partial, report({ id: "partial" }));
      progress(partial, { nonsense: true });
      await nextTick();
      observed.push(asker.current?.message, asker.current?.percentage, asker.current?.partial?.id);
      return report({ id: "answer" });
    });
    const answer = await asker.ask(question);
    assert.deepEqual(observed, ["Searching", 20, "partial"]);
    assert.equal(answer?.id, "answer");
    assert.equal(store.current?.id, "answer");
    const { command, argument } = question;
    assert.deepEqual(store.request("answer"), { command, argument });
    assert.equal(asker.current, undefined);
    assert.equal(listeners.size, 0);
  });

  it("shows no message when the user cancels, and drops the late answer", async () => {
    let cancelled = false;
    const { asker, store } = askerWith(async ({ token }) => {
      token.onCancellationRequested(() => (cancelled = true));
      await nextTick();
      asker.cancel();
      return report();
    });
    assert.equal(await asker.ask(question), undefined);
    assert.ok(cancelled);
    assert.equal(store.all().length, 0);
    assert.deepEqual(shownMessages, []);
  });

  it("cancels the running question when a new one is asked", async () => {
    let count = 0;
    const { asker, store } = askerWith(async () => {
      const id = `r${++count}`;
      await nextTick();
      return report({ id });
    });
    const [first, second] = await Promise.all([asker.ask(question), asker.ask(question)]);
    assert.equal(first, undefined);
    assert.equal(store.current?.id, second?.id);
    assert.equal(store.all().length, 1);
  });

  for (const [name, error, expected] of [
    [
      "the server's message for a question that cannot be answered",
      errorWithCode(-32803, "Nothing is in scope."),
      ["Nothing is in scope."],
    ],
    [
      "the server's message for an invalid question",
      errorWithCode(-32602, "The question is empty."),
      ["The question is empty."],
    ],
    ["no message when the server cancelled", errorWithCode(-32800, "cancelled"), []],
    ["the message of a failure to find a server", new Failure("No server."), ["No server."]],
    [
      "a message for any other error",
      new Error("Broken."),
      ["Sightline could not answer. Broken."],
    ],
  ] as const) {
    it(`shows ${name}`, async () => {
      const { asker } = askerWith(() => Promise.reject(error));
      assert.equal(await asker.ask(question), undefined);
      assert.deepEqual(shownMessages, expected);
    });
  }

  it("runs the command of a failure's button", async () => {
    user.presses = "Set Up";
    const failure = new Failure("No server.", [{ title: "Set Up", command: "x", args: [1] }]);
    await askerWith(() => Promise.reject(failure)).asker.ask(question);
    await nextTick();
    assert.ok(executedCommands.some(({ command, args }) => command === "x" && args[0] === 1));
  });

  it("remembers an unanswered question until there is a server", async () => {
    const outcomes = [errorWithCode(-32602, "Bad."), new Failure("No server."), undefined];
    const { asker } = askerWith(() => {
      const error = outcomes.shift();
      return error === undefined ? Promise.resolve(report()) : Promise.reject(error);
    });
    const unanswered: unknown[] = [];
    while (outcomes.length > 0) {
      await asker.ask(question);
      unanswered.push(asker.unanswered);
    }
    assert.deepEqual(unanswered, [undefined, question, undefined]);
  });

  it("rejects an answer that is not a report", async () => {
    await askerWith(() => Promise.resolve({ id: 7 })).asker.ask(question);
    assert.match(shownMessages[0] ?? "", /not a report/);
  });
});

describe("a pending question", () => {
  it("uses the follow-up command if it follows up a report", () => {
    const request = pendingQuestion({ query: "q", intent: "edit", reportId: "r1" });
    assert.equal(request.command, "sightline.followUp");
    assert.deepEqual(request.argument, { query: "q", intent: "edit", reportId: "r1" });
  });
  it("from a lens keeps the lens's argument but shows no document", () => {
    const request = questionFromCommand("sightline.explore", {
      query: "q",
      show: true,
      replaces: "r1",
    });
    assert.deepEqual(request, {
      query: "q",
      command: "sightline.explore",
      argument: { query: "q", show: false, replaces: "r1" },
      replaces: "r1",
    });
    assert.equal(
      questionFromCommand("sightline.exploreAt", { ask: "used" }).query,
      "Where is this used?",
    );
  });
});

describe("a repeated question", () => {
  const anchor = { uri: "file:///repo/a.py", position: { line: 3, character: 4 } };
  const place = { uri: anchor.uri, position: anchor.position, ask: "used" };
  const answer = report({ id: "r7", query: "q", intent: "locate" });
  const repeatFields = { query: "q", forceRefresh: true, replaces: "r7" };
  for (const [what, command, argument, expected] of [
    [
      "keeps place and scope",
      "explore",
      { query: "q", anchor, scope: ["a/**"] },
      { anchor, scope: ["a/**"] },
    ],
    [
      "keeps the report it follows up",
      "followUp",
      { reportId: "r1" },
      { followUp: { reportId: "r1" } },
    ],
    [
      "keeps the question of a lens",
      "exploreAt",
      { ...place, show: false },
      { ...place, show: false },
    ],
    ["is taken from the report if its request is unknown", undefined, {}, { intent: "locate" }],
  ] as const) {
    it(what, () => {
      const request = command && { command: `sightline.${command}`, argument };
      assert.deepEqual(repeatQuestion(answer, request), {
        query: "q",
        command: `sightline.${command === "exploreAt" ? command : "explore"}`,
        argument: { ...expected, ...repeatFields },
        replaces: "r7",
      });
    });
  }
});

describe("a question repeated with keywords", () => {
  for (const [what, argument, expected] of [
    ["adds keywords to a request without any", {}, ["cart", "stock"]],
    [
      "keeps the previous list of keywords",
      { keywords: ["order", "cart"] },
      ["order", "cart", "stock"],
    ],
    ["keeps a previous single keyword", { keywords: "order" }, ["order", "cart", "stock"]],
    ["accepts a cached answer", { forceRefresh: true }, ["cart", "stock"]],
  ] as const) {
    it(what, () => {
      const originalArguments = { query: "q", intent: "edit", scope: ["a/**"], reportId: "r1" };
      const request = {
        command: "sightline.followUp",
        argument: { ...originalArguments, ...argument },
      };
      assert.deepEqual(
        repeatWithKeywords(["cart", "stock"], report({ id: "r7", query: "q" }), request),
        {
          query: "q",
          command: "sightline.explore",
          argument: {
            ...{ query: "q", intent: "edit", scope: ["a/**"], followUp: { reportId: "r1" } },
            ...{ keywords: expected, forceRefresh: false, replaces: "r7" },
          },
          replaces: "r7",
        },
      );
    });
  }
});

describe("the question input", () => {
  const values = new Map<string, unknown>();
  const memory = {
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  };
  const recent = new RecentQuestions(memory);
  const options = (more: Partial<InputOptions> = {}): InputOptions => ({
    title: "t",
    placeholder: "p",
    intent: "explain",
    codeAtCursor: undefined,
    recent,
    ...more,
  });
  const offeredQueries = (value: string, more: Partial<InputOptions> = {}) =>
    items(value, options(more)).flatMap(({ question: q }) => q?.query ?? []);

  it("offers the typed question, then questions about the symbol, then recent ones", async () => {
    await recent.add({ query: "old locate", intent: "locate" });
    await recent.add({ query: "old explain", intent: "explain" });
    await recent.add({ query: "newest locate", intent: "locate" });
    const codeAtCursor = {
      text: "place_order",
      isSelection: false,
      anchor: undefined,
      problem: "boom",
    };
    assert.deepEqual(offeredQueries("why", { codeAtCursor }), [
      "why",
      "How does `place_order` work?",
      "How is `place_order` reached?",
      "old explain",
      "newest locate",
      "old locate",
    ]);
    assert.equal(offeredQueries("", { codeAtCursor, intent: "debug" })[0], "boom");
    assert.deepEqual(
      offeredQueries("old explain").filter((query) => query === "old explain"),
      ["old explain"],
    );
  });

  it("keeps the last 30 questions, each once", async () => {
    for (let n = 0; n < 40; n++) await recent.add({ query: `q${n}`, intent: "explain" });
    await recent.add({ query: "q20", intent: "debug" });
    const all = recent.all();
    assert.equal(all.length, 30);
    assert.deepEqual(all[0], { query: "q20", intent: "debug" });
    assert.equal(new Set(all.map(({ query }) => query)).size, 30);
    await recent.remove("q20");
    assert.ok(!recent.all().some(({ query }) => query === "q20"));
  });

  for (const [text, expected] of [
    ["place_order", true],
    ["$el", true],
    ["Order.total", true],
    ["größe", true],
    ["", false],
    ["a + b", false],
    ["x".repeat(200), false],
  ] as const) {
    it(`recognises that "${text.slice(0, 20)}" is ${expected ? "" : "not "}a name`, () => {
      assert.equal(isName(text), expected);
    });
  }
});

describe("the displayed scope of a question", () => {
  for (const [what, scope, expectedText] of [
    ["nothing", undefined, ""],
    ["an empty list", [], ""],
    ["a single glob from an agent", "shop/**", "shop/**"],
    ["URIs of folders from the editor", ["file:///repo/shop", "!file:///repo/a"], "shop, !a"],
    ["a whole workspace folder", ["file:///repo"], "Repo"],
  ] as const) {
    it(what, () => {
      assert.equal(scopeOf({ command: "sightline.explore", argument: { scope } }), expectedText);
    });
  }
});
