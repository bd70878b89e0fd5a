import { commands, window } from "vscode";
import type { Disposable, LogOutputChannel } from "vscode";
import type { ModelConsent } from "../channel/consent";
import type { ApiKey } from "../server/apiKey";
import type { PrivateServer } from "../server/setUp";
import { chooseModel } from "./models";
import { told } from "./told";
import { showStatus } from "./status";
import type { StatusRoom } from "./status";

interface ServerRoom extends StatusRoom {
  log: LogOutputChannel;
  installed: PrivateServer;
  key: ApiKey;
  consent: ModelConsent;
  /** Asks the question that could not be answered because there was no server. */
  resume: () => Promise<void>;
}

/** Registers the commands that manage the server, its model and its API key. */
export function serverCommands(room: ServerRoom): Disposable[] {
  const { server, key } = room;
  const register = (name: string, run: () => Promise<unknown>): Disposable =>
    commands.registerCommand(`sightline.ui.${name}`, () => told(run));
  return [
    register("setUp", async () => {
      if (await setUp(room)) await room.resume();
    }),
    register("restartServer", () => server.restart()),
    register("status", () => showStatus(room)),
    register("reindex", () => reindex(room)),
    register("clearCache", () => clearCache(room)),
    register("chooseModel", () => chooseModel(() => key.set())),
    register("setApiKey", () => key.set()),
    register("removeApiKey", () => key.remove()),
    register("forgetModelConsent", () => room.consent.forget()),
    commands.registerCommand("sightline.ui.showLog", () => {
      room.log.show(true);
    }),
  ];
}

/** Sets up the private server and restarts. False if the user declined. */
export async function setUp({
  server,
  installed,
}: Pick<ServerRoom, "server" | "installed">): Promise<boolean> {
  const usesIt = server.command?.command === installed.program;
  try {
    const before = (): Promise<void> => (usesIt ? server.stop() : Promise.resolve());
    if (!(await installed.setUp(before))) return false;
  } catch (error) {
    if (usesIt) server.warmUp();
    throw error;
  }
  await server.restart();
  window.setStatusBarMessage("$(check) Sightline's server is ready", 5000);
  return true;
}

async function reindex({ server }: ServerRoom): Promise<void> {
  const found = await server.run<{ indexed: number; unchanged: number }>("sightline.reindex", {});
  window.setStatusBarMessage(
    `$(check) Sightline: ${found.indexed} files indexed, ${found.unchanged} unchanged`,
    5000,
  );
}

async function clearCache({ server }: ServerRoom): Promise<void> {
  const found = await server.run<{ removedFiles: number }>("sightline.clearCache", {});
  window.setStatusBarMessage(
    `$(check) Sightline: ${found.removedFiles} cached files removed`,
    5000,
  );
}
