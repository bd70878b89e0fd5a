import type { Intent } from "../reports/report";

/** The part of the editor's `Memento` that is used here. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

interface Asked {
  query: string;
  intent: Intent;
}

const KEY = "sightline.recentQuestions";
const KEPT = 30;

/** The questions asked in this workspace, newest first. */
export class RecentQuestions {
  constructor(private readonly memory: Memory) {}

  all(): Asked[] {
    return (this.memory.get(KEY) as Asked[] | undefined) ?? [];
  }

  /** All questions, those with this intent first. */
  for(intent: Intent): Asked[] {
    const all = this.all();
    return [
      ...all.filter((each) => each.intent === intent),
      ...all.filter((each) => each.intent !== intent),
    ];
  }

  async add(asked: Asked): Promise<void> {
    const others = this.all().filter(({ query }) => query !== asked.query);
    await this.memory.update(KEY, [asked, ...others].slice(0, KEPT));
  }

  async remove(query: string): Promise<void> {
    await this.memory.update(
      KEY,
      this.all().filter((each) => each.query !== query),
    );
  }
}
