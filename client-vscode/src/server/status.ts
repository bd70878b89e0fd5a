import { languages, LanguageStatusSeverity } from "vscode";
import type { Disposable } from "vscode";
import type { ModelUsage } from "../channel/usage";
import type { Server, ServerState } from "./server";
import { withoutLinks } from "./messages";

/** The part of the `sightline.status` response that is shown. */
export interface Status {
  version: string;
  /** The model in use according to all configuration sources; null if none. */
  model: string | null;
  providers: { name: string; witness: string; trouble: string[] | null }[];
  index: { indexed: number; total: number; files: number; symbols: number } | null;
}

const STATES: Record<ServerState, string> = {
  stopped: "not started",
  starting: "starting",
  running: "ready",
  missing: "no suitable server",
  failed: "not running",
};

/** The language status item: server, judge, model and how much of the workspace is indexed. */
export class StatusItem implements Disposable {
  private readonly item = languages.createLanguageStatusItem("sightline.status", [
    { scheme: "file" },
    { scheme: "vscode-notebook-cell" },
  ]);
  private readonly subscriptions: Disposable[];
  latest: Status | undefined;

  constructor(
    private readonly server: Server,
    private readonly usage: ModelUsage,
  ) {
    this.item.name = "Sightline";
    this.item.command = { title: "Status", command: "sightline.ui.status" };
    this.subscriptions = [
      server.onDidChange(() => void this.refresh()),
      usage.onDidChange(() => {
        this.draw();
      }),
    ];
    this.draw();
  }

  /** Requests the server's status and redraws. */
  async refresh(): Promise<void> {
    this.latest =
      this.server.state === "running"
        ? await this.server.run<Status>("sightline.status", {}).catch(() => undefined)
        : undefined;
    this.draw();
  }

  dispose(): void {
    for (const each of this.subscriptions) each.dispose();
    this.item.dispose();
  }

  private draw(): void {
    const { state } = this.server;
    const bad = state === "missing" || state === "failed";
    this.item.text = `$(compass) Sightline: ${STATES[state]}`;
    this.item.busy = state === "starting";
    this.item.severity = bad ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    this.item.detail = withoutLinks(describe(this.latest, this.usage.text()));
  }
}

/** `server 0.1.0, offline judge, index 100%` */
export function describe(status: Status | undefined, usage: string): string {
  if (status === undefined) return usage;
  const parts = [`server ${status.version}`, judge(status.model)];
  const share = indexShare(status);
  if (share !== undefined) parts.push(`index ${share}%`);
  if (usage !== "") parts.push(usage);
  return parts.join(", ");
}

function judge(model: string | null): string {
  if (model === null) return "offline judge";
  return model === "editor" ? "judged by the editor's model" : `judged by ${model}`;
}

export function indexShare(status: Status): number | undefined {
  const { indexed, total } = status.index ?? { indexed: 0, total: 0 };
  return total === 0 ? undefined : Math.floor((100 * indexed) / total);
}
