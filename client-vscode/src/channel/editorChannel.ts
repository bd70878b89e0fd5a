import { commands, Position, Uri } from "vscode";
import type {
  CallHierarchyIncomingCall,
  CallHierarchyOutgoingCall,
  CancellationToken,
  DocumentSymbol,
  Location,
  LocationLink,
  SymbolInformation,
  TypeHierarchyItem,
} from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { Semaphore, withTimeout } from "./bounded";
import * as shapes from "./shapes";

interface PositionParams {
  textDocument: { uri: string };
  position: { line: number; character: number };
}

type Handler = (params: unknown) => Promise<unknown>;

const MAX_CONCURRENT_REQUESTS = 4;

/** For each request from the server: the LSP capability that provides the same thing, and our handler. */
const HANDLERS: Record<string, { capability: string; handle: Handler }> = {
  workspaceSymbols: { capability: "workspaceSymbolProvider", handle: workspaceSymbols },
  documentSymbols: { capability: "documentSymbolProvider", handle: documentSymbols },
  definition: {
    capability: "definitionProvider",
    handle: locationsFrom("vscode.executeDefinitionProvider"),
  },
  references: {
    capability: "referencesProvider",
    handle: locationsFrom("vscode.executeReferenceProvider"),
  },
  implementations: {
    capability: "implementationProvider",
    handle: locationsFrom("vscode.executeImplementationProvider"),
  },
  incomingCalls: { capability: "callHierarchyProvider", handle: incomingCalls },
  outgoingCalls: { capability: "callHierarchyProvider", handle: outgoingCalls },
  supertypes: {
    capability: "typeHierarchyProvider",
    handle: relatedTypes("vscode.provideSupertypes"),
  },
  subtypes: { capability: "typeHierarchyProvider", handle: relatedTypes("vscode.provideSubtypes") },
};

/** The client capability announced to the server: every request that the editor can answer. */
export const OFFERED_REQUESTS = Object.fromEntries(
  Object.keys(HANDLERS).map((name) => [name, true]),
);

/** Lets the server query this editor's language servers. Each request has a time limit. */
export function answerEditorRequests(client: LanguageClient, timeMs: () => number): void {
  const semaphore = new Semaphore(MAX_CONCURRENT_REQUESTS);
  for (const [name, { capability, handle }] of Object.entries(HANDLERS)) {
    client.onRequest(`sightline/${name}`, async (params: unknown, token: CancellationToken) => {
      // Otherwise Sightline's own answer would come back as an independent witness.
      if (serverProvides(client, capability)) return null;
      return semaphore.run(
        async () => (await withTimeout(handle(params), timeMs(), token)) ?? null,
      );
    });
  }
}

function serverProvides(client: LanguageClient, capability: string): boolean {
  const capabilities = client.initializeResult?.capabilities as Record<string, unknown> | undefined;
  return Boolean(capabilities?.[capability]);
}

async function workspaceSymbols(params: unknown): Promise<unknown> {
  const { query } = params as { query: string };
  const symbols = await commands.executeCommand<SymbolInformation[] | undefined>(
    "vscode.executeWorkspaceSymbolProvider",
    query,
  );
  return shapes.list(symbols).map(shapes.symbol);
}

async function documentSymbols(params: unknown): Promise<unknown> {
  const { textDocument } = params as Pick<PositionParams, "textDocument">;
  const symbols = await commands.executeCommand<(SymbolInformation | DocumentSymbol)[] | undefined>(
    "vscode.executeDocumentSymbolProvider",
    Uri.parse(textDocument.uri),
  );
  return shapes.list(symbols).map(shapes.documentSymbol);
}

function locationsFrom(command: string): Handler {
  return async (params) => {
    const locations = await executeAtPosition<(Location | LocationLink)[]>(command, params);
    return shapes.list(locations).map(shapes.location);
  };
}

async function incomingCalls(params: unknown): Promise<unknown> {
  const calls = await queryHierarchy<CallHierarchyIncomingCall>(
    "vscode.prepareCallHierarchy",
    "vscode.provideIncomingCalls",
    params,
  );
  return shapes.list(calls).map(shapes.incoming);
}

async function outgoingCalls(params: unknown): Promise<unknown> {
  const calls = await queryHierarchy<CallHierarchyOutgoingCall>(
    "vscode.prepareCallHierarchy",
    "vscode.provideOutgoingCalls",
    params,
  );
  return shapes.list(calls).map(shapes.outgoing);
}

function relatedTypes(command: string): Handler {
  return async (params) => {
    const types = await queryHierarchy<TypeHierarchyItem>(
      "vscode.prepareTypeHierarchy",
      command,
      params,
    );
    return shapes.list(types).map(shapes.item);
  };
}

async function executeAtPosition<T>(command: string, params: unknown): Promise<T | undefined> {
  const { textDocument, position } = params as PositionParams;
  return commands.executeCommand<T | undefined>(
    command,
    Uri.parse(textDocument.uri),
    new Position(position.line, position.character),
  );
}

/** Queries a call or type hierarchy in two steps: the items at a position, then each item's relatives. */
async function queryHierarchy<Relative>(
  prepare: string,
  command: string,
  params: unknown,
): Promise<Relative[]> {
  const relatives: Relative[] = [];
  for (const item of (await executeAtPosition<unknown[]>(prepare, params)) ?? []) {
    relatives.push(
      ...((await commands.executeCommand<Relative[] | undefined>(command, item)) ?? []),
    );
  }
  return relatives;
}
