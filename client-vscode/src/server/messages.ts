import { window } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

/**
 * Defuses links in a text for a notification or a status. The editor turns `[text](command:...)` into a
 * link that runs the command, and the text may contain a path or setting that a repository chose.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}

/** Handles `window/showMessage`, because the client library would show the text with links. */
export function showMessages(client: Pick<LanguageClient, "onNotification">): void {
  client.onNotification("window/showMessage", ({ type, message }: ShowMessage) => {
    const text = `Sightline: ${withoutLinks(message)}`;
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
