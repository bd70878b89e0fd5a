import { QuickPickItemKind, ThemeIcon, window } from "vscode";
import type { QuickInputButton, QuickPick, QuickPickItem } from "vscode";
import type { Intent } from "../reports/report";
import type { CodeAtCursor } from "./place";
import { isName } from "./place";
import type { RecentQuestions } from "./recent";
import { questionsAbout } from "./suggestions";

interface QuestionInput {
  query: string;
  /** Whether the question is about the code at the cursor. */
  aboutPlace: boolean;
}

interface Item extends QuickPickItem {
  question?: QuestionInput;
  isTyped?: boolean;
}

const FORGET_BUTTON: QuickInputButton = { iconPath: new ThemeIcon("close"), tooltip: "Forget" };

export interface InputOptions {
  title: string;
  placeholder: string;
  intent: Intent;
  codeAtCursor: CodeAtCursor | undefined;
  recent: RecentQuestions;
  value?: string;
}

/** Asks the user for a question: typed, suggested for the symbol at the cursor, or asked before. */
export function askForQuestion(options: InputOptions): Promise<QuestionInput | undefined> {
  const pick = window.createQuickPick<Item>();
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = false;
  pick.value = options.value ?? "";
  updateItems(pick, options);
  return new Promise((resolve) => {
    let chosen: QuestionInput | undefined;
    pick.onDidChangeValue(() => {
      updateItems(pick, options);
    });
    pick.onDidTriggerItemButton(({ item }) => {
      void options.recent.remove(item.question?.query ?? "").then(() => {
        updateItems(pick, options);
      });
    });
    pick.onDidAccept(() => {
      const [active] = pick.activeItems;
      // The list may lag a keystroke behind the input, so the input's own text is read.
      chosen = active?.isTyped === true ? undefined : active?.question;
      chosen ??= typedQuestion(pick.value, options);
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

function typedQuestion(
  value: string,
  { value: prefilled }: InputOptions,
): QuestionInput | undefined {
  const query = value.trim();
  return query === "" ? undefined : { query, aboutPlace: prefilled !== undefined };
}

function updateItems(pick: QuickPick<Item>, options: InputOptions): void {
  pick.items = items(pick.value, options);
}

/** The rows below the input, given the text typed so far. */
export function items(value: string, options: InputOptions): Item[] {
  const rows: Item[] = [];
  const question = typedQuestion(value, options);
  if (question !== undefined) {
    rows.push({
      label: `$(arrow-right) ${question.query}`,
      description: "Ask",
      alwaysShow: true,
      isTyped: true,
      question,
    });
  }
  const suggested = suggestions(options);
  if (suggested.length > 0) rows.push(separator("About the code at the cursor"));
  rows.push(...suggested);
  const known = new Set([question?.query, ...suggested.map((each) => each.question?.query)]);
  const recent = options.recent.for(options.intent).filter(({ query }) => !known.has(query));
  if (recent.length > 0) rows.push(separator("Recent"));
  rows.push(
    ...recent.map(({ query }) => ({
      label: `$(history) ${query}`,
      question: { query, aboutPlace: false },
      buttons: [FORGET_BUTTON],
    })),
  );
  return rows;
}

function suggestions({ codeAtCursor, intent }: InputOptions): Item[] {
  if (codeAtCursor === undefined) return [];
  const questions =
    intent === "debug" && codeAtCursor.problem !== undefined ? [codeAtCursor.problem] : [];
  if (isName(codeAtCursor.text)) questions.push(...questionsAbout(codeAtCursor.text, intent));
  return questions.map((query) => ({
    label: `$(symbol-misc) ${query.replaceAll(/\s+/g, " ")}`,
    question: { query, aboutPlace: true },
  }));
}

function separator(label: string): Item {
  return { label, kind: QuickPickItemKind.Separator };
}
