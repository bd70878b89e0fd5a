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
import { ran, shown, user } from "./vscode";

interface Sent {
  params: { command: string; arguments: Record<string, unknown>[]; workDoneToken: string };
  progress: (token: unknown, value: unknown) => void;
  token: {
    isCancellationRequested: boolean;
    onCancellationRequested: (run: () => void) => unknown;
  };
}

/** A fake server that answers with `answer`, and an asker that uses it. */
function asker(answer: (sent: Sent) => Promise<unknown>) {
  const listeners = new Map<unknown, (value: unknown) => void>();
  const client = {
    onProgress: (_: unknown, token: unknown, listener: (value: unknown) => void) => {
      listeners.set(token, listener);
      return { dispose: () => listeners.delete(token) };
    },
    sendRequest: (_: string, params: Sent["params"], token: Sent["token"]) =>
      answer({ params, token, progress: (at, value) => listeners.get(at)?.(value) }),
  };
  const server = { ready: () => Promise.resolve(client) };
  const store = new ReportStore(noStorage, () => 10);
  const log = { error: () => undefined };
  const made = new Asker(server as never, store, log as never);
  return { asker: made, store, listeners };
}

const question = pendingQuestion({ query: "How?", intent: "explain" });
const later = () => new Promise((resolve) => setTimeout(resolve, 5));

