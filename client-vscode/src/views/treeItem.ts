import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from "vscode";
import type { Node } from "./node";

/** A row as the editor draws it. */
export function treeItem(node: Node, openCommand: string): TreeItem {
  const state =
    node.children.length === 0
      ? TreeItemCollapsibleState.None
      : node.unfolded === true
        ? TreeItemCollapsibleState.Expanded
        : TreeItemCollapsibleState.Collapsed;
  const item = new TreeItem(node.label, state);
  item.id = node.id;
  item.contextValue = node.context;
  item.accessibilityInformation = { label: node.spoken };
  if (node.description !== undefined) item.description = node.description;
  if (node.tooltip !== undefined) item.tooltip = node.tooltip;
  if (node.icon !== undefined) {
    item.iconPath = new ThemeIcon(
      node.icon,
      node.colour === undefined ? undefined : new ThemeColor(node.colour),
    );
  }
  if (node.place !== undefined) {
    item.command = { title: "Open", command: openCommand, arguments: [node] };
  }
  return item;
}
