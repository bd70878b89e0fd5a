import type { LogOutputChannel } from "vscode";
import { questionFromCommand, repeatQuestion } from "./ask/question";
import type { ModelConsent } from "./channel/consent";
import { answerEditorRequests, OFFERED_REQUESTS } from "./channel/editorChannel";
import { answerModelRequests } from "./channel/languageModel";
import type { ModelUsage } from "./channel/usage";
import { askAndShow } from "./commands/ask";
import { moveAlongFlow, showLink } from "./commands/report";
import type { ReportServices } from "./commands/report";
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
import { searchEnvironment } from "./server/surroundings";

const DEFAULT_EDITOR_TIME_S = 3;

interface ConnectionServices {
  log: LogOutputChannel;
  folder: string;
  installed: PrivateServer;
  key: ApiKey;
  consent: ModelConsent;
  usage: ModelUsage;
  manifest: unknown;
  reportServices: () => ReportServices;
  live: () => LiveReports;
}

/** Connects the server to the extension: its environment, its requests, and what its commands do here. */
export function connection(services: ConnectionServices): ServerDependencies {
  const { log, folder, installed } = services;
  return {
    log,
    folder,
    find: () => find(searchEnvironment(log, folder, installed.program)),
    environment: async () => ({
      ...(await services.key.environment()),
      ...(setting<boolean>("server.debug", false) ? { SIGHTLINE_DEBUG: "1" } : {}),
    }),
    options: () =>
      clientOptions(services.manifest, middleware(interceptor(services.reportServices))),
    prepare: (client) => {
      client.registerFeature({
        fillClientCapabilities: (capabilities) => {
          capabilities.experimental = {
            ...(capabilities.experimental as object | undefined),
            sightline: {
              ...OFFERED_REQUESTS,
              languageModel: { asksUser: true },
              reportsChanged: true,
            },
          };
        },
        initialize: () => undefined,
        getState: () => ({ kind: "static" }),
        clear: () => undefined,
      });
      showMessages(client);
      answerEditorRequests(client, () => 1000 * setting("editorTimeS", DEFAULT_EDITOR_TIME_S));
      answerModelRequests(client, {
        modelId: () => setting("editorModel", ""),
        consent: services.consent,
        usage: services.usage,
      });
      client.onNotification("sightline/reportsChanged", () => {
        services.live().scheduleCheck();
      });
    },
  };
}

function interceptor(reportServices: () => ReportServices): Interceptor {
  const showReport = (argument: Record<string, unknown>): boolean => {
    const { store } = reportServices();
    const { reportId } = argument;
    if (typeof reportId !== "string" || store.get(reportId) === undefined) return false;
    if (store.current?.id !== reportId) store.show(reportId);
    return true;
  };
  return {
    ask: (command, argument) => {
      const { store } = reportServices();
      const question = questionFromCommand(command, argument);
      const replaced = store.get(question.replaces ?? "");
      if (replaced === undefined) return askAndShow(reportServices(), question);
      // For a report given back to it, the server knows only the question, not its other arguments.
      return askAndShow(
        reportServices(),
        repeatQuestion(replaced, store.request(replaced.id) ?? question),
      );
    },
    step: async (by, argument) => {
      if (!showReport(argument)) return false;
      const { index } = argument;
      await moveAlongFlow(reportServices(), by, typeof index === "number" ? index : undefined);
      return true;
    },
    show: async (argument) => {
      if (!showReport(argument)) return false;
      await showLink(reportServices());
      return true;
    },
  };
}
