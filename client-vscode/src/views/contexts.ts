import { commands } from "vscode";
import type { Disposable } from "vscode";
import { suggestedKeywords } from "../reports/report";
import type { ReportStore } from "../reports/store";

/** Keeps the context keys that menus and keybindings depend on up to date. */
export function keepContexts(store: ReportStore): Disposable[] {
  const tell = (): void => {
    const { current } = store;
    const set = (key: string, value: boolean): void => {
      void commands.executeCommand("setContext", `sightline.${key}`, value);
    };
    set("hasReport", current !== undefined);
    set("suggestsKeywords", current !== undefined && suggestedKeywords(current).length > 0);
    set("currentPinned", current !== undefined && store.isPinned(current.id));
    set("hasHistory", store.all().length > 0);
  };
  tell();
  return [store.onDidChange(tell), store.onDidChangeCurrent(tell)];
}
