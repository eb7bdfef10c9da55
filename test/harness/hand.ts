// What a person does with mouse and keyboard, counted.
import type { Locator, Page } from "playwright-core";

/** How much a person did, and how long it took with what they waited for. */
export interface Effort {
  clicks: number;
  /** Keys pressed; a typed text is one for each character. */
  keys: number;
  ms: number;
}

/** The only way in which a counted test acts on the window: no command, no palette, no API. */
export class Hand {
  readonly #page: Page;
  #clicks = 0;
  #keys = 0;
  #since = Date.now();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Clicks what is in sight. */
  async click(target: Locator): Promise<void> {
    await target.click();
    this.#clicks += 1;
  }

  /** Puts the pointer over something, which shows its buttons. */
  async point(target: Locator): Promise<void> {
    await target.hover();
  }

  /** Types where the cursor is. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.insertText(text);
    this.#keys += [...text].length;
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key);
    this.#keys += 1;
  }

  /** Returns what was done since the last call, or since there is a hand. */
  done(): Effort {
    const now = Date.now();
    const effort = { clicks: this.#clicks, keys: this.#keys, ms: now - this.#since };
    [this.#clicks, this.#keys, this.#since] = [0, 0, now];
    return effort;
  }
}
