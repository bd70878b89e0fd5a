import { window } from "vscode";
import { Failure, tell } from "../server/failure";

/** Run something, and tell the user in one sentence what went wrong. */
export async function told(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Failure) tell(error);
    else void window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}
