import { commands, EventEmitter, Uri } from "vscode";
import type { ExtensionContext } from "vscode";

/** An environment's path in the format that the Python extension's API returns and accepts. */
interface EnvironmentPath {
  id: string;
  path: string;
}

const COMMAND = "sightline-test.selectInterpreter";

/** A stand-in for the Python extension's `environments` API. The tests choose the selected interpreter. */
export function activate(context: ExtensionContext): unknown {
  const changed = new EventEmitter<EnvironmentPath>();
  let selected = process.env.E2E_INTERPRETER ?? "";
  context.subscriptions.push(
    changed,
    commands.registerCommand(COMMAND, (path: string) => {
      selected = path;
      changed.fire({ id: path, path });
    }),
  );
  return {
    environments: {
      getActiveEnvironmentPath: (): EnvironmentPath => ({ id: selected, path: selected }),
      resolveEnvironment: ({ path }: EnvironmentPath) =>
        Promise.resolve(path === "" ? undefined : { executable: { uri: Uri.file(path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
}
