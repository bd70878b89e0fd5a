import { randomBytes } from "node:crypto";
import { Uri, ViewColumn, window } from "vscode";
import type { Disposable, Webview, WebviewPanel } from "vscode";
import type { ExportFormat } from "../export/export";
import type { Report } from "../reports/report";
import { draw } from "./drawing";
import { isFromPage } from "./messages";
import type { FromPage, ToPage } from "./messages";
import { page } from "./page";

interface FlowMapCallbacks {
  openLink(reportId: string, index: number): void;
  save(report: Report, format: ExportFormat): void;
}

/** A panel that draws the flow and follows the current report. There is at most one. */
export class FlowMap implements Disposable {
  private panel: WebviewPanel | undefined;
  private report: Report | undefined;

  constructor(
    private readonly extensionUri: Uri,
    private readonly callbacks: FlowMapCallbacks,
  ) {}

  /** Draws a report, opening the panel beside the editor if necessary. */
  show(report: Report): void {
    if (this.panel === undefined) this.panel = this.open();
    else this.panel.reveal(undefined, true);
    this.update(report);
  }

  /** Redraws the open panel for a changed report, another report, or none. Does nothing if it is closed. */
  update(report: Report | undefined): void {
    if (this.panel === undefined) return;
    this.report = report;
    this.send(this.panel.webview);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private open(): WebviewPanel {
    const roots = ["dist", "media/flowmap"].map((each) => this.resourceUri(each));
    const panel = window.createWebviewPanel(
      "sightline.flowMap",
      "Flow Map",
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: roots },
    );
    panel.iconPath = {
      light: this.resourceUri("media/flowmap/light.svg"),
      dark: this.resourceUri("media/flowmap/dark.svg"),
    };
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.report = undefined;
    });
    const { webview } = panel;
    webview.onDidReceiveMessage((message: unknown) => {
      if (isFromPage(message)) this.receive(message, webview);
    });
    const local = (path: string): string => webview.asWebviewUri(this.resourceUri(path)).toString();
    webview.html = page(
      webview.cspSource,
      local("dist/flowmap.js"),
      local("media/flowmap/flowmap.css"),
      randomBytes(16).toString("base64url"),
    );
    return panel;
  }

  private receive(message: FromPage, webview: Webview): void {
    if (message.kind === "ready") this.send(webview);
    else if (message.reportId !== this.report?.id) return;
    else if (message.kind === "open") this.callbacks.openLink(message.reportId, message.step);
    else this.callbacks.save(this.report, "svg");
  }

  private send(webview: Webview): void {
    void webview.postMessage(drawMessage(this.report));
  }

  private resourceUri(path: string): Uri {
    return Uri.joinPath(this.extensionUri, ...path.split("/"));
  }
}

function drawMessage(report: Report | undefined): ToPage {
  const reportId = report?.id ?? "";
  const query = report?.query ?? "";
  if (report === undefined)
    return { kind: "nothing", reportId, query, why: "There is no flow to show." };
  if (report.links.length === 0) {
    return { kind: "nothing", reportId, query, why: "This answer has no steps to draw." };
  }
  return { kind: "draw", reportId, query, svg: draw(report) };
}
