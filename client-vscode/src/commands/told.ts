import { Failure, tell } from "../server/failure";

/** Run something, and tell the user in one sentence what went wrong. */
export async function told(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tell(
      error instanceof Failure
        ? error
        : new Failure(error instanceof Error ? error.message : String(error)),
    );
  }
}
