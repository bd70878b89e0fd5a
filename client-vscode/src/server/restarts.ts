import { Disposable, workspace } from "vscode";
import type { ApiKey } from "./apiKey";
import type { Server } from "./server";
import { onDidSelectInterpreter } from "./python";
import { SECTION, setting } from "./settings";

/** Settings that decide which process runs and with which key; the server follows all others itself. */
const PROCESS_SETTINGS = ["server.command", "server.debug", "model", "judge"];
const PAUSE_MS = 300;

/** Starts the server anew when what it was started with changed. */
export function restartWhenNeeded(server: Server, key: ApiKey): Disposable[] {
  let timer: NodeJS.Timeout | undefined;
  let known = processSettings();
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (server.state === "stopped") return;
      void server.stop().then(() => {
        server.warmUp();
      });
    }, PAUSE_MS);
  };
  let interpreter: Disposable | undefined;
  return [
    // The search for a server has activated the Python extension where there is one.
    server.onDidChange(() => {
      interpreter ??= onDidSelectInterpreter(() => {
        if (setting<string[]>("server.command", []).length === 0) restart();
      });
    }),
    new Disposable(() => {
      interpreter?.dispose();
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(SECTION)) return;
      const before = known;
      known = processSettings();
      if (known === before) server.settingsChanged();
      else restart();
    }),
    workspace.onDidGrantWorkspaceTrust(restart),
    key.onDidChange(restart),
    new Disposable(() => {
      clearTimeout(timer);
    }),
  ];
}

/** Their values: settings of another scope may be read again without any change, which must not end a question. */
function processSettings(): string {
  const section = workspace.getConfiguration(SECTION);
  return JSON.stringify(PROCESS_SETTINGS.map((name) => section.get(name)));
}
