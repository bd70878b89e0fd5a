import { Uri, workspace } from "vscode";
import type { Disposable } from "vscode";
import { followedReportId } from "../ask/question";
import type { Server } from "../server/server";
import { isReport } from "./report";
import type { Report } from "./report";
import type { ReportStore, Request } from "./store";
import { verifyReport } from "./verify";

const PAUSE_MS = 250;

/** Keeps the shown report up to date while files change: the server tracks its quotes. */
export class LiveReports implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private decoratedId: string | undefined;
  private readonly subscriptions: Disposable[];

  constructor(
    private readonly server: Server,
    private readonly store: ReportStore,
  ) {
    this.subscriptions = [
      store.onDidChangeCurrent((report) => {
        if (this.decoratedId !== undefined && this.decoratedId !== report?.id)
          void this.removeDecorations(this.decoratedId);
        this.decoratedId = report?.id;
      }),
      server.onDidChange((state) => {
        const { current } = this.store;
        if (state === "running" && current !== undefined) void this.check(current.id, true);
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.isLinked(document.uri)) this.scheduleCheck();
      }),
    ];
  }

  /** Schedules a check of the shown report. Calls in quick succession lead to one check. */
  scheduleCheck(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { current } = this.store;
      if (current !== undefined) void this.check(current.id, false);
    }, PAUSE_MS);
  }

  /**
   * Compares a report with the files and stores the result. `show` also adds its lenses and hovers to the
   * editor, for which the server is started if necessary.
   */
  async check(id: string, show: boolean): Promise<void> {
    const report = this.store.get(id);
    if (report === undefined) return;
    if (show && this.server.state === "stopped") this.server.warmUp();
    const updated =
      (await this.checkOnServer(report, show)) ?? (await verifyReport(report, readLines));
    if (this.store.get(id) === report && differs(report, updated)) this.store.update(updated);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of this.subscriptions) each.dispose();
  }

  private async checkOnServer(report: Report, show: boolean): Promise<Report | undefined> {
    if (this.server.state !== "running") return undefined;
    try {
      const answer = await this.server
        .run<unknown>("sightline.report", { reportId: report.id, show })
        // The server was started after this report was made. Meanwhile another report may be shown.
        .catch(() =>
          restoreReport(this.server, report, show && this.store.current?.id === report.id),
        );
      return isReport(answer) ? answer : undefined;
    } catch {
      return undefined;
    }
  }

  /** Removes a report's lenses and hovers: only the shown report has any, since several would overlap. */
  private async removeDecorations(reportId: string): Promise<void> {
    if (this.server.state !== "running") return;
    await this.server.run("sightline.dismissReport", { reportId }).catch(() => undefined);
  }

  private isLinked(uri: Uri): boolean {
    const links = this.store.current?.links ?? [];
    const changedUri = uri.toString();
    return links.some(
      ({ location }) => location != null && Uri.parse(location.uri).toString() === changedUri,
    );
  }
}

/** Gives the server a report that an earlier server may have made. The server tracks it from then on. */
export function restoreReport(
  server: Pick<Server, "run">,
  report: Report,
  show = false,
): Promise<unknown> {
  return server.run("sightline.report", { reportId: report.id, kept: report, show });
}

/** Gives back the report that a question follows up, since the server may be newer than that report. */
export async function restoreFollowedReport(
  server: Pick<Server, "run">,
  store: Pick<ReportStore, "get">,
  question: Request,
): Promise<void> {
  const followed = store.get(followedReportId(question) ?? "");
  if (followed !== undefined) await restoreReport(server, followed).catch(() => undefined);
}

function differs(before: Report, after: Report): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

async function readLines(uri: string): Promise<readonly string[] | undefined> {
  try {
    const parsed = Uri.parse(uri);
    const open = workspace.textDocuments.find((each) => each.uri.toString() === parsed.toString());
    const text = open?.getText() ?? new TextDecoder().decode(await workspace.fs.readFile(parsed));
    return text.split(/\r\n|\r|\n/);
  } catch {
    return undefined;
  }
}
