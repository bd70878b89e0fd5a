const PAUSE_MS = 100;

/** Polls until a condition holds and returns the value. Rejects with the last value; errors count as "not yet". */
export async function until<T>(
  what: string,
  poll: () => Promise<T> | T,
  accept: (value: T) => boolean = Boolean,
  limitMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await poll();
      if (accept(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      const lastText =
        last instanceof Error ? last.message : (JSON.stringify(last) as string | undefined);
      throw new Error(
        `Waited ${limitMs / 1000} s for ${what}; last seen: ${(lastText ?? "nothing").slice(0, 2000)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
