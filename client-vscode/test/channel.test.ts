import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { Semaphore, withTimeout } from "../src/channel/bounded";
import { ModelConsent } from "../src/channel/consent";
import { answerEditorRequests, OFFERED_REQUESTS } from "../src/channel/editorChannel";
import { toMessages } from "../src/channel/languageModel";
import type { TurnParams } from "../src/channel/languageModel";
import { CancellationTokenSource, commandHandlers, Range, Uri, window } from "./vscode";

type Handler = (params: unknown, token: unknown) => Promise<unknown>;

/** A fake server that sends requests to the editor. */
function fakeServer(
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

const POSITION_PARAMS = {
  textDocument: { uri: "file:///repo/a.py" },
  position: { line: 3, character: 4 },
};
const rangeAt = (line: number) => new Range(line, 0, line, 9);
const plainRange = (line: number) => ({
  start: { line, character: 0 },
  end: { line, character: 9 },
});
const uri = Uri.parse("file:///repo/b.py");
const symbol = (name: string, line: number) => ({
  name,
  kind: 11,
  uri,
  range: rangeAt(line),
  selectionRange: rangeAt(line),
});
const item = (name: string, line: number) => ({
  name,
  kind: 12,
  uri: "file:///repo/b.py",
  range: plainRange(line),
  selectionRange: plainRange(line),
});

function provideInEditor(provided: Record<string, (...args: unknown[]) => unknown>): void {
  commandHandlers.clear();
  for (const [command, answer] of Object.entries(provided))
    commandHandlers.set(`vscode.${command}`, answer);
}

describe("consent to a model", () => {
  /** A consent whose open dialogs are keyed by their question. */
  const consentWithDialogs = () => {
    const saved = new Map<string, unknown>();
    const open = new Map<string, (button?: string) => void>();
    const memory = {
      get: (key: string) => saved.get(key),
      update: (key: string, value: unknown) => {
        saved.set(key, value);
        return Promise.resolve();
      },
    };
    window.showInformationMessage = (message: string) =>
      new Promise((resolve) => open.set(message, resolve));
    return { open, consent: new ModelConsent(memory) };
  };
  const originalShowInformationMessage = window.showInformationMessage;
  afterEach(() => {
    window.showInformationMessage = originalShowInformationMessage;
  });

  it("is requested once per model and holds for that model only", async () => {
    const { open, consent } = consentWithDialogs();
    const first = [consent.ensure("A", "a"), consent.ensure("A", "a")];
    const other = consent.ensure("B", "b");
    assert.deepEqual([...open.keys()], ["Allow Sightline to use A?", "Allow Sightline to use B?"]);
    open.get("Allow Sightline to use A?")?.("Allow in This Workspace");
    open.get("Allow Sightline to use B?")?.();
    await Promise.all(first);
    await assert.rejects(other, /you did not allow its use/);
    open.clear();
    await consent.ensure("A", "a");
    assert.equal(open.size, 0);
  });
});

describe("the editor answers requests of the server", () => {
  it("for definitions, references and implementations", async () => {
    const targetUri = uri;
    provideInEditor({
      executeDefinitionProvider: (uri, position) => {
        assert.equal(String(uri), "file:///repo/a.py");
        assert.deepEqual({ ...(position as object) }, { line: 3, character: 4 });
        return [{ targetUri, targetRange: rangeAt(1), targetSelectionRange: rangeAt(2) }];
      },
      executeReferenceProvider: () => [{ uri, range: rangeAt(5) }],
      executeImplementationProvider: () => undefined,
    });
    const ask = fakeServer();
    assert.deepEqual(await ask("definition", POSITION_PARAMS), [
      {
        targetUri: "file:///repo/b.py",
        targetRange: plainRange(1),
        targetSelectionRange: plainRange(2),
      },
    ]);
    assert.deepEqual(await ask("references", POSITION_PARAMS), [
      { uri: "file:///repo/b.py", range: plainRange(5) },
    ]);
    assert.deepEqual(await ask("implementations", POSITION_PARAMS), []);
  });

  it("for symbols, with LSP's 1-based kinds", async () => {
    const child = { ...symbol("child", 2), detail: "", children: [] };
    provideInEditor({
      executeWorkspaceSymbolProvider: () => [
        { name: "s", kind: 4, containerName: "C", location: { uri, range: rangeAt(1) } },
      ],
      executeDocumentSymbolProvider: () => [
        { ...symbol("top", 1), detail: "d", children: [child] },
      ],
    });
    const ask = fakeServer();
    assert.deepEqual(await ask("workspaceSymbols", { query: "s" }), [
      {
        name: "s",
        kind: 5,
        containerName: "C",
        location: { uri: "file:///repo/b.py", range: plainRange(1) },
      },
    ]);
    const [top] = (await ask("documentSymbols", POSITION_PARAMS)) as {
      name: string;
      kind: number;
      children: { name: string }[];
    }[];
    assert.deepEqual([top?.name, top?.kind, top?.children[0]?.name], ["top", 12, "child"]);
  });

  it("for call and type hierarchies, from every item at the position", async () => {
    provideInEditor({
      prepareCallHierarchy: () => [symbol("a", 1), symbol("b", 2)],
      provideIncomingCalls: (item) => [{ from: item, fromRanges: [rangeAt(7)] }],
      provideOutgoingCalls: () => [{ to: symbol("c", 3), fromRanges: [] }],
      prepareTypeHierarchy: () => [symbol("T", 4)],
      provideSupertypes: () => [symbol("S", 5)],
      provideSubtypes: () => undefined,
    });
    const ask = fakeServer();
    assert.deepEqual(await ask("incomingCalls", POSITION_PARAMS), [
      { from: item("a", 1), fromRanges: [plainRange(7)] },
      { from: item("b", 2), fromRanges: [plainRange(7)] },
    ]);
    assert.equal(((await ask("outgoingCalls", POSITION_PARAMS)) as unknown[]).length, 2);
    assert.deepEqual(await ask("supertypes", POSITION_PARAMS), [item("S", 5)]);
    assert.deepEqual(await ask("subtypes", POSITION_PARAMS), []);
  });

  it("for every announced request", async () => {
    provideInEditor({});
    const ask = fakeServer();
    for (const name of Object.keys(OFFERED_REQUESTS))
      assert.deepEqual(await ask(name, { ...POSITION_PARAMS, query: "q" }), [], name);
  });

  it("with null if Sightline's own server is the provider", async () => {
    provideInEditor({ executeDefinitionProvider: () => [{ uri, range: rangeAt(1) }] });
    assert.equal(
      await fakeServer({ definitionProvider: true })("definition", POSITION_PARAMS),
      null,
    );
  });

  it("with null after a time-out or a cancellation", async () => {
    provideInEditor({ executeDefinitionProvider: () => new Promise(() => undefined) });
    assert.equal(await fakeServer({}, 20)("definition", POSITION_PARAMS), null);
    const source = new CancellationTokenSource();
    const answer = fakeServer({}, 60_000)("definition", POSITION_PARAMS, source.token);
    source.cancel();
    assert.equal(await answer, null);
  });

  it("with a limited number of locations", async () => {
    provideInEditor({
      executeReferenceProvider: () =>
        Array.from({ length: 5000 }, () => ({ uri, range: rangeAt(1) })),
    });
    assert.equal(((await fakeServer()("references", POSITION_PARAMS)) as unknown[]).length, 500);
  });
});

describe("time-outs and concurrency", () => {
  const { token } = new CancellationTokenSource();
  it("withTimeout passes on the result or the error", async () => {
    assert.equal(await withTimeout(Promise.resolve(1), 1000, token), 1);
    await assert.rejects(withTimeout(Promise.reject(new Error("no")), 1000, token), /no/);
  });
  it("Semaphore limits concurrency, also after an error", async () => {
    const turns = new Semaphore(2);
    let running = 0;
    let maxRunning = 0;
    const task = (fails: boolean) =>
      turns.run(async () => {
        maxRunning = Math.max(maxRunning, ++running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running -= 1;
        if (fails) throw new Error("failed");
      });
    const results = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((n) => task(n % 2 === 0)));
    assert.equal(maxRunning, 2);
    assert.equal(results.filter(({ status }) => status === "rejected").length, 3);
  });
});

describe("the messages for the editor's model", () => {
  it("start with the system text, and convert each block to the editor's type", () => {
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
    const messages = JSON.parse(JSON.stringify(toMessages(params))) as {
      role: string;
      content: unknown;
    }[];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "user", "assistant", "user"],
    );
    assert.match(String(messages[0]?.content), /^be brief[\s\S]*"type":"object"/);
    assert.deepEqual(messages[2]?.content, [{ callId: "t1", name: "grep", input: { a: 1 } }]);
    assert.deepEqual(messages[3]?.content, [{ callId: "t1", content: [{ value: "found" }] }]);
  });
});
