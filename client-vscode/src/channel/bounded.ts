import type { CancellationToken } from "vscode";

/** Runs at most `limit` tasks concurrently; the others wait for their turn. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.free = limit;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}

/**
 * The task's result, or undefined after a timeout or cancellation. The editor's provider commands cannot
 * be stopped; a late result is discarded.
 */
export function withTimeout<T>(
  task: Thenable<T>,
  timeoutMs: number,
  token: CancellationToken,
): Promise<T | undefined> {
  if (token.isCancellationRequested) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const cleanUp = (): void => {
      clearTimeout(timer);
      subscription.dispose();
    };
    const giveUp = (): void => {
      cleanUp();
      resolve(undefined);
    };
    const timer = setTimeout(giveUp, timeoutMs);
    const subscription = token.onCancellationRequested(giveUp);
    task.then(
      (value) => {
        cleanUp();
        resolve(value);
      },
      (error: unknown) => {
        cleanUp();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
