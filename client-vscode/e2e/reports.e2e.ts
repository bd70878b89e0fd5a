import assert from "node:assert/strict";
import { readSteps, shows } from "./harness/steps";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const PLACED = "How is an order placed?";
const PRICED = "Where is the price of a cart computed?";
const PAID = "How does a card payment get declined?";

function listed(bench: Workbench, wanted: string[], limitMs?: number): Promise<unknown> {
  return until(
    `the reports ${wanted.join(", ")}`,
    () => bench.reports.questions(),
    (questions) => JSON.stringify(questions) === JSON.stringify(wanted),
    limitMs,
  );
}

/** Drags a row to another until the order is `wanted`. A drag that starts while the tree is redrawn moves
 *  nothing, so it is retried, as a user would. */
async function dragged(
  bench: Workbench,
  from: string,
  to: string,
  wanted: string[],
): Promise<void> {
  for (let attempt = 1; attempt < 4; attempt += 1) {
    await bench.page.mouse.move(0, 0); // hides a row's tooltip, which would be in the way
    const moved = bench.reports
      .row(from)
      .dragTo(bench.reports.row(to), { timeout: 5000 })
      .then(() => listed(bench, wanted, 4000));
    if (await moved.then(Boolean, () => false)) return;
  }
  await listed(bench, wanted, 0);
}

/** Opens a report's context menu. Retries, because a click while the tree is redrawn opens none. */
async function menuOf(bench: Workbench, question: string): Promise<void> {
  await until("the menu of the report", async () => {
    await bench.reports.row(question).first().click({ button: "right", timeout: 2000 });
    await bench.page.locator(".monaco-menu").first().waitFor({ timeout: 2000 });
    return true;
  });
}

async function lens(bench: Workbench): Promise<void> {
  const [first] = await readSteps(bench);
  if (first === undefined) throw new Error("The flow has no step.");
  await bench.flow.step(1).click();
  await shows(bench, first);
  await bench.page.locator(".codelens-decoration").filter({ hasText: /1\/\d/ }).first().waitFor();
}

