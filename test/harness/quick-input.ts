// Quick picks and input boxes of the workbench, the command palette included.
import type { Page } from "playwright-core";

/** The open quick pick or input box. */
export class QuickInput {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Waits until one is open. */
  static async waitFor(page: Page): Promise<QuickInput> {
    const input = new QuickInput(page);
    await input.#widget.waitFor();
    return input;
  }

  get #widget() {
    return this.#page.locator(".quick-input-widget:visible");
  }

  get #box() {
    return this.#widget.locator(".quick-input-box input, .quick-input-box textarea").first();
  }

  /** Its title bar; empty when it has none. */
  async title(): Promise<string> {
    return (await this.#widget.locator(".quick-input-title").innerText()).trim();
  }

  /** The line below an input box: its prompt, or why the value is refused. */
  async message(): Promise<string> {
    return (await this.#widget.locator(".quick-input-message").innerText()).trim();
  }

  /** Each entry shown, its label and description on lines of their own. Entries out of sight are not there. */
  async items(): Promise<string[]> {
    const rows = await this.#widget.locator(".quick-input-list .monaco-list-row").allInnerTexts();
    // An icon before the label leaves a space.
    return rows.map((row) => row.trim());
  }

  /** Replaces the text of the input: the filter of a pick, the value of a box. */
  async type(text: string): Promise<void> {
    await this.#box.fill(text);
  }

  /** The text of the input. */
  async value(): Promise<string> {
    return this.#box.inputValue();
  }

  /** Presses Enter: takes the focused entry, or the value. */
  async accept(): Promise<void> {
    await this.#page.keyboard.press("Enter");
  }

  /** Filters by `label`, then clicks the first entry whose label it is. */
  async pick(label: string): Promise<void> {
    await this.type(label);
    await this.#widget.locator(".quick-input-list .monaco-list-row").filter({ hasText: label }).first().click();
  }

  /** Presses the back button of its title bar. */
  async back(): Promise<void> {
    await this.#widget.locator(".quick-input-titlebar .codicon-quick-input-back").click();
  }

  /** Presses Escape. */
  async cancel(): Promise<void> {
    await this.#page.keyboard.press("Escape");
  }
}
