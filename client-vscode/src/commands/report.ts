import { commands, env, window } from "vscode";
import type { Disposable } from "vscode";
import { repeatQuestion } from "../ask/question";
import type { FlowMap } from "../flowmap/panel";
import { restoreReport } from "../reports/live";
import type { Report } from "../reports/report";
import type { Server } from "../server/server";
import { withoutLinks } from "../server/messages";
import { linkPlace } from "../views/flowNodes";
import { OPEN_NODE } from "../views/flowView";
import type { FlowView } from "../views/flowView";
import type { Node } from "../views/node";
import type { ReportRow, ReportsView } from "../views/reportsView";
import type { Revealer } from "../views/reveal";
import { askAndShow } from "./ask";
import type { AskServices } from "./ask";
import { saveReport } from "./export";
import { runAndShowFailure } from "./told";

export interface ReportServices extends AskServices {
  server: Server;
  flow: FlowView;
  reports: ReportsView;
  revealer: Revealer;
  map: FlowMap;
}

/** The argument that the menus of both views pass to a command. */
type MenuRow = Node & Partial<ReportRow>;

/** Registers the commands that act on the shown report, or on the one whose menu was opened. */
export function reportCommands(services: ReportServices): Disposable[] {
  const { store } = services;
  const register = (name: string, run: (row?: MenuRow) => unknown): Disposable =>
    commands.registerCommand(`sightline.ui.${name}`, (row?: MenuRow) =>
      runAndShowFailure(() => Promise.resolve(run(row))),
    );
  const registerForReport = (name: string, run: (report: Report) => unknown): Disposable =>
    register(name, (row) => {
      const report = row?.reportId === undefined ? store.current : store.get(row.reportId);
      return report === undefined ? undefined : run(report);
    });
  return [
    commands.registerCommand(OPEN_NODE, (node: Node) =>
      runAndShowFailure(() => openNode(services, node)),
    ),
    register("openToSide", (node) => openNode(services, services.flow.commandTarget(node), true)),
    register("copyLink", (node) => copy(services.flow.commandTarget(node))),
    register("nextLink", () => moveAlongFlow(services, 1)),
    register("previousLink", () => moveAlongFlow(services, -1)),
    registerForReport("refresh", (report) => refresh(services, report)),
    registerForReport("openReport", (report) => openDocument(services, report)),
    registerForReport("showFlowMap", (report) => {
      services.map.show(report);
    }),
    registerForReport("export", (report) => saveReport(services.server, report)),
    registerForReport("pin", ({ id }) => {
      store.pin(id, true);
    }),
    registerForReport("unpin", ({ id }) => {
      store.pin(id, false);
    }),
    register("removeReport", (row) => {
      // A keybinding passes no row, and the selected row need not be the shown report.
      const reportId = services.reports.commandTarget(row)?.reportId;
      if (reportId !== undefined) store.remove(reportId);
    }),
    register("clear", () => clear(services)),
  ];
}

/** Opens the link at `index`: reveals and highlights its place, and selects its row. */
export async function openLink(
  services: ReportServices,
  report: Report,
  index: number,
): Promise<void> {
  const link = report.links[index];
  if (link === undefined) return;
  // Set even if the file is gone; otherwise "next link" could never get past this one.
  services.store.visitedIndex = index;
  const place = linkPlace(report.id, link, index);
  if (place === undefined) showFileGone(link.path);
  else await services.revealer.reveal(place);
  await services.flow.select(index);
}

function showFileGone(path: string): void {
  const askAgain = "Ask Again";
  const message = `${path} no longer exists. Ask again to find where the code is now.`;
  void window.showWarningMessage(withoutLinks(message), askAgain).then((chosen) => {
    if (chosen === askAgain) void commands.executeCommand("sightline.ui.refresh");
  });
}

/** Moves along the flow from the last visited link, wrapping around at both ends. */
export async function moveAlongFlow(
  services: ReportServices,
  by: 1 | -1,
  from?: number,
): Promise<void> {
  const report = services.store.current;
  if (report === undefined || report.links.length === 0) return;
  const count = report.links.length;
  const start = from ?? services.store.visitedIndex ?? (by > 0 ? -1 : count);
  await openLink(services, report, (start + by + count) % count);
}

/** Handles a click on a lens: shows the Flow view and selects the link at the cursor. */
export async function showLink(services: ReportServices): Promise<void> {
  const editor = window.activeTextEditor;
  const index = services.store.current?.links.findIndex(
    ({ location, quoteRange }) =>
      location != null &&
      location.uri === editor?.document.uri.toString() &&
      editor.selection.active.line + 1 >= quoteRange.start &&
      editor.selection.active.line + 1 <= quoteRange.end,
  );
  await services.flow.show();
  if (index !== undefined && index >= 0) await services.flow.select(index);
}

async function openNode(
  services: ReportServices,
  node: Node | undefined,
  beside = false,
): Promise<void> {
  const step = node?.gone?.step ?? node?.place?.step;
  if (step !== undefined) services.store.visitedIndex = step;
  if (node?.gone !== undefined) showFileGone(node.gone.path);
  if (node?.place === undefined) return;
  await services.revealer.reveal(node.place, { beside });
}

async function copy(node: Node | undefined): Promise<void> {
  if (node === undefined) return;
  await env.clipboard.writeText(node.place?.text ?? node.label);
}

async function refresh(services: ReportServices, report: Report): Promise<void> {
  await askAndShow(services, repeatQuestion(report, services.store.request(report.id)));
}

async function openDocument(services: ReportServices, report: Report): Promise<void> {
  await restoreReport(services.server, report);
  await services.server.run("sightline.showReport", { reportId: report.id });
}

async function clear(services: ReportServices): Promise<void> {
  services.store.show(undefined);
  services.revealer.clear();
  if (services.server.state !== "running") return;
  await services.server.run("sightline.dismissReport", { all: true }).catch(() => undefined);
}