function failing(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

beforeEach(() => {
  shown.length = 0;
  ran.length = 0;
  user.presses = undefined;
});

describe("asking", () => {
  it("keeps the answer and shows it, with progress and the flow so far on the way", async () => {
    const seen: unknown[] = [];
    const {
      asker: a,
      store,
      listeners,
    } = asker(async ({ params, progress }) => {
      const partial = params.arguments[0]?.partialResultToken;
      progress(params.workDoneToken, { kind: "report", message: "Searching", percentage: 20 });
      progress(partial, report({ id: "partial" }));
      progress(partial, { nonsense: true });
      await later();
      seen.push(a.current?.message, a.current?.percentage, a.current?.partial?.id);
      return report({ id: "answer" });
    });
    const answer = await a.ask(question);
    assert.deepEqual(seen, ["Searching", 20, "partial"]);
    assert.equal(answer?.id, "answer");
    assert.equal(store.current?.id, "answer");
    const { command, argument } = question;
    assert.deepEqual(store.request("answer"), { command, argument });
    assert.equal(a.current, undefined);
    assert.equal(listeners.size, 0);
  });

  it("is cancelled by the user without a word, and what still comes is dropped", async () => {
    let cancelled = false;
    const { asker: a, store } = asker(async ({ token }) => {
      token.onCancellationRequested(() => (cancelled = true));
      await later();
      a.cancel();
      return report();
    });
    assert.equal(await a.ask(question), undefined);
    assert.ok(cancelled);
    assert.equal(store.all().length, 0);
    assert.deepEqual(shown, []);
  });

  it("lets a new question take the place of the one before", async () => {
    let count = 0;
    const { asker: a, store } = asker(async () => {
      const id = `r${++count}`;
      await later();
      return report({ id });
    });
    const [first, second] = await Promise.all([a.ask(question), a.ask(question)]);
    assert.equal(first, undefined);
    assert.equal(store.current?.id, second?.id);
    assert.equal(store.all().length, 1);
  });

  for (const [name, error, expected] of [
    [
      "what cannot be answered here, in the server's words",
      failing(-32803, "Nothing is in scope."),
      ["Nothing is in scope."],
    ],
    [
      "a bad question, in the server's words",
      failing(-32602, "The question is empty."),
      ["The question is empty."],
    ],
    ["nothing when the server cancelled", failing(-32800, "cancelled"), []],
    ["why there is no server", new Failure("No server."), ["No server."]],
    [
      "that something else went wrong",
      new Error("Broken."),
      ["Sightline could not answer. Broken."],
    ],
  ] as const) {
    it(`tells ${name}`, async () => {
      const { asker: a } = asker(() => Promise.reject(error));
      assert.equal(await a.ask(question), undefined);
      assert.deepEqual(shown, expected);
    });
  }

  it("offers the button of a failure", async () => {
    user.presses = "Set Up";
    const failure = new Failure("No server.", [{ title: "Set Up", command: "x", args: [1] }]);
    await asker(() => Promise.reject(failure)).asker.ask(question);
    await later();
    assert.ok(ran.some(({ command, args }) => command === "x" && args[0] === 1));
  });

  it("knows what is left to be asked until there is a server", async () => {
    const outcomes = [failing(-32602, "Bad."), new Failure("No server."), undefined];
    const { asker: a } = asker(() => {
      const error = outcomes.shift();
      return error === undefined ? Promise.resolve(report()) : Promise.reject(error);
    });
    const left: unknown[] = [];
    while (outcomes.length > 0) {
      await a.ask(question);
      left.push(a.unanswered);
    }
    assert.deepEqual(left, [undefined, question, undefined]);
  });

  it("does not take for a report what is none", async () => {
    await asker(() => Promise.resolve({ id: 7 })).asker.ask(question);
    assert.match(shown[0] ?? "", /not a report/);
  });
});

describe("a question on its way", () => {
  it("goes to the follow-up command with the report it follows", () => {
    const made = pendingQuestion({ query: "q", intent: "edit", reportId: "r1" });
    assert.equal(made.command, "sightline.followUp");
    assert.deepEqual(made.argument, { query: "q", intent: "edit", reportId: "r1" });
  });
  it("of a lens is the lens's own, shown in the view instead of a document", () => {
    const made = questionFromCommand("sightline.explore", {
      query: "q",
      show: true,
      replaces: "r1",
    });
    assert.deepEqual(made, {
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

describe("a question asked again", () => {
  const anchor = { uri: "file:///repo/a.py", position: { line: 3, character: 4 } };
  const place = { uri: anchor.uri, position: anchor.position, ask: "used" };
  const answer = report({ id: "r7", query: "q", intent: "locate" });
  const more = { query: "q", forceRefresh: true, replaces: "r7" };
  for (const [what, command, argument, expected] of [
    [
      "keeps place and scope",
      "explore",
      { query: "q", anchor, scope: ["a/**"] },
      { anchor, scope: ["a/**"] },
    ],
    ["keeps what it follows", "followUp", { reportId: "r1" }, { followUp: { reportId: "r1" } }],
    [
      "is about the word of then",
      "exploreAt",
      { ...place, show: false },
      { ...place, show: false },
    ],
    ["is what the report says, where no more is known", undefined, {}, { intent: "locate" }],
  ] as const) {
    it(what, () => {
      const request = command && { command: `sightline.${command}`, argument };
      assert.deepEqual(repeatQuestion(answer, request), {
        query: "q",
        command: `sightline.${command === "exploreAt" ? command : "explore"}`,
        argument: { ...expected, ...more },
        replaces: "r7",
      });
    });
  }
});

describe("a question asked again with words from the code", () => {
  for (const [what, argument, expected] of [
    ["has no others before", {}, ["cart", "stock"]],
    ["keeps those it had", { keywords: ["order", "cart"] }, ["order", "cart", "stock"]],
    ["keeps the one it had", { keywords: "order" }, ["order", "cart", "stock"]],
    ["takes a cached answer, as any other question", { forceRefresh: true }, ["cart", "stock"]],
  ] as const) {
    it(what, () => {
      const more = { query: "q", intent: "edit", scope: ["a/**"], reportId: "r1" };
      const request = { command: "sightline.followUp", argument: { ...more, ...argument } };
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

describe("the input", () => {
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
  const offered = (value: string, more: Partial<InputOptions> = {}) =>
    items(value, options(more)).flatMap(({ question: q }) => q?.query ?? []);

  it("offers what is typed, then questions about the symbol, then recent ones", async () => {
    await recent.add({ query: "old locate", intent: "locate" });
    await recent.add({ query: "old explain", intent: "explain" });
    await recent.add({ query: "newest locate", intent: "locate" });
    const pointed = { text: "place_order", isSelection: false, anchor: undefined, problem: "boom" };
    assert.deepEqual(offered("why", { codeAtCursor: pointed }), [
      "why",
      "How does `place_order` work?",
      "How is `place_order` reached?",
      "old explain",
      "newest locate",
      "old locate",
    ]);
    assert.equal(offered("", { codeAtCursor: pointed, intent: "debug" })[0], "boom");
    assert.deepEqual(
      offered("old explain").filter((query) => query === "old explain"),
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
    it(`takes "${text.slice(0, 20)}" ${expected ? "" : "not "}for a name`, () => {
      assert.equal(isName(text), expected);
    });
  }
});

describe("what a question was limited to", () => {
  for (const [what, scope, said] of [
    ["nothing", undefined, ""],
    ["a list without globs", [], ""],
    ["a glob of an agent's", "shop/**", "shop/**"],
    ["folders of the editor", ["file:///repo/shop", "!file:///repo/a"], "shop, !a"],
    ["a whole folder of the workspace", ["file:///repo"], "Repo"],
  ] as const) {
    it(what, () => {
      assert.equal(scopeOf({ command: "sightline.explore", argument: { scope } }), said);
    });
  }
});
