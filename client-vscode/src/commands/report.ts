import { commands, env, window } from "vscode";
import type { Disposable } from "vscode";
import { again } from "../ask/question";
import type { FlowMap } from "../flowmap/panel";
import { giveBack } from "../reports/live";
import type { Report } from "../reports/report";
import type { Server } from "../server/server";
import { unlinked } from "../server/messages";
import { linkPlace } from "../views/flowNodes";
import { OPEN_NODE } from "../views/flowView";
import type { FlowView } from "../views/flowView";
import type { Node } from "../views/node";
import type { ReportRow, ReportsView } from "../views/reportsView";
import type { Revealer } from "../views/reveal";
import { follow } from "./ask";
import type { AskRoom } from "./ask";
import { saveReport } from "./export";
import { told } from "./told";

export interface ReportRoom extends AskRoom {
  server: Server;
  flow: FlowView;
  reports: ReportsView;
  revealer: Revealer;
  map: FlowMap;
}

/** The argument that the menus of both views pass to a command. */
type MenuRow = Node & Partial<ReportRow>;

/** Registers the commands that act on the shown report, or on the one whose menu was opened. */
export function reportCommands(room: ReportRoom): Disposable[] {
  const { store } = room;
  const register = (name: string, run: (row?: MenuRow) => unknown): Disposable =>
    commands.registerCommand(`sightline.ui.${name}`, (row?: MenuRow) =>
      told(() => Promise.resolve(run(row))),
    );
  const on = (name: string, run: (report: Report) => unknown): Disposable =>
    register(name, (row) => {
      const report = row?.reportId === undefined ? store.current : store.get(row.reportId);
      return report === undefined ? undefined : run(report);
    });
  return [
    commands.registerCommand(OPEN_NODE, (node: Node) => told(() => openNode(room, node))),
    register("openToSide", (node) => openNode(room, room.flow.chosen(node), true)),
    register("copyLink", (node) => copy(room.flow.chosen(node))),
    register("nextLink", () => step(room, 1)),
    register("previousLink", () => step(room, -1)),
    on("refresh", (report) => refresh(room, report)),
    on("openReport", (report) => openDocument(room, report)),
    on("showFlowMap", (report) => {
      room.map.show(report);
    }),
    on("export", (report) => saveReport(room.server, report)),
    on("pin", ({ id }) => {
      store.pin(id, true);
    }),
    on("unpin", ({ id }) => {
      store.pin(id, false);
    }),
    register("removeReport", (row) => {
      // A keybinding passes no row, and the selected row need not be the shown report.
      const reportId = room.reports.chosen(row)?.reportId;
      if (reportId !== undefined) store.remove(reportId);
    }),
    register("clear", () => clear(room)),
  ];
}

/** Opens the link at index `at`: reveals and highlights its place, and selects its row. */
export async function openLink(room: ReportRoom, report: Report, at: number): Promise<void> {
  const link = report.links[at];
  if (link === undefined) return;
  // Set even if the file is gone; otherwise "next link" could never get past this one.
  room.store.at = at;
  const place = linkPlace(report.id, link, at);
  if (place === undefined) tellGone(link.path);
  else await room.revealer.reveal(place);
  await room.flow.select(at);
}

function tellGone(path: string): void {
  const again = "Ask Again";
  const said = `${path} no longer exists. Ask again to find where the code is now.`;
  void window.showWarningMessage(unlinked(said), again).then((chosen) => {
    if (chosen === again) void commands.executeCommand("sightline.ui.refresh");
  });
}

/** Moves along the flow from the last visited link, wrapping around at both ends. */
export async function step(room: ReportRoom, by: 1 | -1, from?: number): Promise<void> {
  const report = room.store.current;
  if (report === undefined || report.links.length === 0) return;
  const count = report.links.length;
  const start = from ?? room.store.at ?? (by > 0 ? -1 : count);
  await openLink(room, report, (start + by + count) % count);
}

/** Handles a click on a lens: shows the Flow view and selects the link at the cursor. */
export async function showLink(room: ReportRoom): Promise<void> {
  const editor = window.activeTextEditor;
  const at = room.store.current?.links.findIndex(
    ({ location, quoteRange }) =>
      location != null &&
      location.uri === editor?.document.uri.toString() &&
      editor.selection.active.line + 1 >= quoteRange.start &&
      editor.selection.active.line + 1 <= quoteRange.end,
  );
  await room.flow.show();
  if (at !== undefined && at >= 0) await room.flow.select(at);
}

async function openNode(room: ReportRoom, node: Node | undefined, beside = false): Promise<void> {
  const step = node?.gone?.step ?? node?.place?.step;
  if (step !== undefined) room.store.at = step;
  if (node?.gone !== undefined) tellGone(node.gone.path);
  if (node?.place === undefined) return;
  await room.revealer.reveal(node.place, { beside });
}

async function copy(node: Node | undefined): Promise<void> {
  if (node === undefined) return;
  await env.clipboard.writeText(node.place?.text ?? node.label);
}

async function refresh(room: ReportRoom, report: Report): Promise<void> {
  await follow(room, again(report, room.store.request(report.id)));
}

async function openDocument(room: ReportRoom, report: Report): Promise<void> {
  await giveBack(room.server, report);
  await room.server.run("sightline.showReport", { reportId: report.id });
}

async function clear(room: ReportRoom): Promise<void> {
  room.store.show(undefined);
  room.revealer.clear();
  if (room.server.state !== "running") return;
  await room.server.run("sightline.dismissReport", { all: true }).catch(() => undefined);
}
