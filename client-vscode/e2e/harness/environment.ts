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

export function environment(): Environment {
  return {
    node: file("E2E_NODE"),
    codeServer: file("E2E_CODE_SERVER"),
    browser: file("E2E_BROWSER"),
    server: file("E2E_SERVER"),
    pythonServer: named("E2E_PYTHON_SERVER").split(" "),
    extensions: file("E2E_EXTENSIONS"),
    pictures: named("E2E_PICTURES"),
    samples: resolve(named("E2E_SAMPLES")),
  };
}

function named(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set; e2e/install.sh and e2e/run.mjs say what the tests need.`);
  }
  return value;
}

function file(name: string): string {
  const value = named(name);
  if (!existsSync(value)) throw new Error(`${name} names ${value}, which does not exist.`);
  return value;
}

export function temporary(name: string): string {
  return mkdtempSync(join(tmpdir(), `sightline-e2e-${name}-`));
}
