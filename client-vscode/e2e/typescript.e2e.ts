import assert from "node:assert/strict";
import { readSteps, waitForStep } from "./harness/steps";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";

suite(
  "a TypeScript folder",
  { sample: "chat-web" },
  {
    "hops are confirmed by the editor's TypeScript server": async (bench) => {
      await bench.probe.ask("cursor", { path: "src/main.tsx", text: "import" });
      await until(
        "TypeScript to answer",
        () => bench.probe.ask<unknown[]>("symbols", { query: "store" }),
        (symbols) => symbols.length > 0,
        60_000,
      );
      await bench.ask("How is a message sent?");
      const steps = await readSteps(bench);
      assert.ok(steps.length >= 2, JSON.stringify(steps));
      const confirmed = bench.flow.rows.filter({
        hasText: "confirmed by the editor",
      });
      await confirmed.first().waitFor();
      for (const step of steps) {
        await bench.flow.step(step.number).click();
        await waitForStep(bench, step);
      }
    },
  },
);
