// Somebody who knows nothing, in a profile of which nothing is set: from the package to the first answer by their own model, then
// to what it changed, and back. Only what a hand does, and all of it is counted. With TOOLHOST_WRITE_FIRST_HOUR=1
// the counts and times go into docs/benchmarks.md.
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository } from "../../../scripts/paths.mjs";
import { writePart } from "../../bench/page";
import { Hand, type Effort } from "../../harness/hand";
import { OpenAiServer } from "../../harness/openai-server";
import { poll } from "../../harness/poll";
import { sampleFixture, startServer } from "../../harness/server";
import { openWorkbench, type Workbench } from "../../harness/workbench";

/** What VS Code has for a new user, where the harness is quieter. */
const AS_NEW = {
  "chat.byokUtilityModelDefault": undefined,
  "workbench.startupEditor": undefined,
  "workbench.tips.enabled": undefined,
};
const BEFORE = "Hello, ${name}";
const AFTER = "Welcome, ${name}";

/** @param packagePath the .vsix */
export function firstHour(packagePath: () => string): void {
  describe("the first hour of somebody who knows nothing", () => {
    let window: Workbench;
    let openAi: OpenAiServer;
    let hand: Hand;
    let file: string;
    const rows: string[] = [];

    beforeAll(async () => {
      openAi = await OpenAiServer.start({ models: ["story-teller"] });
      const server = await startServer({ extensions: [], model: false, settings: AS_NEW });
      const folder = server.temporaryFolder("sample", sampleFixture);
      file = join(folder, "src/greet.ts");
      window = await openWorkbench(server, { folder, copilot: true });
      hand = new Hand(window.page);
    });

    afterAll(async () => {
      await openAi.stop();
      if (process.env["TOOLHOST_WRITE_FIRST_HOUR"] === "1" && rows.length === 3) writeRows(rows);
    });

    const tell = (what: string, { clicks, keys, ms }: Effort): void => {
      rows.push(`| ${what} | ${clicks} | ${keys} | ${(ms / 1000).toFixed(1)} |`);
    };
    const inChat = (): Promise<boolean> =>
      window.chat.input.evaluate((editor) => editor.contains(document.activeElement));
    /** A model that edits the greeting when it is asked to. */
    const willWelcome = (): void =>
      openAi.script(
        {
          calls: [{ id: "1", name: "edit", arguments: { path: "src/greet.ts", old_text: BEFORE, new_text: AFTER } }],
        },
        { text: "It says Welcome now." },
      );
    const isSaid = (words: string): Promise<unknown> =>
      poll(`“${words}”`, async () => (await window.chat.lastAnswerText()).includes(words));
    const changedTo = (words: string): Promise<unknown> =>
      poll(`${words} in the file`, () => readFileSync(file, "utf8").includes(words));

    it("is led from the package to an answer of their own model, with at most 6 clicks", async () => {
      const { page } = window;
      hand.done();
      await hand.click(page.locator('.activitybar [aria-label^="Extensions"]').first());
      await hand.click(page.locator('.sidebar .composite.title [aria-label^="Views and More Actions"]').first());
      await hand.click(page.locator(".monaco-menu .action-label", { hasText: "Install from VSIX" }));
      await cursorInBox(window);
      // VS Code fills in the path of the folder once it has listed it, over what was typed before.
      await page.locator(".quick-input-widget:visible .monaco-list-row").first().waitFor();
      await hand.press("Control+A");
      await hand.type(packagePath());
      await poll("the package in the list", () =>
        page.locator(".quick-input-widget:visible .monaco-list-row", { hasText: ".vsix" }).count(),
      );
      await hand.press("Enter");

      // The first steps open by themselves, at the first of them. Who reads it presses its button when VS Code has also
      // started what was installed: the chat then shows that it has no model.
      await page.locator(".getting-started-step.expanded .monaco-button", { hasText: "Add Model Server" }).waitFor();
      await page.locator(".interactive-input-part").getByText("No model").last().waitFor();
      await hand.click(page.locator(".getting-started-step.expanded .monaco-button", { hasText: "Add Model Server" }));
      await hand.click(page.locator(".quick-input-widget:visible .monaco-list-row", { hasText: "Another server" }));
      await poll("the question for the address", async () =>
        (await (await window.quickInput()).title()).includes("Address"),
      );
      await cursorInBox(window);
      await hand.type(openAi.baseUrl);
      await hand.press("Enter");

      // Told when the chat has the model and is ready for a message.
      await page.locator(".notifications-toasts").getByText("The chat now uses").waitFor();
      await poll("the cursor in the chat's input", inChat);
      willWelcome();
      await hand.type("say Welcome instead of Hello");
      await hand.press("Enter");
      await isSaid("It says Welcome now.");
      await isSaid("Changed 1 file");
      const effort = hand.done();
      tell("from the package to the answer", effort);
      await window.screenshot("first-hour-answer");
      expect(effort.clicks).toBeLessThanOrEqual(6);
      expect(readFileSync(file, "utf8")).toContain(AFTER);
    });

    it("finds what was changed, and takes it back, by the buttons of the answer", async () => {
      const button = (title: string) =>
        window.chat.lastAnswer.locator(".chat-command-button .monaco-button", { hasText: title });
      hand.done();
      await hand.click(button("Review"));
      await poll("the change, side by side", async () =>
        (await window.page.locator(".multiDiffEntry").allInnerTexts()).some((text) =>
          text.replaceAll("\u00a0", " ").includes("Welcome"),
        ),
      );
      await hand.click(button("Undo"));
      await changedTo(BEFORE);
      const effort = hand.done();
      tell("to see the change and take it back, in the chat", effort);
      await window.screenshot("first-hour-undone");
      expect(effort.clicks).toBe(2);
      expect(effort.keys).toBe(0);
    });

    it("finds it in the view as well, and takes it back there", async () => {
      await poll("the cursor in the chat's input", async () => {
        if (!(await inChat())) await hand.click(window.chat.input);
        return inChat();
      });
      willWelcome();
      await hand.type("and again");
      await hand.press("Enter");
      await isSaid("It says Welcome now.");
      await changedTo(AFTER);
      await isSaid("Changed 1 file");

      hand.done();
      await hand.click(window.page.locator('.activitybar [aria-label^="Toolhost"]').first());
      const changed = window.page.locator(".sidebar .monaco-list-row", { hasText: "greet.ts" });
      await hand.click(changed);
      await poll("the change, side by side", async () =>
        (await window.page.locator(".monaco-diff-editor .modified .view-lines").allInnerTexts()).some((text) =>
          text.includes("Welcome"),
        ),
      );
      await hand.point(changed);
      await hand.click(changed.locator('.action-label[aria-label^="Undo"]'));
      await changedTo(BEFORE);
      const effort = hand.done();
      tell("the same, in the view", effort);
      await window.screenshot("first-hour-view");
      expect(effort.clicks).toBe(3);
      expect(effort.keys).toBe(0);
    });
  });
}

/** Waits for the cursor in the box of a question at the top of the window. */
async function cursorInBox({ page }: Workbench): Promise<void> {
  await poll("the cursor in the box", () =>
    page.locator(".quick-input-widget:visible").evaluate((widget) => widget.contains(document.activeElement)),
  );
}

function writeRows(rows: readonly string[]): void {
  writePart(
    repository,
    "first hour",
    [
      "## The first hour",
      "Somebody who has only the package and the address of a model server, in an empty profile with VS Code's defaults: clicks, keys",
      "(a typed text is one for each character; the path of the package and the address are most of them) and seconds with everything that is waited for, by a hand",
      "that never hesitates. No palette, no command. The clicks are held by `test/e2e/suites/firstHour.ts`, the seconds are told only.",
      `${cpus()[0]?.model ?? "This machine"}, ${cpus().length} cores, load average ${(loadavg()[0] ?? 0).toFixed(0)}, VS Code's server in a headless Chromium. Written by \`TOOLHOST_WRITE_FIRST_HOUR=1 npm run e2e -- vsix\`.\n`,
      "| | clicks | keys | s |",
      "|---|---|---|---|",
      ...rows,
    ].join("\n"),
  );
}
