import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { Semaphore, withTimeout } from "../src/channel/bounded";
import { ModelConsent } from "../src/channel/consent";
import { answerEditorRequests, OFFERED_REQUESTS } from "../src/channel/editorChannel";
import { toMessages } from "../src/channel/languageModel";
import type { TurnParams } from "../src/channel/languageModel";
import { answers, CancellationTokenSource, Range, Uri, window } from "./vscode";

type Handler = (params: unknown, token: unknown) => Promise<unknown>;

/** A fake server that sends requests to the editor. */
function asking(
  capabilities: object = {},
  timeMs = 1000,
): (name: string, params: unknown, token?: unknown) => Promise<unknown> {
  const handlers = new Map<string, Handler>();
  const client = {
    initializeResult: { capabilities },
    onRequest: (method: string, handler: Handler) => handlers.set(method, handler),
  };
  answerEditorRequests(client as never, () => timeMs);
  return (name, params, token = new CancellationTokenSource().token) =>
    handlers.get(`sightline/${name}`)?.(params, token) ?? Promise.reject(new Error(name));
}

const PLACE = { textDocument: { uri: "file:///repo/a.py" }, position: { line: 3, character: 4 } };
const at = (line: number) => new Range(line, 0, line, 9);
const plain = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 9 } });
const uri = Uri.parse("file:///repo/b.py");
const symbol = (name: string, line: number) => ({
  name,
  kind: 11,
  uri,
  range: at(line),
  selectionRange: at(line),
});
const item = (name: string, line: number) => ({
  name,
  kind: 12,
  uri: "file:///repo/b.py",
  range: plain(line),
  selectionRange: plain(line),
});

function editor(provided: Record<string, (...args: unknown[]) => unknown>): void {
  answers.clear();
  for (const [command, answer] of Object.entries(provided))
    answers.set(`vscode.${command}`, answer);
}

describe("the consent for a model", () => {
  /** A consent whose open dialogs are keyed by their question. */
  const consent = () => {
    const kept = new Map<string, unknown>();
    const open = new Map<string, (button?: string) => void>();
    const memory = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => {
        kept.set(key, value);
        return Promise.resolve();
      },
    };
    window.showInformationMessage = (message: string) =>
      new Promise((resolve) => open.set(message, resolve));
    return { open, made: new ModelConsent(memory) };
  };
  const real = window.showInformationMessage;
  afterEach(() => {
    window.showInformationMessage = real;
  });

  it("is asked once per model, and that of one lets no other through", async () => {
    const { open, made } = consent();
    const first = [made.ensure("A", "a"), made.ensure("A", "a")];
    const other = made.ensure("B", "b");
    assert.deepEqual([...open.keys()], ["Allow Sightline to use A?", "Allow Sightline to use B?"]);
    open.get("Allow Sightline to use A?")?.("Allow in This Workspace");
    open.get("Allow Sightline to use B?")?.();
    await Promise.all(first);
    await assert.rejects(other, /you did not allow its use/);
    open.clear();
    await made.ensure("A", "a");
    assert.equal(open.size, 0);
  });
});

