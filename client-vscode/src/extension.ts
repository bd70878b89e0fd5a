import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { window } from "vscode";
import type { ExtensionContext } from "vscode";
import { Asker } from "./ask/asker";
import { RecentQuestions } from "./ask/recent";
import { askCommands } from "./commands/ask";
import { saveReport } from "./commands/export";
import { openLink, reportCommands } from "./commands/report";
import type { ReportRoom } from "./commands/report";
import { serverCommands } from "./commands/server";
import { FlowMap } from "./flowmap/panel";
import { FileShelf, noShelf } from "./reports/shelf";
import { ReportStore } from "./reports/store";
import { find } from "./server/find";
import { clientOptions } from "./server/options";
import { Server } from "./server/server";
import { setting } from "./server/settings";
import { surroundings } from "./server/surroundings";
import { FlowView } from "./views/flowView";
import { Revealer } from "./views/reveal";

/** Wiring only: each feature is a module of its own. */
export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel("Sightline", { log: true });
  const folder = context.globalStorageUri.fsPath;
  mkdirSync(folder, { recursive: true });
  const store = new ReportStore(
    context.storageUri === undefined
      ? noShelf
      : new FileShelf(join(context.storageUri.fsPath, "reports.json")),
    () => setting("history.size", 50),
  );
  const server = new Server({
    log,
    folder,
    find: () => find(surroundings(log, folder, join(folder, "server", "bin", "sightline"))),
    environment: () => Promise.resolve({}),
    options: () => clientOptions(context.extension.packageJSON, {}),
    prepare: () => undefined,
  });
  const asker = new Asker(server, store, log);
  const flow = new FlowView(asker, store);
  const revealer = new Revealer();
  const map = new FlowMap(context.extensionUri, {
    openLink: (reportId, linkId) => {
      const link = store.get(reportId)?.links.find(({ id }) => id === linkId);
      if (link !== undefined) void openLink(room, link);
    },
    save: (report, format) => void saveReport(server, report, format),
  });
  const recent = new RecentQuestions(context.workspaceState);
  const room: ReportRoom = { asker, store, recent, flow, server, revealer, map };
  context.subscriptions.push(
    log,
    store,
    server,
    asker,
    flow,
    revealer,
    map,
    ...askCommands(room),
    ...reportCommands(room),
    ...serverCommands(server, log),
  );
  void store.load();
}
