import {
  commands,
  ConfigurationTarget,
  extensions,
  languages,
  lm,
  LanguageModelTextPart,
  NotebookCellData,
  NotebookCellKind,
  NotebookData,
  Range,
  Selection,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
} from "vscode";
import type { FakeModel } from "./model";

type Operation = (argument: never) => unknown;

/** What the tests can query and do inside the editor that its user interface does not offer or show. */
export function operations(
  model: FakeModel,
): Record<string, ((argument: unknown) => unknown) | undefined> {
  const all: Record<string, Operation> = {
    command: ({ id, args }: { id: string; args?: unknown[] }) =>
      commands.executeCommand(id, ...(args ?? [])),
    editor,
    cursor: ({ path, text }: { path: string; text: string }) => select(path, text, false),
    select: ({ path, text }: { path: string; text: string }) => select(path, text, true),
    replace,
    configure: ({ name, value }: { name: string; value: unknown }) =>
      workspace.getConfiguration().update(name, value, ConfigurationTarget.Global),
    symbols: ({ query }: { query: string }) =>
      commands.executeCommand<unknown[]>("vscode.executeWorkspaceSymbolProvider", query),
    tools: () => lm.tools.map(({ name }) => name),
    invokeTool,
    model: () => ({ turns: model.turns, cancelled: model.cancelled, prompts: model.prompts }),
    holdModel: (held: boolean) => {
      model.setHeld(held);
    },
    notebook,
    activation: () => extensions.getExtension("sightline.sightline")?.isActive,
    trusted: () => workspace.isTrusted,
    diagnostics: () => languages.getDiagnostics().length,
  };
  return all as Record<string, ((argument: unknown) => unknown) | undefined>;
}

function uriOf(path: string): Uri {
  const folder = workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error("No folder is open.");
  return Uri.joinPath(folder.uri, path);
}

function editor(): unknown {
  const activeEditor = window.activeTextEditor;
  if (activeEditor === undefined) return null;
  const { document, selection, visibleRanges } = activeEditor;
  return {
    path: workspace.asRelativePath(document.uri, false),
    scheme: document.uri.scheme,
    language: document.languageId,
    line: selection.active.line + 1,
    lineText: document.lineAt(selection.active.line).text,
    visible: visibleRanges.map(({ start, end }) => ({ start: start.line + 1, end: end.line + 1 })),
    dirty: document.isDirty,
    text: document.getText(),
  };
}

/** Opens a file with the cursor at the first occurrence of a text, or with that text selected. */
async function select(path: string, text: string, selectText: boolean): Promise<void> {
  const document = await workspace.openTextDocument(uriOf(path));
  const start = Math.max(0, document.getText().indexOf(text));
  const end = selectText ? start + text.length : start;
  const selection = new Selection(document.positionAt(end), document.positionAt(start));
  await window.showTextDocument(document, { selection, preview: false });
}

async function replace({
  path,
  from,
  to,
}: {
  path: string;
  from: string;
  to: string;
}): Promise<boolean> {
  const document = await workspace.openTextDocument(uriOf(path));
  const start = document.getText().indexOf(from);
  if (start < 0) throw new Error(`${path} does not contain ${from}`);
  const edit = new WorkspaceEdit();
  const range = new Range(document.positionAt(start), document.positionAt(start + from.length));
  edit.replace(document.uri, range, to);
  return workspace.applyEdit(edit);
}

async function invokeTool({ name, input }: { name: string; input: object }): Promise<string> {
  const result = await lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return result.content
    .map((part) => (part instanceof LanguageModelTextPart ? part.value : ""))
    .join("\n");
}

/** Opens a new notebook with one Python cell and returns its URI. */
async function notebook({ text }: { text: string }): Promise<string> {
  const cell = new NotebookCellData(NotebookCellKind.Code, text, "python");
  const document = await workspace.openNotebookDocument(
    "jupyter-notebook",
    new NotebookData([cell]),
  );
  await window.showNotebookDocument(document);
  return document.uri.toString();
}
