/** Decides when to restart a server that ended: after growing pauses, and a limited number of times. */
export class Backoff {
  private ends: number[] = [];

  constructor(
    private readonly attempts = 5,
    private readonly windowMs = 5 * 60_000,
    private readonly firstMs = 500,
    private readonly longestMs = 15_000,
  ) {}

  /** The pause before the next start in milliseconds; undefined to give up. */
  next(now: number): number | undefined {
    this.ends = [...this.ends.filter((at) => now - at < this.windowMs), now];
    if (this.ends.length > this.attempts) return undefined;
    return Math.min(this.longestMs, this.firstMs * 2 ** (this.ends.length - 1));
  }

  /** Forgets earlier failures, because the user asked for a start. */
  reset(): void {
    this.ends = [];
  }
}
