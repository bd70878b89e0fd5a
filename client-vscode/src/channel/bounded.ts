import type { CancellationToken } from "vscode";

/** Runs at most `atOnce` tasks concurrently; the others wait for their turn. */
export class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.free = atOnce;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}

/**
 * The work's result, or undefined after a timeout or cancellation. The editor's provider commands cannot
 * be stopped; a late result is discarded.
 */
export function bounded<T>(
  work: Thenable<T>,
  ms: number,
  token: CancellationToken,
): Promise<T | undefined> {
  if (token.isCancellationRequested) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      listening.dispose();
    };
    const giveUp = (): void => {
      end();
      resolve(undefined);
    };
    const timer = setTimeout(giveUp, ms);
    const listening = token.onCancellationRequested(giveUp);
    work.then(
      (value) => {
        end();
        resolve(value);
      },
      (error: unknown) => {
        end();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
