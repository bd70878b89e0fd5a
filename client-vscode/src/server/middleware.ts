import { commands, Uri, workspace } from "vscode";
import type { Middleware } from "vscode-languageclient/node";

/** What lenses, hovers and code actions of the server do in this editor. */
export interface Interceptor {
  /** A question of a lens or a code action. */
  ask(command: string, argument: Record<string, unknown>): Promise<void>;
  /** False, here and below, where the report is not ours: the server does it. */
  step(by: 1 | -1, argument: Record<string, unknown>): Promise<boolean>;
  show(argument: Record<string, unknown>): Promise<boolean>;
}

const REPORT_SCHEME = "sightline-report";

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
      return typeof text === "string" ? withinFolders(text) : text;
    },
    window: {
      showDocument: async (params, token, next) => {
        const uri = Uri.parse(params.uri);
        if (uri.scheme !== REPORT_SCHEME || folders().length === 0) return next(params, token);
        await commands.executeCommand("markdown.showPreview", uri);
        return { success: true };
      },
    },
  };
}

/** The folders' URIs as the editor writes them, the first of the workspace first. */
function folders(): string[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
}

/**
 * A rendered document opens no `file:` links, but links from the root of the workspace's first folder;
 * other folders are reached from there.
 */
export function withinFolders(text: string, uris = folders()): string {
  const [first] = uris;
  if (first === undefined) return text;
  // The innermost folder first, where one lies in another.
  const innermost = [...uris].sort((a, b) => b.length - a.length);
  return innermost.reduce(
    (said, uri) => said.replaceAll(`](<${uri}/`, `](</${relative(first, uri)}`),
    text,
  );
}

/** The way from one folder's URI to another's, ending in a slash; empty where they are the same. */
function relative(from: string, to: string): string {
  const [start, end] = [from.split("/"), to.split("/")];
  const differs = start.findIndex((part, at) => part !== end[at]);
  const shared = differs < 0 ? start.length : differs;
  const way = [...start.slice(shared).map(() => ".."), ...end.slice(shared)];
  return way.map((part) => `${part}/`).join("");
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
