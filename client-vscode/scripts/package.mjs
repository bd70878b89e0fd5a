// Builds everything and packs it into sightline-VERSION.vsix. --keep-wheel reuses an existing wheel.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";

// Catches files packed by accident, such as modules that the bundle should have left out. Two thirds of the
// current size is the server's wheel, a fifth the README's pictures; the limit leaves room to grow by half.
const LIMIT_BYTES = 1.5 * 1024 * 1024;
const run = (...command) => execFileSync(process.execPath, command, { stdio: "inherit" });

const haveWheel =
  existsSync("server") && readdirSync("server").some((name) => name.endsWith(".whl"));
if (!process.argv.includes("--keep-wheel") || !haveWheel) run("scripts/wheel.mjs");
run("scripts/build.mjs");
const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
const file = `${name}-${version}.vsix`;
// The project has no public URL yet, so the manifest names no repository and the README's links stay relative.
run(
  "node_modules/@vscode/vsce/vsce",
  "package",
  "--no-dependencies",
  "--allow-missing-repository",
  "--no-rewrite-relative-links",
  "--out",
  file,
);
const size = statSync(file).size;
console.log(`${file}: ${(size / 1024).toFixed(0)} KiB`);
if (size > LIMIT_BYTES) {
  console.error(`${file} is larger than ${LIMIT_BYTES / 1024} KiB.`);
  process.exit(1);
}
