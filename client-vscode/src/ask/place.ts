import { languages, DiagnosticSeverity, window } from "vscode";
import type { TextEditor } from "vscode";
import type { Anchor } from "./question";

/** The code at the cursor or in the selection of the active editor. */
export interface CodeAtCursor {
  /** The selected text joined into one line, or the word at the cursor. */
  text: string;
  isSelection: boolean;
  /** Undefined outside files, such as in a notebook's cell. */
  anchor: Anchor | undefined;
  /** The first error or warning on the cursor's line. */
  problem: string | undefined;
}

const MAX_NAME_CHARS = 80;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$.:#-]*$/u;

export function codeAtCursor(
  editor: TextEditor | undefined = window.activeTextEditor,
): CodeAtCursor | undefined {
  if (editor === undefined) return undefined;
  const { document, selection } = editor;
  const word = document.getWordRangeAtPosition(selection.active);
  const range = selection.isEmpty ? word : selection;
  const text = range === undefined ? "" : oneLine(document.getText(range));
  const diagnostic = languages
    .getDiagnostics(document.uri)
    .filter((each) => each.severity <= DiagnosticSeverity.Warning)
    .find((each) => each.range.start.line === selection.active.line);
  const { line, character } = (range ?? selection).start;
  const anchor =
    document.uri.scheme === "file"
      ? { uri: document.uri.toString(), position: { line, character } }
      : undefined;
  return { text, isSelection: !selection.isEmpty, anchor, problem: diagnostic?.message };
}

export function isName(text: string): boolean {
  return text.length <= MAX_NAME_CHARS && NAME.test(text);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
