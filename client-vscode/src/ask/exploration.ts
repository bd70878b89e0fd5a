import { CancellationTokenSource, EventEmitter } from "vscode";
import type { Disposable } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { isReport } from "../reports/report";
import type { Report } from "../reports/report";
import { execute } from "../server/execute";
import type { PendingQuestion } from "./question";

let count = 0;

/** One question while it is being answered: its progress and the flow so far. */
export class Exploration implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly cancellation = new CancellationTokenSource();
  message = "Starting the server";
  /** Progress in percent; undefined while unknown. */
  percentage: number | undefined;
  /** The flow so far: checked, but still subject to change. */
  partial: Report | undefined;

  readonly onDidChange = this.changed.event;

  constructor(readonly question: PendingQuestion) {}

  isCancelled(): boolean {
    return this.cancellation.token.isCancellationRequested;
  }

  cancel(): void {
    this.cancellation.cancel();
  }

  dispose(): void {
    this.cancellation.dispose();
    this.changed.dispose();
  }

  /** Asks the server. Rejects with the server's error, including on cancellation. */
  async ask(client: LanguageClient): Promise<Report> {
    const number = ++count;
    const partialResultToken = `sightline-partial-${number}`;
    const workDoneToken = `sightline-work-${number}`;
    const { ProgressType, WorkDoneProgress } = await import("vscode-languageclient/node");
    const subscriptions = [
      client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
        if (value.kind === "end") return;
        this.message = value.message ?? this.message;
        this.percentage = value.percentage ?? this.percentage;
        this.changed.fire();
      }),
      client.onProgress(new ProgressType<unknown>(), partialResultToken, (value) => {
        if (!isReport(value)) return;
        this.partial = value;
        this.changed.fire();
      }),
    ];
    const { command, argument } = this.question;
    try {
      const params = { command, arguments: [{ ...argument, partialResultToken }], workDoneToken };
      const answer = await execute(client, params, this.cancellation.token);
      if (!isReport(answer)) throw new Error("The server's answer is not a report.");
      return answer;
    } finally {
      for (const each of subscriptions) each.dispose();
    }
  }
}
