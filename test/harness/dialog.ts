// Modal dialogs and notifications of the workbench.
import type { Page } from "playwright-core";

/** An open modal dialog. */
export interface Dialog {
  message: string;
  /** The smaller text below; empty when there is none. */
  detail: string;
  /** Labels, in the order of the page. */
  buttons: string[];
  /** Presses a button and waits until the dialog is gone. */
  click(label: string): Promise<void>;
}

/** Waits for a modal dialog. */
export async function waitForDialog(page: Page): Promise<Dialog> {
  // The element, not a locator: another dialog may open as soon as this one is answered.
  const box = await page.locator(".monaco-dialog-box").last().elementHandle();
  if (box === null) throw new Error("The dialog was gone before it was read.");
  const textOf = async (selector: string): Promise<string> => (await (await box.$(selector))?.innerText()) ?? "";
  const buttons = await box.$$(".dialog-buttons .monaco-button");
  const labels = await Promise.all(buttons.map((button) => button.innerText()));
  return {
    message: await textOf(".dialog-message-text"),
    detail: await textOf(".dialog-message-detail"),
    buttons: labels,
    async click(label) {
      const button = buttons[labels.indexOf(label)];
      if (button === undefined) throw new Error(`The dialog has no button ${label}, but ${labels.join(", ")}.`);
      await button.click();
      await box.waitForElementState("hidden");
    },
  };
}

/** A notification: a toast, or an entry of the opened bell. */
export interface Notification {
  message: string;
  buttons: string[];
  /** Presses one of its buttons. */
  click(label: string): Promise<void>;
}

/**
 * The notifications shown now. With the smoke-test driver on, VS Code shows no toasts. All are read in one look, and a
 * button is looked for where its message is by then: VS Code takes notifications away and draws others in their place
 * meanwhile.
 */
export async function shownNotifications(page: Page): Promise<Notification[]> {
  const shown = page.locator(".notification-list-item:visible");
  const texts = await shown.evaluateAll((items) =>
    items.map((item) => ({
      message: (item.querySelector<HTMLElement>(".notification-list-item-message")?.innerText ?? "").trim(),
      buttons: Array.from(
        item.querySelectorAll<HTMLElement>(".notification-list-item-buttons-container .monaco-button"),
        (button) => button.innerText.trim(),
      ),
    })),
  );
  return texts.map(({ message, buttons }) => ({
    message,
    buttons,
    click: (label: string) => {
      const item = shown.filter({ has: page.locator(".notification-list-item-message", { hasText: message }) }).first();
      return item
        .locator(".notification-list-item-buttons-container .monaco-button")
        .getByText(label, { exact: true })
        .click();
    },
  }));
}
