import type { LanguageClientOptions, Middleware } from "vscode-languageclient/node";
import { declaredSettings, forServer, SECTION } from "./settings";

/** Commands that a link in the server's Markdown may run; no other is trusted. */
export const LINKED_COMMANDS = [
  "sightline.showReport",
  "sightline.nextLink",
  "sightline.previousLink",
];

/** How the client is set up: which documents, which settings, which middleware. */
export function clientOptions(manifest: unknown, middleware: Middleware): LanguageClientOptions {
  const names = declaredSettings(manifest);
  return {
    documentSelector: [{ scheme: "file" }],
    initializationOptions: () => forServer(names),
    markdown: { isTrusted: { enabledCommands: LINKED_COMMANDS }, supportHtml: false },
    middleware: {
      ...middleware,
      workspace: {
        configuration: (params) =>
          params.items.map((item) => (item.section === SECTION ? forServer(names) : null)),
      },
    },
  };
}
