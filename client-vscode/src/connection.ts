import type { LogOutputChannel } from "vscode";
import { again, askingFrom } from "./ask/question";
import type { ModelConsent } from "./channel/consent";
import { answerServer, OFFERED } from "./channel/editorChannel";
import { answerForModel } from "./channel/languageModel";
import type { ModelUsage } from "./channel/usage";
import { follow } from "./commands/ask";
import { showLink, step } from "./commands/report";
import type { ReportRoom } from "./commands/report";
import type { LiveReports } from "./reports/live";
import type { ApiKey } from "./server/apiKey";
import { find } from "./server/find";
import { showMessages } from "./server/messages";
import { middleware } from "./server/middleware";
import type { Interceptor } from "./server/middleware";
import { clientOptions } from "./server/options";
import type { ServerDependencies } from "./server/server";
import { setting } from "./server/settings";
import type { PrivateServer } from "./server/setUp";
import { surroundings } from "./server/surroundings";

const DEFAULT_EDITOR_TIME_S = 3;

interface ConnectionRoom {
  log: LogOutputChannel;
  folder: string;
  installed: PrivateServer;
  key: ApiKey;
  consent: ModelConsent;
  usage: ModelUsage;
  manifest: unknown;
  room: () => ReportRoom;
  live: () => LiveReports;
}

/** Connects the server to the extension: its environment, its requests, and what its commands do here. */
export function connection(parts: ConnectionRoom): ServerDependencies {
  const { log, folder, installed } = parts;
  return {
    log,
    folder,
    find: () => find(surroundings(log, folder, installed.program)),
    environment: async () => ({
      ...(await parts.key.environment()),
      ...(setting<boolean>("server.debug", false) ? { SIGHTLINE_DEBUG: "1" } : {}),
    }),
    options: () => clientOptions(parts.manifest, middleware(interceptor(parts.room))),
    prepare: (client) => {
      client.registerFeature({
        fillClientCapabilities: (capabilities) => {
          capabilities.experimental = {
            ...(capabilities.experimental as object | undefined),
            sightline: { ...OFFERED, languageModel: { asksUser: true }, reportsChanged: true },
          };
        },
        initialize: () => undefined,
        getState: () => ({ kind: "static" }),
        clear: () => undefined,
      });
      showMessages(client);
      answerServer(client, () => 1000 * setting("editorTimeS", DEFAULT_EDITOR_TIME_S));
      answerForModel(client, {
        wanted: () => setting("editorModel", ""),
        consent: parts.consent,
        usage: parts.usage,
      });
      client.onNotification("sightline/reportsChanged", () => {
        parts.live().later();
      });
    },
  };
}

function interceptor(room: () => ReportRoom): Interceptor {
  const shown = (argument: Record<string, unknown>): boolean => {
    const { store } = room();
    const { reportId } = argument;
    if (typeof reportId !== "string" || store.get(reportId) === undefined) return false;
    if (store.current?.id !== reportId) store.show(reportId);
    return true;
  };
  return {
    ask: (command, argument) => {
      const { store } = room();
      const asked = askingFrom(command, argument);
      const replaced = store.get(asked.replaces ?? "");
      if (replaced === undefined) return follow(room(), asked);
      // For a report given back to it, the server knows only the question, not its other arguments.
      return follow(room(), again(replaced, store.request(replaced.id) ?? asked));
    },
    step: async (by, argument) => {
      if (!shown(argument)) return false;
      const { index } = argument;
      await step(room(), by, typeof index === "number" ? index : undefined);
      return true;
    },
    show: async (argument) => {
      if (!shown(argument)) return false;
      await showLink(room());
      return true;
    },
  };
}
