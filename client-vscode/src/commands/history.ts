import { commands, window } from "vscode";
import type { Disposable, QuickPickItem } from "vscode";
import type { LiveReports } from "../reports/live";
import type { Report } from "../reports/report";
import type { ReportStore } from "../reports/store";
import * as words from "../reports/words";
import type { FlowView } from "../views/flowView";
import { SHOW_REPORT } from "../views/reportsView";

interface Row extends QuickPickItem {
  reportId: string;
}

/** Registers the commands that concern the Reports view as a whole. */
export function historyCommands(
  store: ReportStore,
  flow: FlowView,
  live: LiveReports,
): Disposable[] {
  const show = async (id: string): Promise<void> => {
    store.show(id);
    await flow.show();
    await live.check(id, true);
  };
  return [
    commands.registerCommand(SHOW_REPORT, show),
    commands.registerCommand("sightline.ui.searchReports", async () => {
      const chosen = await window.showQuickPick(store.all().map(row), {
        title: "Sightline: Search Reports",
        placeHolder: "Search by question, fact or file",
        matchOnDescription: true,
        matchOnDetail: true,
      });
      if (chosen !== undefined) await show(chosen.reportId);
    }),
    commands.registerCommand("sightline.ui.clearHistory", async () => {
      const remove = "Remove";
      const answer = await window.showWarningMessage(
        "Remove all reports that are not pinned?",
        { modal: true },
        remove,
      );
      if (answer === remove) store.removeUnpinned();
    }),
  ];
}

function row(report: Report): Row {
  const paths = [...new Set(report.links.map(({ path }) => path))];
  const facts = report.links.map(({ fact }) => words.plain(fact));
  return {
    label: report.query.replaceAll(/\s+/g, " "),
    description: words.ago(report.createdAt, Date.now()),
    detail: [...paths, ...facts].join(" · "),
    reportId: report.id,
  };
}
