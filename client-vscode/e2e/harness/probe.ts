import { request } from "node:http";

const TIMEOUT_MS = 20_000;

/** A client of the probe, the tests' own extension inside the editor. */
export class Probe {
  constructor(private readonly socket: string) {}

  ask<T>(operation: string, argument: unknown = null): Promise<T> {
    return new Promise((resolve, reject) => {
      const probeRequest = request(
        { socketPath: this.socket, method: "POST", path: "/" },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => {
            const answer = JSON.parse(Buffer.concat(chunks).toString()) as {
              value: T;
              error?: string;
            };
            if (answer.error === undefined) resolve(answer.value);
            else reject(new Error(answer.error));
          });
        },
      );
      probeRequest.setTimeout(TIMEOUT_MS, () =>
        probeRequest.destroy(new Error(`The probe's ${operation} takes too long.`)),
      );
      probeRequest.on("error", reject);
      probeRequest.end(JSON.stringify({ operation, argument }));
    });
  }

  editor(): Promise<ShownEditor | null> {
    return this.ask("editor");
  }
}

export interface ShownEditor {
  path: string;
  scheme: string;
  language: string;
  line: number;
  lineText: string;
  visible: { start: number; end: number }[];
  dirty: boolean;
  text: string;
}
