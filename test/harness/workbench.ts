// One VS Code window in the browser: opened as a user opens it, worked through its page and through the rig.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { testResults } from "../../scripts/paths.mjs";
import { newContext } from "./browser";
import { copilotSetUp, seedGlobalState } from "./browser-state";
import { Chat } from "./chat";
import { shownNotifications, waitForDialog, type Dialog, type Notification } from "./dialog";
import { saveEvidence } from "./evidence";
import { poll } from "./poll";
import { QuickInput } from "./quick-input";
import { Rig, type ModelClient } from "./rig-client";
import { SCRIPTED_MODEL } from "./rig/protocol";
import type { Server } from "./server";

/** Extensions activate 5 to 8 s after a cold start on two cores. */
const START_TIMEOUT_MS = 180_000;
/**
 * A toast comes within one frame; it is not to be missed on a busy machine by a look behind the bell, which takes it
 * away.
 */
const TOAST_MS = 2_000;

export interface WindowOptions {
  /**
   * Absolute path of the folder to open, or its address when it is not on disk; neither this nor `workspace`: an empty
   * window.
   */
  folder?: string;
  /** Absolute path of a `.code-workspace` file to open. */
  workspace?: string;
  /** Other parameters of the address, when the server runs with the driver. */
  payload?: [string, string][];
  /** Whether Copilot Chat counts as set up, so that its own agent and tools are there (default false). */
  copilot?: boolean;
  /** Further entries of VS Code's global state, see browser-state.ts. */
  globalState?: Record<string, string>;
  /** Another window of the same user: its browser context is shared. */
  beside?: Workbench;
}

const open = new Set<Workbench>();

/** Every window that is open now. */
export function openWindows(): Workbench[] {
  return [...open];
}

/** Opens a window and waits until its extensions are active and its chat has the scripted model. */
export async function openWorkbench(server: Server, options: WindowOptions = {}): Promise<Workbench> {
  const context = options.beside?.context ?? (await newContext({ width: 1280, height: 800 }));
  const seeds = { ...(options.copilot ? copilotSetUp : {}), ...options.globalState };
  if (Object.keys(seeds).length > 0) await seedGlobalState(context, server.origin, seeds);
  const workbench = new Workbench(server, context, await context.newPage());
  open.add(workbench);
  try {
    await workbench.goto(options);
  } catch (error) {
    console.error(`The window did not open; see ${await saveEvidence(workbench, "open window")}`);
    await workbench.close();
    throw error;
  }
  return workbench;
}

/** The address of a window. */
export function windowUrl(server: Server, { folder, workspace, payload }: WindowOptions): string {
  const query = new URLSearchParams();
  if (folder !== undefined) query.set("folder", folder);
  else if (workspace !== undefined) query.set("workspace", workspace);
  else query.set("ew", "true");
  if (payload) query.set("payload", JSON.stringify(payload));
  return `${server.origin}/?${query.toString()}`;
}

export class Workbench {
  readonly server: Server;
  readonly context: BrowserContext;
  /** For everything that has no method here. */
  readonly page: Page;
  readonly chat: Chat;
  /** What the browser's console and page errors said, VS Code's own noise included. */
  readonly console: string[] = [];
  readonly #settingsBefore = new Map<string, unknown>();
  #rig: Rig | undefined;

  constructor(server: Server, context: BrowserContext, page: Page) {
    this.server = server;
    this.context = context;
    this.page = page;
    this.chat = new Chat(page, () => this.rig);
    page.on("console", (message) => this.console.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.console.push(`page error: ${error.stack ?? error.message}`));
  }

