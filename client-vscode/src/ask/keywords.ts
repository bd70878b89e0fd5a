import { QuickPickItemKind, window } from "vscode";
import type { QuickPickItem } from "vscode";

/** A row of the picker. A row without words is a separator. */
interface Item extends QuickPickItem {
  words?: string[];
}

const SUGGESTIONS_LABEL = "Words from the code near the answer";

/** Lets the user pick suggested words and type others. Empty if they choose none. */
export function askForKeywords(title: string, suggested: readonly string[]): Promise<string[]> {
  const pick = window.createQuickPick<Item>();
  pick.title = title;
  pick.placeholder =
    suggested.length > 0
      ? "Pick the words that fit what you mean, or type others"
      : "Type words that the code might use for what you mean";
  pick.ignoreFocusOut = true;
  pick.canSelectMany = true;
  const suggestions = suggested.map((word): Item => ({ label: word, words: [word] }));
  pick.items = rows("", suggestions, []);
  return new Promise((resolve) => {
    let chosen: string[] = [];
    pick.onDidChangeValue((value) => {
      // Replacing the rows clears the selection, so it is restored.
      const checked = pick.selectedItems;
      pick.items = rows(value, suggestions, checked);
      pick.selectedItems = checked;
    });
    pick.onDidAccept(() => {
      chosen = acceptedWords(pick.value, pick.selectedItems, suggestions);
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(chosen);
    });
    pick.show();
  });
}

/** The rows below the input: the words being typed, checked words typed earlier, and the suggestions. */
function rows(
  value: string,
  suggestions: readonly Item[],
  checked: readonly Item[],
): readonly Item[] {
  const typedEarlier = checked.filter((item) => !suggestions.includes(item));
  const known = new Set([...suggestions, ...typedEarlier].flatMap(({ words }) => words ?? []));
  const words = wordsOf(value).filter((word) => !known.has(word));
  const typedItem: Item = {
    label: words.join(", "),
    description: "Your own",
    alwaysShow: true,
    words,
  };
  const separator: Item = { label: SUGGESTIONS_LABEL, kind: QuickPickItemKind.Separator };
  return [
    ...(words.length > 0 ? [typedItem] : []),
    ...typedEarlier,
    ...(suggestions.length > 0 ? [separator, ...suggestions] : []),
  ];
}

/** The checked words, plus the typed text unless the user typed it only to filter the rows. */
function acceptedWords(
  value: string,
  checked: readonly Item[],
  suggestions: readonly Item[],
): string[] {
  const text = value.trim().toLowerCase();
  const isFilter = [...checked, ...suggestions].some(({ label }) =>
    label.toLowerCase().includes(text),
  );
  const typedWords = checked.length > 0 && isFilter ? [] : wordsOf(value);
  return [...new Set([...checked.flatMap(({ words }) => words ?? []), ...typedWords])];
}

function wordsOf(value: string): string[] {
  return [...new Set(value.split(/[\s,]+/).filter((word) => word !== ""))];
}
