import type { Outbox } from "./outbox.ts";
import type { Synchroniser } from "./synchroniser.ts";
import type { Observation } from "./types.ts";

interface Position {
  latitude: number;
  longitude: number;
  accuracy: number;
}

const WORST_ACCURACY_METRES = 50;

/** What the buttons of the app call. */
export class Recorder {
  constructor(
    private outbox: Outbox,
    private synchroniser: Synchroniser,
    private locate: () => Promise<Position>,
    private isOnline: () => boolean,
  ) {}

  async record(species: string, count: number, note = ""): Promise<string> {
    const { latitude, longitude, accuracy } = await this.locate();
    if (accuracy > WORST_ACCURACY_METRES) {
      throw new Error(`the position is only known within ${Math.round(accuracy)} m`);
    }
    const id = crypto.randomUUID();
    await this.outbox.add({ observation: id, baseVersion: 0, fields: { species, count, note, latitude, longitude } });
    this.sendSoon();
    return id;
  }

  async correct(before: Observation, fields: Partial<Observation>): Promise<void> {
    await this.outbox.add({ observation: before.id, baseVersion: before.version, fields });
    this.sendSoon();
  }

  async remove(before: Observation): Promise<void> {
    await this.outbox.add({ observation: before.id, baseVersion: before.version, fields: {}, deleted: true });
    this.sendSoon();
  }

  private sendSoon(): void {
    if (this.isOnline()) this.synchroniser.request().catch(() => undefined); // it stays in the outbox
  }
}
