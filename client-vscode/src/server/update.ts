import { window } from "vscode";
import { withoutLinks } from "./messages";
import type { Server } from "./server";
import type { PrivateServer } from "./setUp";
import { compare } from "./version";

/** Offers, once a session, to update the private server if the extension bundles a newer one. */
export function offerUpdate(server: Server, installed: PrivateServer, update: () => Promise<void>) {
  let offered = false;
  return server.onDidChange((state) => {
    const { command } = server;
    if (offered || state !== "running" || command?.command !== installed.program) return;
    void installed.bundledVersion().then(async (version) => {
      if (version === undefined || compare(command.version, version) >= 0) return;
      offered = true;
      const message = `The extension bundles version ${version} of Sightline's server; version ${command.version} is in use.`;
      if ((await window.showInformationMessage(withoutLinks(message), "Update")) === "Update")
        await update();
    });
  });
}
