import { dirname, join } from "node:path";
import type { ServerCommand } from "./command";
import { Failure, openSettings, SET_UP, SHOW_LOG } from "./failure";
import { onPath, whole } from "./programs";
import type { Machine } from "./programs";
import { fit } from "./version";

/** The machine's and the editor's state that finding a server depends on. */
export interface Surroundings extends Machine {
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

interface Place {
  command: string;
  args: string[];
  origin: string;
}

/** The first server whose version fits this extension. Rejects with `Failure`. */
export async function find(around: Surroundings): Promise<ServerCommand> {
  const [command, ...args] = around.configured;
  if (command !== undefined) return configured(around, { command, args, origin: SETTING });
  let unfit: ServerCommand | undefined;
  for await (const place of places(around)) {
    const found = await probe(around, place);
    if (found === undefined) continue;
    if (fit(found.version) === "fits") return found;
    around.log(
      `${found.command} is version ${found.version}, which this extension does not support.`,
    );
    unfit ??= found;
  }
  throw unfit === undefined ? missing() : misfit(unfit);
}

const SETTING = "the setting sightline.server.command";

async function configured(around: Surroundings, place: Place): Promise<ServerCommand> {
  const unfit = (why: string): Failure =>
    new Failure(`The server named in ${SETTING} could not be started. ${why}`, [
      openSettings("sightline.server.command"),
      SHOW_LOG,
    ]);
  const { args } = place;
  const command = await whole(around, place.command);
  if (command === undefined) {
    throw unfit(
      `There is no program ${place.command} on the PATH outside the workspace; give its full path.`,
    );
  }
  let version: string;
  try {
    version = await around.version(command, args);
  } catch (error) {
    throw unfit(error instanceof Error ? error.message : String(error));
  }
  const found = { ...place, command, version };
  if (fit(version) !== "fits") throw misfit(found);
  return found;
}

async function* places(around: Surroundings): AsyncGenerator<Place> {
  const name = around.windows ? "sightline.exe" : "sightline";
  const python = around.trusted ? await around.interpreter() : undefined;
  if (python !== undefined) {
    const command = join(dirname(python), name);
    yield { command, args: [], origin: "the selected Python interpreter" };
  }
  for await (const command of onPath(around, name)) {
    yield { command, args: [], origin: "the PATH" };
  }
  yield { command: around.privateProgram, args: [], origin: "the extension's own environment" };
}

async function probe(around: Surroundings, place: Place): Promise<ServerCommand | undefined> {
  if (!(await around.exists(place.command))) return undefined;
  try {
    return { ...place, version: await around.version(place.command, place.args) };
  } catch (error) {
    around.log(`${place.command} is not used: ${String(error)}`);
    return undefined;
  }
}

function missing(): Failure {
  return new Failure(
    "Sightline's server is not installed yet. It can be installed in a private Python environment that this extension manages.",
    [SET_UP, SHOW_LOG],
  );
}

/** The failure for a server version that does not fit: too old for this extension, or too new. */
export function misfit(found: ServerCommand): Failure {
  if (fit(found.version) === "too old") {
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
