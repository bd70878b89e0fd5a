// Bundles the extension and its flow-map webview into dist/. With --watch, rebuilds after every change.
import { context } from "esbuild";

const watch = process.argv.includes("--watch");
const common = {
  bundle: true,
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  logLevel: "info",
};
const bundles = await Promise.all([
  context({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["vscode"],
    mainFields: ["module", "main"],
    keepNames: true,
  }),
  context({
    ...common,
    entryPoints: ["src/flowmap/webview/main.ts"],
    outfile: "dist/flowmap.js",
    platform: "browser",
    format: "iife",
    target: "es2022",
  }),
]);
for (const bundle of bundles) {
  if (watch) {
    await bundle.watch();
  } else {
    await bundle.rebuild();
    await bundle.dispose();
  }
}
