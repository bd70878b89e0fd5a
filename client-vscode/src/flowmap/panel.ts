import type { Disposable, Uri } from "vscode";
import type { ExportFormat } from "../export/export";
import type { Report } from "../reports/report";

export interface FlowMapCallbacks {
  openLink(reportId: string, linkId: string): void;
  save(report: Report, format: ExportFormat): void;
}

/** The flow as a picture. */
export class FlowMap implements Disposable {
  constructor(
    readonly extensionUri: Uri,
    readonly callbacks: FlowMapCallbacks,
  ) {}

  show(report: Report): void {
    this.update(report);
  }

  update(report: Report): void {
    void report;
  }

  dispose(): void {
    // Nothing is open yet.
  }
}
