import { until } from "./wait";
import type { ShownEditor } from "./probe";
import type { Workbench } from "./workbench";

/** A step as read from its rows. */
export interface Step {
  number: number;
  fact: string;
  file: string;
  start: number;
  end: number;
  quote: string;
  quoteLine: number;
  hop: string;
}

/** Reads the steps from the rows of the Flow view, once all rows are drawn. */
export function readSteps(bench: Workbench): Promise<Step[]> {
  return until(
    "the steps of the flow",
    () => drawnSteps(bench),
    (steps) =>
      steps.length > 0 &&
      steps.every(({ number, quote }, index) => number === index + 1 && quote !== ""),
  );
}

async function drawnSteps(bench: Workbench): Promise<Step[]> {
  const rows = await bench.flow.rows.evaluateAll((all) =>
    all.map((row) => ({
      label: row.querySelector(".monaco-icon-name-container")?.textContent.trim() ?? "",
      description: row.querySelector(".label-description")?.textContent.trim() ?? "",
    })),
  );
  const steps: Step[] = [];
  for (const { label, description } of rows) {
    const [, number, fact] = /^(\d+)\. (?:Stale: )?(.*)$/.exec(label) ?? [];
    if (number !== undefined && fact !== undefined) {
      steps.push(stepOf(Number(number), fact, description));
      continue;
    }
    const last = steps.at(-1);
    if (last === undefined) continue;
    const line = /:(\d+)(?:-\d+)?$/.exec(label)?.[1];
    if (line !== undefined && last.quote === "") {
      last.quote = description;
      last.quoteLine = Number(line);
    } else if (last.hop === "" && last.number === steps.length && / \d+$|^no known/.test(label)) {
      last.hop = `${label} ${description}`;
    }
  }
  return steps;
}

/** Parses a step's description, such as `entry · checkout.py:10-22`. */
function stepOf(number: number, fact: string, description: string): Step {
  const [, file = "", start, end] = /([^ ]+):(\d+)(?:-(\d+))?$/.exec(description) ?? [];
  const range = { start: Number(start), end: Number(end ?? start) };
  return { number, fact, file, ...range, quote: "", quoteLine: 0, hop: "" };
}

/** Waits until the editor shows a step: the right file, the cursor on the quote, and the quoted text there. */
export async function waitForStep(bench: Workbench, step: Step): Promise<ShownEditor> {
  const editor = await until(
    `the editor to show step ${step.number} (${step.file}:${step.quoteLine})`,
    () => bench.probe.editor(),
    (editor) =>
      editor !== null && editor.path.endsWith(`/${step.file}`) && editor.line === step.quoteLine,
  );
  if (editor === null) throw new Error("No editor.");
  const [first] = step.quote.split(" ");
  if (!editor.lineText.includes(first ?? "")) {
    throw new Error(`${step.file}:${editor.line} is "${editor.lineText}", not "${step.quote}"`);
  }
  const isVisible = editor.visible.some(
    ({ start, end }) => start <= step.quoteLine && step.quoteLine <= end,
  );
  if (!isVisible) throw new Error(`${step.file}:${step.quoteLine} is not in view.`);
  return editor;
}
