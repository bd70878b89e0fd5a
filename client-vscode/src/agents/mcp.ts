import { Disposable, EventEmitter, lm, McpStdioServerDefinition, Uri, workspace } from "vscode";
import type { ServerCommand } from "../server/command";
import { setting } from "../server/settings";

const PROVIDER = "sightline.mcp";

/**
 * Offers `sightline mcp` to the editor's agents, if the user wants that beside the tool. It runs in
 * `directory`, one of ours: nothing of the workspace is found from there.
 */
export function registerMcp(
  find: () => Promise<ServerCommand>,
  environment: () => Promise<Record<string, string>>,
  directory: string,
): Disposable[] {
  const changed = new EventEmitter<void>();
  return [
    Disposable.from(changed),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("sightline.mcp.enabled")) changed.fire();
    }),
    lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => {
        const folder = workspace.workspaceFolders?.[0];
        if (folder === undefined || !setting<boolean>("mcp.enabled", false)) return [];
        const { command, args, version } = await find();
        const definition = new McpStdioServerDefinition(
          "Sightline",
          command,
          [...args, "mcp", ...workspaceArguments()],
          {},
          version,
        );
        definition.cwd = Uri.file(directory);
        return [definition];
      },
      resolveMcpServerDefinition: async (definition) => {
        if ("env" in definition) {
          definition.env = { ...(await environment()), PYTHONSAFEPATH: "1" };
        }
        return definition;
      },
    }),
  ];
}

function workspaceArguments(): string[] {
  return (workspace.workspaceFolders ?? []).flatMap(({ uri }) => ["--workspace", uri.fsPath]);
}
