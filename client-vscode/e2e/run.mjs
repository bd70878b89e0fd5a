// Runs the end-to-end tests: bundles them, installs the packaged extension once, and runs them one after another.
// Needs E2E_NODE, E2E_CODE_SERVER and E2E_BROWSER (`. DIR/env` after `e2e/install.sh DIR`), E2E_SERVER (the program
// `sightline`) and E2E_PYTHON_SERVER (a Python language server's command line). Builds a .vsix unless E2E_VSIX names one.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const OUT = "out/e2e";
const chosen = process.argv.slice(2);
const run = (program, args, options = {}) =>
  execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"], ...options });

function requiredVariable(name) {
  const value = process.env[name];
  if (!value) {
    console.error(
      `${name} is not set. Run \`e2e/install.sh DIR\` and \`. DIR/env\`; e2e/run.mjs says the rest.`,
    );
    process.exit(2);
  }
  return value;
}

async function bundle(entryPoints, outdir, external) {
  await build({
    ...{
      entryPoints,
      outdir,
      external,
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node22",
    },
    ...{ mainFields: ["module", "main"], sourcemap: "inline", logLevel: "warning" },
  });
}

/** Packs one of the tests' own extensions as a .vsix. */
async function packTestExtension(name) {
  await bundle([`e2e/${name}/extension.ts`], `${OUT}/${name}`, ["vscode"]);
  cpSync(`e2e/${name}/package.json`, `${OUT}/${name}/package.json`);
  const file = resolve(OUT, `${name}.vsix`);
  const vsce = resolve("node_modules/@vscode/vsce/vsce");
  const flags = [
    "--no-dependencies",
    "--allow-missing-repository",
    "--skip-license",
    "--no-rewrite-relative-links",
    "--out",
    file,
  ];
  run(process.execPath, [vsce, "package", ...flags], { cwd: `${OUT}/${name}` });
  return file;
}

function extension() {
  if (process.env.E2E_VSIX) return process.env.E2E_VSIX;
  run(process.execPath, ["scripts/package.mjs", "--keep-wheel"]);
  const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
  return `${name}-${version}.vsix`;
}

const [node, codeServer] = [
  "E2E_NODE",
  "E2E_CODE_SERVER",
  "E2E_BROWSER",
  "E2E_SERVER",
  "E2E_PYTHON_SERVER",
].map(requiredVariable);
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const tests = readdirSync("e2e").filter((name) => name.endsWith(".e2e.ts"));
const selected = tests.filter(
  (name) => chosen.length === 0 || chosen.some((each) => name.startsWith(each)),
);
await bundle(
  selected.map((name) => `e2e/${name}`),
  OUT,
  ["playwright-core"],
);
const base = mkdtempSync(join(tmpdir(), "sightline-e2e-"));
let status;
try {
  const extensions = join(base, "extensions");
  const files = [
    await packTestExtension("probe"),
    await packTestExtension("python-extension"),
    extension(),
  ];
  const install = files.flatMap((file) => ["--install-extension", file]);
  const where = ["--extensions-dir", extensions, "--user-data-dir", join(base, "user")];
  run(node, [codeServer, ...where, ...install, "--force"]);
  const env = {
    ...process.env,
    E2E_EXTENSIONS: extensions,
    E2E_PICTURES: resolve(process.env.E2E_PICTURES ?? `${OUT}/pictures`),
    E2E_SAMPLES: resolve("../samples"),
  };
  const bundles = selected.map((name) => join(OUT, name.replace(/\.ts$/, ".js")));
  const flags = ["--enable-source-maps", "--test", "--test-concurrency=1", "--test-reporter=spec"];
  const failing = (some) =>
    some.filter(
      (file) =>
        spawnSync(process.execPath, [...flags, file], { stdio: "inherit", env }).status !== 0,
    );
  // A failure that does not recur is blamed on the machine's load. Files with failures are rerun as a whole.
  const failedOnce = failing(bundles);
  if (failedOnce.length > 0) console.log(`Once more: ${failedOnce.join(", ")}`);
  const failed = failing(failedOnce);
  if (failed.length > 0) console.error(`Failed twice: ${failed.join(", ")}`);
  status = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(base, { recursive: true, force: true });
}
process.exit(status);
