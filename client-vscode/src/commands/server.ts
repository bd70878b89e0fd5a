import { commands, window } from "vscode";
import type { Disposable, LogOutputChannel } from "vscode";
import type { ModelConsent } from "../channel/consent";
import type { ApiKey } from "../server/apiKey";
import type { PrivateServer } from "../server/setUp";
import { chooseModel } from "./models";
import { runAndShowFailure } from "./told";
import { showStatus } from "./status";
import type { StatusServices } from "./status";

interface ServerCommandServices extends StatusServices {
  log: LogOutputChannel;
  installed: PrivateServer;
  key: ApiKey;
  consent: ModelConsent;
  /** Asks the question that could not be answered because there was no server. */
  resume: () => Promise<void>;
}

/** Registers the commands that manage the server, its model and its API key. */
export function serverCommands(services: ServerCommandServices): Disposable[] {
  const { server, key } = services;
  const register = (name: string, run: () => Promise<unknown>): Disposable =>
    commands.registerCommand(`sightline.ui.${name}`, () => runAndShowFailure(run));
  return [
    register("setUp", async () => {
      if (await setUp(services)) await services.resume();
    }),
    register("restartServer", () => server.restart()),
    register("status", () => showStatus(services)),
    register("reindex", () => reindex(services)),
    register("clearCache", () => clearCache(services)),
    register("chooseModel", () => chooseModel(() => key.set())),
    register("setApiKey", () => key.set()),
    register("removeApiKey", () => key.remove()),
    register("forgetModelConsent", () => services.consent.forget()),
    commands.registerCommand("sightline.ui.showLog", () => {
      services.log.show(true);
    }),
  ];
}

/** Sets up the private server and restarts. False if the user declined. */
export async function setUp({
  server,
  installed,
}: Pick<ServerCommandServices, "server" | "installed">): Promise<boolean> {
  const isInUse = server.command?.command === installed.program;
  try {
    const stopOld = (): Promise<void> => (isInUse ? server.stop() : Promise.resolve());
    if (!(await installed.setUp(stopOld))) return false;
  } catch (error) {
    if (isInUse) server.warmUp();
    throw error;
  }
  await server.restart();
  window.setStatusBarMessage("$(check) Sightline's server is ready", 5000);
  return true;
}

async function reindex({ server }: ServerCommandServices): Promise<void> {
  const result = await server.run<{ indexed: number; unchanged: number }>("sightline.reindex", {});
  window.setStatusBarMessage(
    `$(check) Sightline: ${result.indexed} files indexed, ${result.unchanged} unchanged`,
    5000,
  );
}

async function clearCache({ server }: ServerCommandServices): Promise<void> {
  const result = await server.run<{ removedFiles: number }>("sightline.clearCache", {});
  window.setStatusBarMessage(
    `$(check) Sightline: ${result.removedFiles} cached files removed`,
    5000,
  );
}
