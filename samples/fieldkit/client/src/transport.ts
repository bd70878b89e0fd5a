import type { Change, SyncAnswer } from "./types.ts";

export interface Transport {
  sync(since: number, changes: Change[]): Promise<SyncAnswer>;
  sendTrack(id: string, encoded: string): Promise<void>;
}

/** Over the network. */
export class HttpTransport implements Transport {
  constructor(private base: string, private device: string, private key: string, private owner: string) {}

  sync(since: number, changes: Change[]): Promise<SyncAnswer> {
    return this.post("/sync", { owner: this.owner, since, changes });
  }

  async sendTrack(id: string, encoded: string): Promise<void> {
    await this.post("/track", { id, encoded });
  }

  private async post<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(this.base + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Device": this.device, "X-Device-Key": this.key },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return (await response.json()) as T;
  }
}

/** For a laptop carried to the device: everything goes into a file and is answered later. */
export class FileTransport implements Transport {
  constructor(private save: (name: string, text: string) => Promise<void>) {}

  async sync(since: number, changes: Change[]): Promise<SyncAnswer> {
    await this.save(`changes-${since}.json`, JSON.stringify(changes));
    return { newest: since, observations: [], conflicts: [], refused: {} };
  }

  sendTrack(id: string, encoded: string): Promise<void> {
    return this.save(`track-${id}.txt`, encoded);
  }
}