describe("the editor answers the server", () => {
  it("about places", async () => {
    const targetUri = uri;
    editor({
      executeDefinitionProvider: (where, position) => {
        assert.equal(String(where), "file:///repo/a.py");
        assert.deepEqual({ ...(position as object) }, { line: 3, character: 4 });
        return [{ targetUri, targetRange: at(1), targetSelectionRange: at(2) }];
      },
      executeReferenceProvider: () => [{ uri, range: at(5) }],
      executeImplementationProvider: () => undefined,
    });
    const ask = asking();
    assert.deepEqual(await ask("definition", PLACE), [
      { targetUri: "file:///repo/b.py", targetRange: plain(1), targetSelectionRange: plain(2) },
    ]);
    assert.deepEqual(await ask("references", PLACE), [
      { uri: "file:///repo/b.py", range: plain(5) },
    ]);
    assert.deepEqual(await ask("implementations", PLACE), []);
  });

  it("about symbols, whose kinds LSP counts from 1", async () => {
    const child = { ...symbol("child", 2), detail: "", children: [] };
    editor({
      executeWorkspaceSymbolProvider: () => [
        { name: "s", kind: 4, containerName: "C", location: { uri, range: at(1) } },
      ],
      executeDocumentSymbolProvider: () => [
        { ...symbol("top", 1), detail: "d", children: [child] },
      ],
    });
    const ask = asking();
    assert.deepEqual(await ask("workspaceSymbols", { query: "s" }), [
      {
        name: "s",
        kind: 5,
        containerName: "C",
        location: { uri: "file:///repo/b.py", range: plain(1) },
      },
    ]);
    const [top] = (await ask("documentSymbols", PLACE)) as {
      name: string;
      kind: number;
      children: { name: string }[];
    }[];
    assert.deepEqual([top?.name, top?.kind, top?.children[0]?.name], ["top", 12, "child"]);
  });

  it("about both hierarchies, of every item at the place", async () => {
    editor({
      prepareCallHierarchy: () => [symbol("a", 1), symbol("b", 2)],
      provideIncomingCalls: (of) => [{ from: of, fromRanges: [at(7)] }],
      provideOutgoingCalls: () => [{ to: symbol("c", 3), fromRanges: [] }],
      prepareTypeHierarchy: () => [symbol("T", 4)],
      provideSupertypes: () => [symbol("S", 5)],
      provideSubtypes: () => undefined,
    });
    const ask = asking();
    assert.deepEqual(await ask("incomingCalls", PLACE), [
      { from: item("a", 1), fromRanges: [plain(7)] },
      { from: item("b", 2), fromRanges: [plain(7)] },
    ]);
    assert.equal(((await ask("outgoingCalls", PLACE)) as unknown[]).length, 2);
    assert.deepEqual(await ask("supertypes", PLACE), [item("S", 5)]);
    assert.deepEqual(await ask("subtypes", PLACE), []);
  });

  it("to everything it declares", async () => {
    editor({});
    const ask = asking();
    for (const name of Object.keys(OFFERED_REQUESTS))
      assert.deepEqual(await ask(name, { ...PLACE, query: "q" }), [], name);
  });

  it("not with what Sightline's own server would provide", async () => {
    editor({ executeDefinitionProvider: () => [{ uri, range: at(1) }] });
    assert.equal(await asking({ definitionProvider: true })("definition", PLACE), null);
  });

  it("not for ever, and not when nobody waits any more", async () => {
    editor({ executeDefinitionProvider: () => new Promise(() => undefined) });
    assert.equal(await asking({}, 20)("definition", PLACE), null);
    const source = new CancellationTokenSource();
    const answer = asking({}, 60_000)("definition", PLACE, source.token);
    source.cancel();
    assert.equal(await answer, null);
  });

  it("with a bounded number of places", async () => {
    editor({
      executeReferenceProvider: () => Array.from({ length: 5000 }, () => ({ uri, range: at(1) })),
    });
    assert.equal(((await asking()("references", PLACE)) as unknown[]).length, 500);
  });
});

describe("bounded work", () => {
  const { token } = new CancellationTokenSource();
  it("gives its result or its error", async () => {
    assert.equal(await withTimeout(Promise.resolve(1), 1000, token), 1);
    await assert.rejects(withTimeout(Promise.reject(new Error("no")), 1000, token), /no/);
  });
  it("takes turns, also after an error", async () => {
    const turns = new Semaphore(2);
    let now = 0;
    let most = 0;
    const work = (fails: boolean) =>
      turns.run(async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 2));
        now -= 1;
        if (fails) throw new Error("failed");
      });
    const all = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((n) => work(n % 2 === 0)));
    assert.equal(most, 2);
    assert.equal(all.filter(({ status }) => status === "rejected").length, 3);
  });
});

describe("a turn of the editor's model", () => {
  it("has the system text first, and the blocks as the editor has them", () => {
    const params: TurnParams = {
      system: "be brief",
      messages: [
        { role: "user", content: [{ type: "text", text: "q" }] },
        {
          role: "assistant",
          content: [
            { type: "thinking" },
            { type: "tool_use", id: "t1", name: "grep", input: { a: 1 } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "found" }] },
          ],
        },
      ],
      tools: [],
      maxTokens: 10,
      schema: { type: "object" },
    };
    const said = JSON.parse(JSON.stringify(toMessages(params))) as {
      role: string;
      content: unknown;
    }[];
    assert.deepEqual(
      said.map(({ role }) => role),
      ["user", "user", "assistant", "user"],
    );
    assert.match(String(said[0]?.content), /^be brief[\s\S]*"type":"object"/);
    assert.deepEqual(said[2]?.content, [{ callId: "t1", name: "grep", input: { a: 1 } }]);
    assert.deepEqual(said[3]?.content, [{ callId: "t1", content: [{ value: "found" }] }]);
  });
});
