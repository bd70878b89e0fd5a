/** The server versions that this extension supports: at least `OLDEST_SUPPORTED`, below `FIRST_UNSUPPORTED`. */
export const OLDEST_SUPPORTED = "0.1.0";
export const FIRST_UNSUPPORTED = "0.2.0";

export type Support = "fits" | "too old" | "too new";

/** Whether this extension supports a server version. */
export function checkVersion(
  version: string,
  oldest = OLDEST_SUPPORTED,
  firstUnsupported = FIRST_UNSUPPORTED,
): Support {
  if (compare(version, oldest) < 0) return "too old";
  return compare(version, firstUnsupported) < 0 ? "fits" : "too new";
}

/** The version in the output of `sightline --version`; undefined if it is another program's output. */
export function versionIn(printed: string): string | undefined {
  return /^sightline (\d+\.\d+\.\d+\S*)\s*$/m.exec(printed)?.[1];
}

/** Whether a Python can run the server, judging by the output of `python --version`. */
export function isPythonNewEnough(printed: string): boolean {
  const version = /^Python (\d+\.\d+\.\d+)/m.exec(printed)?.[1];
  return version !== undefined && compare(version, "3.11.0") >= 0;
}

/** Compares by the three numbers: negative, zero or positive. Ignores a suffix such as `rc1`. */
export function compare(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (const index of [0, 1, 2]) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
