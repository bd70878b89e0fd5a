import {
  DataTransferItem,
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  window,
} from "vscode";
import type {
  DataTransfer,
  Disposable,
  TreeDataProvider,
  TreeDragAndDropController,
  TreeView,
} from "vscode";
import { scopeOf } from "../ask/scope";
import type { Report } from "../reports/report";
import type { ReportStore } from "../reports/store";
import * as words from "../reports/words";

const REPORTS_VIEW = "sightline.reports";
/** The command that shows a report from the history. Not in the command palette. */
export const SHOW_REPORT = "sightline.ui.showReport";

const MIME = "application/vnd.code.tree.sightline.reports";
const TICK_MS = 60_000;

/** A row of the view. Menus pass it to commands. */
export interface ReportRow {
  reportId: string;
}

/** The Reports view: earlier reports, the pinned ones first. */
export class ReportsView
  implements TreeDataProvider<ReportRow>, TreeDragAndDropController<ReportRow>, Disposable
{
  readonly dropMimeTypes = [MIME];
  readonly dragMimeTypes = [MIME, "text/plain"];
  readonly view: TreeView<ReportRow>;
  private readonly changed = new EventEmitter<undefined>();
  private readonly subscriptions: Disposable[];
  private readonly rows = new Map<string, ReportRow>();
  private readonly clock: NodeJS.Timeout;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly store: ReportStore) {
    this.view = window.createTreeView(REPORTS_VIEW, {
      treeDataProvider: this,
      dragAndDropController: this,
    });
    const redraw = (): void => {
      this.changed.fire(undefined);
    };
    this.subscriptions = [this.view, store.onDidChange(redraw), store.onDidChangeCurrent(redraw)];
    this.clock = setInterval(() => {
      if (this.view.visible) redraw();
    }, TICK_MS);
  }

  getChildren(row?: ReportRow): ReportRow[] {
    if (row !== undefined) return [];
    return this.store.all().map(({ id }) => {
      const known = this.rows.get(id) ?? { reportId: id };
      this.rows.set(id, known);
      return known;
    });
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem({ reportId }: ReportRow): TreeItem {
    const report = this.store.get(reportId);
    if (report === undefined) return new TreeItem("");
    const pinned = this.store.isPinned(reportId);
    const shown = this.store.current?.id === reportId;
    return reportItem(report, pinned, shown, scopeOf(this.store.request(reportId)));
  }

  handleDrag(rows: readonly ReportRow[], data: DataTransfer): void {
    const ids = rows.map(({ reportId }) => reportId);
    data.set(MIME, new DataTransferItem(ids));
    const questions = ids.flatMap((id) => this.store.get(id)?.query ?? []);
    data.set("text/plain", new DataTransferItem(questions.join("\n")));
  }

  /** The row a command applies to: the one passed by a menu, otherwise the selected one. */
  commandTarget(row?: Partial<ReportRow>): Partial<ReportRow> | undefined {
    return row ?? this.view.selection[0];
  }

  /** Reorders the dragged rows. Dropping a row on a pinned one pins it; dropping it elsewhere unpins it. */
  handleDrop(target: ReportRow | undefined, data: DataTransfer): void {
    const dragged = data.get(MIME)?.value as unknown;
    if (!Array.isArray(dragged)) return;
    const pinned = target !== undefined && this.store.isPinned(target.reportId);
    for (const id of dragged) {
      if (typeof id !== "string") continue;
      this.store.pin(id, pinned);
      this.store.move(id, target?.reportId);
    }
  }

  dispose(): void {
    clearInterval(this.clock);
    for (const each of this.subscriptions) each.dispose();
    this.changed.dispose();
  }
}

export function reportItem(
  report: Report,
  pinned: boolean,
  shown: boolean,
  scope: string,
): TreeItem {
  const query = report.query.replaceAll(/\s+/g, " ");
  const item = new TreeItem(query, TreeItemCollapsibleState.None);
  const steps = report.links.length === 1 ? "1 step" : `${report.links.length} steps`;
  const stale = report.links.filter((link) => link.stale).length;
  const age = words.ago(report.createdAt, Date.now());
  const facts = [age, steps, ...(stale > 0 ? [`${stale} stale`] : [])].filter(Boolean);
  item.id = report.id;
  item.description = facts.join(" · ");
  const scopeLine = scope === "" ? "" : `Only in ${scope}\n`;
  item.tooltip = `${report.query}\n\n${scopeLine}${words.intent(report.intent)} | ${words.confidence(report)} | ${words.judgedBy(report)}\n${new Date(report.createdAt).toLocaleString()}`;
  item.iconPath = new ThemeIcon(
    pinned ? "pinned" : ICONS[report.intent],
    shown ? new ThemeColor("charts.blue") : undefined,
  );
  item.contextValue = pinned ? "sightline.report.pinned" : "sightline.report";
  item.accessibilityInformation = {
    label: `${pinned ? "Pinned. " : ""}${shown ? "Shown. " : ""}${query}. ${facts.join(", ")}`,
  };
  item.command = { title: "Show", command: SHOW_REPORT, arguments: [report.id] };
  return item;
}

const ICONS: Record<Report["intent"], string> = {
  explain: "comment-discussion",
  locate: "search",
  edit: "edit",
  debug: "debug-alt",
};
