import type { KeyValue, Outbox } from "./outbox.ts";
import type { Transport } from "./transport.ts";
import type { Observation, SyncAnswer } from "./types.ts";

const BATCH = 50;

export interface Listener {
  onObservations?(observations: Observation[]): void;
  onConflicts?(ids: number[]): void;
  onRefused?(refused: Record<string, string>): void;
}

/** Exchanges changes with the server. At most one exchange at a time; a request meanwhile runs it once more. */
export class Synchroniser {
  private running: Promise<void> | undefined;
  private again = false;
  private listeners: Listener[] = [];

  constructor(private outbox: Outbox, private storage: KeyValue, private transport: Transport) {}

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  request(): Promise<void> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    this.running = this.exchange().finally(() => {
      this.running = undefined;
      if (this.again) {
        this.again = false;
        void this.request();
      }
    });
    return this.running;
  }

  private async exchange(): Promise<void> {
    for (;;) {
      const changes = (await this.outbox.all()).slice(0, BATCH);
      const since = await this.storage.read("newest", 0);
      const answer = await this.transport.sync(since, changes);
      await this.outbox.acknowledge(changes.length);
      await this.storage.write("newest", answer.newest);
      this.tell(answer);
      if (changes.length < BATCH) return;
    }
  }

  private tell(answer: SyncAnswer): void {
    for (const listener of this.listeners) {
      listener.onObservations?.(answer.observations);
      if (answer.conflicts.length > 0) listener.onConflicts?.(answer.conflicts);
      if (Object.keys(answer.refused).length > 0) listener.onRefused?.(answer.refused);
    }
  }
}
