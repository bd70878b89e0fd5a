import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { declaredSettings } from "../src/server/settings";
import { OLDEST_SUPPORTED, FIRST_UNSUPPORTED, checkVersion } from "../src/server/version";

interface Command {
  command: string;
  title: string;
}
interface Setting {
  scope?: string;
  markdownDescription?: string;
  default?: unknown;
}
interface Manifest {
  version: string;
  activationEvents: string[];
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  contributes: {
    commands: Command[];
    menus: Record<string, { command?: string; when?: string }[]>;
    keybindings: { command: string; key: string; mac?: string }[];
    configuration: { properties: Record<string, Setting> }[];
    views: Record<string, { id: string }[]>;
    viewsWelcome: { contents: string }[];
    walkthroughs: { steps: { description: string; media: { svg: string } }[] }[];
    languageModelTools: { inputSchema: { properties: Record<string, { default?: unknown }> } }[];
  };
}

const readText = (file: string): string => readFileSync(file, "utf8");
const readJson = (file: string): unknown => JSON.parse(readText(file));

const manifest = readJson("package.json") as Manifest;
const { contributes } = manifest;
const settings = Object.assign(
  {},
  ...contributes.configuration.map((group) => group.properties),
) as Record<string, Setting>;
const serverSettings = (
  readJson("../docs/schema/settings.json") as {
    properties: Record<string, { default?: unknown; workspace_may_set: unknown }>;
  }
).properties;
const source = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readText(join("src", name)))
  .join("\n");

describe("the manifest", () => {
  it("declares every server setting with its default", () => {
    for (const [name, { default: value }] of Object.entries(serverSettings)) {
      assert.deepEqual(settings[`sightline.${name}`]?.default, value, name);
    }
  });

  it("restricts settings that an untrusted workspace may not set", () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    for (const [name, { workspace_may_set: workspaceMaySet }] of Object.entries(serverSettings)) {
      if (workspaceMaySet === true || settings[`sightline.${name}`]?.scope === "machine") continue;
      assert.ok(restrictedConfigurations.includes(`sightline.${name}`), name);
    }
    assert.deepEqual(
      restrictedConfigurations.filter((name) => !(name in settings)),
      [],
    );
  });

  it("gives settings that redirect a model or name a program machine scope", () => {
    for (const name of ["baseUrl", "languageServers", "server.command", "server.python"]) {
      assert.equal(settings[`sightline.${name}`]?.scope, "machine", name);
    }
  });

  it("documents and scopes every setting", () => {
    for (const [name, { scope, markdownDescription }] of Object.entries(settings)) {
      assert.ok(scope !== undefined && (markdownDescription ?? "").length > 20, name);
    }
  });

  it("keeps its commands under sightline.ui, separate from the server's", () => {
    for (const { command } of contributes.commands) assert.match(command, /^sightline\.ui\.\w+$/);
  });

  it("registers every declared command, and refers to no others", () => {
    const declared = new Set(contributes.commands.map(({ command }) => command));
    for (const command of declared) {
      const name = command.slice("sightline.ui.".length);
      assert.ok(source.includes(`"${name}"`) || source.includes(`"${command}"`), command);
    }
    const views = Object.values(contributes.views).flat();
    const focusCommands = new Set(views.map(({ id }) => `${id}.focus`)); // registered by the editor
    const referenced = [
      ...Object.values(contributes.menus).flatMap((menu) =>
        menu.flatMap(({ command }) => command ?? []),
      ),
      ...contributes.keybindings.map(({ command }) => command),
      ...linkedCommands(JSON.stringify([contributes.viewsWelcome, contributes.walkthroughs])),
    ];
    assert.deepEqual(
      referenced.filter(
        (command) =>
          !declared.has(command) &&
          !focusCommands.has(command) &&
          !/^(vscode|workbench)\./.test(command),
      ),
      [],
    );
  });

  it("declares no activation events", () => {
    assert.deepEqual(manifest.activationEvents, []);
  });

  it("uses only existing codicons", () => {
    const icons = readJson("node_modules/@vscode/codicons/src/template/mapping.json") as object;
    const knownIcons = new Set(Object.values(icons).flat().map(String));
    const usedIcons = [
      ...JSON.stringify(manifest).matchAll(/\$\(([\w-]+)\)/g),
      ...source.matchAll(/\$\(([\w-]+)\)/g),
      ...source.matchAll(/icon: "([\w-]+)/g),
      ...source.matchAll(/new ThemeIcon\("([\w-]+)/g),
    ].map(([, icon]) => icon ?? "");
    assert.ok(usedIcons.length > 20);
    assert.deepEqual(
      usedIcons.filter((icon) => !knownIcons.has(icon)),
      [],
    );
  });

  it("contains the pictures of its walkthrough", () => {
    for (const { media } of contributes.walkthroughs[0]?.steps ?? []) {
      assert.match(readText(media.svg), /<svg[\s\S]*<(path|rect|text)/);
    }
  });

  it("supports the server version of this repository", () => {
    const version =
      /__version__ = "(.*)"/.exec(readText("../explorer_core/__init__.py"))?.[1] ?? "";
    assert.equal(checkVersion(version), "fits");
    assert.equal(
      checkVersion(manifest.version),
      "fits",
      `${OLDEST_SUPPORTED} to ${FIRST_UNSUPPORTED}`,
    );
  });

  it("has no registry addresses in its lock file", () => {
    assert.doesNotMatch(readText("package-lock.json"), /"resolved"/);
  });

  it("lists every client-only setting as not sent to the server", () => {
    const clientOnly = declaredSettings(manifest).filter((name) => !(name in serverSettings));
    const text = readText("src/server/settings.ts");
    assert.deepEqual(
      clientOnly.filter((name) => !text.includes(`"${name}"`)),
      [],
    );
  });
});

function linkedCommands(text: string): string[] {
  return [...text.matchAll(/command:([\w.]+)/g)].map(([, command]) => command ?? "");
}
