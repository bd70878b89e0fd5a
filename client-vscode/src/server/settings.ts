import { workspace } from "vscode";
import type { WorkspaceConfiguration } from "vscode";

export const SECTION = "sightline";

/** Settings that only the extension uses; they are never sent to the server. */
const CLIENT_ONLY = new Set([
  "server.command",
  "server.python",
  "server.debug",
  "trace.server",
  "flow.quotes",
  "history.size",
  "editorModel",
  "tools.enabled",
  "mcp.enabled",
]);

/** A setting's effective value. The editor already ignores what an untrusted workspace may not set. */
export function setting<T>(name: string, fallback: T): T {
  return workspace.getConfiguration(SECTION).get<T>(name) ?? fallback;
}

/**
 * The settings to send to the server: only explicitly set ones. A default, if sent, would override the
 * workspace's `.sightline.toml` and the user's `config.toml`.
 */
export function settingsForServer(
  names: Iterable<string>,
  configuration: Pick<WorkspaceConfiguration, "get" | "inspect"> = workspace.getConfiguration(
    SECTION,
  ),
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of names) {
    if (CLIENT_ONLY.has(name)) continue;
    const inspected = configuration.inspect(name);
    const value: unknown = configuration.get(name);
    const isSet = [
      inspected?.globalValue,
      inspected?.workspaceValue,
      inspected?.workspaceFolderValue,
      inspected?.globalLanguageValue,
    ].some((each) => each !== undefined);
    if (isSet && value !== null && value !== "") values[name] = value;
  }
  return values;
}

/** The names of the settings that an extension's manifest declares, without the section. */
export function declaredSettings(manifest: unknown): string[] {
  const groups = (manifest as { contributes?: { configuration?: unknown } }).contributes
    ?.configuration;
  if (!Array.isArray(groups)) return [];
  return (groups as { properties?: object }[])
    .flatMap((group) => Object.keys(group.properties ?? {}))
    .map((name) => name.slice(SECTION.length + 1));
}
