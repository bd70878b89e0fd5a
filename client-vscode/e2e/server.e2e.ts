import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { marked } from "./harness/processes";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const KEY = "sk-test-0123456789";

function servers(bench: Workbench): number[] {
  return marked(bench.mark)
    .filter(({ command }) => command.includes("sightline serve"))
    .map(({ pid }) => pid);
}

async function replaced(bench: Workbench, before: readonly number[]): Promise<void> {
  await until(
    "another server",
    () => servers(bench),
    (pids) => pids.length === 1 && !before.includes(pids[0] ?? 0),
  );
}

function keyOf(bench: Workbench): string | undefined {
  const [pid] = servers(bench);
  const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  return variables.find((each) => each.startsWith("ANTHROPIC_API_KEY="))?.split("=")[1];
}

suite(
  "the server and its secrets",
  { sample: "webshop" },
  {
    "a killed server is started again and answers": async (bench) => {
      await bench.ask("How is an order placed?");
      const killed = servers(bench);
      assert.equal(killed.length, 1);
      for (const pid of killed) process.kill(pid, "SIGKILL");
      await replaced(bench, killed);
      await bench.ask("How does checkout charge the customer?");
      await bench.flow.rows.filter({ hasText: "charge" }).first().waitFor();
    },
    "restarting the server is a command": async (bench) => {
      const before = servers(bench);
      await bench.command("Restart Server");
      await replaced(bench, before);
    },
    "a key is kept in the secret storage, outlives the window, and reaches only a server with a model":
      async (bench) => {
        await bench.command("Set API Key...");
        await bench.confide(KEY);
        const before = servers(bench);
        await bench.command("Restart Server");
        await replaced(bench, before);
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
        assert.throws(() => execFileSync("grep", ["-rl", KEY, bench.files], { stdio: "pipe" }));
        await bench.command("Remove API Key");
        await until(
          "a server without the key",
          () => servers(bench).length === 1 && keyOf(bench) === undefined,
        );
      },
  },
);
