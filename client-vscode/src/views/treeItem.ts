import {
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  workspace,
} from "vscode";
import type { Node } from "./node";

/** Converts a row to the editor's `TreeItem`. */
export function treeItem(node: Node, openCommand: string): TreeItem {
  const state =
    node.children.length === 0
      ? TreeItemCollapsibleState.None
      : node.expanded === true
        ? TreeItemCollapsibleState.Expanded
        : TreeItemCollapsibleState.Collapsed;
  const item = new TreeItem(node.label, state);
  item.id = node.id;
  item.contextValue = node.context;
  item.accessibilityInformation = { label: node.spoken };
  if (node.description !== undefined) item.description = node.description;
  if (node.tooltip !== undefined) item.tooltip = tooltip(node.tooltip, node);
  if (node.icon !== undefined) {
    item.iconPath = new ThemeIcon(
      node.icon,
      node.colour === undefined ? undefined : new ThemeColor(node.colour),
    );
  }
  if (node.place !== undefined || node.gone !== undefined) {
    item.command = { title: "Open", command: openCommand, arguments: [node] };
  } else if (node.command !== undefined) {
    item.command = { title: node.label, command: node.command };
  }
  return item;
}

/** The full text, with the code as a code block: a narrow view cuts off both. */
function tooltip(text: string, { code, place }: Node): string | MarkdownString {
  if (code === undefined) return text;
  const uri = place?.location.uri;
  const document = workspace.textDocuments.find((each) => each.uri.toString() === uri);
  return new MarkdownString()
    .appendText(text)
    .appendMarkdown("\n\n")
    .appendCodeblock(code, document?.languageId);
}
