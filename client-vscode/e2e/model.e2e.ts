import assert from "node:assert/strict";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const QUESTION = "How is an order placed?";
const SETTINGS = { "sightline.model": "editor", "sightline.judge": "packet" };

interface ModelState {
  turns: number;
  cancelled: number;
  prompts: string[];
}

function modelState(bench: Workbench): Promise<ModelState> {
  return bench.probe.ask<ModelState>("model");
}

suite(
  "the editor's model",
  { sample: "webshop", settings: SETTINGS },
  {
    "is used only after consent, and then judges": async (bench) => {
      await bench.command("Explain How...");
      await bench.enterText(QUESTION);
      const consent = bench.page
        .locator(".monaco-dialog-box, .notification-list-item")
        .filter({ hasText: "Probe One" })
        .first();
      await consent.waitFor();
      assert.equal((await modelState(bench)).turns, 0);
      await bench.screenshot("model-consent");
      await consent.getByRole("button", { name: /Allow/ }).first().click();
      await bench.flow.rows.filter({ hasText: "Seen by the probe" }).first().waitFor();
      const { turns, prompts } = await modelState(bench);
      assert.equal(turns, 1);
      assert.ok(prompts[0]?.includes(QUESTION));
      await bench.flow.rows.filter({ hasText: "Probe One" }).first().waitFor();
      await bench.screenshot("model-answer");
    },
    "a question shows progress and the partial flow, and can be cancelled": async (bench) => {
      await bench.probe.ask("holdModel", true);
      await bench.command("Explain How...");
      await bench.enterText("How does checkout charge the customer?");
      await bench.flow.running.waitFor();
      await until("the model to be asked", async () => (await modelState(bench)).turns > 1);
      await bench.flow.step(1).filter({ hasNotText: "Seen by the probe" }).waitFor();
      await bench.screenshot("progress-dark");
      await bench.command("Cancel the Question");
      await bench.flow.running.waitFor({ state: "detached" });
      await until(
        "the model's turn to be cancelled",
        async () => (await modelState(bench)).cancelled === 1,
      );
      await bench.flow.step(1).filter({ hasText: "Seen by the probe" }).waitFor();
      await bench.probe.ask("holdModel", false);
    },
    "a question can be about a notebook cell": async (bench) => {
      await bench.probe.ask("notebook", { text: "place_order" });
      const cell = bench.page.locator(".notebook-editor .cell .monaco-editor .view-line").first();
      await cell.waitFor();
      await cell.dblclick();
      await until(
        "the cell's editor",
        () => bench.probe.editor(),
        (editor) => editor?.scheme === "vscode-notebook-cell" || editor?.scheme === "untitled",
      );
      await bench.probe.ask("command", { id: "sightline.ui.explainHere" });
      await until(
        "the cell's question",
        async () => (await modelState(bench)).prompts.at(-1)?.includes("place_order") === true,
      );
      await bench.flow.waitForAnswer();
      await bench.screenshot("notebook");
    },
  },
);
