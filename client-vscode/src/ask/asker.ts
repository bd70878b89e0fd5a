import { commands, EventEmitter, window } from "vscode";
import type { Disposable, LogOutputChannel } from "vscode";
import { Failure, SHOW_LOG, showFailure } from "../server/failure";
import type { Server } from "../server/server";
import { withoutLinks } from "../server/messages";
import { restoreFollowedReport } from "../reports/live";
import type { Report } from "../reports/report";
import type { ReportStore } from "../reports/store";
import { Exploration } from "./exploration";
import type { PendingQuestion } from "./question";

const REQUEST_CANCELLED = -32800;
const REQUEST_FAILED = -32803;
const INVALID_PARAMS = -32602;

/** Asks questions for the views, one at a time: a new question cancels the running one. */
export class Asker implements Disposable {
  private readonly changed = new EventEmitter<Exploration | undefined>();
  private running: Exploration | undefined;
  /** The last question, if it failed because no server was available. */
  unanswered: PendingQuestion | undefined;

  /** Fires when another question starts, or when the running one ends (undefined). */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly server: Server,
    private readonly store: ReportStore,
    private readonly log: LogOutputChannel,
  ) {}

  get current(): Exploration | undefined {
    return this.running;
  }

  /** Asks, then stores and shows the answer. Undefined after a cancellation, or an error, which is shown here. */
  async ask(question: PendingQuestion): Promise<Report | undefined> {
    this.running?.cancel();
    this.unanswered = undefined;
    const exploration = new Exploration(question);
    this.setRunning(exploration);
    try {
      const client = await this.server.ready();
      await restoreFollowedReport(this.server, this.store, question);
      if (exploration.isCancelled()) return undefined;
      const report = await exploration.ask(client);
      if (exploration.isCancelled()) return undefined;
      const { command, argument, replaces } = question;
      const request = { command, argument };
      this.store.add(report, replaces === undefined ? { request } : { request, replaces });
      this.store.show(report.id);
      return report;
    } catch (error) {
      if (exploration.isCancelled()) return undefined;
      if (error instanceof Failure) this.unanswered = question;
      this.showError(error);
      return undefined;
    } finally {
      if (this.running === exploration) this.setRunning(undefined);
      exploration.dispose();
    }
  }

  cancel(): void {
    this.running?.cancel();
    if (this.running !== undefined) this.setRunning(undefined);
  }

  dispose(): void {
    this.running?.cancel();
    this.changed.dispose();
  }

  private setRunning(exploration: Exploration | undefined): void {
    this.running = exploration;
    void commands.executeCommand("setContext", "sightline.running", exploration !== undefined);
    this.changed.fire(exploration);
  }

  private showError(error: unknown): void {
    if (error instanceof Failure) {
      showFailure(error);
      return;
    }
    const code = (error as { code?: unknown }).code;
    if (code === REQUEST_CANCELLED) return;
    if (error instanceof Error && (code === REQUEST_FAILED || code === INVALID_PARAMS)) {
      void window.showWarningMessage(withoutLinks(error.message));
      return;
    }
    this.log.error(error instanceof Error ? error : String(error));
    const message = error instanceof Error ? error.message : String(error);
    showFailure(new Failure(`Sightline could not answer. ${message}`, [SHOW_LOG]));
  }
}
