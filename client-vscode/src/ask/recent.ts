import type { Intent } from "../reports/report";

/** The part of the editor's `Memento` that is used here. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

interface RecentQuestion {
  query: string;
  intent: Intent;
}

const KEY = "sightline.recentQuestions";
const MAX_QUESTIONS = 30;

/** The questions asked in this workspace, newest first. */
export class RecentQuestions {
  constructor(private readonly memory: Memory) {}

  all(): RecentQuestion[] {
    return (this.memory.get(KEY) as RecentQuestion[] | undefined) ?? [];
  }

  /** All questions, those with this intent first. */
  for(intent: Intent): RecentQuestion[] {
    const all = this.all();
    return [
      ...all.filter((each) => each.intent === intent),
      ...all.filter((each) => each.intent !== intent),
    ];
  }

  async add(question: RecentQuestion): Promise<void> {
    const others = this.all().filter(({ query }) => query !== question.query);
    await this.memory.update(KEY, [question, ...others].slice(0, MAX_QUESTIONS));
  }

  async remove(query: string): Promise<void> {
    await this.memory.update(
      KEY,
      this.all().filter((each) => each.query !== query),
    );
  }
}
