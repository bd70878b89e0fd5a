import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/** A path with its links followed; as it is where nothing is there. */
export function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
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
