import { Uri, workspace } from "vscode";
import type { Request } from "../reports/store";

/** The workspace-relative path of a file or folder; for a workspace folder itself, its name. */
export function displayPath(uri: Uri): string {
  const folder = workspace.getWorkspaceFolder(uri);
  return folder?.uri.toString() === uri.toString() ? folder.name : workspace.asRelativePath(uri);
}

/** The files and folders a question was limited to, as the editor names them. Empty if it was not limited. */
export function scopeOf(request: Request | undefined): string {
  const scope = request?.argument.scope ?? [];
  const entries: unknown[] = Array.isArray(scope) ? scope : [scope];
  return entries
    .map(String)
    .map((each) =>
      each.replace(/(?<=^!?)[a-z][a-z0-9+.-]+:\/\/.*/is, (uri) => displayPath(Uri.parse(uri))),
    )
    .join(", ");
}
