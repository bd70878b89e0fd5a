import { readdirSync, readFileSync } from "node:fs";
import { until } from "./wait";

/** The environment variable that every process of one workbench inherits. */
export const MARK = "E2E_MARK";

/** All processes whose environment contains the mark. */
export function markedProcesses(mark: string): { pid: number; command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const variables = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
        if (!variables.includes(`${MARK}=${mark}`)) return [];
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return command === "" ? [] : [{ pid: Number(name), command }];
      } catch {
        return [];
      }
    });
}

/** Waits for all marked processes to end by themselves. Kills any that do not, and throws. */
export async function waitForExit(mark: string): Promise<void> {
  try {
    await until(
      "the processes of the workbench to end",
      () => markedProcesses(mark),
      (remaining) => remaining.length === 0,
      30_000,
    );
  } finally {
    for (const { pid } of markedProcesses(mark)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended in the meantime.
      }
    }
  }
}
