import { commands, window } from "vscode";
import { withoutLinks } from "./messages";

export interface Button {
  title: string;
  command: string;
  args?: unknown[];
}

/** An error to show: one sentence for the user, and buttons for what they can do about it. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly buttons: readonly Button[] = [],
  ) {
    super(message);
  }
}

export const SHOW_LOG: Button = { title: "Show Log", command: "sightline.ui.showLog" };
export const SET_UP: Button = { title: "Set Up", command: "sightline.ui.setUp" };
export const RESTART: Button = { title: "Restart Server", command: "sightline.ui.restartServer" };

export function openSettings(name: string): Button {
  return { title: "Open Settings", command: "workbench.action.openSettings", args: [name] };
}

/** Shows the failure without waiting for the user to respond. */
export function showFailure(failure: Failure): void {
  const titles = failure.buttons.map((button) => button.title);
  void window.showErrorMessage(withoutLinks(failure.message), ...titles).then((chosen) => {
    const button = failure.buttons.find((each) => each.title === chosen);
    if (button !== undefined) void commands.executeCommand(button.command, ...(button.args ?? []));
  });
}
