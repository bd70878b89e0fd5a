import { Disposable, EventEmitter, lm, McpStdioServerDefinition, Uri, workspace } from "vscode";
import type { ServerCommand } from "../server/command";
import type { Server } from "../server/server";
import { setting } from "../server/settings";

const PROVIDER = "sightline.mcp";
/** Settings that decide what is offered. */
const SETTINGS = ["sightline.mcp.enabled", "sightline.server.command"];

/**
 * Offers `sightline mcp` to the editor's agents, if the user wants that beside the tool. It runs in
 * `directory`, one of ours: nothing of the workspace is found from there.
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
    // Another program may have been found: one that was set up, or that of another interpreter.
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
