import { access, constants } from "node:fs/promises";
import { workspace } from "vscode";
import type { LogOutputChannel } from "vscode";
import type { SearchEnvironment } from "./find";
import { real } from "./programs";
import type { Machine } from "./programs";
import { selectedInterpreter } from "./python";
import { run } from "./run";
import { setting } from "./settings";
import { versionIn } from "./version";

const VERSION_MS = 30_000;

/** Where programs are looked for on this machine. */
export function thisMachine(log: LogOutputChannel): Machine {
  return {
    windows: process.platform === "win32",
    path: process.env.PATH ?? "",
    folders: (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
    real,
    exists,
    log: (line) => {
      log.info(line);
    },
  };
}

/** The actual surroundings. `folder`, the working directory, is the extension's: programs pick up no workspace file. */
export function searchEnvironment(
  log: LogOutputChannel,
  folder: string,
  privateProgram: string,
): SearchEnvironment {
  return {
    ...thisMachine(log),
    configured: setting<string[]>("server.command", []),
    trusted: workspace.isTrusted,
    interpreter: selectedInterpreter,
    privateProgram,
    version: async (command, args) => {
      const printed = await run(command, [...args, "--version"], {
        cwd: folder,
        timeoutMs: VERSION_MS,
      });
      const version = versionIn(printed);
      if (version === undefined) throw new Error(`${command} is not Sightline's server.`);
      return version;
    },
  };
}

export async function exists(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
