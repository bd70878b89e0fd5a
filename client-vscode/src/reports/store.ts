import { EventEmitter } from "vscode";
import type { Disposable, Event } from "vscode";
import type { Report } from "./report";

/** What the server was asked for a report: more than the report says, such as place and scope. */
export interface Request {
  command: string;
  argument: Record<string, unknown>;
}

/**
 * What is kept between sessions: reports with the newest first, the ids of the pinned ones, and
 * what was asked by the id of the answer.
 */
export interface Kept {
  reports: Report[];
  pinned: string[];
  requests: Record<string, Request>;
}

export interface Shelf {
  load(): Promise<Kept>;
  save(kept: Kept): Promise<void>;
}

/** The reports of this workspace, and which of them the Flow view shows. */
export class ReportStore implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly currentChanged = new EventEmitter<Report | undefined>();
  private reports: Report[] = [];
  private pinned = new Set<string>();
  private requests = new Map<string, Request>();
  private shown: string | undefined;
  /** The link of the shown report that was gone to last, from 0. */
  at: number | undefined;
  private saving: Promise<void> = Promise.resolve();

  /** The list, a pin or a report in it changed. */
  readonly onDidChange: Event<void> = this.changed.event;
  /** Another report is shown, or the shown one says something else. */
  readonly onDidChangeCurrent: Event<Report | undefined> = this.currentChanged.event;

  constructor(
    private readonly shelf: Shelf,
    private readonly size: () => number,
  ) {}

  async load(): Promise<void> {
    const kept = await this.shelf.load();
    const known = new Set(this.reports.map((report) => report.id));
    this.reports = [...this.reports, ...kept.reports.filter((report) => !known.has(report.id))];
    this.pinned = new Set([...this.pinned, ...kept.pinned]);
    this.requests = new Map([...Object.entries(kept.requests), ...this.requests]);
    this.changed.fire();
  }

  /** All reports, pinned ones first, each group with the newest first. */
  all(): readonly Report[] {
    const pinned = this.reports.filter((report) => this.isPinned(report.id));
    return [...pinned, ...this.reports.filter((report) => !this.isPinned(report.id))];
  }

  get(id: string): Report | undefined {
    return this.reports.find((report) => report.id === id);
  }

  /** What was asked for a report; undefined where that was not kept. */
  request(id: string): Request | undefined {
    return this.requests.get(id);
  }

  get current(): Report | undefined {
    return this.shown === undefined ? undefined : this.get(this.shown);
  }

  isPinned(id: string): boolean {
    return this.pinned.has(id);
  }

  /** Keep a new report, the answer to `request`; `replaces` is the id of one that it stands in for. */
  add(report: Report, { request, replaces }: { request?: Request; replaces?: string } = {}): void {
    const others = this.reports.filter(({ id }) => id !== report.id && id !== replaces);
    if (replaces !== undefined && this.pinned.delete(replaces)) this.pinned.add(report.id);
    if (request !== undefined) this.requests.set(report.id, request);
    this.reports = [report, ...others];
    this.forgetOldest(report.id);
    this.save();
  }

  /** A kept report as it is now. */
  update(report: Report): void {
    const at = this.reports.findIndex(({ id }) => id === report.id);
    if (at < 0) return;
    this.reports[at] = report;
    this.save();
    if (report.id === this.shown) this.currentChanged.fire(report);
  }

  show(id: string | undefined): void {
    if (id !== undefined && this.get(id) === undefined) return;
    if (this.shown !== id) this.at = undefined;
    this.shown = id;
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
    if (this.shown === id) this.show(undefined);
    this.save();
  }

  removeUnpinned(): void {
    this.reports = this.reports.filter((report) => this.isPinned(report.id));
    if (this.current === undefined) this.show(undefined);
    this.save();
  }

  /** Put a report before another of its group, or at the group's end. */
  move(id: string, before: string | undefined): void {
    const moved = this.get(id);
    if (moved === undefined || id === before) return;
    const others = this.reports.filter((report) => report.id !== id);
    const at = before === undefined ? -1 : others.findIndex((report) => report.id === before);
    others.splice(at < 0 ? others.length : at, 0, moved);
    this.reports = others;
    this.save();
  }

  /** Resolves when what changed until now is on disk. */
  saved(): Promise<void> {
    return this.saving;
  }

  dispose(): void {
    this.changed.dispose();
    this.currentChanged.dispose();
  }

  /** One that was just added stays, since it is about to be shown, however few are kept. */
  private forgetOldest(added?: string): void {
    let left = this.size();
    this.reports = this.reports.filter(
      ({ id }) => this.isPinned(id) || id === this.shown || left-- > 0 || id === added,
    );
  }

  private save(): void {
    for (const id of [...this.requests.keys()]) {
      if (this.get(id) === undefined) this.requests.delete(id);
    }
    this.changed.fire();
    const requests = Object.fromEntries(this.requests);
    const kept = { reports: [...this.reports], pinned: [...this.pinned], requests };
    this.saving = this.saving.then(() => this.shelf.save(kept)).catch(() => undefined);
  }
}
