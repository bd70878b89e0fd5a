import type { LanguageClientOptions, Middleware } from "vscode-languageclient/node";
import { declaredSettings, SECTION, settingsForServer } from "./settings";

/** The client's options: documents, settings and middleware. */
export function clientOptions(manifest: unknown, middleware: Middleware): LanguageClientOptions {
  const names = declaredSettings(manifest);
  return {
    documentSelector: [{ scheme: "file" }],
    initializationOptions: () => settingsForServer(names),
    middleware: {
      ...middleware,
      workspace: {
        configuration: (params) =>
          params.items.map((item) => (item.section === SECTION ? settingsForServer(names) : null)),
      },
    },
  };
}
