import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { ExtensionContext } from "vscode";
import { FakeModel } from "./model";
import { operations } from "./operations";
import { startPython } from "./python";

/** Serves the tests over a socket: receives `{operation, argument}`, returns `{value}` or `{error}`. */
export async function activate(context: ExtensionContext): Promise<void> {
  const socket = process.env.E2E_SOCKET;
  if (socket === undefined) return;
  const model = new FakeModel();
  const available = operations(model);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { operation, argument } = JSON.parse(Buffer.concat(chunks).toString()) as {
        operation: string;
        argument: unknown;
      };
      const operate = available[operation];
      Promise.resolve()
        .then(() => {
          if (operate === undefined) throw new Error(`The probe has no ${operation}.`);
          return operate(argument);
        })
        .then((value) => response.end(JSON.stringify({ value: value ?? null })))
        .catch((error: unknown) =>
          response.end(
            JSON.stringify({ error: error instanceof Error ? error.message : String(error) }),
          ),
        );
    });
  });
  rmSync(socket, { force: true });
  context.subscriptions.push(model.register(), { dispose: () => server.close() });
  await startPython(context);
  server.listen(socket);
}
