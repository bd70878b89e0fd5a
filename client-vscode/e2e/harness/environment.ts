import { mkdtempSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The location of everything the tests run. A missing piece is an error, never a skipped test. */
export interface Environment {
  node: string;
  codeServer: string;
  browser: string;
  /** The program `sightline` from an environment with this repository installed. */
  server: string;
  /** Command line of a language server for Python. */
  pythonServer: string[];
  /** Extensions, installed once for all tests. */
  extensions: string;
  pictures: string;
  samples: string;
}

export function readEnvironment(): Environment {
  return {
    node: requiredFile("E2E_NODE"),
    codeServer: requiredFile("E2E_CODE_SERVER"),
    browser: requiredFile("E2E_BROWSER"),
    server: requiredFile("E2E_SERVER"),
    pythonServer: requiredVariable("E2E_PYTHON_SERVER").split(" "),
    extensions: requiredFile("E2E_EXTENSIONS"),
    pictures: requiredVariable("E2E_PICTURES"),
    samples: resolve(requiredVariable("E2E_SAMPLES")),
  };
}

function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set; e2e/install.sh and e2e/run.mjs say what the tests need.`);
  }
  return value;
}

function requiredFile(name: string): string {
  const value = requiredVariable(name);
  if (!existsSync(value)) throw new Error(`${name} names ${value}, which does not exist.`);
  return value;
}

export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `sightline-e2e-${name}-`));
}
