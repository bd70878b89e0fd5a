import { EventEmitter } from "vscode";
import type { Disposable, Event } from "vscode";
import type { Report } from "./report";

/** The request behind a report. It has arguments that the report lacks, such as place and scope. */
export interface Request {
  command: string;
  argument: Record<string, unknown>;
}

/**
 * The state kept between sessions: the reports, newest first unless moved; the ids of the pinned ones; and
 * the requests, keyed by the id of the report that answered them.
 */
export interface SavedState {
  reports: Report[];
  pinned: string[];
  requests: Record<string, Request>;
}

export interface ReportStorage {
  load(): Promise<SavedState>;
  save(saved: SavedState): Promise<void>;
}

/** The reports of this workspace, and which of them the Flow view shows. */
export class ReportStore implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly currentChanged = new EventEmitter<Report | undefined>();
  private reports: Report[] = [];
  private pinned = new Set<string>();
  private requests = new Map<string, Request>();
  private shownId: string | undefined;
  /** The 0-based index of the last visited link of the shown report. */
  visitedIndex: number | undefined;
  private saving: Promise<void> = Promise.resolve();

  /** Fires when the list, a pin or a report in the list changes. */
  readonly onDidChange: Event<void> = this.changed.event;
  /** Fires when another report is shown or the shown one changes. */
  readonly onDidChangeCurrent: Event<Report | undefined> = this.currentChanged.event;

  constructor(
    private readonly storage: ReportStorage,
    private readonly size: () => number,
  ) {}

  async load(): Promise<void> {
    const saved = await this.storage.load();
    const known = new Set(this.reports.map((report) => report.id));
    this.reports = [...this.reports, ...saved.reports.filter((report) => !known.has(report.id))];
    this.pinned = new Set([...this.pinned, ...saved.pinned]);
    this.requests = new Map([...Object.entries(saved.requests), ...this.requests]);
    this.changed.fire();
  }

  /** All reports: the pinned ones first, then the others, each group in its stored order. */
  all(): readonly Report[] {
    const pinned = this.reports.filter((report) => this.isPinned(report.id));
    return [...pinned, ...this.reports.filter((report) => !this.isPinned(report.id))];
  }

  get(id: string): Report | undefined {
    return this.reports.find((report) => report.id === id);
  }

  /** The request behind a report; undefined if it was not kept. */
  request(id: string): Request | undefined {
    return this.requests.get(id);
  }

  get current(): Report | undefined {
    return this.shownId === undefined ? undefined : this.get(this.shownId);
  }

  isPinned(id: string): boolean {
    return this.pinned.has(id);
  }

  /** Stores a new report, the answer to `request`. `replaces` is the id of the report it replaces. */
  add(report: Report, { request, replaces }: { request?: Request; replaces?: string } = {}): void {
    const others = this.reports.filter(({ id }) => id !== report.id && id !== replaces);
    if (replaces !== undefined && this.pinned.delete(replaces)) this.pinned.add(report.id);
    if (request !== undefined) this.requests.set(report.id, request);
    this.reports = [report, ...others];
    this.forgetOldest(report.id);
    this.save();
  }

  /** Replaces a stored report by its current state. Ignores unknown reports. */
  update(report: Report): void {
    const index = this.reports.findIndex(({ id }) => id === report.id);
    if (index < 0) return;
    this.reports[index] = report;
    this.save();
    if (report.id === this.shownId) this.currentChanged.fire(report);
  }

  show(id: string | undefined): void {
    if (id !== undefined && this.get(id) === undefined) return;
    if (this.shownId !== id) this.visitedIndex = undefined;
    this.shownId = id;
    this.currentChanged.fire(this.current);
  }

  pin(id: string, pinned: boolean): void {
    if (this.get(id) === undefined || this.isPinned(id) === pinned) return;
    if (pinned) this.pinned.add(id);
    else this.pinned.delete(id);
    this.forgetOldest();
    this.save();
    this.currentChanged.fire(this.current);
  }

  remove(id: string): void {
    this.reports = this.reports.filter((report) => report.id !== id);
    this.pinned.delete(id);
    if (this.shownId === id) this.show(undefined);
    this.save();
  }

  removeUnpinned(): void {
    this.reports = this.reports.filter((report) => this.isPinned(report.id));
    if (this.current === undefined) this.show(undefined);
    this.save();
  }

  /** Moves a report before another of its group, or to the end of the group. */
  move(id: string, before: string | undefined): void {
    const moved = this.get(id);
    if (moved === undefined || id === before) return;
    const others = this.reports.filter((report) => report.id !== id);
    const index = before === undefined ? -1 : others.findIndex((report) => report.id === before);
    others.splice(index < 0 ? others.length : index, 0, moved);
    this.reports = others;
    this.save();
  }

  /** Resolves when all changes so far are on disk. */
  saved(): Promise<void> {
    return this.saving;
  }

  dispose(): void {
    this.changed.dispose();
    this.currentChanged.dispose();
  }

  /** Trims the history to its size. Keeps pinned reports, the shown one, and `added`, which is about to be shown. */
  private forgetOldest(added?: string): void {
    let remaining = this.size();
    this.reports = this.reports.filter(
      ({ id }) => this.isPinned(id) || id === this.shownId || remaining-- > 0 || id === added,
    );
  }

  private save(): void {
    for (const id of [...this.requests.keys()]) {
      if (this.get(id) === undefined) this.requests.delete(id);
    }
    this.changed.fire();
    const requests = Object.fromEntries(this.requests);
    const saved = { reports: [...this.reports], pinned: [...this.pinned], requests };
    this.saving = this.saving.then(() => this.storage.save(saved)).catch(() => undefined);
  }
}
