import { workspace } from "vscode";
import type { LogOutputChannel } from "vscode";
import { Failure, openSettings, SHOW_LOG } from "./failure";
import { findOnPath, fullPath } from "./programs";
import type { Machine } from "./programs";
import { selectedInterpreter } from "./python";
import { run } from "./run";
import { setting } from "./settings";
import { thisMachine } from "./surroundings";
import { isPythonNewEnough } from "./version";

const VERSION_MS = 10_000;
const PYTHON_NAMES = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];
/** Starts the newest Python of a Windows machine. */
const PY_LAUNCHER = "py.exe";

/** The command line of a Python that is new enough. Rejects with `Failure`. */
export async function findPython(folder: string, log: LogOutputChannel): Promise<string[]> {
  const configured = setting<string>("server.python", "");
  const machine = thisMachine(log);
  const candidates =
    configured === ""
      ? await pythonCandidates(machine)
      : await configuredPython(machine, configured);
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
  throw noPython(configured);
}

async function configuredPython(machine: Machine, configured: string): Promise<string[][]> {
  const program = await fullPath(machine, configured);
  return program === undefined ? [] : [[program]];
}

/** Candidates by absolute path, none from the workspace: a bare name could run one of the workspace's programs. */
async function pythonCandidates(machine: Machine): Promise<string[][]> {
  const selected = workspace.isTrusted ? await selectedInterpreter() : undefined;
  const candidates = selected === undefined ? [] : [[selected]];
  for (const name of PYTHON_NAMES) {
    const file = machine.windows ? `${name}.exe` : name;
    for await (const program of findOnPath(machine, file)) candidates.push([program]);
  }
  if (machine.windows) {
    for await (const program of findOnPath(machine, PY_LAUNCHER)) candidates.push([program, "-3"]);
  }
  return candidates;
}

function noPython(configured: string): Failure {
  const problem =
    configured === ""
      ? "Sightline requires Python 3.11 or newer, but none was found."
      : `${configured}, named in the setting sightline.server.python, is not Python 3.11 or newer.`;
  return new Failure(`${problem} Install one, or set its path.`, [
    { title: "Get Python", command: "vscode.open", args: ["https://www.python.org/downloads/"] },
    { ...openSettings("sightline.server.python"), title: "Choose a Python" },
    SHOW_LOG,
  ]);
}
