import { Failure, showFailure } from "../server/failure";

/** Runs `work` and, if it fails, tells the user why in one sentence. */
export async function runAndShowFailure(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    showFailure(
      error instanceof Failure
        ? error
        : new Failure(error instanceof Error ? error.message : String(error)),
    );
  }
}
