import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  DocumentSymbol,
  Location,
  LocationLink,
  Range,
  SymbolInformation,
  TypeHierarchyItem,
} from "vscode";

/** Converts the editor's objects to LSP's wire format. The editor's symbol kinds start at 0, LSP's at 1. */

const MOST = 500;

export function list<T>(found: readonly T[] | undefined | null): readonly T[] {
  return (found ?? []).slice(0, MOST);
}

export function range({ start, end }: Range) {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}

export function location(found: Location | LocationLink) {
  return "targetUri" in found
    ? {
        targetUri: found.targetUri.toString(),
        targetRange: range(found.targetRange),
        targetSelectionRange: range(found.targetSelectionRange ?? found.targetRange),
      }
    : { uri: found.uri.toString(), range: range(found.range) };
}

export function symbol(found: SymbolInformation) {
  return {
    name: found.name,
    kind: found.kind + 1,
    containerName: found.containerName,
    location: location(found.location),
  };
}

type PlainSymbol = ReturnType<typeof symbol> | PlainDocumentSymbol;

interface PlainDocumentSymbol {
  name: string;
  detail: string;
  kind: number;
  range: ReturnType<typeof range>;
  selectionRange: ReturnType<typeof range>;
  children: PlainDocumentSymbol[];
}

export function documentSymbol(found: SymbolInformation | DocumentSymbol): PlainSymbol {
  return "selectionRange" in found ? tree(found) : symbol(found);
}

function tree(found: DocumentSymbol): PlainDocumentSymbol {
  return {
    name: found.name,
    detail: found.detail,
    kind: found.kind + 1,
    range: range(found.range),
    selectionRange: range(found.selectionRange),
    children: list(found.children).map(tree),
  };
}

export function item(found: CallHierarchyItem | TypeHierarchyItem) {
  return {
    name: found.name,
    kind: found.kind + 1,
    uri: found.uri.toString(),
    range: range(found.range),
    selectionRange: range(found.selectionRange),
  };
}

export function incoming(call: CallHierarchyIncomingCall) {
  return { from: item(call.from), fromRanges: list(call.fromRanges).map(range) };
}

export function outgoing(call: CallHierarchyOutgoingCall) {
  return { to: item(call.to), fromRanges: list(call.fromRanges).map(range) };
}
