import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readSteps, waitForStep } from "./harness/steps";
import type { Step } from "./harness/steps";
import type { Locator } from "playwright-core";
import { suite } from "./harness/suite";
import { until } from "./harness/wait";
import type { Workbench } from "./harness/workbench";

const QUESTION = "How is an order placed?";
/** A question that shares no word with the code. */
const VAGUE = "Who gets told when goods leave the house?";
const EDITOR = "confirmed by the editor";

let steps: Step[] = [];

function expectedStep(number: number): Step {
  const match = steps[number - 1];
  if (match === undefined) throw new Error(`The flow has no step ${number}.`);
  return match;
}

suite(
  "a flow in the Flow view",
  { sample: "webshop" },
  {
    "a question from the palette fills the view": async (bench) => {
      await bench.ask(QUESTION);
      steps = await readSteps(bench);
      assert.ok(steps.length >= 3, JSON.stringify(steps));
      for (const { fact, file, quote, quoteLine, start, end } of steps) {
        assert.ok(fact !== "" && file !== "" && quote !== "", JSON.stringify(steps));
        assert.ok(start <= quoteLine && quoteLine <= end, JSON.stringify(steps));
      }
    },
    "hops are confirmed by the editor's Python language server": async (bench) => {
      await until(
        "hops confirmed by the editor",
        () => bench.flow.texts(),
        (texts) => texts.some((text) => text.includes(EDITOR)),
      );
    },
    "every link opens its place": async (bench) => {
      for (const eachStep of steps) {
        await bench.flow.step(eachStep.number).click();
        const { lineText } = await waitForStep(bench, eachStep);
        assert.ok(
          eachStep.quote.startsWith(lineText.trim()) || lineText.includes(eachStep.quote),
          eachStep.quote,
        );
      }
    },
    "a lens shows the step, and its link goes to the next": async (bench) => {
      await bench.flow.step(1).click();
      await waitForStep(bench, expectedStep(1));
      const lens = bench.page
        .locator(".codelens-decoration")
        .filter({ hasText: `1/${steps.length}` });
      await lens.waitFor();
      await bench.screenshot("lens-dark");
      await lens.locator("a", { hasText: "next" }).click();
      await waitForStep(bench, expectedStep(2));
    },
    "a hover shows the previous and the next step": async (bench) => {
      await bench.flow.step(1).click();
      await waitForStep(bench, expectedStep(1));
      const hoverBox = await openHover(bench);
      assert.match(await hoverBox.innerText(), /previous|next/i);
      await bench.screenshot("hover-dark");
      await bench.page.keyboard.press("Escape");
    },
    "next and previous follow the flow and wrap around": async (bench) => {
      await bench.flow.step(1).click();
      await waitForStep(bench, expectedStep(1));
      await bench.command("Go to Next Step");
      await waitForStep(bench, expectedStep(2));
      await bench.page.keyboard.press("Shift+Alt+BracketRight");
      await waitForStep(bench, expectedStep(3));
      await bench.page.keyboard.press("Shift+Alt+BracketLeft");
      await waitForStep(bench, expectedStep(2));
      await bench.command("Go to Previous Step");
      await waitForStep(bench, expectedStep(1));
      await bench.command("Go to Previous Step");
      await waitForStep(bench, expectedStep(steps.length));
    },
    "a step follows its moved quote, is stale after an edit, and recovers with undo": async (
      bench,
    ) => {
      await bench.flow.step(1).click();
      const { path, text } = await waitForStep(bench, expectedStep(1));
      const quote = text.split("\n")[expectedStep(1).quoteLine - 1] ?? "";
      await bench.probe.ask("replace", { path, from: quote, to: `\n\n${quote}` });
      await until(
        "the step two lines below",
        async () => (await readSteps(bench))[0]?.quoteLine === expectedStep(1).quoteLine + 2,
      );
      await bench.probe.ask("replace", { path, from: quote, to: "    order = None" });
      await bench.flow.stale.first().waitFor();
      await bench.screenshot("stale-dark");
      await bench.probe.ask("command", { id: "undo" });
      await bench.probe.ask("command", { id: "undo" });
      await until(
        "the step where it was",
        async () => (await readSteps(bench))[0]?.quoteLine === expectedStep(1).quoteLine,
      );
      await bench.flow.stale.first().waitFor({ state: "detached" });
      assert.equal((await bench.probe.editor())?.text, text);
      await bench.probe.ask("command", { id: "workbench.action.files.revert" });
    },
    "asking again replaces a stale answer": async (bench) => {
      await bench.flow.step(1).click();
      const { path, text } = await waitForStep(bench, expectedStep(1));
      const quote = text.split("\n")[expectedStep(1).quoteLine - 1] ?? "";
      await bench.probe.ask("replace", {
        path,
        from: quote,
        to: quote.replace("order =", "placed ="),
      });
      await bench.flow.stale.first().waitFor();
      await bench.command("Ask Again");
      await bench.flow.stale.first().waitFor({ state: "detached" });
      await bench.flow.rows.filter({ hasText: "placed = services" }).first().waitFor();
      await bench.flow.waitForAnswer();
      await bench.probe.ask("command", { id: "undo" });
      await bench.flow.stale.first().waitFor();
      await bench.command("Ask Again");
      await until(
        "the first answer again",
        () => readSteps(bench),
        (current) =>
          isDeepStrictEqual(
            current.map(({ fact }) => fact),
            steps.map(({ fact }) => fact),
          ),
      );
    },
    "the flow map shows every step, and opens code by click and by keyboard": async (bench) => {
      await bench.flow.step(1).click();
      await bench.command("Show Flow Map");
      const map = bench.webview();
      await map
        .locator(".node")
        .nth(steps.length - 1)
        .waitFor();
      assert.equal(await map.locator(".node").count(), steps.length);
      assert.equal(await map.locator(".arrow").count(), steps.length - 1);
      await bench.screenshot("flow-map-dark");
      await map.locator(".node").nth(1).click();
      await waitForStep(bench, expectedStep(2));
      await map.locator(".node").nth(1).focus();
      await map.locator(".node").nth(1).press("ArrowDown");
      await map.locator(".node:focus").press("Enter");
      await waitForStep(bench, expectedStep(3));
      const widthBefore = await map.locator("svg").getAttribute("width");
      await map.getByRole("button", { name: "Zoom in" }).click();
      await until(
        "a larger picture",
        async () => Number(await map.locator("svg").getAttribute("width")) > Number(widthBefore),
      );
      await map.getByRole("button", { name: "Fit" }).click();
    },
    "the flow map is exported as SVG": async (bench) => {
      await bench.webview().getByRole("button", { name: "Export SVG" }).click();
      const svg = await confirmSave(bench, "svg");
      assert.match(svg, /^<\?xml/);
      for (const { fact } of steps) assert.ok(svg.includes(fact.split(" ")[0] ?? fact), fact);
      assert.doesNotMatch(svg, /var\(--|<script/);
    },
    "the report is exported in every format": async (bench) => {
      await exportAs(bench, "Markdown", "md", (text) => {
        assert.ok(text.includes(QUESTION), text);
      });
      await exportAs(bench, "JSON", "json", (text) => {
        assert.equal((JSON.parse(text) as { links: unknown[] }).links.length, steps.length);
      });
      await exportAs(bench, "CodeTour", "tour", (text) => {
        assert.ok((JSON.parse(text) as { steps: unknown[] }).steps.length >= steps.length);
      });
      await exportAs(bench, "Mermaid", "mmd", (text) => {
        assert.match(text, /^flowchart TD/);
      });
    },
    "pictures for the README": async (bench) => {
      await bench.probe.ask("command", { id: "workbench.action.files.saveAll" });
      await bench.probe.ask("command", { id: "workbench.action.closeAllEditors" });
      await bench.theme("Light Modern", "vs");
      await bench.widenSideBar(560);
      await bench.flow.step(1).click();
      await waitForStep(bench, expectedStep(1));
      await bench.page
        .locator(".codelens-decoration")
        .filter({ hasText: `1/${steps.length}` })
        .waitFor();
      await bench.screenshot("readme-flow");
      await bench.theme("Dark Modern", "vs-dark");
      await openHover(bench);
      await bench.screenshot("readme-hover");
      await bench.page.keyboard.press("Escape");
      await bench.theme("Light Modern", "vs");
      await bench.command("Show Flow Map");
      await bench.webview().locator(".node").nth(1).click();
      await waitForStep(bench, expectedStep(2));
      await bench.probe.ask("command", { id: "workbench.action.closeSidebar" });
      await bench.flow.pane.waitFor({ state: "hidden" });
      await bench.screenshot("readme-map");
      await bench.theme("Dark Modern", "vs-dark");
      await bench.probe.ask("command", { id: "workbench.view.extension.sightline" });
      await bench.flow.pane.waitFor();
    },
    "the language model tool answers after consent": async (bench) => {
      assert.ok((await bench.probe.ask<string[]>("tools")).includes("sightline_explore"));
      const answer = bench.probe.ask<string>("invokeTool", {
        name: "sightline_explore",
        input: { query: QUESTION, intent: "explain" },
      });
      const consentDialog = bench.dialog(QUESTION);
      await consentDialog.waitFor();
      await bench.screenshot("tool-consent");
      await consentDialog.getByRole("button", { name: "Yes" }).click();
      const text = await answer;
      assert.match(text, /checkout\.py/);
      assert.match(text, /answer_from_report|read_targets/);
    },
    "pictures in light, dark and high-contrast themes": async (bench) => {
      await bench.probe.ask("command", { id: "workbench.action.files.saveAll" });
      await bench.probe.ask("command", { id: "workbench.action.closeAllEditors" });
      await bench.flow.step(1).click();
      await bench.command("Show Flow Map");
      await bench.flow.step(2).click();
      for (const [name, theme, kind] of [
        ["light", "Light Modern", "vs"],
        ["high-contrast", "Default High Contrast", "hc-black"],
        ["high-contrast-light", "Default High Contrast Light", "hc-light"],
        ["dark", "Dark Modern", "vs-dark"],
      ] as const) {
        await bench.theme(theme, kind);
        await bench
          .webview()
          .locator(
            `body.vscode-${{ vs: "light", "vs-dark": "dark", "hc-black": "high-contrast", "hc-light": "high-contrast-light" }[kind]}`,
          )
          .waitFor();
        await bench.screenshot(`whole-${name}`);
      }
    },
    "the question is asked again with picked and typed keywords": async (bench) => {
      await bench.ask(VAGUE);
      await bench.flow.rows.filter({ hasText: "Ask again with suggested keywords" }).click();
      const picked: string[] = [];
      for (const row of [bench.quickPickRows.nth(1), bench.quickPickRows.nth(2)]) {
        picked.push((await row.innerText()).trim());
        await row.click();
      }
      await bench.page.locator(".quick-input-widget:visible input[type=text]").fill("outbox");
      const typedRow = bench.quickPickRows.filter({ hasText: "outbox" });
      await typedRow.filter({ hasText: "Your own" }).waitFor();
      await bench.screenshot("words-of-the-code");
      await bench.page.keyboard.press("Enter");
      const stored = await until(
        "the question asked again",
        () => storedRequests(bench, VAGUE),
        ([first]) => first?.keywords !== undefined,
      );
      assert.deepEqual(
        stored.map(({ keywords }) => keywords),
        [[...picked, "outbox"]],
      );
      await bench.flow.waitForAnswerTo(VAGUE);
    },
    "clearing the flow empties the map": async (bench) => {
      await bench.command("Clear the Flow");
      const map = bench.webview();
      await map.getByText("There is no flow to show.").waitFor();
      assert.equal(await map.locator(".node").count(), 0);
      assert.ok(await map.getByRole("button", { name: "Export SVG" }).isDisabled());
    },
  },
);

/** The stored requests of all reports that answer a question. */
function storedRequests(bench: Workbench, question: string): { keywords?: string[] }[] {
  const [file] = globSync(join(bench.userDataFolder, "**", "reports.json"));
  const text = readFileSync(file ?? "", "utf8");
  const { reports, requests: stored } = JSON.parse(text) as {
    reports: { id: string; query: string }[];
    requests: Record<string, { argument: { keywords?: string[] } }>;
  };
  const answers = reports.filter(({ query }) => query === question);
  return answers.map(({ id }) => stored[id]?.argument ?? {});
}

/** Opens the hover at the cursor with the keyboard command. */
async function openHover(bench: Workbench): Promise<Locator> {
  await bench.page.keyboard.press("Escape");
  await bench.probe.ask("command", { id: "workbench.action.focusActiveEditorGroup" });
  await bench.probe.ask("command", { id: "editor.action.showHover" });
  const hoverBox = bench.page
    .locator(".monaco-hover:visible")
    .filter({ hasText: "place_order" })
    .first();
  await hoverBox.waitFor();
  return hoverBox;
}

/** Confirms the save dialog and returns the saved file. */
async function confirmSave(bench: Workbench, suffix: string): Promise<string> {
  const input = bench.page.locator(".quick-input-widget:visible input[type=text]").first();
  await input.waitFor();
  await until(
    "a proposed file",
    () => input.inputValue(),
    (value) => value.endsWith(`.${suffix}`),
  );
  const file = await until("the exported file", async () => {
    // Enter confirms the name, and a second time the creation of a missing folder.
    if (await input.isVisible()) await input.press("Enter", { timeout: 1000 });
    return exportedFile(bench.folder, suffix);
  });
  await until(
    "the exported file in the editor",
    () => bench.probe.editor(),
    (editor) => editor?.path.endsWith(`.${suffix}`) === true,
  );
  return readFileSync(file ?? "", "utf8");
}

function exportedFile(folder: string, suffix: string): string | undefined {
  const folders = [folder, join(folder, ".tours")].filter((eachStep) => existsSync(eachStep));
  return folders
    .flatMap((eachStep) => readdirSync(eachStep).map((name) => join(eachStep, name)))
    .find((name) => name.endsWith(`.${suffix}`) && !name.endsWith("README.md"));
}

async function exportAs(
  bench: Workbench,
  label: string,
  suffix: string,
  check: (text: string) => void,
): Promise<void> {
  await bench.command("Export Report...");
  await bench.chooseRow(label);
  check(await confirmSave(bench, suffix));
}
