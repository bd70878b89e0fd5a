import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { markedProcesses } from "./harness/processes";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const KEY = "sk-test-0123456789";

function serverPids(bench: Workbench): number[] {
  return markedProcesses(bench.mark)
    .filter(({ command }) => command.includes("sightline serve"))
    .map(({ pid }) => pid);
}

async function waitForNewServer(bench: Workbench, previousPids: readonly number[]): Promise<void> {
  await until(
    "another server",
    () => serverPids(bench),
    (pids) => pids.length === 1 && !previousPids.includes(pids[0] ?? 0),
  );
}

function keyOf(bench: Workbench): string | undefined {
  const [pid] = serverPids(bench);
  const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  return variables.find((each) => each.startsWith("ANTHROPIC_API_KEY="))?.split("=")[1];
}

suite(
  "the server and the API key",
  { sample: "webshop" },
  {
    "a killed server is restarted and answers": async (bench) => {
      await bench.ask("How is an order placed?");
      const pids = serverPids(bench);
      assert.equal(pids.length, 1);
      for (const pid of pids) process.kill(pid, "SIGKILL");
      await waitForNewServer(bench, pids);
      await bench.ask("How does checkout charge the customer?");
      await bench.flow.rows.filter({ hasText: "charge" }).first().waitFor();
    },
    "a command restarts the server": async (bench) => {
      const previousPids = serverPids(bench);
      await bench.command("Restart Server");
      await waitForNewServer(bench, previousPids);
    },
    "a key survives a reload in the secret storage, and reaches only a server with a model": async (
      bench,
    ) => {
      await bench.command("Set API Key...");
      await bench.enterSecret(KEY);
      const previousPids = serverPids(bench);
      await bench.command("Restart Server");
      await waitForNewServer(bench, previousPids);
      assert.equal(keyOf(bench), undefined);
      await bench.probe.ask("configure", { name: "sightline.model", value: "claude-haiku-5-5" });
      await until(
        "the key in the server's environment",
        () => keyOf(bench),
        (key) => key === KEY,
      );
      await bench.reload();
      await bench.command("Restart Server");
      await until(
        "the key in the server's environment",
        () => keyOf(bench),
        (key) => key === KEY,
      );
      assert.throws(() =>
        execFileSync("grep", ["-rl", KEY, bench.userDataFolder], { stdio: "pipe" }),
      );
      await bench.command("Remove API Key");
      await until(
        "a server without the key",
        () => serverPids(bench).length === 1 && keyOf(bench) === undefined,
      );
    },
  },
);
