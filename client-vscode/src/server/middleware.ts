import { commands, Uri, workspace } from "vscode";
import type { Middleware } from "vscode-languageclient/node";

/** The actions that the server's lenses, hovers and code actions trigger in this editor. */
export interface Interceptor {
  /** Asks the question of a lens or a code action. */
  ask(command: string, argument: Record<string, unknown>): Promise<void>;
  /** Moves along the flow. False, here and in `show`, if the report is not ours: the server then handles it. */
  step(by: 1 | -1, argument: Record<string, unknown>): Promise<boolean>;
  show(argument: Record<string, unknown>): Promise<boolean>;
}

const REPORT_SCHEME = "sightline-report";

/** Runs questions in the Flow view, highlights steps, and opens reports as rendered Markdown. */
export function middleware(interceptor: Interceptor): Middleware {
  return {
    executeCommand: async (command, args, next): Promise<unknown> => {
      const argument = objectOf(args[0]);
      switch (command) {
        case "sightline.explore":
        case "sightline.exploreAt":
        case "sightline.followUp":
          // Without `show`, the caller (perhaps another extension) wants the report itself.
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
      return typeof text === "string" ? relativizeLinks(text) : text;
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

/** The URIs of the workspace's folders, in workspace order. */
function folders(): string[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
}

/**
 * Rewrites links so that they work in rendered Markdown. The preview opens no `file:` links, only links
 * relative to the first workspace folder; paths to other folders start from there.
 */
export function relativizeLinks(text: string, uris = folders()): string {
  const [first] = uris;
  if (first === undefined) return text;
  // Workspace folders may be nested, so the innermost goes first.
  const innermost = [...uris].sort((a, b) => b.length - a.length);
  return innermost.reduce(
    (result, uri) => result.replaceAll(`](<${uri}/`, `](</${relative(first, uri)}`),
    text,
  );
}

/** The relative path from one folder's URI to another's, with a trailing slash. Empty if they are equal. */
function relative(from: string, to: string): string {
  const [start, end] = [from.split("/"), to.split("/")];
  const firstDifference = start.findIndex((part, index) => part !== end[index]);
  const shared = firstDifference < 0 ? start.length : firstDifference;
  const segments = [...start.slice(shared).map(() => ".."), ...end.slice(shared)];
  return segments.map((part) => `${part}/`).join("");
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
