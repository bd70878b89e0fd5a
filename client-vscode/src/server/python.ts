import { extensions, window, workspace } from "vscode";
import type { Uri } from "vscode";

/** The part of the Python extension's interface that is used here. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: Uri): { path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ executable: { uri?: Uri; sysPrefix?: string } } | undefined>;
  };
}

/** The interpreter selected in the Python extension; undefined without that extension. */
export async function selectedInterpreter(): Promise<string | undefined> {
  const extension = extensions.getExtension<PythonApi>("ms-python.python");
  if (extension === undefined) return undefined;
  try {
    const { environments } = await extension.activate();
    const resource = window.activeTextEditor?.document.uri ?? workspace.workspaceFolders?.[0]?.uri;
    const active = environments.getActiveEnvironmentPath(resource);
    const resolved = await environments.resolveEnvironment(active);
    return resolved?.executable.uri?.fsPath;
  } catch {
    return undefined;
  }
}
