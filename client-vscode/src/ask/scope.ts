import { Uri, workspace } from "vscode";
import type { Request } from "../reports/store";

/** A file or folder as the editor names it, a folder of the workspace by its own name. */
export function nameOf(uri: Uri): string {
  const folder = workspace.getWorkspaceFolder(uri);
  return folder?.uri.toString() === uri.toString() ? folder.name : workspace.asRelativePath(uri);
}

/** What a question was limited to, in the editor's names; empty where it was about everything. */
export function scopeOf(request: Request | undefined): string {
  const scope = request?.argument.scope ?? [];
  const given: unknown[] = Array.isArray(scope) ? scope : [scope];
  return given
    .map(String)
    .map((each) =>
      each.replace(/(?<=^!?)[a-z][a-z0-9+.-]+:\/\/.*/is, (uri) => nameOf(Uri.parse(uri))),
    )
    .join(", ");
}
