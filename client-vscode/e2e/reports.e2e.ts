import assert from "node:assert/strict";
import { readSteps, waitForStep } from "./harness/steps";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const PLACED = "How is an order placed?";
const PRICED = "Where is the price of a cart computed?";
const PAID = "How does a card payment get declined?";

function waitForReports(bench: Workbench, expected: string[], limitMs?: number): Promise<unknown> {
  return until(
    `the reports ${expected.join(", ")}`,
    () => bench.reports.questions(),
    (questions) => JSON.stringify(questions) === JSON.stringify(expected),
    limitMs,
  );
}

/** Drags a row to another until the order is `expected`. A drag that starts while the tree is redrawn moves
 *  nothing, so it is retried, as a user would. */
async function dragReport(
  bench: Workbench,
  from: string,
  to: string,
  expected: string[],
): Promise<void> {
  for (let attempt = 1; attempt < 4; attempt += 1) {
    await bench.page.mouse.move(0, 0); // hides a row's tooltip, which would be in the way
    const moved = bench.reports
      .row(from)
      .dragTo(bench.reports.row(to), { timeout: 5000 })
      .then(() => waitForReports(bench, expected, 4000));
    if (await moved.then(Boolean, () => false)) return;
  }
  await waitForReports(bench, expected, 0);
}

/** Opens a report's context menu. Retries, because a click while the tree is redrawn opens none. */
async function openMenu(bench: Workbench, question: string): Promise<void> {
  await until("the menu of the report", async () => {
    await bench.reports.row(question).first().click({ button: "right", timeout: 2000 });
    await bench.page.locator(".monaco-menu").first().waitFor({ timeout: 2000 });
    return true;
  });
}

async function waitForLens(bench: Workbench): Promise<void> {
  const [first] = await readSteps(bench);
  if (first === undefined) throw new Error("The flow has no step.");
  await bench.flow.step(1).click();
  await waitForStep(bench, first);
  await bench.page.locator(".codelens-decoration").filter({ hasText: /1\/\d/ }).first().waitFor();
}

suite(
  "the Reports view",
  { sample: "webshop" },
  {
    "lists the reports, the newest first": async (bench) => {
      await bench.ask(PLACED);
      await bench.ask(PRICED, "Locate...");
      await bench.ask(PAID);
      await bench.reports.expand();
      await waitForReports(bench, [PAID, PRICED, PLACED]);
      assert.match(await bench.reports.row(PLACED).innerText(), /now|min ago/);
      assert.match(await bench.reports.row(PLACED).innerText(), /steps/);
    },
    "opens an older report with its lenses": async (bench) => {
      await bench.reports.row(PLACED).click();
      await bench.flow.waitForAnswerTo(PLACED);
      await waitForLens(bench);
      await until("the latest report, by keyboard", async () => {
        await bench.probe.ask("command", { id: "sightline.reports.focus" });
        await bench.page.keyboard.press("Home");
        await bench.page.keyboard.press("Enter");
        return (await bench.flow.pane.locator(".pane-header").innerText()).includes("card");
      });
      await bench.flow.waitForAnswerTo(PAID);
    },
    "the input lists recent questions, those of the same intent first": async (bench) => {
      await bench.command("Locate...");
      await bench.quickPickRows.filter({ hasText: PLACED }).waitFor();
      const listedQuestions = (await bench.quickPickRows.allInnerTexts()).map((each) =>
        each.trim(),
      );
      const position = (question: string): number =>
        listedQuestions.findIndex((each) => each.includes(question));
      assert.ok(
        position(PRICED) >= 0 && position(PRICED) < position(PLACED),
        JSON.stringify(listedQuestions),
      );
      assert.ok(position(PAID) < position(PLACED), JSON.stringify(listedQuestions));
      await bench.screenshot("recent-questions");
      const recentQuestion = bench.quickPickRows.filter({ hasText: PAID });
      await recentQuestion.hover();
      await recentQuestion.getByRole("button", { name: "Forget" }).click();
      await recentQuestion.waitFor({ state: "detached" });
      await bench.chooseRow(PRICED);
      await bench.flow.waitForAnswerTo(PRICED);
      await waitForReports(bench, [PRICED, PAID, PRICED, PLACED]);
      await openMenu(bench, PRICED);
      await bench.chooseMenuItem("Remove Report");
      await waitForReports(bench, [PAID, PRICED, PLACED]);
    },
    "lists pinned reports first": async (bench) => {
      const row = bench.reports.row(PLACED);
      await row.hover();
      await row.getByRole("button", { name: "Pin Report" }).click();
      await until(
        "the pinned report first",
        async () => (await bench.reports.questions())[0] === PLACED,
      );
      await row.locator(".codicon-pinned").first().waitFor();
      assert.match((await row.getAttribute("aria-label")) ?? "", /^Pinned/);
      await openMenu(bench, PAID);
      await bench.chooseMenuItem("Pin Report");
      await bench.reports.row(PAID).locator(".codicon-pinned").first().waitFor();
      await bench.screenshot("reports");
      await openMenu(bench, PAID);
      await bench.chooseMenuItem("Unpin Report");
      await until(
        "the unpinned report below",
        async () => (await bench.reports.questions())[0] === PLACED,
      );
    },
    "reorders reports by dragging, and pins one dropped on a pinned one": async (bench) => {
      const before = await bench.reports.questions();
      const [first = "", second = "", third = ""] = before;
      await dragReport(bench, third, second, [first, third, second]);
      await dragReport(bench, PAID, PLACED, [PAID, PLACED, PRICED]);
      assert.match((await bench.reports.row(PAID).getAttribute("aria-label")) ?? "", /^Pinned/);
    },
    "finds reports by question, fact and file": async (bench) => {
      await bench.command("Search Reports...");
      const input = bench.page.locator(".quick-input-widget:visible input[type=text]");
      for (const [text, expected] of [
        ["declined", PAID],
        ["checkout.py", PLACED],
        ["CheckoutService.place_order", PLACED],
      ] as const) {
        await input.fill(text);
        await bench.quickPickRows.filter({ hasText: expected }).waitFor();
      }
      await input.fill("order placed");
      await bench.quickPickRows.filter({ hasText: PRICED }).waitFor({ state: "detached" });
      await bench.screenshot("search-reports");
      await bench.chooseRow(PLACED);
      await bench.flow.waitForAnswerTo(PLACED);
    },
    "keeps reports across a reload, and tracks an opened one again": async (bench) => {
      await bench.reload();
      await bench.probe.ask("command", { id: "workbench.view.extension.sightline" });
      await bench.reports.expand();
      await waitForReports(bench, [PAID, PLACED, PRICED]);
      await bench.reports.row(PLACED).click();
      await bench.flow.waitForAnswerTo(PLACED);
      await waitForLens(bench);
      await bench.screenshot("reopened");
      const [step] = await readSteps(bench);
      if (step === undefined) throw new Error("The flow has no step.");
      const { path, text } = await waitForStep(bench, step);
      const quote = text.split("\n")[step.quoteLine - 1] ?? "";
      await bench.probe.ask("replace", { path, from: quote, to: `\n${quote}` });
      await until(
        "the step one line below",
        async () => (await readSteps(bench))[0]?.quoteLine === step.quoteLine + 1,
      );
      await bench.probe.ask("command", { id: "undo" });
      await bench.command("Ask a Follow-up...");
      await bench.enterText("Who is told about it?");
      await bench.flow.waitForAnswerTo("Who is told about it?");
      assert.ok(!(await bench.flow.texts()).some((text) => text.includes("no longer available")));
    },
    "restores the lenses after the server is restarted": async (bench) => {
      await bench.reports.row(PLACED).click();
      await bench.flow.waitForAnswerTo(PLACED);
      await bench.command("Restart Server");
      await waitForLens(bench);
    },
    "removes one report with a key, and all unpinned ones by command": async (bench) => {
      await bench.reports.row(PRICED).click();
      await bench.flow.waitForAnswerTo(PRICED);
      await bench.probe.ask("command", { id: "sightline.reports.focus" });
      await bench.page.keyboard.press("End");
      await bench.page.keyboard.press("Delete");
      await bench.reports.row(PRICED).waitFor({ state: "detached" });
      await bench.command("Remove All Unpinned Reports");
      await bench.dialog("not pinned").getByRole("button", { name: "Remove" }).click();
      await waitForReports(bench, [PAID, PLACED]);
    },
  },
);

