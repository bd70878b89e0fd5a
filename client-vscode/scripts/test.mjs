// Bundles test/*.test.ts with a fake of the editor's API in place of `vscode`, then runs node's test runner.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("out/test", { recursive: true, force: true });
const entryPoints = readdirSync("test")
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `test/${name}`);
await build({
  entryPoints,
  outdir: "out/test",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22",
  alias: {
    vscode: "./test/vscode.ts",
    "vscode-languageclient/node": "./test/languageclient.ts",
  },
  mainFields: ["module", "main"],
  sourcemap: "inline",
  logLevel: "warning",
});
const files = entryPoints.map((name) => name.replace(/^test\/(.*)\.ts$/, "out/test/$1.js"));
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], {
  stdio: "inherit",
});
process.exit(status ?? 1);
