import { commands, window } from "vscode";
import type { QuickPickItem } from "vscode";
import type { Server } from "../server/server";
import { indexShare } from "../server/status";
import type { Status, StatusItem } from "../server/status";

interface Row extends QuickPickItem {
  command?: string;
}

export interface StatusRoom {
  server: Server;
  status: StatusItem;
  usage: () => string;
}

/** What runs, on what and with whose help, with the commands that change it. */
export async function showStatus(room: StatusRoom): Promise<void> {
  await room.status.refresh();
  const chosen = await window.showQuickPick(rows(room, room.status.latest), {
    title: "Sightline: Status",
    placeHolder: "Choose a line to change it",
  });
  if (chosen?.command !== undefined) await commands.executeCommand(chosen.command);
}

/** The lines of a status, or of a server that gives none. */
export function rows(
  { server, usage }: Pick<StatusRoom, "server" | "usage">,
  status: Status | undefined,
): Row[] {
  const { command } = server;
  const from = command === undefined ? "" : `${command.command}, from ${command.origin}`;
  const found: Row[] = [
    {
      label: `$(server-process) Server: ${status?.version ?? server.state}`,
      detail: from,
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
    found.push({
      label: `$(database) Index: ${indexShare(status) ?? 0} %`,
      detail: `${files} files, ${symbols} symbols`,
      command: "sightline.ui.reindex",
    });
  }
  for (const { name, trouble } of status?.providers ?? []) {
    const said = trouble === null ? "not asked yet" : trouble.join("; ") || "answers";
    found.push({ label: `$(verified) Confirms steps: ${name}`, detail: said });
  }
  found.push({ label: "$(output) Show Log", command: "sightline.ui.showLog" });
  return found;
}

/** Only the server knows: folders and the user can name a model in files of their own. */
function judge(status: Status | undefined): string {
  if (status === undefined) return "known once the server runs";
  return status.model ?? "offline, no model is asked";
}
