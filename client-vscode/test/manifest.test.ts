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

const read = (file: string): string => readFileSync(file, "utf8");
const json = (file: string): unknown => JSON.parse(read(file));

const manifest = json("package.json") as Manifest;
const { contributes } = manifest;
const settings = Object.assign(
  {},
  ...contributes.configuration.map((group) => group.properties),
) as Record<string, Setting>;
const server = (
  json("../docs/schema/settings.json") as {
    properties: Record<string, { default?: unknown; workspace_may_set: unknown }>;
  }
).properties;
const source = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => read(join("src", name)))
  .join("\n");

describe("the manifest", () => {
  it("declares every setting of the server, with its default", () => {
    for (const [name, { default: value }] of Object.entries(server)) {
      assert.deepEqual(settings[`sightline.${name}`]?.default, value, name);
    }
  });

  it("lets no untrusted workspace set what it may not set for the server", () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    for (const [name, { workspace_may_set: open }] of Object.entries(server)) {
      if (open === true || settings[`sightline.${name}`]?.scope === "machine") continue;
      assert.ok(restrictedConfigurations.includes(`sightline.${name}`), name);
    }
    assert.deepEqual(
      restrictedConfigurations.filter((name) => !(name in settings)),
      [],
    );
  });

  it("lets no workspace at all redirect a model or name a program", () => {
    for (const name of ["baseUrl", "languageServers", "server.command", "server.python"]) {
      assert.equal(settings[`sightline.${name}`]?.scope, "machine", name);
    }
  });

  it("documents and scopes every setting", () => {
    for (const [name, { scope, markdownDescription }] of Object.entries(settings)) {
      assert.ok(scope !== undefined && (markdownDescription ?? "").length > 20, name);
    }
  });

  it("names its commands in sightline.ui, apart from the server's", () => {
    for (const { command } of contributes.commands) assert.match(command, /^sightline\.ui\.\w+$/);
  });

  it("registers every command it declares, and names only those in menus, keys and links", () => {
    const declared = new Set(contributes.commands.map(({ command }) => command));
    for (const command of declared) {
      const name = command.slice("sightline.ui.".length);
      assert.ok(source.includes(`"${name}"`) || source.includes(`"${command}"`), command);
    }
    const views = Object.values(contributes.views).flat();
    const theirs = new Set(views.map(({ id }) => `${id}.focus`)); // registered by the editor
    const used = [
      ...Object.values(contributes.menus).flatMap((menu) =>
        menu.flatMap(({ command }) => command ?? []),
      ),
      ...contributes.keybindings.map(({ command }) => command),
      ...linked(JSON.stringify([contributes.viewsWelcome, contributes.walkthroughs])),
    ];
    assert.deepEqual(
      used.filter(
        (command) =>
          !declared.has(command) && !theirs.has(command) && !/^(vscode|workbench)\./.test(command),
      ),
      [],
    );
  });

  it("wakes the extension only when it is needed", () => {
    assert.deepEqual(manifest.activationEvents, []);
  });

  it("uses only icons that the editor has", () => {
    const icons = json("node_modules/@vscode/codicons/src/template/mapping.json") as object;
    const known = new Set(Object.values(icons).flat().map(String));
    const named = [
      ...JSON.stringify(manifest).matchAll(/\$\(([\w-]+)\)/g),
      ...source.matchAll(/\$\(([\w-]+)\)/g),
      ...source.matchAll(/icon: "([\w-]+)/g),
      ...source.matchAll(/new ThemeIcon\("([\w-]+)/g),
    ].map(([, icon]) => icon ?? "");
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((icon) => !known.has(icon)),
      [],
    );
  });

  it("carries the pictures of its walkthrough", () => {
    for (const { media } of contributes.walkthroughs[0]?.steps ?? []) {
      assert.match(read(media.svg), /<svg[\s\S]*<(path|rect|text)/);
    }
  });

  it("fits the server of this repository", () => {
    const version = /__version__ = "(.*)"/.exec(read("../explorer_core/__init__.py"))?.[1] ?? "";
    assert.equal(checkVersion(version), "fits");
    assert.equal(
      checkVersion(manifest.version),
      "fits",
      `${OLDEST_SUPPORTED} to ${FIRST_UNSUPPORTED}`,
    );
  });

  it("keeps its lock file free of addresses", () => {
    assert.doesNotMatch(read("package-lock.json"), /"resolved"/);
  });

  it("sends the server no setting of its own", () => {
    const own = declaredSettings(manifest).filter((name) => !(name in server));
    const text = read("src/server/settings.ts");
    assert.deepEqual(
      own.filter((name) => !text.includes(`"${name}"`)),
      [],
    );
  });
});

function linked(text: string): string[] {
  return [...text.matchAll(/command:([\w.]+)/g)].map(([, command]) => command ?? "");
}
