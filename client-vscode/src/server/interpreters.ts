import { workspace } from "vscode";
import type { LogOutputChannel } from "vscode";
import { Failure, openSettings, SHOW_LOG } from "./failure";
import { onPath, whole } from "./programs";
import type { Machine } from "./programs";
import { selectedInterpreter } from "./python";
import { run } from "./run";
import { setting } from "./settings";
import { machine } from "./surroundings";
import { isPythonNewEnough } from "./version";

const VERSION_MS = 10_000;
const NAMES = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];
/** Starts the newest Python of a Windows machine. */
const LAUNCHER = "py.exe";

/** The command line of a Python that is new enough. Rejects with `Failure`. */
export async function findPython(folder: string, log: LogOutputChannel): Promise<string[]> {
  const given = setting<string>("server.python", "");
  const around = machine(log);
  const candidates = given === "" ? await found(around) : await named(around, given);
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

async function named(around: Machine, given: string): Promise<string[][]> {
  const program = await whole(around, given);
  return program === undefined ? [] : [[program]];
}

/** Candidates by absolute path, none from the workspace: a bare name could run one of the workspace's programs. */
async function found(around: Machine): Promise<string[][]> {
  const selected = workspace.isTrusted ? await selectedInterpreter() : undefined;
  const candidates = selected === undefined ? [] : [[selected]];
  for (const name of NAMES) {
    const file = around.windows ? `${name}.exe` : name;
    for await (const program of onPath(around, file)) candidates.push([program]);
  }
  if (around.windows) {
    for await (const program of onPath(around, LAUNCHER)) candidates.push([program, "-3"]);
  }
  return candidates;
}

function noPython(given: string): Failure {
  const which =
    given === ""
      ? "Sightline requires Python 3.11 or newer, but none was found."
      : `${given}, named in the setting sightline.server.python, is not Python 3.11 or newer.`;
  return new Failure(`${which} Install one, or set its path.`, [
    { title: "Get Python", command: "vscode.open", args: ["https://www.python.org/downloads/"] },
    { ...openSettings("sightline.server.python"), title: "Choose a Python" },
    SHOW_LOG,
  ]);
}
