import type { Locator, Page } from "playwright-core";

/** The Reports view as the user sees it. */
export class ReportsTree {
  constructor(private readonly page: Page) {}

  get pane(): Locator {
    return this.page
      .locator(".pane")
      .filter({ has: this.page.locator("h3.title", { hasText: /^Reports/ }) });
  }

  get rows(): Locator {
    return this.pane.locator(".monaco-list-row");
  }

  row(question: string): Locator {
    return this.rows.filter({ hasText: question });
  }

  /** The questions from top to bottom. */
  async questions(): Promise<string[]> {
    const labels = this.rows.locator(".monaco-icon-name-container");
    return (await labels.allInnerTexts()).map((text) => text.trim());
  }

  async expand(): Promise<void> {
    const header = this.pane.locator(".pane-header");
    if ((await header.getAttribute("aria-expanded")) === "false") await header.click();
    await this.rows.first().waitFor();
  }
}
