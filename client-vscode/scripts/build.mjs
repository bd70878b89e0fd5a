// Bundles the extension into dist/extension.js; with --watch again after every change.
import { context } from "esbuild";

const watch = process.argv.includes("--watch");
const bundle = await context({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22",
  external: ["vscode"],
  mainFields: ["module", "main"],
  minify: !watch,
  keepNames: true,
  sourcemap: watch ? "inline" : false,
  logLevel: "info",
});
if (watch) {
  await bundle.watch();
} else {
  await bundle.rebuild();
  await bundle.dispose();
}
