import { delimiter, isAbsolute, join } from "node:path";
import { workspace } from "vscode";
import type { LogOutputChannel } from "vscode";
import { Failure, openSettings, SHOW_LOG } from "./failure";
import { isOutside } from "./programs";
import { selectedInterpreter } from "./python";
import { run } from "./run";
import { setting } from "./settings";
import { exists, workspaceFolders } from "./surroundings";
import { isPythonNewEnough } from "./version";

const VERSION_MS = 10_000;
const NAMES = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];
/** Finds the newest Python; only on Windows. */
const LAUNCHER = "py";

/** The command of a Python that is new enough. Rejects with `Failure`. */
export async function findPython(folder: string, log: LogOutputChannel): Promise<string[]> {
  const given = setting<string>("server.python", "");
  const candidates = given === "" ? await found() : [[given]];
  for (const candidate of candidates) {
    const [command = "", ...args] = candidate;
    try {
      const printed = await run(command, [...args, "--version"], {
        cwd: folder,
        timeoutMs: VERSION_MS,
      });
      if (isPythonNewEnough(printed)) return candidate;
      log.info(`${command} is ${printed.trim()}, which is too old.`);
    } catch (error) {
      log.info(`${command} is not used: ${String(error)}`);
    }
  }
  throw noPython(given);
}

/** Only programs by their whole path, outside of the workspace: a bare name could be one of its own. */
async function found(): Promise<string[][]> {
  const selected = workspace.isTrusted ? await selectedInterpreter() : undefined;
  const windows = process.platform === "win32";
  const names = windows ? [...NAMES, LAUNCHER] : NAMES;
  const files = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) =>
      names.map((name) => ({ name, file: join(folder, windows ? `${name}.exe` : name) })),
    );
  files.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  const inside = workspaceFolders();
  const usable = await Promise.all(
    files.map(async ({ file }) => (await exists(file)) && (await isOutside(file, inside))),
  );
  return [
    ...(selected === undefined ? [] : [[selected]]),
    ...files
      .filter((_, at) => usable[at])
      .map(({ name, file }) => (name === LAUNCHER ? [file, "-3"] : [file])),
  ];
}

function noPython(given: string): Failure {
  const which =
    given === ""
      ? "Sightline needs Python 3.11 or newer, and none was found."
      : `${given}, named in the setting sightline.server.python, is no Python 3.11 or newer.`;
  return new Failure(`${which} Install one, or say where it is.`, [
    { title: "Get Python", command: "vscode.open", args: ["https://www.python.org/downloads/"] },
    { ...openSettings("sightline.server.python"), title: "Choose a Python" },
    SHOW_LOG,
  ]);
}
