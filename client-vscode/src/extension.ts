import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { window, workspace } from "vscode";
import type { ExtensionContext } from "vscode";
import { registerMcp } from "./agents/mcp";
import { registerTool } from "./agents/tool";
import { Asker } from "./ask/asker";
import { RecentQuestions } from "./ask/recent";
import { ModelConsent } from "./channel/consent";
import { ModelUsage } from "./channel/usage";
import { askAndShow, askCommands } from "./commands/ask";
import { saveReport } from "./commands/export";
import { historyCommands } from "./commands/history";
import { openLink, reportCommands } from "./commands/report";
import type { ReportServices } from "./commands/report";
import { serverCommands, setUp } from "./commands/server";
import { runAndShowFailure } from "./commands/told";
import { connection } from "./connection";
import { FlowMap } from "./flowmap/panel";
import { LiveReports } from "./reports/live";
import { FileStorage, noStorage } from "./reports/shelf";
import { ReportStore } from "./reports/store";
import { ApiKey } from "./server/apiKey";
import { Server } from "./server/server";
import { restartWhenNeeded } from "./server/restarts";
import { setting } from "./server/settings";
import { PrivateServer } from "./server/setUp";
import { StatusItem } from "./server/status";
import { offerUpdate } from "./server/update";
import { updateContextKeys } from "./views/contexts";
import { placesOf } from "./views/flowNodes";
import { FlowView } from "./views/flowView";
import { ReportsView } from "./views/reportsView";
import { Revealer } from "./views/reveal";

/** Wiring only; each feature has its own module. */
export function activate(context: ExtensionContext): void {
  const base = buildBase(context);
  const { store, key, usage } = base;
  const dependencies = connection({ ...base, reportServices: () => services, live: () => live });
  const server = new Server(dependencies);
  const asker = new Asker(server, store, base.log);
  const flow = new FlowView(asker, store);
  const reports = new ReportsView(store);
  const revealer = new Revealer();
  const live = new LiveReports(server, store);
  const map = new FlowMap(context.extensionUri, {
    openLink: (reportId, index) => {
      const report = store.get(reportId);
      if (report === undefined) return;
      // The map may show a different report from the Flow view.
      if (store.current?.id !== reportId) store.show(reportId);
      void runAndShowFailure(() => openLink(services, report, index));
    },
    save: (report, format) => void runAndShowFailure(() => saveReport(server, report, format)),
  });
  const recent = new RecentQuestions(context.workspaceState);
  const services: ReportServices = { asker, store, recent, flow, reports, server, revealer, map };
  const status = new StatusItem(server, usage);
  context.subscriptions.push(
    ...[base.log, store, server, asker, flow, reports, revealer, live, map, status],
    ...updateContextKeys(store),
    ...askCommands(services),
    ...reportCommands(services),
    ...historyCommands(store, flow, live),
    ...serverCommands({
      ...{ ...base, server, status, usage: () => usage.text() },
      resume: async () => {
        if (asker.unanswered !== undefined) await askAndShow(services, asker.unanswered);
      },
    }),
    ...restartWhenNeeded(server, key),
    offerUpdate(server, base.installed, () => runAndShowFailure(() => setUp({ ...base, server }))),
    registerTool(server, store),
    ...registerMcp(dependencies.find, dependencies.environment, base.folder, server),
    store.onDidChangeCurrent((report) => {
      map.update(report);
      if (report === undefined) revealer.clear();
      else revealer.updateHighlight(placesOf(report));
    }),
    asker.onDidChange((running) => {
      if (running === undefined) void status.refresh();
    }),
  );
  void store.load();
  warmUpWhenVisible(context, flow, server);
}

/** The parts that depend only on the editor. */
function buildBase(context: ExtensionContext) {
  const log = window.createOutputChannel("Sightline", { log: true });
  const folder = context.globalStorageUri.fsPath;
  mkdirSync(folder, { recursive: true });
  return {
    log,
    folder,
    store: new ReportStore(reportStorage(context), () => setting<number>("history.size", 50)),
    usage: new ModelUsage(),
    consent: new ModelConsent(context.workspaceState),
    key: new ApiKey(context.secrets),
    installed: new PrivateServer(folder, context.asAbsolutePath("server"), log),
    manifest: context.extension.packageJSON as unknown,
  };
}

function reportStorage(context: ExtensionContext) {
  const folder = context.storageUri?.fsPath;
  return folder === undefined ? noStorage : new FileStorage(join(folder, "reports.json"));
}

/** Starts the server as soon as the Flow view is visible, so that the first answer is quick. */
function warmUpWhenVisible(context: ExtensionContext, { view }: FlowView, server: Server): void {
  const warmUp = (): void => {
    if (view.visible && workspace.workspaceFolders !== undefined && server.state === "stopped") {
      server.warmUp();
    }
  };
  context.subscriptions.push(view.onDidChangeVisibility(warmUp));
  warmUp();
}