  /** The rig of this window's extension host. */
  get rig(): Rig {
    if (this.#rig === undefined)
      throw new Error("This window has no extension host (it is not open, or is reloading).");
    return this.#rig;
  }

  /** The scripted model of this window. */
  get model(): ModelClient {
    return this.rig.model;
  }

  /** Loads the window's address. */
  async goto(options: WindowOptions): Promise<void> {
    await this.page.goto(windowUrl(this.server, options));
    await this.#ready();
  }

  /** Reloads the window as the user's F5 does; a new extension host starts. */
  async reload(): Promise<void> {
    const before = await this.#hostProcess();
    this.#rig?.close();
    this.#rig = undefined;
    await this.page.reload();
    await this.#ready(before);
  }

  /** Waits for the extension host that VS Code starts when one has died. @param died its process */
  async followHost(died: number): Promise<void> {
    this.#rig?.close();
    this.#rig = undefined;
    await this.#ready(died);
  }

  /** Waits until the extension host has started (a new one, after `previous`), and connects to it. */
  async #ready(previous?: number): Promise<void> {
    await this.page.locator(".monaco-workbench").waitFor({ timeout: START_TIMEOUT_MS });
    const pid = await poll(
      "the window's extension host",
      async () => {
        // To look at the page takes time from what it loads, and there is nothing to see before a host listens.
        if (!this.#hasHost(previous)) return undefined;
        const now = await this.#hostProcess();
        return now !== undefined && now !== previous && existsSync(this.#socket(now)) ? now : undefined;
      },
      { timeoutMs: START_TIMEOUT_MS },
    );
    this.#rig = await Rig.connect(this.#socket(pid));
    // Asking for the models once makes the chat's model picker list them.
    await this.#rig.run(
      (vscode, vendor) => vscode.lm.selectChatModels({ vendor }).then(() => undefined),
      SCRIPTED_MODEL.vendor,
    );
  }

  /** Whether a host listens, which can be another window's. */
  #hasHost(except?: number): boolean {
    return readdirSync(this.server.sockets).some((name) => name !== `${except}.sock`);
  }

