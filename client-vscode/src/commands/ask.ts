import { commands, window } from "vscode";
import type { Disposable, Uri } from "vscode";
import type { Asker } from "../ask/asker";
import { askForQuestion } from "../ask/input";
import { askForKeywords } from "../ask/keywords";
import { codeAtCursor, isName } from "../ask/place";
import type { CodeAtCursor } from "../ask/place";
import { pendingQuestion, repeatWithKeywords } from "../ask/question";
import type { PendingQuestion, Question } from "../ask/question";
import type { RecentQuestions } from "../ask/recent";
import { displayPath } from "../ask/scope";
import { suggestedKeywords } from "../reports/report";
import type { Intent } from "../reports/report";
import type { ReportStore } from "../reports/store";
import { plain } from "../reports/words";
import type { FlowView } from "../views/flowView";

export interface AskServices {
  asker: Asker;
  store: ReportStore;
  recent: RecentQuestions;
  flow: FlowView;
}

const INPUTS: Record<Intent, { command: string; title: string; placeholder: string }> = {
  explain: {
    command: "explain",
    title: "Explain How...",
    placeholder: "How does it work? Name what you know: symbols, files, routes, messages",
  },
  locate: {
    command: "locate",
    title: "Locate...",
    placeholder: "Where is it? For example: where a session is stored",
  },
  edit: {
    command: "planEdit",
    title: "Plan an Edit...",
    placeholder: "What do you want to change? The answer lists the places to change and the tests",
  },
  debug: {
    command: "debug",
    title: "Debug...",
    placeholder: "What is going wrong? Error messages and stack traces are welcome",
  },
};

/** Registers the commands that ask a question. */
export function askCommands(services: AskServices): Disposable[] {
  const register = (name: string, run: (...args: never[]) => unknown): Disposable =>
    commands.registerCommand(`sightline.ui.${name}`, run);
  return [
    ...(Object.keys(INPUTS) as Intent[]).map((intent) =>
      register(INPUTS[intent].command, () => askFromInput(services, intent)),
    ),
    register("followUp", () => followUp(services)),
    register("askWithKeywords", () => askWithKeywords(services)),
    register("explainHere", () =>
      askAboutCursor(services, "explain", (term) => `How does ${term} work?`),
    ),
    register("reachedHere", () =>
      askAboutCursor(services, "explain", (term) => `How is ${term} reached?`),
    ),
    register("usedHere", () =>
      askAboutCursor(services, "locate", (term) => `Where is ${term} used?`),
    ),
    register("explainInFolder", (_: Uri, folders: Uri[]) => explainInFolders(services, folders)),
    register("planEditHere", () => planEditHere(services)),
    register("debugHere", () => debugHere(services)),
    register("cancel", () => {
      services.asker.cancel();
    }),
  ];
}

/** Asks a question, records it as recent and shows the answer as it builds up. */
export async function ask(services: AskServices, question: Question): Promise<void> {
  await services.recent.add({ query: question.query, intent: question.intent });
  await askAndShow(services, pendingQuestion(question));
}

/** Asks a question and shows the answer as it builds up. */
export async function askAndShow(services: AskServices, question: PendingQuestion): Promise<void> {
  const answer = services.asker.ask(question);
  await services.flow.show();
  const report = await answer;
  if (report !== undefined) window.setStatusBarMessage(summary(report.links.length), 5000);
}

function summary(steps: number): string {
  if (steps === 0) return "$(info) Sightline found no flow";
  return `$(check) Sightline: ${steps} ${steps === 1 ? "step" : "steps"}`;
}

async function askFromInput(services: AskServices, intent: Intent, value?: string): Promise<void> {
  const code = codeAtCursor();
  const input = await askForQuestion({
    ...INPUTS[intent],
    title: `Sightline: ${INPUTS[intent].title}`,
    intent,
    codeAtCursor: code,
    recent: services.recent,
    ...(value !== undefined && { value }),
  });
  if (input === undefined) return;
  await ask(services, {
    query: input.query,
    intent,
    ...(input.aboutPlace && anchorOrKeyword(code)),
  });
}

async function followUp(services: AskServices): Promise<void> {
  const report = services.store.current;
  if (report === undefined) return askFromInput(services, "explain");
  const code = codeAtCursor();
  const input = await askForQuestion({
    title: `Follow-up to: ${plain(report.query).slice(0, 80)}`,
    placeholder: "Follow-up question; earlier findings are kept",
    intent: report.intent,
    codeAtCursor: code,
    recent: services.recent,
  });
  if (input === undefined) return;
  const start = input.aboutPlace ? anchorOrKeyword(code) : {};
  await ask(services, { query: input.query, intent: report.intent, reportId: report.id, ...start });
}

/** Repeats the shown report's question with keywords that the user picks or types. */
async function askWithKeywords(services: AskServices): Promise<void> {
  const report = services.store.current;
  if (report === undefined) return askFromInput(services, "explain");
  const title = `Ask again: ${plain(report.query).slice(0, 80)}`;
  const keywords = await askForKeywords(title, suggestedKeywords(report));
  if (keywords.length === 0) return;
  await askAndShow(
    services,
    repeatWithKeywords(keywords, report, services.store.request(report.id)),
  );
}

/** Asks about the given folders only. The cursor is ignored: it may be elsewhere. */
async function explainInFolders(services: AskServices, folders: readonly Uri[]): Promise<void> {
  const input = await askForQuestion({
    ...INPUTS.explain,
    title: `Sightline: ${INPUTS.explain.title} in ${folders.map(displayPath).join(", ")}`,
    intent: "explain",
    codeAtCursor: undefined,
    recent: services.recent,
  });
  if (input !== undefined) {
    const scope = folders.map((folder) => folder.toString());
    await ask(services, { query: input.query, intent: "explain", scope });
  }
}

async function askAboutCursor(
  services: AskServices,
  intent: Intent,
  phrase: (term: string) => string,
): Promise<void> {
  const code = codeAtCursor();
  if (code === undefined || code.text === "") return askFromInput(services, intent);
  const query = isName(code.text)
    ? phrase(`\`${code.text}\``)
    : `${phrase("this").replace(/\?$/, "")}: ${code.text}`;
  await ask(services, { query, intent, ...anchorOrKeyword(code) });
}

async function planEditHere(services: AskServices): Promise<void> {
  const name = nameIn(codeAtCursor());
  await askFromInput(services, "edit", name === "" ? "" : `Change \`${name}\`: `);
}

async function debugHere(services: AskServices): Promise<void> {
  const code = codeAtCursor();
  const text = code?.problem ?? (code?.isSelection === true ? code.text : undefined);
  if (code === undefined || text === undefined) {
    const name = nameIn(code);
    return askFromInput(services, "debug", name === "" ? "" : `Why does \`${name}\` fail? `);
  }
  await ask(services, { query: text, intent: "debug", ...anchorOrKeyword(code) });
}

/** The identifier at a place; empty if there is none, for example on a blank line. */
function nameIn(code: CodeAtCursor | undefined): string {
  return code !== undefined && isName(code.text) ? code.text : "";
}

/** The place in the server's format. Outside of files there is no anchor, so the name becomes a keyword. */
function anchorOrKeyword(code: CodeAtCursor | undefined): Partial<Question> {
  if (code === undefined) return {};
  if (code.anchor !== undefined) return { anchor: code.anchor };
  return isName(code.text) ? { keywords: [code.text] } : {};
}
