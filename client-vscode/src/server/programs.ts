import { realpath } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";

/** Where programs are looked for. */
export interface Machine {
  windows: boolean;
  path: string;
  /** The folders of the workspace: what lies in them is not taken from the PATH. */
  folders: readonly string[];
  /** A path with its links followed. */
  real: (path: string) => Promise<string>;
  exists: (file: string) => Promise<boolean>;
  log: (line: string) => void;
}

/** A path with its links followed; as it is where nothing is there. */
export function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** A program with its folder: the system would look for a bare name in the workspace, too. */
export async function whole(around: Machine, program: string): Promise<string | undefined> {
  if (basename(program) !== program) return program;
  const isFile = !around.windows || program.toLowerCase().endsWith(".exe");
  for await (const file of onPath(around, isFile ? program : `${program}.exe`)) return file;
  return undefined;
}

/** The programs of a name in the order of the PATH, but for what the workspace brings. */
export async function* onPath(around: Machine, name: string): AsyncGenerator<string> {
  for (const folder of around.path.split(delimiter)) {
    const file = join(folder, name);
    if (!isWhole(folder) || !(await around.exists(file))) continue;
    if (await isOutside(file, around.folders, around.real)) yield file;
    else around.log(`${file} is not used: it lies in a folder of the workspace.`);
  }
}

/** A relative entry of the PATH would name a program of the workspace. */
function isWhole(folder: string): boolean {
  return folder.startsWith("/") || /^[A-Za-z]:[\\/]/.test(folder);
}

/**
 * Whether neither a program nor what it links to lies in one of the folders: a folder of the PATH
 * may be in the workspace, and what a repository brings is not started. `find_program` of
 * `explorer_core` has the same rule.
 */
export async function isOutside(
  program: string,
  folders: readonly string[],
  resolved = real,
): Promise<boolean> {
  const parent = await resolved(dirname(program));
  const places = [join(parent, basename(program)), await resolved(program)];
  const roots = await Promise.all(folders.map((folder) => resolved(folder)));
  return !roots.some((root) => places.some((place) => contains(root, place)));
}

function contains(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
