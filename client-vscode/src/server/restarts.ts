import { Disposable, workspace } from "vscode";
import type { ApiKey } from "./apiKey";
import type { Server } from "./server";
import { SECTION } from "./settings";

/** Settings that decide which process runs and with which key; the server follows all others itself. */
const PROCESS_SETTINGS = ["server.command", "server.debug", "model", "judge"];
const PAUSE_MS = 300;

/** Starts the server anew when what it was started with changed. */
export function restartWhenNeeded(server: Server, key: ApiKey): Disposable[] {
  let timer: NodeJS.Timeout | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (server.state === "stopped") return;
      void server.stop().then(() => {
        server.warmUp();
      });
    }, PAUSE_MS);
  };
  return [
    workspace.onDidChangeConfiguration((event) => {
      const names = PROCESS_SETTINGS.map((name) => `${SECTION}.${name}`);
      if (names.some((name) => event.affectsConfiguration(name))) restart();
      else if (event.affectsConfiguration(SECTION)) server.settingsChanged();
    }),
    workspace.onDidGrantWorkspaceTrust(restart),
    key.onDidChange(restart),
    new Disposable(() => {
      clearTimeout(timer);
    }),
  ];
}
