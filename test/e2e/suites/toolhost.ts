// @toolhost's agent as a user meets it: plans, subagents, stopping, sessions over chats and reloads, and what it
// changed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../../harness/poll";
import type { RecordedRequest } from "../../harness/rig/protocol";
import type { FreshWindow } from "../../harness/shared-window";
import type { Workbench } from "../../harness/workbench";
import { resultTexts } from "../answers";

const READ = { calls: [{ name: "read", input: { path: "src/greet.ts" } }] };
const EDIT = {
  calls: [{ name: "edit", input: { path: "src/greet.ts", old_text: "Hello, ${name}", new_text: "Hello, ${name}!" } }],
};

/** All text that a request told the model. */
function told(request: RecordedRequest | undefined): string {
  return (request?.messages ?? [])
    .flatMap(({ parts }) => parts.map((part) => (part.type === "text" || part.type === "result" ? part.text : "")))
    .join("\n");
}

/** Needs Copilot set up, mode `default`, and no question before a message is edited. */
export function toolhostSuite(fresh: FreshWindow): void {
  describe("the agent of @toolhost", () => {
    let window: Workbench;
    let folder: string;
    const at = (path: string): string => join(folder, path);
    const text = (path: string): string => readFileSync(at(path), "utf8");
    const requests = async (): Promise<RecordedRequest[]> =>
      (await window.model.requests()).filter(({ scripted }) => scripted);
    const notification = (words: string) => window.notification(words);
    const clearNotifications = () => window.command("notifications.clearAll");
    const press = (title: string) =>
      window.chat.press(
        window.chat.lastAnswer.locator(".chat-command-button", { hasText: title }).locator(".monaco-button").first(),
      );
    let original = "";

    beforeAll(async () => {
      ({ window, folder } = await fresh());
      original = text("src/greet.ts");
    });

    it("/plan only looks, “do it” carries the plan out, and its changes can be reviewed and undone by buttons", async () => {
      await window.model.script([
        READ,
        {
          calls: [
            ...EDIT.calls,
            { name: "exec", input: { command: "install -d made-by-plan" } },
            { name: "exec", input: { command: "ls src" } },
          ],
        },
        { text: "**Plan**: end the greeting of `src/greet.ts:3` with an exclamation mark." },
      ]);
      await window.chat.ask("@toolhost /plan make the greeting louder");
      expect(await window.chat.waitForAnswer()).toContain("Plan");
      const results = resultTexts(await window.model.requests());
      expect(results[1]).toContain("edit: there is no such tool");
      expect(results[2]).toContain("Error (denied)");
      expect(results[3]).toContain("greet.ts");
      expect(text("src/greet.ts")).toBe(original);
      expect(existsSync(at("made-by-plan"))).toBe(false);
      expect((await requests())[0]?.tools).not.toContain("edit");
      expect(told((await requests())[0])).toContain("present the plan");
      await window.screenshot("agent-plan");

      await window.model.script([READ, EDIT, { text: "Done: see `src/greet.ts:3`, called in src/main.ts:6." }]);
      await window.chat.ask("@toolhost do it");
      const answer = await window.chat.waitForAnswer();
      expect(answer).toContain("Changed 1 file");
      expect(answer).toMatch(/src\/greet\.ts: \+1 −1/);
      expect(answer).toContain("Files: src/main.ts:6");
      expect(told((await requests())[0])).toContain("end the greeting of `src/greet.ts:3`");
      expect(told((await requests())[0])).not.toContain("present the plan");
      expect(text("src/greet.ts")).toContain("!`");
      await window.screenshot("agent-summary");

      await press("Review");
      await poll("the review", async () => (await window.page.locator(".multiDiffEntry").count()) === 1);
      await press("Undo");
      await notification("Undid 1 change in 1 file.");
      expect(text("src/greet.ts")).toBe(original);
      await clearNotifications();
      await press("Undo");
      await (await notification("Nothing to undo: the changes of this turn are already undone.")).click("Redo");
      await notification("Redid 1 change in 1 file.");
      expect(text("src/greet.ts")).toContain("!`");
      await clearNotifications();
      await press("Undo");
      await notification("Undid 1 change in 1 file.");
      await clearNotifications();
      await window.command("workbench.action.closeAllEditors");
      await window.model.script([{ text: "I know." }]);
      await window.chat.ask("@toolhost what now?");
      await window.chat.waitForAnswer();
      expect(told((await requests())[0])).toContain("(The user undid the changes of an earlier turn.)");
    });

    it("carries a plan out when the user clicks the link below it", async () => {
      await window.chat.newConversation();
      await window.model.script([READ, { text: "**Plan**: end the greeting with an exclamation mark." }]);
      await window.chat.ask("@toolhost /plan make the greeting louder, please");
      await window.chat.waitForAnswer();
      const link = window.page.locator(".interactive-session-followups").getByText("Carry out the plan").last();
      await link.waitFor();
      await window.screenshot("agent-plan-link");
      await window.model.script([READ, EDIT, { text: "The plan is carried out." }]);
      await link.click();
      await poll("the answer", async () => (await window.chat.lastAnswerText()).includes("The plan is carried out."));
      await window.chat.waitForAnswer();
      const [request] = await requests();
      expect(request?.tools).toContain("edit");
      expect(told(request)).not.toContain("present the plan");
      expect(text("src/greet.ts")).toContain("!`");
      expect(await window.chat.lastAnswerText()).toContain("Changed 1 file");
      expect(
        await window.page
          .locator(".interactive-session .monaco-list-row.request", { hasText: "Carry out the plan" })
          .innerText(),
      ).not.toContain("/plan");
      await press("Undo");
      await notification("Undid 1 change in 1 file.");
      expect(text("src/greet.ts")).toBe(original);
      await clearNotifications();
    });

    it("marks each step that was not done or failed, with the reason, and no step that was done", async () => {
      await window.chat.newConversation();
      await window.changeSetting("toolhost.permissions.rules", [
        { tool: "exec", params: { command: "touch **" }, decision: "deny" },
      ]);
      await window.model.script([
        READ,
        {
          calls: [
            { name: "read", input: { path: "src/nothere.ts" } },
            { name: "edit", input: { path: "src/greet.ts", old_text: "Goodbye", new_text: "Bye" } },
            { name: "exec", input: { command: "touch made" } },
            { name: "exec", input: { command: "cat nothere" } },
          ],
        },
        {
          calls: [
            { name: "exec", input: { command: "install -d made" } },
            { name: "reed", input: {} },
          ],
        },
        { calls: [{ name: "exec", input: { command: "rm -rf src" } }] },
        { text: "That is all." },
      ]);
      await window.chat.ask("@toolhost try much");
      await (await window.chat.confirmation()).skip();
      await (await window.chat.question()).press("Don't Allow");
      const answer = await window.chat.waitForAnswer();
      expect(answer).toContain("That is all.");
      await window.screenshot("agent-failed-steps");
      // Marks are paragraphs of their own; VS Code shows the steps themselves in others.
      expect(
        answer
          .split("\n")
          .filter((line) => line.includes(" — "))
          .map((line) => line.trim()),
      ).toEqual([
        "Read src/nothere.ts — not found",
        "Edit src/greet.ts — no match",
        expect.stringMatching(/^Run touch made — not run: .*rule/) as string,
        "Run cat nothere — exit 1 · Show Terminal",
        "Run install -d made — not run: you skipped it",
        "Call reed — not run: there is no such tool",
      ]);
      expect(answer).toContain("Not allowed: Run rm -rf src");
      expect(answer).toContain("6 of the steps above did not succeed.");
      expect(answer).not.toMatch(/\b(?:Reading|Editing|Running)\b/);
      expect(text("src/greet.ts")).toBe(original);
      await window.restoreSettings();

      await window.chat.newConversation();
      await window.model.script([
        {
          calls: [
            { name: "exec", input: { command: "rm README.md" } },
            { name: "edit", input: {} },
          ],
        },
        { text: "A plan." },
      ]);
      await window.chat.ask("@toolhost /plan try to change something");
      const planned = (await window.chat.waitForAnswer())
        .split("\n")
        .filter((line) => line.includes(" — "))
        .map((line) => line.trim());
      expect(planned).toEqual([
        expect.stringMatching(/^Run rm README\.md — not run: /) as string,
        "Call edit — not run: there is no such tool",
      ]);
    });

    it("says with the next message what of a turn is still in the files that was taken back by Restore Checkpoint, and keeps it in sight", async () => {
      const item = window.page.locator(".statusbar-item", { hasText: "1 change still in files" });
      await window.chat.newConversation();
      await window.model.script([{ text: "Hello." }]);
      await window.chat.ask("@toolhost say hello");
      await window.chat.waitForAnswer();
      await window.model.script([READ, EDIT, { text: "Louder." }]);
      await window.chat.ask("@toolhost make the greeting louder for the checkpoint");
      await window.chat.waitForAnswer();
      expect(text("src/greet.ts")).toContain("!`");
      // Drawn where the mouse is over the request, in a row of its own.
      await window.page
        .locator(".interactive-session .monaco-list-row.request", { hasText: "for the checkpoint" })
        .hover();
      await window.page
        .locator('.checkpoint-container.group-hovered a[aria-label^="Restores workspace"]')
        .click({ force: true });
      await window.page.getByText("Checkpoint Restored").filter({ visible: true }).waitFor();
      expect(text("src/greet.ts")).toContain("!`");

      await window.model.script([{ text: "I see." }, { text: "Once was enough." }]);
      await window.chat.ask("@toolhost what now?");
      const answer = await window.chat.waitForAnswer();
      await window.screenshot("agent-taken-back");
      expect(answer).toContain("Messages were removed from the chat, but their changes are still in the files.");
      expect(answer).toContain("“make the greeting louder for the checkpoint”: 1 change in src/greet.ts");
      expect(await window.chat.lastAnswer.locator(".chat-command-button .monaco-button").allTextContents()).toEqual([
        "Undo Its 1 Change",
        "Review",
      ]);
      // Not among the steps that VS Code folds away.
      expect(
        await window.chat.lastAnswer
          .getByText("Messages were removed from the chat, but their changes are still in the files.")
          .isVisible(),
      ).toBe(true);
      expect(told((await requests())[0])).toContain("still in these files: src/greet.ts");
      await item.waitFor();
      await window.chat.ask("@toolhost and now?");
      expect(await window.chat.waitForAnswer()).not.toContain("removed from the chat");

      await window.reload();
      await item.waitFor();
      await item.locator("a").click();
      await (await window.dialog()).click("Undo");
      await notification("Undid 1 change in 1 file.");
      expect(text("src/greet.ts")).toBe(original);
      await item.waitFor({ state: "detached" });
      await clearNotifications();
    });

    it("runs two subagents at once and names what each does", async () => {
      await window.chat.newConversation();
      await window.model.script([
        {
          text: "I'll look at both.",
          calls: ["ALPHA: who greets?", "BETA: who is greeted?"].map((prompt) => ({
            name: "sessions_spawn",
            input: { prompt },
          })),
        },
        { when: "ALPHA: who", calls: [{ name: "read", input: { path: "src/greet.ts" } }] },
        { when: "BETA: who", calls: [{ name: "grep", input: { pattern: "Ada" } }] },
        { when: "export function greet", text: "alpha found greet", delayMs: 2_500 },
        { when: "src/main.ts", text: "beta found Ada", delayMs: 2_500 },
        { text: "Greet greets Ada." },
      ]);
      await window.chat.ask("@toolhost who greets whom?");
      await poll("both at work", async () => (await requests()).length >= 5);
      const shown = await window.chat.lastAnswerText();
      await window.screenshot("agent-subagents");
      expect(await window.chat.waitForAnswer()).toContain("Greet greets Ada.");
      expect(shown).toContain("ALPHA");
      expect(shown).toContain("BETA");
      const results = resultTexts(await window.model.requests());
      expect(results).toHaveLength(2);
      expect(results[0]).toContain("Subagent completed task. Result:\nalpha found greet");
      expect(results[1]).toContain("beta found Ada");
      await window.screenshot("agent-subagents-done");
      const link = window.chat.lastAnswer.getByText("Subagent “ALPHA: who greets?”", { exact: true }).last();
      await window.chat.press(link);
      await poll(
        "the subagent's answer in an editor",
        async () =>
          (await window.rig.run((vscode) => vscode.window.activeTextEditor?.document.getText())) ===
          "alpha found greet",
      );
      await window.command("workbench.action.closeActiveEditor");
    });

    it("keeps what was said and done before the user pressed stop", async () => {
      await window.chat.newConversation();
      await window.model.script([{ text: "Half of an answer", hang: true }]);
      await window.chat.ask("@toolhost begin to answer");
      await poll("half of the answer", async () => (await window.chat.lastAnswerText()).includes("Half of an answer"));
      await window.chat.stop();
      await poll("the cancellation", async () => (await window.model.requests())[0]?.cancelled);
      await window.chat.waitForAnswer();

      await window.model.script([
        READ,
        EDIT,
        { calls: [{ name: "exec", input: { command: "sleep 60" } }] },
        { text: "never said" },
      ]);
      await window.chat.ask("@toolhost edit, then sleep");
      if (
        await poll(
          "the command",
          async () =>
            (await window.chat.isAsking()) ||
            ((await requests()).length === 3 && (await window.rig.run((vscode) => vscode.window.terminals.length)) > 0),
        )
      ) {
        if (await window.chat.isAsking()) await (await window.chat.confirmation()).allow();
      }
      await poll("the edit", () => text("src/greet.ts").includes("!`"));
      await window.chat.stop();
      await window.chat.waitForAnswer();
      await (await notification("Stopped. @toolhost had already changed 1 file.")).click("Undo");
      await notification("Undid 1 change in 1 file.");
      expect(text("src/greet.ts")).toBe(original);
      await clearNotifications();

      await window.model.script([{ text: "I remember." }]);
      await window.chat.ask("@toolhost what was that?");
      await window.chat.waitForAnswer();
      const all = told((await requests())[0]);
      for (const words of [
        "begin to answer",
        "Half of an answer",
        "(The user stopped the answer here.)",
        "edit, then sleep",
        "Edited src/greet.ts",
        "(The user undid the changes",
      ]) {
        expect(all).toContain(words);
      }
    });

    it("answers with clear words to a model that talks nonsense", async () => {
      await window.chat.newConversation();
      await window.model.script([
        {
          calls: [
            { name: "reed", input: {} },
            { name: "read", input: '{"path": "src/gr' },
            { name: "read", input: { path: "src/greet.ts" } },
          ],
        },
        { text: "```\nan open fence <!-- and", calls: [READ.calls[0] ?? { name: "", input: {} }] },
        ...Array.from({ length: 6 }, () => READ),
        { text: "I stop." },
      ]);
      await window.chat.ask("@toolhost talk nonsense");
      const answer = await window.chat.waitForAnswer();
      expect(answer).toContain(
        "Stopped since the model made the same call of read over and over. Say “continue” to go on.",
      );
      const results = resultTexts(await window.model.requests());
      expect(results[0]).toContain("Did you mean read?");
      expect(results[1]).toContain("The input is not a JSON object.");
      expect(results[2]).toContain("export function greet");
      // What the model left open ends with its own text.
      expect(await window.chat.lastAnswer.locator("em", { hasText: "Stopped since the model" }).count()).toBe(1);
      await window.screenshot("agent-nonsense");

      await window.model.script([
        { text: "It is in the file ", error: { code: "Other", message: "the connection broke" } },
      ]);
      await window.chat.ask("@toolhost die");
      const died = await window.chat.waitForAnswer();
      expect(died).toContain("It is in the file");
      expect(died).toContain("Send the message again, or choose another model.");
      await window.model.script([{ text: "Again." }]);
      await window.chat.ask("@toolhost again");
      await window.chat.waitForAnswer();
      expect(told((await requests())[0])).toContain("(The answer was cut off here.)");
    });

    it("/remember keeps a dated note that every session is given, and can be undone", async () => {
      await window.chat.newConversation();
      await window.chat.ask("@toolhost /remember");
      expect(await window.chat.waitForAnswer()).toContain("Remember what?");
      await window.chat.ask("@toolhost /remember we greet *loudly*, [always](https://example.com)");
      const answer = await window.chat.waitForAnswer();
      expect(answer).toContain("Noted in .toolhost/MEMORY.md:3");
      expect(answer).toContain("we greet *loudly*, [always](https://example.com)");
      expect(text(".toolhost/MEMORY.md")).toMatch(
        /^# Memory\n\n- \d{4}-\d\d-\d\d: we greet \*loudly\*, \[always\]\(https:\/\/example\.com\)\n$/,
      );
      await window.screenshot("agent-remember");
      await window.model.script([{ text: "Loudly." }]);
      await window.chat.ask("@toolhost how do we greet?");
      await window.chat.waitForAnswer();
      expect(told((await requests())[0])).toContain("we greet *loudly*");
      await window.chat.ask("@toolhost /undo");
      expect(await window.chat.waitForAnswer()).toContain("Undid 1 change in 1 file.");
      expect(existsSync(at(".toolhost/MEMORY.md"))).toBe(false);
    });

    it("uses the files, selections, folders and tools that the user attaches", async () => {
      await window.chat.newConversation();
      await window.openFile(at("docs/notes.md"));
      await window.typeUnsaved("NOT SAVED YET ");
      await window.model.script([{ text: "I see." }]);
      await window.rig.run((vscode, root) => {
        const uri = (path: string) => vscode.Uri.file(`${root}/${path}`);
        const attachFiles = [
          uri("src/main.ts"),
          { uri: uri("docs/notes.md"), range: { startLineNumber: 4, startColumn: 1, endLineNumber: 5, endColumn: 10 } },
          uri("src"),
        ];
        void vscode.commands.executeCommand("workbench.action.chat.open", {
          query: "@toolhost what is #toolhost_grep for?",
          attachFiles,
        });
      }, folder);
      await poll("the request", async () => (await requests()).length === 1);
      await window.chat.waitForAnswer();
      const all = told((await requests())[0]);
      expect(all).toContain("Attached: src/main.ts");
      expect(all).toContain("NOT SAVED YET");
      expect(all).toContain("Attached: the folder src, which contains greet.ts, main.ts.");
      expect(all).toContain("The user wants you to use grep.");
      expect(all).not.toContain("<skills>");
      await window.openFile(at("docs/notes.md"));
      await window.command("workbench.action.files.revert");
      await window.command("workbench.action.closeAllEditors");
    });

    it("forgets a turn that the user takes back by editing its message", async () => {
      await window.chat.newConversation();
      await window.model.script([{ text: "One." }, { text: "Two." }, { text: "Three." }]);
      await window.chat.ask("@toolhost the first thing");
      await window.chat.waitForAnswer();
      await window.chat.ask("@toolhost the second thing");
      await window.chat.waitForAnswer();
      await window.page
        .locator(".interactive-session .monaco-list-row.request", { hasText: "the second thing" })
        .locator(".rendered-markdown")
        .first()
        .click();
      await window.screenshot("agent-edit-message");
      await window.page.keyboard.press("Control+A");
      await window.page.keyboard.insertText("@toolhost another thing");
      await window.page.keyboard.press("Enter");
      await poll("the third request", async () => (await requests()).length === 3);
      await window.chat.waitForAnswer();
      const all = told((await requests())[2]);
      expect(all).toContain("the first thing");
      expect(all).toContain("another thing");
      expect(all).not.toContain("the second thing");
      expect(all).not.toContain("Two.");
    });

    it("names what an edited message leaves in the files, with buttons that show and undo it, and a status that can be hidden", async () => {
      const item = window.page.locator(".statusbar-item", { hasText: "1 change still in files" });
      await window.chat.newConversation();
      await window.model.script([READ, EDIT, { text: "Louder." }]);
      await window.chat.ask("@toolhost make the greeting louder, to be edited");
      await window.chat.waitForAnswer();
      expect(text("src/greet.ts")).toContain("!`");
      await window.model.script([{ text: "As you wish." }]);
      await window.page
        .locator(".interactive-session .monaco-list-row.request", { hasText: "to be edited" })
        .locator(".rendered-markdown")
        .first()
        .click();
      await window.page.keyboard.press("Control+A");
      await window.page.keyboard.insertText("@toolhost leave the greeting alone");
      await window.page.keyboard.press("Enter");
      await poll("the answer to the edited message", async () =>
        (await window.chat.lastAnswerText()).includes("As you wish."),
      );
      expect(await window.chat.waitForAnswer()).toContain(
        "“make the greeting louder, to be edited”: 1 change in src/greet.ts",
      );
      expect(text("src/greet.ts")).toContain("!`");

      await item.hover();
      await window.page.locator(".monaco-hover a", { hasText: "Hide" }).click();
      await item.waitFor({ state: "detached" });
      expect(text("src/greet.ts")).toContain("!`");
      await press("Review");
      await poll("the review", async () => (await window.page.locator(".multiDiffEntry").count()) === 1);
      await press("Undo Its 1 Change");
      await notification("Undid 1 change in 1 file.");
      expect(text("src/greet.ts")).toBe(original);
      await clearNotifications();
      await window.command("workbench.action.closeAllEditors");
    });

    it("goes on with an earlier session in another chat: /sessions", async () => {
      await window.chat.newConversation();
      await window.chat.ask("@toolhost /sessions");
      const list = await window.chat.waitForAnswer();
      expect(list).toMatch(/the first thing — just now, 4 messages/);
      expect(list).toContain("who greets whom?");
      expect(list).not.toContain("ALPHA: who greets?");
      await window.screenshot("agent-sessions");
      await window.page.locator(".interactive-session a", { hasText: "who greets whom?" }).first().click();
      await poll("the session", async () =>
        (await window.chat.lastAnswerText()).includes("This chat continues who greets whom?"),
      );
      // The chat in front stays as it is.
      expect(await window.page.locator(".interactive-session", { hasText: "the first thing — just now" }).count()).toBe(
        0,
      );
      expect(await window.chat.lastAnswerText()).toContain("Toolhost: Greet greets Ada.");
      await window.screenshot("agent-reopened");
      await window.model.script([{ text: "Still Ada." }]);
      await window.chat.ask("@toolhost and now?");
      await window.chat.waitForAnswer();
      expect(told((await requests())[0])).toContain("alpha found greet");
      await window.chat.ask("@toolhost /sessions");
      await window.chat.waitForAnswer();
      await window.chat.ask("@toolhost /sessions 99");
      expect(await window.chat.waitForAnswer()).toMatch(/The list has \d+ sessions\./);
      await window.chat.ask("@toolhost /sessions no-such-session");
      expect(await window.chat.waitForAnswer()).toContain(
        "There is no session no-such-session in this workspace any more.",
      );
    });

    it("goes on after the window was reloaded in the middle of a turn", async () => {
      await window.chat.newConversation();
      await window.model.script([READ, { text: "I had read it and ", hang: true }]);
      await window.chat.ask("@toolhost read it before the reload");
      await poll("the text", async () => (await window.chat.lastAnswerText()).includes("I had read it and"));
      // Another chat cannot speak in the same session meanwhile.
      await window.chat.newConversation();
      await window.chat.ask("@toolhost /sessions");
      expect(await window.chat.waitForAnswer()).toMatch(/read it before the reload — running now/);
      await window.chat.ask("@toolhost /sessions 1");
      expect(await window.chat.waitForAnswer()).toContain("A turn of this session is running");
      await window.chat.ask("@toolhost me, too");
      expect(await window.chat.waitForAnswer()).toContain("one of its turns is in progress here. Wait until it ends");
      await window.reload();
      // VS Code had not written the conversation down: what is left of it is the session.
      await window.chat.open();
      await window.chat.newConversation();
      await window.chat.ask("@toolhost /sessions");
      expect(await window.chat.waitForAnswer()).toMatch(
        /read it before the reload — interrupted, (just now|\d+ minutes? ago), 2 messages/,
      );
      await window.chat.ask("@toolhost /sessions 1");
      expect(await window.chat.waitForAnswer()).toContain("This chat continues read it before the reload");
      await window.screenshot("agent-reloaded");
      await window.model.script([{ text: "I go on." }]);
      await window.chat.ask("@toolhost go on");
      await window.chat.waitForAnswer();
      const all = told((await requests())[0]);
      expect(all).toContain("read it before the reload");
      expect(all).toContain("export function greet");
    });
  });
}
