import type { Locator, Page } from "playwright-core";
import { until } from "./wait";

/** How long rows must stay unchanged to count as settled. */
const SETTLED_MS = 400;

/** The Flow view as the user sees it. */
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

  /** The rows of steps whose quote is gone. */
  get stale(): Locator {
    return this.rows.filter({ hasText: /stale/i });
  }

  get running(): Locator {
    return this.rows.filter({ has: this.page.locator(".codicon-loading") });
  }

  /** Waits until an answer is shown and no question is running. */
  async waitForAnswer(): Promise<void> {
    await until("an answer in the Flow view", async () => {
      const texts = await this.rows.allInnerTexts();
      return texts.slice(0, 2).some((text) => /confidence/i.test(text));
    });
  }

  /** Waits for the answer to this question. The header changes before the rows, so the rows must settle too. */
  async waitForAnswerTo(question: string): Promise<void> {
    await this.pane.locator(".pane-header").filter({ hasText: question }).waitFor();
    let previous = "";
    await until("the rows to rest", async () => {
      await this.waitForAnswer();
      await this.pane.page().waitForTimeout(SETTLED_MS);
      const current = (await this.texts()).join("\n");
      const isSettled = current === previous;
      previous = current;
      return isSettled;
    });
  }

  async texts(): Promise<string[]> {
    return (await this.rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
  }
}