suite(
  "the Reports view",
  { sample: "webshop" },
  {
    "keeps what was asked, the latest first": async (bench) => {
      await bench.ask(PLACED);
      await bench.ask(PRICED, "Locate...");
      await bench.ask(PAID);
      await bench.reports.unfold();
      await listed(bench, [PAID, PRICED, PLACED]);
      assert.match(await bench.reports.row(PLACED).innerText(), /now|min ago/);
      assert.match(await bench.reports.row(PLACED).innerText(), /steps/);
    },
    "opens an older report, with its lenses": async (bench) => {
      await bench.reports.row(PLACED).click();
      await bench.flow.answered(PLACED);
      await lens(bench);
      await until("the latest report, by keyboard", async () => {
        await bench.probe.ask("command", { id: "sightline.reports.focus" });
        await bench.page.keyboard.press("Home");
        await bench.page.keyboard.press("Enter");
        return (await bench.flow.pane.locator(".pane-header").innerText()).includes("card");
      });
      await bench.flow.answered(PAID);
    },
    "offers what was asked before, questions of the same kind first": async (bench) => {
      await bench.command("Locate...");
      await bench.choices.filter({ hasText: PLACED }).waitFor();
      const offered = (await bench.choices.allInnerTexts()).map((each) => each.trim());
      const at = (question: string): number => offered.findIndex((each) => each.includes(question));
      assert.ok(at(PRICED) >= 0 && at(PRICED) < at(PLACED), JSON.stringify(offered));
      assert.ok(at(PAID) < at(PLACED), JSON.stringify(offered));
      await bench.picture("recent-questions");
      const forget = bench.choices.filter({ hasText: PAID });
      await forget.hover();
      await forget.getByRole("button", { name: "Forget" }).click();
      await forget.waitFor({ state: "detached" });
      await bench.pick(PRICED);
      await bench.flow.answered(PRICED);
      await listed(bench, [PRICED, PAID, PRICED, PLACED]);
      await menuOf(bench, PRICED);
      await bench.choose("Remove Report");
      await listed(bench, [PAID, PRICED, PLACED]);
    },
    "pins reports, which stand first": async (bench) => {
      const row = bench.reports.row(PLACED);
      await row.hover();
      await row.getByRole("button", { name: "Pin Report" }).click();
      await until(
        "the pinned report first",
        async () => (await bench.reports.questions())[0] === PLACED,
      );
      await row.locator(".codicon-pinned").first().waitFor();
      assert.match((await row.getAttribute("aria-label")) ?? "", /^Pinned/);
      await menuOf(bench, PAID);
      await bench.choose("Pin Report");
      await bench.reports.row(PAID).locator(".codicon-pinned").first().waitFor();
      await bench.picture("reports");
      await menuOf(bench, PAID);
      await bench.choose("Unpin Report");
      await until(
        "the unpinned report below",
        async () => (await bench.reports.questions())[0] === PLACED,
      );
    },
    "are put in order by dragging, and pinned by being dropped on a pinned one": async (bench) => {
      const before = await bench.reports.questions();
      const [first = "", second = "", third = ""] = before;
      await dragged(bench, third, second, [first, third, second]);
      await dragged(bench, PAID, PLACED, [PAID, PLACED, PRICED]);
      assert.match((await bench.reports.row(PAID).getAttribute("aria-label")) ?? "", /^Pinned/);
    },
    "are found by question, by fact and by file": async (bench) => {
      await bench.command("Search Reports...");
      const input = bench.page.locator(".quick-input-widget:visible input[type=text]");
      for (const [text, found] of [
        ["declined", PAID],
        ["checkout.py", PLACED],
        ["CheckoutService.place_order", PLACED],
      ] as const) {
        await input.fill(text);
        await bench.choices.filter({ hasText: found }).waitFor();
      }
      await input.fill("order placed");
      await bench.choices.filter({ hasText: PRICED }).waitFor({ state: "detached" });
      await bench.picture("search-reports");
      await bench.pick(PLACED);
      await bench.flow.answered(PLACED);
    },
    "outlive the window, and come alive when they are opened": async (bench) => {
      await bench.reload();
      await bench.probe.ask("command", { id: "workbench.view.extension.sightline" });
      await bench.reports.unfold();
      await listed(bench, [PAID, PLACED, PRICED]);
      await bench.reports.row(PLACED).click();
      await bench.flow.answered(PLACED);
      await lens(bench);
      await bench.picture("reopened");
      const [step] = await readSteps(bench);
      if (step === undefined) throw new Error("The flow has no step.");
      const { path, text } = await shows(bench, step);
      const quote = text.split("\n")[step.quoteLine - 1] ?? "";
      await bench.probe.ask("replace", { path, from: quote, to: `\n${quote}` });
      await until(
        "the step one line below",
        async () => (await readSteps(bench))[0]?.quoteLine === step.quoteLine + 1,
      );
      await bench.probe.ask("command", { id: "undo" });
      await bench.command("Ask a Follow-up...");
      await bench.answer("Who is told about it?");
      await bench.flow.answered("Who is told about it?");
      assert.ok(!(await bench.flow.texts()).some((text) => text.includes("no longer available")));
    },
    "come alive again after the server ended": async (bench) => {
      await bench.reports.row(PLACED).click();
      await bench.flow.answered(PLACED);
      await bench.command("Restart Server");
      await lens(bench);
    },
    "are removed with a key, and all that are not pinned at once": async (bench) => {
      await bench.reports.row(PRICED).click();
      await bench.flow.answered(PRICED);
      await bench.probe.ask("command", { id: "sightline.reports.focus" });
      await bench.page.keyboard.press("End");
      await bench.page.keyboard.press("Delete");
      await bench.reports.row(PRICED).waitFor({ state: "detached" });
      await bench.command("Remove All Unpinned Reports");
      await bench.dialog("not pinned").getByRole("button", { name: "Remove" }).click();
      await listed(bench, [PAID, PLACED]);
    },
  },
);

suite(
  "a workspace with several folders",
  { sample: "webshop", beside: ["chat-web"], called: "Frontend" },
  {
    "explains what is in a folder, whatever the editor calls the one it is in": async (bench) => {
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
      await bench.choose("Explain How... in This Folder");
      await bench.answer(PLACED);
      await bench.flow.answered(PLACED);
      assert.ok((await bench.flow.texts()).includes("Only in Frontend/shop"));
      const files = (await readSteps(bench)).map(({ file }) => file);
      assert.ok(files.includes("handlers/checkout.py"), JSON.stringify(files));
      await bench.picture("named-folder");
    },
    "answers from every folder, and opens the report as a document whose links lead there": async (
      bench,
    ) => {
      await bench.ask("How does the chat store switch the channel?");
      const [step] = await readSteps(bench);
      if (step === undefined) throw new Error("The flow has no step.");
      await bench.flow.step(1).click();
      await shows(bench, step);
      await bench.command("Open as Document");
      const document = bench.webview();
      await document.getByRole("heading").first().waitFor();
      const named = /how-does-the-chat-store-switch-the-channel/;
      await bench.page.locator(".tab").filter({ hasText: named }).waitFor();
      await bench.picture("several-folders-document");
      await document.locator("a").filter({ hasText: step.file }).first().click();
      await until(
        "the step's file from the document",
        () => bench.probe.editor(),
        (editor) => editor?.path.endsWith(`/${step.file}`) === true && editor.line === step.start,
      );
    },
  },
);
