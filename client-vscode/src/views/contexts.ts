import { commands } from "vscode";
import type { Disposable } from "vscode";
import { suggestedKeywords } from "../reports/report";
import type { ReportStore } from "../reports/store";

/** Keeps the context keys that menus and keybindings depend on up to date. */
export function updateContextKeys(store: ReportStore): Disposable[] {
  const update = (): void => {
    const { current } = store;
    const set = (key: string, value: boolean): void => {
      void commands.executeCommand("setContext", `sightline.${key}`, value);
    };
    set("hasReport", current !== undefined);
    set("suggestsKeywords", current !== undefined && suggestedKeywords(current).length > 0);
    set("currentPinned", current !== undefined && store.isPinned(current.id));
    set("hasHistory", store.all().length > 0);
  };
  update();
  return [store.onDidChange(update), store.onDidChangeCurrent(update)];
}
