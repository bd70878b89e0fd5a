import { realpath } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";

/** Where programs are looked for. */
export interface Machine {
  windows: boolean;
  path: string;
  /** The workspace's folders. Programs inside them are never taken from the PATH. */
  folders: readonly string[];
  /** Resolves a path's symbolic links. */
  real: (path: string) => Promise<string>;
  exists: (file: string) => Promise<boolean>;
  log: (line: string) => void;
}

/** Resolves a path's symbolic links. Returns the path unchanged if it does not exist. */
export function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** The full path of a program: the system would look for a bare name in the workspace, too. */
export async function fullPath(machine: Machine, program: string): Promise<string | undefined> {
  if (basename(program) !== program) return program;
  const isFile = !machine.windows || program.toLowerCase().endsWith(".exe");
  for await (const file of findOnPath(machine, isFile ? program : `${program}.exe`)) return file;
  return undefined;
}

/** The programs called `name`, in PATH order, except those inside the workspace. */
export async function* findOnPath(machine: Machine, name: string): AsyncGenerator<string> {
  for (const folder of machine.path.split(delimiter)) {
    const file = join(folder, name);
    if (!isAbsoluteEntry(folder) || !(await machine.exists(file))) continue;
    if (await isOutside(file, machine.folders, machine.real)) yield file;
    else machine.log(`${file} is not used: it is inside a workspace folder.`);
  }
}

/** Whether a PATH entry is absolute. A relative one could resolve to a program in the workspace. */
function isAbsoluteEntry(folder: string): boolean {
  return folder.startsWith("/") || /^[A-Za-z]:[\\/]/.test(folder);
}

/**
 * Whether both a program and its link target lie outside the folders. A PATH entry may point into the
 * workspace, and a repository's own programs must not be started. `find_program` in `explorer_core` has
 * the same rule.
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
  const relativePath = relative(folder, file);
  return relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}
