import { dirname, join } from "node:path";
import type { ServerCommand } from "./command";
import { Failure, openSettings, SET_UP, SHOW_LOG } from "./failure";
import { findOnPath, fullPath } from "./programs";
import type { Machine } from "./programs";
import { checkVersion } from "./version";

/** The machine's and the editor's state that finding a server depends on. */
export interface SearchEnvironment extends Machine {
  /** The setting `sightline.server.command`. */
  configured: readonly string[];
  /** Programs that belong to the workspace are used only if it is trusted. */
  trusted: boolean;
  /** The Python of the selected interpreter, if there is one. */
  interpreter: () => Promise<string | undefined>;
  /** The path of the private environment's program, whether or not it exists. */
  privateProgram: string;
  /** The version that `command args --version` prints. Rejects if it prints none. */
  version: (command: string, args: string[]) => Promise<string>;
}

interface Candidate {
  command: string;
  args: string[];
  origin: string;
}

/** The first server whose version fits this extension. Rejects with `Failure`. */
export async function find(environment: SearchEnvironment): Promise<ServerCommand> {
  const [command, ...args] = environment.configured;
  if (command !== undefined) return findConfigured(environment, { command, args, origin: SETTING });
  let unsupported: ServerCommand | undefined;
  for await (const candidate of candidates(environment)) {
    const found = await probe(environment, candidate);
    if (found === undefined) continue;
    if (checkVersion(found.version) === "fits") return found;
    environment.log(
      `${found.command} is version ${found.version}, which this extension does not support.`,
    );
    unsupported ??= found;
  }
  throw unsupported === undefined ? notInstalled() : unsupportedVersion(unsupported);
}

const SETTING = "the setting sightline.server.command";

async function findConfigured(
  environment: SearchEnvironment,
  candidate: Candidate,
): Promise<ServerCommand> {
  const failure = (reason: string): Failure =>
    new Failure(`The server named in ${SETTING} could not be started. ${reason}`, [
      openSettings("sightline.server.command"),
      SHOW_LOG,
    ]);
  const { args } = candidate;
  const command = await fullPath(environment, candidate.command);
  if (command === undefined) {
    throw failure(
      `There is no program ${candidate.command} on the PATH outside the workspace; give its full path.`,
    );
  }
  let version: string;
  try {
    version = await environment.version(command, args);
  } catch (error) {
    throw failure(error instanceof Error ? error.message : String(error));
  }
  const found = { ...candidate, command, version };
  if (checkVersion(version) !== "fits") throw unsupportedVersion(found);
  return found;
}

async function* candidates(environment: SearchEnvironment): AsyncGenerator<Candidate> {
  const name = environment.windows ? "sightline.exe" : "sightline";
  const python = environment.trusted ? await environment.interpreter() : undefined;
  if (python !== undefined) {
    const command = join(dirname(python), name);
    yield { command, args: [], origin: "the selected Python interpreter" };
  }
  for await (const command of findOnPath(environment, name)) {
    yield { command, args: [], origin: "the PATH" };
  }
  yield {
    command: environment.privateProgram,
    args: [],
    origin: "the extension's own environment",
  };
}

async function probe(
  environment: SearchEnvironment,
  candidate: Candidate,
): Promise<ServerCommand | undefined> {
  if (!(await environment.exists(candidate.command))) return undefined;
  try {
    return { ...candidate, version: await environment.version(candidate.command, candidate.args) };
  } catch (error) {
    environment.log(`${candidate.command} is not used: ${String(error)}`);
    return undefined;
  }
}

function notInstalled(): Failure {
  return new Failure(
    "Sightline's server is not installed yet. It can be installed in a private Python environment that this extension manages.",
    [SET_UP, SHOW_LOG],
  );
}

/** The failure for a server version that does not fit: too old for this extension, or too new. */
export function unsupportedVersion(found: ServerCommand): Failure {
  if (checkVersion(found.version) === "too old") {
    return new Failure(
      `The Sightline server from ${found.origin} has version ${found.version}, which is too old for this extension. Update it, or set up a private one.`,
      [SET_UP, SHOW_LOG],
    );
  }
  return new Failure(
    `The Sightline server from ${found.origin} has version ${found.version}, which is newer than this extension supports. Update the extension, or set up a private server.`,
    [
      {
        title: "Show Extension",
        command: "workbench.extensions.search",
        args: ["@installed sightline"],
      },
      SET_UP,
    ],
  );
}
