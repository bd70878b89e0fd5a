import type { Change } from "./types.ts";

export interface KeyValue {
  read<T>(key: string, fallback: T): Promise<T>;
  write<T>(key: string, value: T): Promise<void>;
}

/** What was done here and the server does not know yet. Survives restarts. */
export class Outbox {
  constructor(private storage: KeyValue) {}

  async add(change: Change): Promise<void> {
    const waiting = await this.all();
    const last = waiting.at(-1);
    if (last && last.observation === change.observation && !last.deleted) {
      // Two edits in a row are one change on the wire.
      last.fields = { ...last.fields, ...change.fields };
      if (change.deleted) last.deleted = true;
    } else {
      waiting.push(change);
    }
    await this.storage.write("outbox", waiting);
  }

  all(): Promise<Change[]> {
    return this.storage.read<Change[]>("outbox", []);
  }

  /** Forgets what was sent; keeps what was added while the request was under way. */
  async acknowledge(sent: number): Promise<void> {
    await this.storage.write("outbox", (await this.all()).slice(sent));
  }
}
