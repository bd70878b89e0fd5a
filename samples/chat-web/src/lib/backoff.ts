/** Milliseconds to wait before attempt `n` (from 0): doubling, capped, with full jitter. */
export function backoff(n: number, base = 500, cap = 30_000, random: () => number = Math.random): number {
  return Math.round(random() * Math.min(cap, base * 2 ** n));
}
