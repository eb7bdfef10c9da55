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
  const box = page.locator(".monaco-dialog-box").last();
  await box.waitFor();
  const buttons = box.locator(".dialog-buttons .monaco-button");
  const detail = box.locator(".dialog-message-detail");
  return {
    message: await box.locator(".dialog-message-text").innerText(),
    detail: (await detail.count()) > 0 ? await detail.innerText() : "",
    buttons: await buttons.allInnerTexts(),
    async click(label) {
      await buttons.getByText(label, { exact: true }).click();
      await box.waitFor({ state: "detached" });
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
