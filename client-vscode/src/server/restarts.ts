import { Disposable, workspace } from "vscode";
import type { ApiKey } from "./apiKey";
import type { Server } from "./server";
import { onDidSelectInterpreter } from "./python";
import { SECTION, setting } from "./settings";

/** Settings that decide which process runs and with which key. The server picks up all others itself. */
const PROCESS_SETTINGS = ["server.command", "server.debug", "model", "judge"];
const PAUSE_MS = 300;

/** Restarts the server when its key, its interpreter, its process settings or the workspace's trust change. */
export function restartWhenNeeded(server: Server, key: ApiKey): Disposable[] {
  let timer: NodeJS.Timeout | undefined;
  let applied = processSettings();
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
    // By now, the search for a server has activated the Python extension, if it is installed.
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
      const previous = applied;
      applied = processSettings();
      if (applied === previous) server.settingsChanged();
      else restart();
    }),
    workspace.onDidGrantWorkspaceTrust(restart),
    key.onDidChange(restart),
    new Disposable(() => {
      clearTimeout(timer);
    }),
  ];
}

/** The current values. A change event may arrive without a change, and must not interrupt a question. */
function processSettings(): string {
  const section = workspace.getConfiguration(SECTION);
  return JSON.stringify(PROCESS_SETTINGS.map((name) => section.get(name)));
}
