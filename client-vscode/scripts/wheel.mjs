// Builds the server's wheel from this repository into server/, from where it is packed into the .vsix.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";

const python = process.env.PYTHON ?? (process.platform === "win32" ? "python" : "python3");
rmSync("server", { recursive: true, force: true });
mkdirSync("server");
execFileSync(
  python,
  ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "server", ".."],
  { stdio: "inherit" },
);
console.log(readdirSync("server").join("\n"));
