import { commands, window } from "vscode";
import type { Disposable, Uri } from "vscode";
import type { Asker } from "../ask/asker";
import { askForQuestion } from "../ask/input";
import { askForKeywords } from "../ask/keywords";
import { isName, pointed } from "../ask/place";
import type { Pointed } from "../ask/place";
import { againWith, asking } from "../ask/question";
import type { Asking, Question } from "../ask/question";
import type { RecentQuestions } from "../ask/recent";
import { nameOf } from "../ask/scope";
import { suggestedKeywords } from "../reports/report";
import type { Intent } from "../reports/report";
import type { ReportStore } from "../reports/store";
import { plain } from "../reports/words";
import type { FlowView } from "../views/flowView";

export interface AskRoom {
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
export function askCommands(room: AskRoom): Disposable[] {
  const register = (name: string, run: (...args: never[]) => unknown): Disposable =>
    commands.registerCommand(`sightline.ui.${name}`, run);
  return [
    ...(Object.keys(INPUTS) as Intent[]).map((intent) =>
      register(INPUTS[intent].command, () => fromInput(room, intent)),
    ),
    register("followUp", () => followUp(room)),
    register("askWithKeywords", () => askWithKeywords(room)),
    register("explainHere", () => here(room, "explain", (what) => `How does ${what} work?`)),
    register("reachedHere", () => here(room, "explain", (what) => `How is ${what} reached?`)),
    register("usedHere", () => here(room, "locate", (what) => `Where is ${what} used?`)),
    register("explainInFolder", (_: Uri, chosen: Uri[]) => explainIn(room, chosen)),
    register("planEditHere", () => planEditHere(room)),
    register("debugHere", () => debugHere(room)),
    register("cancel", () => {
      room.asker.cancel();
    }),
  ];
}

/** Asks a question, records it as recent and shows the answer as it builds up. */
export async function ask(room: AskRoom, question: Question): Promise<void> {
  await room.recent.add({ query: question.query, intent: question.intent });
  await follow(room, asking(question));
}

/** Asks a question and shows the answer as it builds up. */
export async function follow(room: AskRoom, question: Asking): Promise<void> {
  const answer = room.asker.ask(question);
  await room.flow.show();
  const report = await answer;
  if (report !== undefined) window.setStatusBarMessage(summary(report.links.length), 5000);
}

function summary(steps: number): string {
  if (steps === 0) return "$(info) Sightline found no flow";
  return `$(check) Sightline: ${steps} ${steps === 1 ? "step" : "steps"}`;
}

async function fromInput(room: AskRoom, intent: Intent, value?: string): Promise<void> {
  const at = pointed();
  const typed = await askForQuestion({
    ...INPUTS[intent],
    title: `Sightline: ${INPUTS[intent].title}`,
    intent,
    pointed: at,
    recent: room.recent,
    ...(value !== undefined && { value }),
  });
  if (typed === undefined) return;
  await ask(room, { query: typed.query, intent, ...(typed.aboutPlace && placeOf(at)) });
}

async function followUp(room: AskRoom): Promise<void> {
  const report = room.store.current;
  if (report === undefined) return fromInput(room, "explain");
  const at = pointed();
  const typed = await askForQuestion({
    title: `Follow-up to: ${plain(report.query).slice(0, 80)}`,
    placeholder: "Follow-up question; earlier findings are kept",
    intent: report.intent,
    pointed: at,
    recent: room.recent,
  });
  if (typed === undefined) return;
  const place = typed.aboutPlace ? placeOf(at) : {};
  await ask(room, { query: typed.query, intent: report.intent, reportId: report.id, ...place });
}

/** Repeats the shown report's question with keywords that the user picks or types. */
async function askWithKeywords(room: AskRoom): Promise<void> {
  const report = room.store.current;
  if (report === undefined) return fromInput(room, "explain");
  const title = `Ask again: ${plain(report.query).slice(0, 80)}`;
  const keywords = await askForKeywords(title, suggestedKeywords(report));
  if (keywords.length === 0) return;
  await follow(room, againWith(keywords, report, room.store.request(report.id)));
}

/** Asks about the given folders only. The cursor is ignored: it may be elsewhere. */
async function explainIn(room: AskRoom, folders: readonly Uri[]): Promise<void> {
  const typed = await askForQuestion({
    ...INPUTS.explain,
    title: `Sightline: ${INPUTS.explain.title} in ${folders.map(nameOf).join(", ")}`,
    intent: "explain",
    pointed: undefined,
    recent: room.recent,
  });
  if (typed !== undefined) {
    const scope = folders.map((folder) => folder.toString());
    await ask(room, { query: typed.query, intent: "explain", scope });
  }
}

async function here(room: AskRoom, intent: Intent, words: (what: string) => string): Promise<void> {
  const at = pointed();
  if (at === undefined || at.text === "") return fromInput(room, intent);
  const query = isName(at.text)
    ? words(`\`${at.text}\``)
    : `${words("this").replace(/\?$/, "")}: ${at.text}`;
  await ask(room, { query, intent, ...placeOf(at) });
}

async function planEditHere(room: AskRoom): Promise<void> {
  const name = nameAt(pointed());
  await fromInput(room, "edit", name === "" ? "" : `Change \`${name}\`: `);
}

async function debugHere(room: AskRoom): Promise<void> {
  const at = pointed();
  const text = at?.problem ?? (at?.isSelection === true ? at.text : undefined);
  if (at === undefined || text === undefined) {
    const name = nameAt(at);
    return fromInput(room, "debug", name === "" ? "" : `Why does \`${name}\` fail? `);
  }
  await ask(room, { query: text, intent: "debug", ...placeOf(at) });
}

/** The identifier at a place; empty if there is none, for example on a blank line. */
function nameAt(at: Pointed | undefined): string {
  return at !== undefined && isName(at.text) ? at.text : "";
}

/** The place in the server's format. Outside of files there is no anchor, so the name becomes a keyword. */
function placeOf(at: Pointed | undefined): Partial<Question> {
  if (at === undefined) return {};
  if (at.anchor !== undefined) return { anchor: at.anchor };
  return isName(at.text) ? { keywords: [at.text] } : {};
}
