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
import { bounded, Turns } from "./bounded";
import * as shapes from "./shapes";

interface PlaceParams {
  textDocument: { uri: string };
  position: { line: number; character: number };
}

type Answer = (params: unknown) => Promise<unknown>;

const AT_ONCE = 4;

/** For each request from the server: the LSP capability that provides the same thing, and our handler. */
const ANSWERS: Record<string, { capability: string; answer: Answer }> = {
  workspaceSymbols: { capability: "workspaceSymbolProvider", answer: workspaceSymbols },
  documentSymbols: { capability: "documentSymbolProvider", answer: documentSymbols },
  definition: {
    capability: "definitionProvider",
    answer: locations("vscode.executeDefinitionProvider"),
  },
  references: {
    capability: "referencesProvider",
    answer: locations("vscode.executeReferenceProvider"),
  },
  implementations: {
    capability: "implementationProvider",
    answer: locations("vscode.executeImplementationProvider"),
  },
  incomingCalls: { capability: "callHierarchyProvider", answer: incomingCalls },
  outgoingCalls: { capability: "callHierarchyProvider", answer: outgoingCalls },
  supertypes: { capability: "typeHierarchyProvider", answer: types("vscode.provideSupertypes") },
  subtypes: { capability: "typeHierarchyProvider", answer: types("vscode.provideSubtypes") },
};

/** The client capability announced to the server: every request that the editor can answer. */
export const OFFERED = Object.fromEntries(Object.keys(ANSWERS).map((name) => [name, true]));

/** Lets the server query this editor's language servers. Each request has a time limit. */
export function answerServer(client: LanguageClient, timeMs: () => number): void {
  const turns = new Turns(AT_ONCE);
  for (const [name, { capability, answer }] of Object.entries(ANSWERS)) {
    client.onRequest(`sightline/${name}`, async (params: unknown, token: CancellationToken) => {
      // Otherwise Sightline's own answer would come back as an independent witness.
      if (offers(client, capability)) return null;
      return turns.take(async () => (await bounded(answer(params), timeMs(), token)) ?? null);
    });
  }
}

function offers(client: LanguageClient, capability: string): boolean {
  const capabilities = client.initializeResult?.capabilities as Record<string, unknown> | undefined;
  return Boolean(capabilities?.[capability]);
}

async function workspaceSymbols(params: unknown): Promise<unknown> {
  const { query } = params as { query: string };
  const found = await commands.executeCommand<SymbolInformation[] | undefined>(
    "vscode.executeWorkspaceSymbolProvider",
    query,
  );
  return shapes.list(found).map(shapes.symbol);
}

async function documentSymbols(params: unknown): Promise<unknown> {
  const { textDocument } = params as Pick<PlaceParams, "textDocument">;
  const found = await commands.executeCommand<(SymbolInformation | DocumentSymbol)[] | undefined>(
    "vscode.executeDocumentSymbolProvider",
    Uri.parse(textDocument.uri),
  );
  return shapes.list(found).map(shapes.documentSymbol);
}

function locations(command: string): Answer {
  return async (params) => {
    const found = await at<(Location | LocationLink)[]>(command, params);
    return shapes.list(found).map(shapes.location);
  };
}

async function incomingCalls(params: unknown): Promise<unknown> {
  const calls = await follow<CallHierarchyIncomingCall>(
    "vscode.prepareCallHierarchy",
    "vscode.provideIncomingCalls",
    params,
  );
  return shapes.list(calls).map(shapes.incoming);
}

async function outgoingCalls(params: unknown): Promise<unknown> {
  const calls = await follow<CallHierarchyOutgoingCall>(
    "vscode.prepareCallHierarchy",
    "vscode.provideOutgoingCalls",
    params,
  );
  return shapes.list(calls).map(shapes.outgoing);
}

function types(command: string): Answer {
  return async (params) => {
    const found = await follow<TypeHierarchyItem>("vscode.prepareTypeHierarchy", command, params);
    return shapes.list(found).map(shapes.item);
  };
}

async function at<T>(command: string, params: unknown): Promise<T | undefined> {
  const { textDocument, position } = params as PlaceParams;
  return commands.executeCommand<T | undefined>(
    command,
    Uri.parse(textDocument.uri),
    new Position(position.line, position.character),
  );
}

/** Queries a call or type hierarchy in two steps: the items at a position, then each item's relatives. */
async function follow<Found>(prepare: string, command: string, params: unknown): Promise<Found[]> {
  const found: Found[] = [];
  for (const item of (await at<unknown[]>(prepare, params)) ?? []) {
    found.push(...((await commands.executeCommand<Found[] | undefined>(command, item)) ?? []));
  }
  return found;
}