  #socket(pid: number): string {
    return join(this.server.sockets, `${pid}.sock`);
  }

  /** The rig shows its process in the status bar: several windows share a server, and a reload changes the process. */
  async #hostProcess(): Promise<number | undefined> {
    const item = this.page.locator('.statusbar-item[id="toolhost-test.rig.rig"]');
    // It goes with its process, and may do so at any moment.
    const [label] = await item.evaluateAll((elements) => elements.map((element) => element.getAttribute("aria-label")));
    return label === undefined || label === null ? undefined : Number(/\d+/.exec(label)?.[0]);
  }

  /** Executes a command in the extension host. What it returns comes back as JSON. */
  command<R = unknown>(id: string, ...args: unknown[]): Promise<R> {
    return this.rig.run((vscode, arg) => vscode.commands.executeCommand<R>(arg.id, ...arg.args), { id, args });
  }

  /**
   * Changes one of the user's settings while the window is open. @param value undefined: what VS Code has by default
   */
  async changeSetting(id: string, value: unknown): Promise<void> {
    if (!this.#settingsBefore.has(id)) this.#settingsBefore.set(id, await this.#setting(id));
    await this.rig.run(
      (vscode, arg) => vscode.workspace.getConfiguration().update(arg.id, arg.value, vscode.ConfigurationTarget.Global),
      { id, value },
    );
  }

  /** Gives every setting that {@link changeSetting} changed the value back that it had before. */
  async restoreSettings(): Promise<void> {
    for (const [id, before] of this.#settingsBefore) {
      await this.changeSetting(id, before);
      await poll(
        `${id} to be as before`,
        async () => JSON.stringify(await this.#setting(id)) === JSON.stringify(before),
      );
    }
    this.#settingsBefore.clear();
  }

  /** What the user has set; undefined when nothing. */
  async #setting(id: string): Promise<unknown> {
    return (
      await this.rig.run(
        (vscode, key) => ({ value: vscode.workspace.getConfiguration().inspect(key)?.globalValue }),
        id,
      )
    ).value;
  }

  /** Shows a file in the editor. @param path absolute */
  async openFile(path: string): Promise<void> {
    await this.rig.run(async (vscode, file) => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file), { preview: false });
    }, path);
    await this.#activeEditor.waitFor();
  }

  /** Types at the cursor of the active editor, as a user: closing brackets and suggestions included. */
  async typeInEditor(text: string): Promise<void> {
    await this.#activeEditor.click();
    // A panel that closes meanwhile may take the focus.
    await this.page.locator(".editor-group-container.active .monaco-editor.focused").first().waitFor();
    await this.page.keyboard.type(text);
  }

  /** The same in an editor that takes it: returns once extensions see all of it, which may be a moment later. */
  async typeUnsaved(text: string): Promise<void> {
    await this.typeInEditor(text);
    await poll("what was typed, in the extension host", () =>
      this.rig.run((vscode, typed) => vscode.window.activeTextEditor?.document.getText().includes(typed), text),
    );
  }

  get #activeEditor() {
    return this.page.locator(".editor-group-container.active .monaco-editor").first();
  }

  /** Waits for a modal dialog. */
  dialog(): Promise<Dialog> {
    return waitForDialog(this.page);
  }

  /** The toasts shown now. */
  notifications(): Promise<Notification[]> {
    return shownNotifications(this.page);
  }

  /**
   * Waits for a notification: a toast, or else what is behind the bell, as a user would look. VS Code shows three
   * toasts at most in 0.8 s (`SPAM_PROTECTION` of its notificationsToasts.ts) and keeps the rest there.
   *
   * @param words part of its message
   */
  async notification(words: string, timeoutMs = 120_000): Promise<Notification> {
    const find = async (): Promise<Notification | undefined> =>
      (await this.notifications()).find(({ message }) => message.includes(words));
    let [hasLooked, next] = [false, Date.now() + TOAST_MS];
    return poll(
      `the message “${words}”`,
      async () => {
        const toast = await find();
        if (toast !== undefined || Date.now() < next) return toast;
        // After the first look only where there is more: the list is in the way of what is below it.
        const isNew = await this.page.locator('.statusbar-item[id="status.notifications"] .codicon-bell-dot').count();
        if (hasLooked && isNew === 0 && (await this.notifications()).length === 0) return undefined;
        [hasLooked, next] = [true, Date.now() + TOAST_MS];
        // The list is drawn row by row.
        const inList = (): Promise<Notification> => poll(`“${words}” behind the bell`, find, { timeoutMs: TOAST_MS });
        return {
          ...(await this.#atBell(inList)),
          click: (label) => this.#atBell(async () => (await inList()).click(label)),
        };
      },
      { timeoutMs },
    );
  }

  /** Does something while the list behind the bell is open. */
  async #atBell<T>(look: () => Promise<T>): Promise<T> {
    const cursor = await this.page.evaluateHandle(() => document.activeElement);
    await this.command("notifications.showList");
    try {
      return await look();
    } finally {
      await this.command("notifications.hideList");
      // Only the test has opened the list: what it looks at next is where the cursor was.
      await cursor.evaluate((element) => (element as HTMLElement | null)?.focus());
    }
  }

  /** Waits for a quick pick or an input box. */
  quickInput(): Promise<QuickInput> {
    return QuickInput.waitFor(this.page);
  }

  /** The text of the terminals shown now. */
  async terminalText(): Promise<string> {
    const rows = await this.page.locator(".terminal-wrapper:visible .xterm-rows > div").allInnerTexts();
    return rows
      .map((row) => row.replaceAll("\u00a0", " ").trimEnd())
      .join("\n")
      .trimEnd();
  }

  /** Grants trust in a window in Restricted Mode, as a user does. */
  async trustFolder(): Promise<void> {
    await this.page.locator('.statusbar-item[id="status.workspaceTrust"] a').click();
    await this.page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
    await poll("the folder to be trusted", () => this.rig.run((vscode) => vscode.workspace.isTrusted));
  }

  /** Saves what the user sees. @returns the PNG's path in test-results/screenshots */
  async screenshot(name: string): Promise<string> {
    const folder = join(testResults, "screenshots");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${name}.png`);
    // What fades in is shown as it is when it has.
    await this.page.screenshot({ path, animations: "disabled" });
    return path;
  }

  /** Closes the window; its browser context too, unless another window uses it. */
  async close(): Promise<void> {
    open.delete(this);
    this.#rig?.close();
    this.#rig = undefined;
    await this.page.close();
    if (this.context.pages().length === 0) await this.context.close();
  }
}
