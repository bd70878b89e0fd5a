import { commands, window } from "vscode";
import type { Disposable, LogOutputChannel } from "vscode";
import { Failure, tell } from "../server/failure";
import type { Server } from "../server/server";

/** The commands that look after the server. */
export function serverCommands(server: Server, log: LogOutputChannel): Disposable[] {
  return [
    commands.registerCommand("sightline.ui.restartServer", () => told(() => server.restart())),
    commands.registerCommand("sightline.ui.showLog", () => {
      log.show(true);
    }),
    commands.registerCommand("sightline.ui.reindex", () => told(() => reindex(server))),
    commands.registerCommand("sightline.ui.clearCache", () => told(() => clearCache(server))),
  ];
}

async function reindex(server: Server): Promise<void> {
  const found = await server.run<{ indexed: number; unchanged: number }>("sightline.reindex", {});
  window.setStatusBarMessage(
    `$(check) Sightline: ${found.indexed} files indexed anew, ${found.unchanged} unchanged`,
    5000,
  );
}

async function clearCache(server: Server): Promise<void> {
  const found = await server.run<{ removedFiles: number }>("sightline.clearCache", {});
  window.setStatusBarMessage(`$(check) Sightline: ${found.removedFiles} cached files removed`, 5000);
}

/** Run something, and tell the user in one sentence what went wrong. */
export async function told(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Failure) tell(error);
    else void window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}
