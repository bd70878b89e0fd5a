import { extensions, window, workspace } from "vscode";
import type { Disposable, Event, Uri } from "vscode";

/** The part of the Python extension's API that is used here. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: Uri): { path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ executable: { uri?: Uri; sysPrefix?: string } } | undefined>;
    onDidChangeActiveEnvironmentPath: Event<unknown>;
  };
}

const PYTHON_EXTENSION = "ms-python.python";

/** Calls `run` when the user selects another interpreter. Undefined while the Python extension is inactive. */
export function onDidSelectInterpreter(run: () => void): Disposable | undefined {
  const extension = extensions.getExtension<PythonApi | undefined>(PYTHON_EXTENSION);
  if (extension?.isActive !== true) return undefined;
  return extension.exports?.environments.onDidChangeActiveEnvironmentPath(run);
}

/** The interpreter selected in the Python extension; undefined without that extension. */
export async function selectedInterpreter(): Promise<string | undefined> {
  const extension = extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
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
