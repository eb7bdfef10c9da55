// What VS Code in a browser keeps about the user, written before it first loads.
import type { BrowserContext } from "playwright-core";

/** Copilot Chat counts as set up, so that its own agent runs without a sign-in. */
export const copilotSetUp = {
  builtinChatExtensionEnablementMigration: "true",
  "chat.setupContext": JSON.stringify({
    entitlement: 1,
    installed: true,
    disabled: false,
    untrusted: false,
    disabledInWorkspace: false,
    completed: true,
  }),
};

/**
 * Writes `entries` into VS Code's global state of this browser context.
 * @param origin the server's `http://127.0.0.1:<port>`; VS Code must not have loaded from it yet
 */
export async function seedGlobalState(
  context: BrowserContext,
  origin: string,
  entries: Record<string, string>,
): Promise<void> {
  const page = await context.newPage();
  // Any page of the origin that is not the workbench.
  await page.goto(`${origin}/version`);
  await page.evaluate(
    (items) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("vscode-web-state-db-global", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("ItemTable");
        opening.onerror = () => reject(new Error(String(opening.error)));
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("ItemTable", "readwrite");
          for (const [key, value] of Object.entries(items)) transaction.objectStore("ItemTable").put(value, key);
          transaction.onabort = () => reject(new Error(String(transaction.error)));
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    entries,
  );
  await page.close();
}
