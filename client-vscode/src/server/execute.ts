import type { CancellationToken } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { Failure, SHOW_LOG } from "./failure";

interface ExecuteParams {
  command: string;
  arguments: unknown[];
  workDoneToken?: string;
}

/** JSON-RPC error codes for a connection that was lost before the response arrived. */
const CONNECTION_LOST_CODES = new Set([-32099, -32098, -32097, -32096]);

/**
 * Sends `workspace/executeCommand` by its method name, so that the client library need not be loaded.
 * Rejects with `Failure` if the server ends before it answers.
 */
export async function execute(
  client: Pick<LanguageClient, "sendRequest">,
  params: ExecuteParams,
  token?: CancellationToken,
): Promise<unknown> {
  const method = "workspace/executeCommand";
  try {
    // With a method name, an undefined token would be sent as a second parameter.
    return await (token === undefined
      ? client.sendRequest<unknown>(method, params)
      : client.sendRequest<unknown>(method, params, token));
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    throw new Failure("The server stopped before it answered. Ask again.", [SHOW_LOG]);
  }
}

function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return typeof error.code === "number" && CONNECTION_LOST_CODES.has(error.code);
}
