import { Uri, workspace } from "vscode";
import type { Disposable } from "vscode";
import { followed } from "../ask/question";
import type { Server } from "../server/server";
import { isReport } from "./report";
import type { Report } from "./report";
import type { ReportStore, Request } from "./store";
import { verified } from "./verify";

const PAUSE_MS = 250;

/** Keeps the shown report up to date while files change: the server tracks its quotes. */
export class LiveReports implements Disposable {
  private timer: NodeJS.Timeout | undefined;
  private drawn: string | undefined;
  private readonly listening: Disposable[];

  constructor(
    private readonly server: Server,
    private readonly store: ReportStore,
  ) {
    this.listening = [
      store.onDidChangeCurrent((report) => {
        if (this.drawn !== undefined && this.drawn !== report?.id) void this.undraw(this.drawn);
        this.drawn = report?.id;
      }),
      server.onDidChange((state) => {
        const { current } = this.store;
        if (state === "running" && current !== undefined) void this.check(current.id, true);
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.isIn(document.uri)) this.later();
      }),
    ];
  }

  /** Schedules a check of the shown report. Calls in quick succession lead to one check. */
  later(): void {
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
    const known = this.store.get(id);
    if (known === undefined) return;
    if (show && this.server.state === "stopped") this.server.warmUp();
    const now = (await this.fromServer(known, show)) ?? (await verified(known, readLines));
    if (this.store.get(id) === known && differs(known, now)) this.store.update(now);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const each of this.listening) each.dispose();
  }

  private async fromServer(known: Report, show: boolean): Promise<Report | undefined> {
    if (this.server.state !== "running") return undefined;
    try {
      const answer = await this.server
        .run<unknown>("sightline.report", { reportId: known.id, show })
        // The server was started after this report was made. Meanwhile another report may be shown.
        .catch(() => giveBack(this.server, known, show && this.store.current?.id === known.id));
      return isReport(answer) ? answer : undefined;
    } catch {
      return undefined;
    }
  }

  /** Removes a report's lenses and hovers: only the shown report has any, since several would overlap. */
  private async undraw(reportId: string): Promise<void> {
    if (this.server.state !== "running") return;
    await this.server.run("sightline.dismissReport", { reportId }).catch(() => undefined);
  }

  private isIn(uri: Uri): boolean {
    const places = this.store.current?.links ?? [];
    const changed = uri.toString();
    return places.some(
      ({ location }) => location != null && Uri.parse(location.uri).toString() === changed,
    );
  }
}

/** Gives the server a report that an earlier server may have made. The server tracks it from then on. */
export function giveBack(
  server: Pick<Server, "run">,
  kept: Report,
  show = false,
): Promise<unknown> {
  return server.run("sightline.report", { reportId: kept.id, kept, show });
}

/** Gives back the report that a question follows up, since the server may be newer than that report. */
export async function giveBackFollowed(
  server: Pick<Server, "run">,
  store: Pick<ReportStore, "get">,
  question: Request,
): Promise<void> {
  const kept = store.get(followed(question) ?? "");
  if (kept !== undefined) await giveBack(server, kept).catch(() => undefined);
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
