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
    let out = "";
    let all = "";
    let why = "";
    const end = (reason: string): void => {
      why = reason;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => {
      end(`${command} did not finish within ${Math.round(options.timeoutMs / 1000)} s.`);
    }, options.timeoutMs);
    const cancelling = options.token?.onCancellationRequested(() => {
      end("It was cancelled.");
    });
    const told = lines(options.onLine);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      all += text;
      told(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      all += text;
      told(text);
    });
    const settle = (error: string | undefined): void => {
      clearTimeout(timer);
      cancelling?.dispose();
      if (error === undefined) resolve(out);
      else reject(new RunError(error, all));
    };
    child.on("error", (error) => {
      settle(`${command} could not be started: ${error.message}.`);
    });
    child.on("close", (code) => {
      if (why !== "") settle(why);
      else settle(code === 0 ? undefined : `${command} exited with code ${code ?? "none"}.`);
    });
  });
}

function lines(onLine: ((line: string) => void) | undefined): (text: string) => void {
  let rest = "";
  return (text) => {
    const parts = (rest + text).split(/\r?\n/);
    rest = parts.pop() ?? "";
    for (const part of parts) onLine?.(part);
  };
}
