// The chat view, as a user sees and works it.
import type { Locator, Page } from "playwright-core";
import { poll } from "./poll";
import type { Rig } from "./rig-client";
import { SCRIPTED_MODEL } from "./rig/protocol";

/** A confirmation card in the chat waits for an answer. */
export interface Confirmation {
  /** As rendered: VS Code takes Markdown marks such as `_` out of the title. */
  title: string;
  /** The whole card as text: title, message, "Input", its JSON, buttons' row excluded. */
  text: string;
  /** Presses "Allow Once" (in the menu of the primary button), so that the next call asks again. */
  allow(): Promise<void>;
  /** Presses the primary button, "Allow in this Session": VS Code then asks no more for this tool. */
  allowInSession(): Promise<void>;
  /** Presses "Skip". */
  skip(): Promise<void>;
  /** The card, for anything else. */
  element: Locator;
}

/** A question of Toolhost's own in an answer. */
export interface Question {
  /** All of the answer so far. */
  text: string;
  /** Labels, in the order of the page, also of earlier questions of the answer. */
  buttons: string[];
  /** Presses a button or a link of the question, and waits until the answer says what was chosen. */
  press(label: string): Promise<void>;
  /** Presses a button of a question that no longer waits, and so takes no choice. */
  pressLate(label: string): Promise<void>;
}

/** A cold model list or Copilot's first request takes seconds on two cores. */
const ANSWER_TIMEOUT_MS = 180_000;
/** What an answer says below a question that has been answered. */
const CHOSEN = /Not allowed:|Allowed once:|Allowed in this session:|Always allowed:/;
/** Longer than a click that nothing covers takes on a busy machine. */
const CLICK_TIMEOUT_MS = 10_000;
/** More pixels than any conversation of the tests has. */
const TO_THE_END = 100_000;

// A button's accessible name is its tooltip, so buttons are found by their text.
const RESPONSE = ".interactive-session .monaco-list-row.response";

export class Chat {
  readonly #page: Page;
  readonly #rig: () => Rig;

  constructor(page: Page, rig: () => Rig) {
    this.#page = page;
    this.#rig = rig;
  }

  /** The editor that the user types a message into. */
  get input(): Locator {
    // A confirmation card has a code editor inside the same part: the message's editor is the last.
    return this.#page
      .locator(
        ".interactive-input-part .interactive-input-editor .monaco-editor, .interactive-input-part .chat-editor-container .monaco-editor",
      )
      .last();
  }

