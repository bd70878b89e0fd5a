/** The server versions that this extension supports: at least `FROM`, below `TO`. */
export const FROM = "0.1.0";
export const TO = "0.2.0";

export type Fit = "fits" | "too old" | "too new";

/** Whether this extension supports a server version. */
export function fit(version: string, from = FROM, to = TO): Fit {
  if (compare(version, from) < 0) return "too old";
  return compare(version, to) < 0 ? "fits" : "too new";
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
  for (const at of [0, 1, 2]) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
