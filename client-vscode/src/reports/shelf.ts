import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isReport } from "./report";
import type { ReportStorage, Request, SavedState } from "./store";

const EMPTY: SavedState = { reports: [], pinned: [], requests: {} };

/** Stores reports in one JSON file. A missing or damaged file counts as empty. */
export class FileStorage implements ReportStorage {
  constructor(private readonly file: string) {}

  async load(): Promise<SavedState> {
    try {
      const saved = JSON.parse(await readFile(this.file, "utf8")) as Partial<SavedState> | null;
      const reports = Array.isArray(saved?.reports) ? saved.reports.filter(isReport) : [];
      const pinned = Array.isArray(saved?.pinned) ? saved.pinned : [];
      const requests = Object.entries(saved?.requests ?? {}).filter(([, each]) => isRequest(each));
      return {
        reports,
        pinned: pinned.filter((id) => typeof id === "string"),
        requests: Object.fromEntries(requests),
      };
    } catch {
      return { ...EMPTY };
    }
  }

  async save(saved: SavedState): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true });
    const temporary = `${this.file}.tmp`;
    await writeFile(temporary, JSON.stringify(saved));
    await rename(temporary, this.file);
  }
}

function isRequest(value: unknown): value is Request {
  if (typeof value !== "object" || value === null) return false;
  const { command, argument } = value as Record<keyof Request, unknown>;
  return typeof command === "string" && typeof argument === "object" && argument !== null;
}

/** For a window without a folder: stores nothing. */
export const noStorage: ReportStorage = {
  load: () => Promise.resolve({ ...EMPTY }),
  save: () => Promise.resolve(),
};
