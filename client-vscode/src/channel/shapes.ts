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

const MAX_ITEMS = 500;

export function list<T>(items: readonly T[] | undefined | null): readonly T[] {
  return (items ?? []).slice(0, MAX_ITEMS);
}

export function range({ start, end }: Range) {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}

export function location(target: Location | LocationLink) {
  return "targetUri" in target
    ? {
        targetUri: target.targetUri.toString(),
        targetRange: range(target.targetRange),
        targetSelectionRange: range(target.targetSelectionRange ?? target.targetRange),
      }
    : { uri: target.uri.toString(), range: range(target.range) };
}

export function symbol(information: SymbolInformation) {
  return {
    name: information.name,
    kind: information.kind + 1,
    containerName: information.containerName,
    location: location(information.location),
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

export function documentSymbol(information: SymbolInformation | DocumentSymbol): PlainSymbol {
  return "selectionRange" in information ? tree(information) : symbol(information);
}

function tree(information: DocumentSymbol): PlainDocumentSymbol {
  return {
    name: information.name,
    detail: information.detail,
    kind: information.kind + 1,
    range: range(information.range),
    selectionRange: range(information.selectionRange),
    children: list(information.children).map(tree),
  };
}

export function item(hierarchyItem: CallHierarchyItem | TypeHierarchyItem) {
  return {
    name: hierarchyItem.name,
    kind: hierarchyItem.kind + 1,
    uri: hierarchyItem.uri.toString(),
    range: range(hierarchyItem.range),
    selectionRange: range(hierarchyItem.selectionRange),
  };
}

export function incoming(call: CallHierarchyIncomingCall) {
  return { from: item(call.from), fromRanges: list(call.fromRanges).map(range) };
}

export function outgoing(call: CallHierarchyOutgoingCall) {
  return { to: item(call.to), fromRanges: list(call.fromRanges).map(range) };
}
