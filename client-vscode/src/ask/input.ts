import { QuickPickItemKind, ThemeIcon, window } from "vscode";
import type { QuickInputButton, QuickPick, QuickPickItem } from "vscode";
import type { Intent } from "../reports/report";
import type { Pointed } from "./place";
import { isName } from "./place";
import type { RecentQuestions } from "./recent";
import { questionsAbout } from "./suggestions";

interface Typed {
  query: string;
  /** Whether the question is about the code at the cursor. */
  aboutPlace: boolean;
}

interface Item extends QuickPickItem {
  question?: Typed;
  isTyped?: boolean;
}

const FORGET: QuickInputButton = { iconPath: new ThemeIcon("close"), tooltip: "Forget" };

export interface InputOptions {
  title: string;
  placeholder: string;
  intent: Intent;
  pointed: Pointed | undefined;
  recent: RecentQuestions;
  value?: string;
}

/** Asks the user for a question: typed, suggested for the symbol at the cursor, or asked before. */
export function askForQuestion(options: InputOptions): Promise<Typed | undefined> {
  const pick = window.createQuickPick<Item>();
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = false;
  pick.value = options.value ?? "";
  fill(pick, options);
  return new Promise((resolve) => {
    let chosen: Typed | undefined;
    pick.onDidChangeValue(() => {
      fill(pick, options);
    });
    pick.onDidTriggerItemButton(({ item }) => {
      void options.recent.remove(item.question?.query ?? "").then(() => {
        fill(pick, options);
      });
    });
    pick.onDidAccept(() => {
      const [active] = pick.activeItems;
      // The list may lag a keystroke behind the input, so the input's own text is read.
      chosen = active?.isTyped === true ? undefined : active?.question;
      chosen ??= typed(pick.value, options);
      if (chosen === undefined) return;
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(chosen);
    });
    pick.show();
  });
}

function typed(value: string, { value: given }: InputOptions): Typed | undefined {
  const query = value.trim();
  return query === "" ? undefined : { query, aboutPlace: given !== undefined };
}

function fill(pick: QuickPick<Item>, options: InputOptions): void {
  pick.items = items(pick.value, options);
}

/** The rows below the input, given the text typed so far. */
export function items(value: string, options: InputOptions): Item[] {
  const found: Item[] = [];
  const question = typed(value, options);
  if (question !== undefined) {
    found.push({
      label: `$(arrow-right) ${question.query}`,
      description: "Ask",
      alwaysShow: true,
      isTyped: true,
      question,
    });
  }
  const suggested = suggestions(options);
  if (suggested.length > 0) found.push(separator("About the code at the cursor"));
  found.push(...suggested);
  const known = new Set([question?.query, ...suggested.map((each) => each.question?.query)]);
  const recent = options.recent.for(options.intent).filter(({ query }) => !known.has(query));
  if (recent.length > 0) found.push(separator("Recent"));
  found.push(
    ...recent.map(({ query }) => ({
      label: `$(history) ${query}`,
      question: { query, aboutPlace: false },
      buttons: [FORGET],
    })),
  );
  return found;
}

function suggestions({ pointed, intent }: InputOptions): Item[] {
  if (pointed === undefined) return [];
  const questions = intent === "debug" && pointed.problem !== undefined ? [pointed.problem] : [];
  if (isName(pointed.text)) questions.push(...questionsAbout(pointed.text, intent));
  return questions.map((query) => ({
    label: `$(symbol-misc) ${query.replaceAll(/\s+/g, " ")}`,
    question: { query, aboutPlace: true },
  }));
}

function separator(label: string): Item {
  return { label, kind: QuickPickItemKind.Separator };
}
