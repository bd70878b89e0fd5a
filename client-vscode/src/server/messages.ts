import { window } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

/**
 * A text for a notification or a status, where the editor makes links of `[text](command:...)` that
 * run the command: of a path or a setting that a repository names, they stay text.
 */
export function unlinked(text: string): string {
  return text.replaceAll("](", "] (");
}

/** `window/showMessage`, which the client's library would show with links. */
export function showMessages(client: Pick<LanguageClient, "onNotification">): void {
  client.onNotification("window/showMessage", ({ type, message }: ShowMessage) => {
    const text = `Sightline: ${unlinked(message)}`;
    if (type === ERROR) void window.showErrorMessage(text);
    else if (type === WARNING) void window.showWarningMessage(text);
    else void window.showInformationMessage(text);
  });
}

interface ShowMessage {
  type: number;
  message: string;
}
const ERROR = 1;
const WARNING = 2;
