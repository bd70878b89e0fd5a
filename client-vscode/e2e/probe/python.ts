import type { ExtensionContext } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/** Starts a real Python language server if the tests name one. */
export async function startPython(context: ExtensionContext): Promise<void> {
  const [command, ...args] = JSON.parse(process.env.E2E_PYTHON_SERVER ?? "[]") as string[];
  if (command === undefined) return;
  const client = new LanguageClient(
    "probe.python",
    "Probe: Python",
    { command, args },
    { documentSelector: [{ language: "python" }] },
  );
  context.subscriptions.push(client);
  await client.start();
}
