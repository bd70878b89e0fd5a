import type { CancellationToken } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

export interface ExecuteParams {
  command: string;
  arguments: unknown[];
  workDoneToken?: string;
}

/** `workspace/executeCommand`, named by its method so that the client's library need not be loaded. */
export function execute(
  client: Pick<LanguageClient, "sendRequest">,
  params: ExecuteParams,
  token?: CancellationToken,
): Promise<unknown> {
  const method = "workspace/executeCommand";
  // With a method's name, an undefined token would count as a second parameter.
  return token === undefined
    ? client.sendRequest<unknown>(method, params)
    : client.sendRequest<unknown>(method, params, token);
}
