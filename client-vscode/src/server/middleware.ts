import { commands, Uri, workspace } from "vscode";
import type { Middleware } from "vscode-languageclient/node";

/** What lenses, hovers and code actions of the server do in this editor. */
export interface Interceptor {
  /** A question of a lens or a code action; undefined where it should go to the server as it is. */
  ask(command: string, argument: Record<string, unknown>): Promise<void>;
  step(by: 1 | -1, argument: Record<string, unknown>): Promise<boolean>;
  show(argument: Record<string, unknown>): Promise<boolean>;
}

export const REPORT_SCHEME = "sightline-report";

/** Questions run in the Flow view, steps are highlighted, and reports open as rendered Markdown. */
export function middleware(interceptor: Interceptor): Middleware {
  return {
    executeCommand: async (command, args, next): Promise<unknown> => {
      const argument = objectOf(args[0]);
      switch (command) {
        case "sightline.explore":
        case "sightline.exploreAt":
        case "sightline.followUp":
          // Without `show` somebody wants the report itself, such as another extension.
          if (argument.show !== true && argument.replaces === undefined) break;
          await interceptor.ask(command, argument);
          return undefined;
        case "sightline.nextLink":
          if (await interceptor.step(1, argument)) return undefined;
          break;
        case "sightline.previousLink":
          if (await interceptor.step(-1, argument)) return undefined;
          break;
        case "sightline.showReport":
          if (await interceptor.show(argument)) return undefined;
          break;
      }
      return next(command, args) as Promise<unknown>;
    },
    provideTextDocumentContent: async (uri, token, next) => {
      const text = await next(uri, token);
      return typeof text === "string" ? withinFolder(text) : text;
    },
    window: {
      showDocument: async (params, token, next) => {
        const uri = Uri.parse(params.uri);
        if (uri.scheme !== REPORT_SCHEME || onlyFolder() === undefined) return next(params, token);
        await commands.executeCommand("markdown.showPreview", uri);
        return { success: true };
      },
    },
  };
}

/** The only folder's URI. With several, reports open as text: its links lead into all of them. */
function onlyFolder(): string | undefined {
  const folders = workspace.workspaceFolders ?? [];
  return folders.length === 1 ? folders[0]?.uri.toString() : undefined;
}

/** A rendered document opens no `file:` links, but links from the root of the folder. */
export function withinFolder(text: string): string {
  const folder = onlyFolder();
  return folder === undefined ? text : text.replaceAll(`](<${folder}/`, "](</");
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
