import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const POINTS = "shop/payments/points.py";
const INVOICE = "shop/payments/invoice.py";
const CHECKOUT = "shop/services/checkout.py";

/** Waits until the Flow view names this file. */
function waitForFile(bench: Workbench, path: string): Promise<unknown> {
  const file = path.slice(path.lastIndexOf("/") + 1);
  return until(
    `a flow through ${file}`,
    () => bench.flow.texts(),
    (texts) => texts.some((text) => text.includes(file)),
  );
}

suite(
  "questions about a place",
  { sample: "webshop" },
  {
    "the context menu asks about the symbol at the cursor, not its namesakes": async (bench) => {
      for (const path of [POINTS, INVOICE]) {
        await bench.probe.ask("cursor", { path, text: "charge(self" });
        await bench.menuAtCursor();
        await bench.chooseMenuItem("Sightline", "Explain How This Works");
        await bench.flow.waitForAnswerTo("How does `charge` work?");
        await waitForFile(bench, path);
      }
      await bench.probe.ask("cursor", { path: CHECKOUT, text: "place_order" });
      await bench.menuAtCursor();
      await bench.page
        .locator(".monaco-menu .action-item")
        .filter({ hasText: "Sightline" })
        .hover();
      await bench.page.locator(".monaco-menu").filter({ hasText: "Locate Where" }).last().waitFor();
      await bench.screenshot("context-menu");
      await bench.chooseMenuItem("Locate Where This Is Used");
      await bench.flow.waitForAnswerTo("Where is `place_order` used?");
    },
    "the context menu asks about a selection": async (bench) => {
      const text = "self._stock.release(order.number)";
      await bench.probe.ask("select", { path: CHECKOUT, text });
      await bench.menuAtCursor();
      await bench.chooseMenuItem("Sightline", "Explain How This Is Reached");
      await bench.flow.waitForAnswerTo(`How is this reached: ${text}`);
      await waitForFile(bench, CHECKOUT);
    },
    "planning an edit prefills the symbol": async (bench) => {
      await bench.probe.ask("cursor", { path: CHECKOUT, text: "confirm(self" });
      await bench.menuAtCursor();
      await bench.chooseMenuItem("Sightline", "Plan an Edit Here...");
      const input = bench.page.locator(".quick-input-widget:visible input[type=text]");
      await until("the symbol in the input", async () =>
        (await input.inputValue()).startsWith("Change `confirm`: "),
      );
      await bench.enterText("Change `confirm`: tell the customer");
      await bench.flow.waitForAnswerTo("Change `confirm`: tell the customer");
    },
    "the input suggests questions about the symbol": async (bench) => {
      await bench.probe.ask("cursor", { path: CHECKOUT, text: "place_order" });
      await bench.command("Explain How...");
      await bench.quickPickRows.filter({ hasText: "How is `place_order` reached?" }).waitFor();
      await bench.screenshot("suggested-questions");
      await bench.chooseRow("How does `place_order` work?");
      await bench.flow.waitForAnswerTo("How does `place_order` work?");
      await bench.probe.ask("cursor", { path: CHECKOUT, text: "place_order" });
      await bench.command("Locate...");
      await bench.quickPickRows.filter({ hasText: "Where is `place_order` defined?" }).waitFor();
      await bench.page.keyboard.press("Escape");
    },
    "code actions ask about the symbol and about a comment": async (bench) => {
      await bench.probe.ask("cursor", { path: CHECKOUT, text: "place_order" });
      await runCodeAction(bench, "Where is this used", "code-actions");
      await bench.flow.waitForAnswerTo("Where is this used?");
      await bench.probe.ask("cursor", { path: "shop/services/cart.py", text: "an invalid code" });
      await runCodeAction(bench, "Ask Sightline: an invalid code");
      await bench.flow.waitForAnswerTo("an invalid code is refused before it is stored");
    },
    "a code action explores the error on a line": async (bench) => {
      const path = "shop/services/stock.py";
      await bench.probe.ask("replace", {
        path,
        from: "def hold(",
        to: "absent_name\n    def hold(",
      });
      await bench.probe.ask("cursor", { path, text: "absent_name" });
      await until("the error", async () => (await bench.probe.ask<number>("diagnostics")) > 0);
      await runCodeAction(bench, "Explore the error on this line");
      await bench.flow.pane.locator(".pane-header").filter({ hasText: "absent_name" }).waitFor();
      // The previous answer stays in the view until this question starts running.
      await until("the answer", async () => {
        await bench.flow.waitForAnswer();
        return (await bench.flow.texts()).length > 1;
      });
      await bench.probe.ask("command", { id: "workbench.action.files.revert" });
    },
  },
);

/** Runs a code action at the cursor, from the code action menu. */
async function runCodeAction(bench: Workbench, title: string, picture?: string): Promise<void> {
  const menu = bench.page.locator(".action-widget");
  const item = menu.locator(".monaco-list-row").filter({ hasText: title }).first();
  await until(`the action ${title}`, async () => {
    await bench.page.keyboard.press("Escape");
    await bench.probe.ask("command", { id: "workbench.action.focusActiveEditorGroup" });
    await bench.probe.ask("command", { id: "editor.action.quickFix" });
    await item.waitFor({ timeout: 2000 });
    return true;
  });
  if (picture !== undefined) await bench.screenshot(picture);
  await item.click();
}
