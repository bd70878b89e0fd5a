import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { rows } from "../src/commands/status";
import { ApiKey } from "../src/server/apiKey";
import { Backoff } from "../src/server/backoff";
import { execute } from "../src/server/execute";
import { Failure } from "../src/server/failure";
import { run, RunError } from "../src/server/run";
import { Server } from "../src/server/server";
import { explainFailure, progressMessage } from "../src/server/setUp";
import { settingsForServer } from "../src/server/settings";
import { describe as describeStatus } from "../src/server/status";
import { checkVersion, compare, isPythonNewEnough, versionIn } from "../src/server/version";
import { CloseAction, ResponseError, State } from "./languageclient";
import type { LanguageClient } from "./languageclient";
import { CancellationTokenSource, settings } from "./vscode";

const options = { cwd: ".", timeoutMs: 20_000 };
const runNode = (code: string, overrides = {}) =>
  run(process.execPath, ["-e", code], { ...options, ...overrides });

describe("versions", () => {
  it("are compared numerically", () => {
    assert.ok(compare("0.10.0", "0.9.9") > 0);
    assert.ok(compare("0.1", "0.1.0") === 0);
    assert.ok(compare("1.0.0rc1", "1.0.0") === 0);
  });
  it("are supported from one version up to, but not including, another", () => {
    const support = ["0.0.9", "0.1.0", "0.1.99", "0.2.0"].map((version) =>
      checkVersion(version, "0.1.0", "0.2.0"),
    );
    assert.deepEqual(support, ["too old", "fits", "fits", "too new"]);
  });
  it("are read from a program's output", () => {
    assert.equal(versionIn("sightline 0.1.0\n"), "0.1.0");
    assert.equal(versionIn("warning\r\nsightline 1.2.3.dev4\r\n"), "1.2.3.dev4");
    assert.equal(versionIn("other 1.0.0"), undefined);
    assert.ok(isPythonNewEnough("Python 3.11.2\n"));
    assert.ok(!isPythonNewEnough("Python 3.9.18"));
    assert.ok(!isPythonNewEnough("Python 2.7.18"));
  });
});

describe("pauses before the server is restarted", () => {
  it("grow up to a maximum, and end after the last attempt", () => {
    const backoff = new Backoff(4, 60_000, 100, 500);
    const pauses = [1, 2, 3, 4, 5].map((time) => backoff.next(time));
    assert.deepEqual(pauses, [100, 200, 400, 500, undefined]);
  });
  it("start over after a quiet period and after a reset", () => {
    const backoff = new Backoff(2, 1000, 100, 500);
    backoff.next(0);
    assert.equal(backoff.next(5000), 100);
    backoff.next(5001);
    backoff.reset();
    assert.equal(backoff.next(5002), 100);
  });
});

describe("running a program", () => {
  it("returns standard output and reports every line", async () => {
    const lines: string[] = [];
    const onLine = (line: string) => lines.push(line);
    assert.equal(
      await runNode("console.log('a'); console.error('b'); console.log('c')", { onLine }),
      "a\nc\n",
    );
    assert.deepEqual(lines.sort(), ["a", "b", "c"]);
  });
  const rejectionOf = async (promise: Promise<string>): Promise<RunError> => {
    const error: unknown = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof RunError);
    return error;
  };
  it("fails with one sentence and the output", async () => {
    const error = await rejectionOf(runNode("console.error('why'); process.exit(3)"));
    assert.match(error.message, /exited with code 3\.$/);
    assert.match(error.output, /why/);
    assert.match(
      (await rejectionOf(run("/no/such/program", [], options))).message,
      /could not be started/,
    );
  });
  it("kills the program on a time-out and on cancellation", async () => {
    const forever = "setInterval(() => {}, 1000)";
    assert.match(
      (await rejectionOf(runNode(forever, { timeoutMs: 300 }))).message,
      /did not finish/,
    );
    const source = new CancellationTokenSource();
    const promise = runNode(forever, { token: source.token });
    source.cancel();
    assert.match((await rejectionOf(promise)).message, /cancelled/);
  });
  it("sets PYTHONSAFEPATH", async () => {
    assert.equal(await runNode("console.log(process.env.PYTHONSAFEPATH)"), "1\n");
  });
});

describe("setting the server up", () => {
  it("turns pip's output into progress messages", () => {
    assert.equal(
      progressMessage("Collecting pydantic>=2.12 (from sightline-lsp)"),
      "looking for pydantic",
    );
    assert.equal(
      progressMessage("  Downloading tree_sitter-0.26.1-cp311-cp311-x.whl (1 kB)"),
      "downloading tree_sitter",
    );
    assert.equal(progressMessage("Installing collected packages: a, b"), "installing");
    assert.equal(progressMessage("Requirement already satisfied"), undefined);
  });
  for (const [output, message] of [
    ["Error: No module named venv", /python3-venv/],
    ["ensurepip is not available", /python3-venv/],
    ["Temporary failure in name resolution", /PyPI could not be reached/],
    ["disk full", /could not be set up/],
  ] as const) {
    it(`explains: ${output}`, () => {
      const failure = explainFailure(new RunError("python exited with code 1.", output));
      assert.match(failure.message, message);
      assert.ok(failure.buttons.some(({ command }) => command === "sightline.ui.setUp"));
    });
  }
});

