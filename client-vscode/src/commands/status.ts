import { commands, window } from "vscode";
import type { QuickPickItem } from "vscode";
import type { Server } from "../server/server";
import { indexShare } from "../server/status";
import type { Status, StatusItem } from "../server/status";

interface Row extends QuickPickItem {
  command?: string;
}

export interface StatusServices {
  server: Server;
  status: StatusItem;
  usage: () => string;
}

/** Shows the server, the judge, the index and the providers, each with the command that changes it. */
export async function showStatus(services: StatusServices): Promise<void> {
  await services.status.refresh();
  const chosen = await window.showQuickPick(rows(services, services.status.latest), {
    title: "Sightline: Status",
    placeHolder: "Select an entry to change it",
  });
  if (chosen?.command !== undefined) await commands.executeCommand(chosen.command);
}

/** The rows of the status list. `status` is undefined while the server has not reported one. */
export function rows(
  { server, usage }: Pick<StatusServices, "server" | "usage">,
  status: Status | undefined,
): Row[] {
  const { command } = server;
  const origin = command === undefined ? "" : `${command.command}, from ${command.origin}`;
  const entries: Row[] = [
    {
      label: `$(server-process) Server: ${status?.version ?? server.state}`,
      detail: origin,
      command: server.state === "missing" ? "sightline.ui.setUp" : "sightline.ui.restartServer",
    },
    {
      label: `$(law) Judge: ${judge(status)}`,
      detail: usage(),
      command: "sightline.ui.chooseModel",
    },
  ];
  if (status?.index != null) {
    const { files, symbols } = status.index;
    entries.push({
      label: `$(database) Index: ${indexShare(status) ?? 0}%`,
      detail: `${files} files, ${symbols} symbols`,
      command: "sightline.ui.reindex",
    });
  }
  for (const { name, trouble } of status?.providers ?? []) {
    const state = trouble === null ? "no requests yet" : trouble.join("; ") || "responding";
    entries.push({ label: `$(verified) Confirms steps: ${name}`, detail: state });
  }
  entries.push({ label: "$(output) Show Log", command: "sightline.ui.showLog" });
  return entries;
}

/** Taken from the server: the workspace's and the user's own configuration files may name a model too. */
function judge(status: Status | undefined): string {
  if (status === undefined) return "not known until the server is running";
  return status.model ?? "offline, without a model";
}
