// The pictures of the README, made of the real thing: `npm run e2e -- pictures`, look at them, then copy the good
// ones from test-results/screenshots to media/.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../../harness/poll";
import { resetSample, type FreshWindow } from "../../harness/shared-window";
import type { Workbench } from "../../harness/workbench";
import { widenChat } from "../widenChat";

/** Needs Copilot set up, the light theme and mode `default`. */
export function picturesSuite(fresh: FreshWindow): void {
  describe("the pictures of the README", () => {
    let window: Workbench;
    let folder: string;

    beforeAll(async () => {
      ({ window, folder } = await fresh());
      await window.chat.open();
      await widenChat(window);
    });

    /** The folder as it was, no editor and an empty chat: a picture shows nothing of the one before. */
    async function begin(): Promise<void> {
      await window.command("workbench.action.closeAllEditors");
      resetSample(folder);
      await window.chat.newConversation();
    }

    it("shows a large result that is kept and reduced", async () => {
      await begin();
      writeFileSync(
        join(folder, "orders.log"),
        Array.from(
          { length: 900 },
          (_, index) => `order ${1000 + index} ${index % 3 === 0 ? "late" : "on time"}\n`,
        ).join(""),
      );
      await window.model.script([
        {
          calls: [
            {
              name: "toolhost_pipe",
              input: {
                tool_name: "grep",
                tool_input: { pattern: "^order", path: "orders.log", max_results: 1_000 },
                path: "orders.json",
              },
            },
          ],
        },
        {
          calls: [
            { name: "toolhost_query", input: { path: "orders.json", expression: "$count(matches[text ~> /late$/])" } },
          ],
        },
        { text: "300 of the 900 orders are late." },
      ]);
      await window.chat.ask("@toolhost how many orders in orders.log are late?");
      await window.chat.waitForAnswer();
      for (const steps of [/Completed \d+ steps/, /Finished with \d+ steps/]) {
        await window.chat.press(window.chat.lastAnswer.getByText(steps).first());
      }
      await window.openFile(join(folder, ".toolhost/context/orders.json"));
      await window.screenshot("readme-kept");
      expect(readFileSync(join(folder, ".toolhost/context/orders.json"), "utf8")).toContain("order 1899");
    });

    it("shows a plan, subagents and the end of a turn", async () => {
      await begin();
      await window.openFile(join(folder, "src/greet.ts"));
      await window.model.script([
        {
          text: "Two questions that have nothing to do with each other: I'll have both looked into at once.",
          calls: [
            "Where is the greeting built, and who calls it?",
            "Which people are greeted, and where is that documented?",
          ].map((prompt) => ({ name: "sessions_spawn", input: { prompt } })),
        },
        { when: "Where is the greeting", calls: [{ name: "grep", input: { pattern: "greet\\(" } }] },
        { when: "Which people", calls: [{ name: "read", input: { path: "docs/notes.md" } }] },
        { when: "2 matches", calls: [{ name: "read", input: { path: "src/main.ts" } }] },
        { when: "The greeting lives", calls: [{ name: "grep", input: { pattern: "Ada" } }] },
        { when: "Where is the greeting", text: "Built in src/greet.ts.", delayMs: 3_000 },
        { when: "Which people", text: "Ada, Grace and Barbara.", delayMs: 3_000 },
        { text: "`greet` in `src/greet.ts:2` builds it; `src/main.ts:6` calls it for Ada, Grace and Barbara." },
      ]);
      await window.chat.ask("@toolhost who is greeted, and how?");
      await poll(
        "both at work",
        async () => (await window.model.requests()).filter(({ scripted }) => scripted).length >= 7,
      );
      await window.screenshot("readme-subagents");
      await window.chat.waitForAnswer();
      await window.chat.newConversation();
      await window.model.script([
        {
          calls: [
            { name: "read", input: { path: "src/greet.ts" } },
            { name: "read", input: { path: "src/main.ts" } },
          ],
        },
        {
          text: "The plan is two small edits.",
          calls: [
            { name: "edit", input: { path: "src/greet.ts", old_text: "Hello, ${name}", new_text: "Hello, ${name}!" } },
            {
              name: "edit",
              input: { path: "src/main.ts", old_text: '"Barbara"]', new_text: '"Barbara", "Katherine"]' },
            },
          ],
        },
        { text: "Done. Greetings end with an exclamation mark, and Katherine is greeted, too." },
      ]);
      await window.chat.ask("@toolhost greet Katherine, too, and louder");
      expect(await window.chat.waitForAnswer()).toContain("Changed 2 files");
      await window.screenshot("readme-summary");
    });

    it("shows @toolhost at work", async () => {
      await begin();
      await window.changeSetting("toolhost.permissionMode", "ask");
      await window.openFile(join(folder, "src/greet.ts"));
      await window.model.script([
        {
          text: "I'll find where the greeting is built.",
          calls: [
            { name: "toolhost_grep", input: { pattern: "greet\\(", include: "*.ts" } },
            { name: "toolhost_read", input: { path: "src/greet.ts" } },
          ],
        },
        {
          text: "`greet` in `src/greet.ts` builds it, on line 3.",
          calls: [
            {
              name: "toolhost_edit",
              input: { path: "src/greet.ts", old_text: "Hello, ${name}", new_text: "Hello, ${name}!" },
            },
          ],
        },
        {
          text: "Done. `greet` now returns “Hello, Ada!”. It is called from line 6 of `src/main.ts`, which needs no change.",
        },
      ]);
      await window.chat.ask("@toolhost make the greeting end with an exclamation mark");
      const card = await window.chat.confirmation();
      await window.screenshot("readme-confirmation");
      await card.allow();
      await window.chat.waitForAnswer();
      // The steps fold away when the answer is complete: show them as a reader would.
      for (const steps of [/Completed \d+ steps/, /Finished with \d+ steps/]) {
        await window.chat.press(window.chat.lastAnswer.getByText(steps).first());
      }
      await window.screenshot("readme-answer");
      expect(readFileSync(join(folder, "src/greet.ts"), "utf8")).toContain("!`");
    });
  });
}