describe("the API key", () => {
  const secrets = { get: () => Promise.resolve("secret") } as never;
  for (const [model, judge, isPassed] of [
    ["", "auto", false],
    ["editor", "auto", false],
    ["claude", "offline", false],
    ["claude", "auto", true],
    ["", "packet", true],
  ] as const) {
    it(`is ${isPassed ? "" : "not "}passed to the server: model "${model}", judge ${judge}`, async () => {
      settings.set("model", model);
      settings.set("judge", judge);
      const expected = isPassed ? { ANTHROPIC_API_KEY: "secret" } : {};
      assert.deepEqual(await new ApiKey(secrets).environment(), expected);
      settings.clear();
    });
  }
});

describe("settings for the server", () => {
  it("are those explicitly set, without the client-only ones", () => {
    const values: Record<string, { source: string; value: unknown }> = {
      grepMatches: { source: "workspaceValue", value: 7 },
      model: { source: "globalValue", value: "m" },
      baseUrl: { source: "globalValue", value: "" },
      "server.command": { source: "globalValue", value: ["x"] },
      adaptive: { source: "defaultValue", value: true },
    };
    const configuration = {
      get: (name: string) => values[name]?.value,
      inspect: (name: string) => ({
        key: name,
        [values[name]?.source ?? "defaultValue"]: values[name]?.value,
      }),
    };
    assert.deepEqual(settingsForServer(Object.keys(values), configuration as never), {
      grepMatches: 7,
      model: "m",
    });
  });
});

describe("the status", () => {
  it("names server, judge, index and tokens", () => {
    const index = { indexed: 199, total: 200, files: 199, symbols: 5 };
    const status = { version: "0.1.0", model: null, providers: [], index };
    assert.equal(describeStatus(status, ""), "server 0.1.0, offline judge, index 99%");
    assert.equal(
      describeStatus({ ...status, model: "editor", index: null }, "M: 1 tokens in, 2 out"),
      "server 0.1.0, judged by the editor's model, M: 1 tokens in, 2 out",
    );
    assert.equal(describeStatus(undefined, ""), "");
  });
  for (const [model, expected] of [
    [null, "$(law) Judge: offline, without a model"],
    ["m", "$(law) Judge: m"],
    [undefined, "$(law) Judge: not known until the server is running"],
  ] as const) {
    it(`shows the model that the server reports: ${model}`, () => {
      settings.set("model", "another");
      const services = { server: { state: "running" } as never, usage: () => "" };
      const status = { version: "0.1.0", providers: [], index: null };
      const [, judge] = rows(services, model === undefined ? undefined : { ...status, model });
      assert.equal(judge?.label, expected);
      settings.clear();
    });
  }
});

describe("the server's row in the status", () => {
  for (const [state, command] of [
    ["missing", "sightline.ui.setUp"],
    ["stopped", "sightline.ui.restartServer"],
    ["failed", "sightline.ui.restartServer"],
  ] as const) {
    it(`offers the fitting command if the server is ${state}`, () => {
      const [server] = rows({ server: { state } as never, usage: () => "" }, undefined);
      assert.equal(server?.command, command);
    });
  }
});

describe("a server that ended unexpectedly", () => {
  /** A running server whose process has just ended, and a question waiting for it. */
  const endedServer = async () => {
    const server = new Server({
      log: { info: () => undefined, warn: () => undefined } as never,
      find: () => Promise.resolve({ command: "s", args: [], version: "0.1.0", origin: "here" }),
      environment: () => Promise.resolve({}),
      options: () => ({}),
      prepare: () => undefined,
      folder: ".",
    });
    const client = (await server.ready()) as unknown as LanguageClient;
    const closing = client.options.errorHandler.closed();
    return { server, client, closing, waiting: server.ready() };
  };

  it("keeps requests waiting until it runs again", async () => {
    const { server, client, closing, waiting } = await endedServer();
    assert.equal((await closing).action, CloseAction.Restart);
    client.setState(State.Starting);
    client.setState(State.Running);
    assert.equal(await waiting, client);
    assert.equal(server.state, "running");
    server.dispose();
  });
  it("rejects waiting requests if it is stopped meanwhile", async () => {
    const { server, closing, waiting } = await endedServer();
    await server.stop();
    await assert.rejects(waiting, /The server was stopped/);
    assert.equal((await closing).action, CloseAction.DoNotRestart);
  });
});

describe("a command of the server", () => {
  const executeRejectedWith = (error: Error) =>
    execute({ sendRequest: () => Promise.reject(error) }, { command: "x", arguments: [] });

  it("fails with a Failure if the connection is lost", async () => {
    const connectionLost = new ResponseError(-32097, "Pending response rejected");
    await assert.rejects(executeRejectedWith(connectionLost), Failure);
  });
  it("keeps the server's own error", async () => {
    const refusal = new ResponseError(-32602, "No such report.");
    await assert.rejects(executeRejectedWith(refusal), refusal);
  });
});
