import assert from "node:assert/strict";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const QUESTION = "How is an order placed?";
const SETTINGS = { "sightline.model": "editor", "sightline.judge": "packet" };

interface Model {
  turns: number;
  cancelled: number;
  said: string[];
}

function model(bench: Workbench): Promise<Model> {
  return bench.probe.ask<Model>("model");
}

suite(
  "the editor's model",
  { sample: "webshop", settings: SETTINGS },
  {
    "is asked only with consent, and judges": async (bench) => {
      await bench.command("Explain How...");
      await bench.answer(QUESTION);
      const consent = bench.page
        .locator(".monaco-dialog-box, .notification-list-item")
        .filter({ hasText: "Probe One" })
        .first();
      await consent.waitFor();
      assert.equal((await model(bench)).turns, 0);
      await bench.picture("model-consent");
      await consent.getByRole("button", { name: /Allow/ }).first().click();
      await bench.flow.rows.filter({ hasText: "Seen by the probe" }).first().waitFor();
      const { turns, said } = await model(bench);
      assert.equal(turns, 1);
      assert.ok(said[0]?.includes(QUESTION));
      await bench.flow.rows.filter({ hasText: "Probe One" }).first().waitFor();
      await bench.picture("model-answer");
    },
    "a question shows its progress and the flow so far, and can be cancelled": async (bench) => {
      await bench.probe.ask("holdModel", true);
      await bench.command("Explain How...");
      await bench.answer("How does checkout charge the customer?");
      await bench.flow.running.waitFor();
      await until("the model to be asked", async () => (await model(bench)).turns > 1);
      await bench.flow.step(1).filter({ hasNotText: "Seen by the probe" }).waitFor();
      await bench.picture("progress-dark");
      await bench.command("Cancel the Question");
      await bench.flow.running.waitFor({ state: "detached" });
      await until(
        "the model's turn to be cancelled",
        async () => (await model(bench)).cancelled === 1,
      );
      await bench.flow.step(1).filter({ hasText: "Seen by the probe" }).waitFor();
      await bench.probe.ask("holdModel", false);
    },
    "a notebook cell can be asked about": async (bench) => {
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
        async () => (await model(bench)).said.at(-1)?.includes("place_order") === true,
      );
      await bench.flow.done();
      await bench.picture("notebook");
    },
  },
);