suite(
  "a workspace with several folders",
  { sample: "webshop", otherSamples: ["chat-web"], folderName: "Frontend" },
  {
    "limits a question to a folder inside a renamed workspace folder": async (bench) => {
      await bench.probe.ask("command", { id: "workbench.view.explorer" });
      const explorer = bench.page.locator(".explorer-folders-view .monaco-list-row");
      await explorer.filter({ hasText: "Frontend" }).click();
      const folder = explorer.filter({ hasText: /^shop/ });
      await until("the menu of the folder", async () => {
        if (!(await folder.isVisible())) {
          await explorer.filter({ hasText: "Frontend" }).click({ timeout: 2000 });
        }
        await folder.click({ button: "right", timeout: 2000 });
        await bench.page.locator(".monaco-menu").first().waitFor({ timeout: 2000 });
        return true;
      });
      await bench.chooseMenuItem("Explain How... in This Folder");
      await bench.enterText(PLACED);
      await bench.flow.waitForAnswerTo(PLACED);
      assert.ok((await bench.flow.texts()).includes("Only in Frontend/shop"));
      const files = (await readSteps(bench)).map(({ file }) => file);
      assert.ok(files.includes("handlers/checkout.py"), JSON.stringify(files));
      await bench.screenshot("named-folder");
    },
    "answers from every folder, and opens a document with links into them": async (bench) => {
      await bench.ask("How does the chat store switch the channel?");
      const [step] = await readSteps(bench);
      if (step === undefined) throw new Error("The flow has no step.");
      await bench.flow.step(1).click();
      await waitForStep(bench, step);
      await bench.command("Open as Document");
      const document = bench.webview();
      await document.getByRole("heading").first().waitFor();
      const tabTitle = /how-does-the-chat-store-switch-the-channel/;
      await bench.page.locator(".tab").filter({ hasText: tabTitle }).waitFor();
      await bench.screenshot("several-folders-document");
      await document.locator("a").filter({ hasText: step.file }).first().click();
      await until(
        "the step's file from the document",
        () => bench.probe.editor(),
        (editor) => editor?.path.endsWith(`/${step.file}`) === true && editor.line === step.start,
      );
    },
  },
);