  /** Shows the chat view and puts the cursor into its input. */
  async open(): Promise<void> {
    await this.#rig().run((vscode) =>
      vscode.commands.executeCommand("workbench.action.chat.open").then(() => undefined),
    );
    await this.input.waitFor();
  }

  /** Starts an empty conversation. */
  async newConversation(): Promise<void> {
    await this.#rig().run((vscode) =>
      vscode.commands.executeCommand("workbench.action.chat.newChat").then(() => undefined),
    );
    await poll("an empty conversation", async () => (await this.#page.locator(RESPONSE).count()) === 0);
  }

  /**
   * Types a message and sends it. Begin it with `@name` for a participant; without, the current agent gets it.
   * Waits until VS Code has taken the message, not for the answer.
   * @param model text that the model picker must show first (default: the scripted model's name; null: any)
   */
  async ask(text: string, { model = SCRIPTED_MODEL.name }: { model?: string | null } = {}): Promise<void> {
    await this.open();
    if (model !== null) await this.#page.locator(".interactive-input-part").getByText(model).last().waitFor();
    const before = await this.#lastIndex();
    // The view has the cursor in its input, until an editor that opens late takes it: then it is put there again, as a
    // user would. A click would wait for a toast before it to go, ten seconds.
    const isIn = (): Promise<boolean> => this.input.evaluate((editor) => editor.contains(document.activeElement));
    await poll("the cursor in the chat's input", async () => {
      if (!(await isIn())) await this.open();
      if (!(await isIn())) return false;
      // A sticky participant's name is there already after its first message.
      await this.#page.keyboard.press("Control+A");
      await this.#page.keyboard.insertText(text);
      return isIn();
    });
    // Closes the list of suggestions, which would take the Enter.
    await this.#page.keyboard.press("Escape");
    await this.#page.keyboard.press("Enter");
    await poll(`the chat to take "${text}"`, async () => (await this.#lastIndex()) > before);
  }

  /**
   * Sends a message through the command that extensions use. Works where the view has no model of its own
   * (Restricted Mode). Resolves when the answer is complete: do not await it while a confirmation waits.
   */
  async askByCommand(text: string, { mode }: { mode?: "agent" | "ask" | "edit" | "Toolhost" } = {}): Promise<void> {
    const before = await this.#lastIndex();
    await this.#rig().run(
      (vscode, arg) => vscode.commands.executeCommand("workbench.action.chat.open", arg).then(() => undefined),
      {
        query: text,
        blockOnResponse: true,
        modelSelector: { vendor: SCRIPTED_MODEL.vendor, id: SCRIPTED_MODEL.id },
        ...(mode ? { mode } : {}),
      },
    );
    await poll(
      `the answer to "${text}"`,
      async () => (await this.#lastIndex()) > before && !(await this.isAnswering()),
      { timeoutMs: ANSWER_TIMEOUT_MS },
    );
  }

  /**
   * Whether the last answer is still being made (also while it waits for a confirmation). Its last words are there
   * before its request has ended, and VS Code holds a conversation that is left in between.
   */
  async isAnswering(): Promise<boolean> {
    return (await this.#page.locator(`${RESPONSE} .chat-response-loading`).or(this.#stopButton).count()) > 0;
  }

  /** Waits until the answer to the last message is complete. @returns its text */
  async waitForAnswer({ timeoutMs = ANSWER_TIMEOUT_MS }: { timeoutMs?: number } = {}): Promise<string> {
    await poll(
      "the answer in the chat",
      async () => (await this.#page.locator(RESPONSE).count()) > 0 && !(await this.isAnswering()),
      { timeoutMs },
    );
    return this.lastAnswerText();
  }

  /** All text of the last answer, a line a paragraph: also the steps that VS Code folds away when it is complete. */
  async lastAnswerText(): Promise<string> {
    return this.#page
      .locator(`${RESPONSE} .interactive-response .value`)
      .last()
      .evaluate((value) => {
        const blocks =
          "p, li, pre, td, th, h1, h2, h3, h4, h5, h6, .view-line, .chat-error-content, .chat-notification-widget";
        return [...value.querySelectorAll(blocks)]
          .filter((block) => block.querySelector(blocks) === null)
          .map((block) => (block.textContent ?? "").replaceAll("\u00a0", " "))
          .join("\n");
      });
  }

  /** The last answer's row, for what its text does not tell. */
  get lastAnswer(): Locator {
    return this.#page.locator(RESPONSE).last();
  }

  /**
   * Clicks what is near the end of the last answer. The message stays on top of a list that is scrolled, and can lie
   * over it: then the list is scrolled to its end, as a user would.
   */
  async press(target: Locator): Promise<void> {
    await poll("a click in the answer", async () => {
      try {
        await target.click({ timeout: CLICK_TIMEOUT_MS });
        return true;
      } catch (error) {
        const list = await this.#page.locator(".interactive-session .interactive-list").last().boundingBox();
        if (list !== null) {
          // Its left edge, where no editor or terminal of an answer takes the wheel for itself.
          await this.#page.mouse.move(list.x + 2, list.y + list.height / 2);
          await this.#page.mouse.wheel(0, TO_THE_END);
        }
        throw error;
      }
    });
  }

  /** Waits for a confirmation card. */
  async confirmation({ timeoutMs = ANSWER_TIMEOUT_MS }: { timeoutMs?: number } = {}): Promise<Confirmation> {
    // A hidden twin of the card sits in the list of messages.
    const card = this.#page.locator(".chat-tool-confirmation-carousel:visible").last();
    await card.waitFor({ timeout: timeoutMs });
    const buttons = card.locator(".chat-confirmation-widget-buttons");
    await buttons.waitFor();
    const gone = () => card.waitFor({ state: "hidden" });
    return {
      title: (await card.locator(".chat-tool-carousel-collapsed-title").innerText()).trim(),
      // The code block is an editor, which draws blanks as no-break spaces.
      text: (await card.locator(".chat-confirmation-widget2").innerText()).replaceAll("\u00a0", " "),
      element: card,
      allow: async () => {
        await buttons.locator(".monaco-dropdown-button").first().click();
        await pickFromMenu(this.#page, "Allow Once");
        await gone();
      },
      allowInSession: async () => {
        await buttons
          .locator(".monaco-button", { hasText: /^Allow/ })
          .first()
          .click();
        await gone();
      },
      skip: async () => {
        await buttons
          .locator(".monaco-button", { hasText: /^Skip$/ })
          .first()
          .click();
        await gone();
      },
    };
  }

  /** Waits for a question of ours in the last answer: while it waits, there is an item in the status bar. */
  async question(): Promise<Question> {
    const parts = this.lastAnswer.locator(".interactive-response .value");
    const buttons = parts.locator(".chat-command-button .monaco-button");
    await this.#waiting.waitFor({ timeout: ANSWER_TIMEOUT_MS });
    const text = async (): Promise<string> => (await parts.last().textContent()) ?? "";
    // Buttons of earlier questions of the answer stay, each with what was chosen below it.
    const chosen = async (): Promise<number> => (await text()).split(CHOSEN).length;
    await poll("the buttons of a question without an answer", async () =>
      (await text()).split(CHOSEN).at(-1)?.includes("Don't Allow"),
    );
    const pressLate = (label: string): Promise<void> =>
      this.press(buttons.or(parts.locator("a[data-href]")).getByText(label).last());
    return {
      text: await this.lastAnswerText(),
      buttons: await buttons.allInnerTexts(),
      press: async (label) => {
        const before = await chosen();
        await pressLate(label);
        // The next question can come before anybody sees that none waits.
        await poll("what was chosen", async () => (await chosen()) > before);
      },
      pressLate,
    };
  }

  /** Whether a question of ours waits in the chat. */
  async isQuestioning(): Promise<boolean> {
    return (await this.#waiting.count()) > 0;
  }

  get #waiting() {
    return this.#page.locator(".statusbar-item:visible", { hasText: "Toolhost asks" });
  }

  /** Whether a confirmation card is shown now. */
  async isAsking(): Promise<boolean> {
    return (await this.#page.locator(".chat-tool-confirmation-carousel:visible").count()) > 0;
  }

  /** Presses the stop button of the running answer. */
  async stop(): Promise<void> {
    await this.#stopButton.last().click();
  }

  get #stopButton() {
    return this.#page.locator('.interactive-input-part a[aria-label^="Cancel"]:visible');
  }

  /** Index of the last row in the list of messages; -1 when there is none. Rows out of sight are not in the page. */
  async #lastIndex(): Promise<number> {
    const indexes = await this.#page
      .locator(".interactive-session .interactive-list .monaco-list-row")
      .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute("data-index"))));
    return Math.max(-1, ...indexes);
  }
}

/** Chooses an entry of the open menu. VS Code ignores clicks in the first 100 ms of a menu, so it may take two. */
async function pickFromMenu(page: Page, label: string): Promise<void> {
  const entry = page.locator(".context-view .action-label", { hasText: label });
  await entry.waitFor();
  await poll(`the menu to close on "${label}"`, async () => {
    if ((await entry.count()) > 0) await entry.click({ timeout: 1_000 });
    return (await entry.count()) === 0;
  });
}
