import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isReport } from "./report";
import type { Kept, Request, Shelf } from "./store";

const NOTHING: Kept = { reports: [], pinned: [], requests: {} };

/** Stores reports in one JSON file. A missing or damaged file counts as empty. */
export class FileShelf implements Shelf {
  constructor(private readonly file: string) {}

  async load(): Promise<Kept> {
    try {
      const kept = JSON.parse(await readFile(this.file, "utf8")) as Partial<Kept> | null;
      const reports = Array.isArray(kept?.reports) ? kept.reports.filter(isReport) : [];
      const pinned = Array.isArray(kept?.pinned) ? kept.pinned : [];
      const requests = Object.entries(kept?.requests ?? {}).filter(([, each]) => isRequest(each));
      return {
        reports,
        pinned: pinned.filter((id) => typeof id === "string"),
        requests: Object.fromEntries(requests),
      };
    } catch {
      return { ...NOTHING };
    }
  }

  async save(kept: Kept): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true });
    const temporary = `${this.file}.tmp`;
    await writeFile(temporary, JSON.stringify(kept));
    await rename(temporary, this.file);
  }
}

function isRequest(value: unknown): value is Request {
  if (typeof value !== "object" || value === null) return false;
  const { command, argument } = value as Record<keyof Request, unknown>;
  return typeof command === "string" && typeof argument === "object" && argument !== null;
}

/** For a window without a folder: stores nothing. */
export const noShelf: Shelf = {
  load: () => Promise.resolve({ ...NOTHING }),
  save: () => Promise.resolve(),
};
