import { Disposable, EventEmitter, lm, McpStdioServerDefinition, Uri, workspace } from "vscode";
import type { ServerCommand } from "../server/command";
import type { Server } from "../server/server";
import { setting } from "../server/settings";

const PROVIDER = "sightline.mcp";
/** A change to one of these settings changes the offered definitions. */
const SETTINGS = ["sightline.mcp.enabled", "sightline.server.command"];

/**
 * Offers `sightline mcp` to the editor's agents, in addition to the built-in tool, if the user enabled it.
 * It runs in `directory`, a folder of the extension, so that it picks up nothing from the workspace.
 */
export function registerMcp(
  find: () => Promise<ServerCommand>,
  environment: () => Promise<Record<string, string>>,
  directory: string,
  server: Pick<Server, "onDidChange">,
): Disposable[] {
  const changed = new EventEmitter<void>();
  const announce = (): void => {
    changed.fire();
  };
  return [
    Disposable.from(changed),
    workspace.onDidChangeConfiguration((event) => {
      if (SETTINGS.some((name) => event.affectsConfiguration(name))) announce();
    }),
    workspace.onDidChangeWorkspaceFolders(announce),
    workspace.onDidGrantWorkspaceTrust(announce),
    // The server may now be a different program: a private one was set up, or another interpreter selected.
    server.onDidChange((state) => {
      if (state === "running") announce();
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
