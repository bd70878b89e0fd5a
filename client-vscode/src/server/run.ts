import { spawn } from "node:child_process";
import type { CancellationToken } from "vscode";

interface RunOptions {
  cwd: string;
  timeoutMs: number;
  env?: NodeJS.ProcessEnv;
  token?: CancellationToken;
  /** Called with every line of standard output and standard error. */
  onLine?: (line: string) => void;
}

/** A program could not be started, was killed, or failed. The message is one sentence. */
export class RunError extends Error {
  constructor(
    message: string,
    readonly output: string,
  ) {
    super(message);
  }
}

/** Runs a program and returns its standard output. Rejects with `RunError`. */
export function run(command: string, args: string[], options: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, PYTHONSAFEPATH: "1", ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let stdout = "";
    let output = "";
    let killReason = "";
    const kill = (reason: string): void => {
      killReason = reason;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => {
      kill(`${command} did not finish within ${Math.round(options.timeoutMs / 1000)} s.`);
    }, options.timeoutMs);
    const subscription = options.token?.onCancellationRequested(() => {
      kill("It was cancelled.");
    });
    const feedLines = lineSplitter(options.onLine);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      output += text;
      feedLines(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      feedLines(text);
    });
    const settle = (error: string | undefined): void => {
      clearTimeout(timer);
      subscription?.dispose();
      if (error === undefined) resolve(stdout);
      else reject(new RunError(error, output));
    };
    child.on("error", (error) => {
      settle(`${command} could not be started: ${error.message}.`);
    });
    child.on("close", (code) => {
      if (killReason !== "") settle(killReason);
      else settle(code === 0 ? undefined : `${command} exited with code ${code ?? "none"}.`);
    });
  });
}

function lineSplitter(onLine: ((line: string) => void) | undefined): (text: string) => void {
  let rest = "";
  return (text) => {
    const parts = (rest + text).split(/\r?\n/);
    rest = parts.pop() ?? "";
    for (const part of parts) onLine?.(part);
  };
}
