import assert from "node:assert/strict";
import { suite } from "./harness/suite";

const STEPS = ["Ask a question", "Follow the flow", "Continue from there"];
/** A piece of text from each step's picture. */
const PICTURE_TEXTS = [
  "About the code at the cursor",
  "1. submit calls place_order",
  "checkout handler",
];

suite(
  "the walkthrough",
  { sample: "webshop" },
  {
    "leads to a first answer in three steps, with themed pictures": async (bench) => {
      assert.equal(await bench.probe.ask("activation"), false, "nobody needed it so far");
      const open = { id: "workbench.action.openWalkthrough", args: ["sightline.sightline#start"] };
      await bench.probe.ask("command", open);
      const page = bench.page.locator(".gettingStartedContainer");
      for (const [index, title] of STEPS.entries()) {
        await page.getByText(title, { exact: true }).click();
        await bench
          .webview()
          .locator("svg")
          .filter({ hasText: PICTURE_TEXTS[index] ?? "" })
          .waitFor();
        await bench.screenshot(`walkthrough-${index + 1}`);
      }
      assert.equal(await page.locator(".getting-started-step").count(), STEPS.length);
      await bench.theme("Default High Contrast Light", "hc-light");
      await bench.screenshot("walkthrough-high-contrast-light");
      await bench.theme("Dark Modern", "vs-dark");
      await page.getByText(STEPS[0] ?? "", { exact: true }).click();
      await page.getByRole("button", { name: "Explain How..." }).click();
      await bench.enterText("How is an order placed?");
      await bench.flow.waitForAnswerTo("How is an order placed?");
      assert.equal(await bench.probe.ask("activation"), true);
    },
  },
);
