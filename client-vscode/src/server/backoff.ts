/** Decides when to restart a server that ended: after growing pauses, and a limited number of times. */
export class Backoff {
  private endTimes: number[] = [];

  constructor(
    private readonly attempts = 5,
    private readonly windowMs = 5 * 60_000,
    private readonly firstMs = 500,
    private readonly longestMs = 15_000,
  ) {}

  /** The pause before the next start in milliseconds; undefined to give up. */
  next(now: number): number | undefined {
    this.endTimes = [...this.endTimes.filter((time) => now - time < this.windowMs), now];
    if (this.endTimes.length > this.attempts) return undefined;
    return Math.min(this.longestMs, this.firstMs * 2 ** (this.endTimes.length - 1));
  }

  /** Forgets earlier failures, because the user asked for a start. */
  reset(): void {
    this.endTimes = [];
  }
}
