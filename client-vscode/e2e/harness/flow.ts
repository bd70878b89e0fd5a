import type { Locator, Page } from "playwright-core";
import { until } from "./wait";

/** How long rows must stay as they are. */
const RESTING_MS = 400;

/** The view "Flow": what a person sees of it. */
export class FlowTree {
  constructor(private readonly page: Page) {}

  get pane(): Locator {
    return this.page
      .locator(".pane")
      .filter({ has: this.page.locator("h3.title", { hasText: /^Flow/ }) });
  }

  get rows(): Locator {
    return this.pane.locator(".monaco-list-row");
  }

  step(number: number): Locator {
    return this.rows.filter({ hasText: new RegExp(`^\\s*${number}\\. `) });
  }

  /** Rows that say that a step's quote is gone. */
  get stale(): Locator {
    return this.rows.filter({ hasText: /stale/i });
  }

  get running(): Locator {
    return this.rows.filter({ has: this.page.locator(".codicon-loading") });
  }

  /** An answer is there and nothing runs. */
  async done(): Promise<void> {
    await until("an answer in the Flow view", async () => {
      const texts = await this.rows.allInnerTexts();
      return texts.slice(0, 2).some((text) => /confidence/i.test(text));
    });
  }

  /** The answer to this question is there. The rows follow the header, so they must have come to rest. */
  async answered(question: string): Promise<void> {
    await this.pane.locator(".pane-header").filter({ hasText: question }).waitFor();
    let before = "";
    await until("the rows to rest", async () => {
      await this.done();
      await this.pane.page().waitForTimeout(RESTING_MS);
      const now = (await this.texts()).join("\n");
      const rests = now === before;
      before = now;
      return rests;
    });
  }

  async texts(): Promise<string[]> {
    return (await this.rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
  }
}
