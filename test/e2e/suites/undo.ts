// Undo as a user meets it: /undo in the chat, the palette's questions, the review, and all of it after a reload.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { LINK_COMMAND } from "../../../src/names/contributed.js";
import { poll } from "../../harness/poll";
import type { FreshWindow } from "../../harness/shared-window";
import { resultTexts } from "../answers";
import type { Workbench } from "../../harness/workbench";

const EDIT = { path: "src/greet.ts", old_text: "Hello, ${name}", new_text: "Hello, ${name}!" };
const PATCH = [
  "*** Begin Patch",
  "*** Update File: src/main.ts",
  "@@",
  '-const names = ["Ada", "Grace", "Barbara"];',
  '+const names = ["Ada", "Grace", "Barbara", "Katherine"];',
  "*** Add File: src/people/names.ts",
  '+export const names = ["Ada"];',
  "*** Update File: docs/notes.md",
  "*** Move to: docs/todo.md",
  "@@",
  "-- TODO: greet people in their own language.",
  "+- DONE: greet people in their own language.",
  "*** End Patch",
].join("\n");

/** Needs Copilot set up, the light theme and mode `default`, and that no change is left to undo. */
export function undoSuite(fresh: FreshWindow): void {
  describe("undo", () => {
    let window: Workbench;
    let folder: string;
    let dataDir: string;
    const at = (path: string): string => join(folder, path);
    const text = (path: string): string => readFileSync(at(path), "utf8");
    const originals = new Map<string, string>();

    beforeAll(async () => {
      ({ window, folder } = await fresh());
      dataDir = window.server.dataDir;
      for (const path of ["src/greet.ts", "src/main.ts", "docs/notes.md"]) {
        originals.set(path, text(path));
      }
    });

    /** The command never resolves while its question is open, so it is not waited for. */
    const start = (command: string, ...args: unknown[]): void =>
      void window.command(command, ...args).catch(() => undefined);
    const notification = (words: string) => window.notification(words);
    const clearNotifications = () => window.command("notifications.clearAll");
    const allAsBefore = (): void => {
      for (const [path, before] of originals) {
        expect(text(path)).toBe(before);
      }
      expect(existsSync(at("src/people"))).toBe(false);
      expect(existsSync(at("docs/todo.md"))).toBe(false);
    };

    /** Two turns of @toolhost: an edit, then a patch of three files. */
    async function twoTurns(): Promise<void> {
      await window.model.script([
        { calls: [{ name: "toolhost_read", input: { path: "src/greet.ts" } }] },
        { calls: [{ name: "toolhost_edit", input: EDIT }] },
        { text: "The greeting is louder now." },
      ]);
      await window.chat.ask("@toolhost make the greeting louder");
      expect(await window.chat.waitForAnswer()).toContain("louder now");
      await window.model.script([
        { calls: ["src/main.ts", "docs/notes.md"].map((path) => ({ name: "toolhost_read", input: { path } })) },
        { calls: [{ name: "toolhost_apply_patch", input: { patch: PATCH } }] },
        { text: "Katherine is greeted, too." },
      ]);
      await window.chat.ask("@toolhost greet Katherine");
      expect(await window.chat.waitForAnswer()).toContain("Katherine is greeted");
      expect(text("src/greet.ts")).toContain("!`");
      expect(text("src/main.ts")).toContain("Katherine");
      expect(existsSync(at("src/people/names.ts"))).toBe(true);
      expect(existsSync(at("docs/notes.md"))).toBe(false);
    }

    it("/undo takes back the last turn of the chat file by file, sent again the turn before, then says that nothing is left", async () => {
      await twoTurns();
      await window.model.script([{ text: "I know." }]);
      await window.chat.ask("@toolhost /undo");
      const answer = await window.chat.waitForAnswer();
      expect(answer).toContain("Undid 3 changes in 3 files.");
      expect(answer).toMatch(/src\/main\.ts: restored/);
      expect(answer).toMatch(/src\/people\/names\.ts: deleted again/);
      expect(answer).toMatch(/docs\/notes\.md: moved back from docs\/todo\.md/);
      await window.screenshot("undo-chat");
      expect(text("src/greet.ts")).toContain("!`");
      expect(existsSync(at("src/people"))).toBe(false);
      expect(text("docs/notes.md")).toBe(originals.get("docs/notes.md"));

      await window.chat.ask("@toolhost /undo");
      expect(await window.chat.waitForAnswer()).toMatch(/src\/greet\.ts: restored/);
      allAsBefore();

      await window.chat.ask("@toolhost /undo");
      expect(await window.chat.waitForAnswer()).toContain(
        "Nothing to undo: no change that Toolhost's tools made in this chat is left to undo.",
      );

      // The model knows that its changes are gone.
      await window.chat.ask("@toolhost what now?");
      expect(await window.chat.waitForAnswer()).toContain("I know.");
      const [request] = await window.model.requests();
      const told = request?.messages
        .flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")))
        .join("\n");
      expect(told).toContain("- src/people/names.ts: deleted again");
    });

    it("/undo works after the window was reloaded, and its button brings back", async () => {
      await window.model.script([
        { calls: [{ name: "toolhost_read", input: { path: "src/greet.ts" } }] },
        { calls: [{ name: "toolhost_edit", input: EDIT }] },
        { text: "Louder." },
      ]);
      await window.chat.newConversation();
      await window.chat.ask("@toolhost make it the loudest greeting");
      await window.chat.waitForAnswer();
      expect(text("src/greet.ts")).toContain("!`");
      // VS Code writes a conversation to disk when it is left, and some seconds later that there is one.
      await window.chat.newConversation();
      const conversation = await poll("the conversation on disk", () =>
        globSync("data/User/workspaceStorage/*/chatSessions/*", { cwd: dataDir }).find((file) =>
          readFileSync(join(dataDir, file), "utf8").includes("the loudest greeting"),
        ),
      );
      const id = basename(conversation).replace(/\..*$/, "");
      await poll("the list of conversations", async () => (await keptConversations(window)).includes(id));
      await window.reload();
      await window.chat.open();
      // An empty conversation lists the others, the newest first.
      await window.chat.newConversation();
      // On a busy machine the list is drawn again under a click, which then opens nothing.
      await poll("the conversation", async () => {
        if ((await window.chat.lastAnswer.count()) > 0) {
          return (await window.chat.lastAnswerText()).includes("Louder.");
        }
        await window.page
          .locator(".agent-session-item")
          .first()
          .click({ timeout: 2_000 })
          .catch(() => undefined);
        return false;
      });
      await window.chat.ask("@toolhost /undo");
      expect(await window.chat.waitForAnswer()).toMatch(/src\/greet\.ts: restored/);
      expect(text("src/greet.ts")).toBe(originals.get("src/greet.ts"));
      await window.chat.press(window.chat.lastAnswer.getByRole("button", { name: "Redo", exact: true }));
      await notification("Redid 1 change in 1 file.");
      expect(text("src/greet.ts")).toContain("!`");
      await clearNotifications();
      await window.chat.ask("@toolhost /undo");
      expect(await window.chat.waitForAnswer()).toContain("Undid 1 change in 1 file.");
      allAsBefore();
    });

    it("/undo with more words does nothing and says so", async () => {
      await window.chat.ask("@toolhost /undo only the tests");
      expect(await window.chat.waitForAnswer()).toContain("Nothing was undone.");
    });

    it("shows in the status bar what Copilot's agent changed, until it is reviewed, kept or undone", async () => {
      const item = (words: string) =>
        window.page.locator('.statusbar-item[id$="toolhost.changes"]', { hasText: words });
      const edit = async (input: object): Promise<void> => {
        await window.chat.newConversation();
        await window.model.script([{ calls: [{ name: "toolhost_edit", input }] }, { text: "Changed." }], {
          toolPrefix: "toolhost_",
        });
        await window.chat.ask("Change the greeting");
        expect(await window.chat.waitForAnswer()).toContain("Changed.");
      };
      await window.command(LINK_COMMAND.keepNew);
      await poll("nothing to review", async () => (await item("file").count()) === 0);
      await edit(EDIT);
      await item("1 file +1 −1").hover();
      await window.page.getByText("Changed by agents and not reviewed yet").waitFor();
      await window.screenshot("undo-new-changes");
      await item("1 file").click();
      await poll("the review", async () => (await window.page.locator(".multiDiffEntry").count()) === 1);
      await poll("nothing left to review", async () => (await item("file").count()) === 0);
      await window.command("workbench.action.closeAllEditors");
      await edit({ ...EDIT, old_text: EDIT.new_text, new_text: EDIT.old_text });
      await item("1 file +1 −1").waitFor();
      await window.command(LINK_COMMAND.keepNew);
      await poll("nothing after it is kept", async () => (await item("file").count()) === 0);
      await edit(EDIT);
      await item("1 file +1 −1").waitFor();
      await window.command("toolhost.undoLastTurn", { ask: false });
      await poll("nothing after the undo", async () => (await item("file").count()) === 0);
      expect(text("src/greet.ts")).not.toContain("!");
      await clearNotifications();
    });

    it("undoes what Copilot's agent did, after a question that says all of it in one look", async () => {
      await window.chat.newConversation();
      await window.model.script(
        [
          { calls: [{ name: "toolhost_read", input: { path: "src/main.ts" } }] },
          { calls: [{ name: "toolhost_edit", input: EDIT }] },
          { calls: [{ name: "toolhost_apply_patch", input: { patch: PATCH } }] },
          { text: "All done." },
        ],
        { toolPrefix: "toolhost_" },
      );
      await window.chat.ask("Greet more people, louder");
      expect(await window.chat.waitForAnswer()).toContain("All done.");
      expect(text("src/main.ts")).toContain("Katherine");

      start("toolhost.undoLastTurn");
      let dialog = await window.dialog();
      expect(dialog.message).toBe("Undo the last turn, 4 changes in 4 files?");
      expect(dialog.detail).toContain("Copilot or another agent, just now");
      for (const line of [
        "src/main.ts: restored",
        "src/greet.ts: restored",
        "src/people/names.ts: deleted again",
        "docs/notes.md: moved back from docs/todo.md",
      ]) {
        expect(dialog.detail).toContain(line);
      }
      expect(dialog.buttons.toSorted()).toEqual(["Cancel", "Review…", "Undo"]);
      await window.screenshot("undo-question");
      await dialog.click("Cancel");
      expect(text("src/main.ts")).toContain("Katherine");

      // Enter looks, it does not undo.
      start("toolhost.undoLastTurn");
      await window.dialog();
      await window.page.keyboard.press("Enter");
      await poll("the review", async () => (await window.page.locator(".multiDiffEntry").count()) >= 3);
      await notification("Undo the last turn, 4 changes in 4 files?");
      // As many as the question says.
      await poll("the review's title", async () =>
        (await window.page.locator(".tab.active").first().textContent())?.includes("(4 files)"),
      );
      await window.screenshot("undo-review");
      expect(text("src/main.ts")).toContain("Katherine");
      await clearNotifications();
      await window.command("workbench.action.closeAllEditors");

      start("toolhost.undoLastTurn");
      dialog = await window.dialog();
      await dialog.click("Undo");
      const done = await notification("Undid 4 changes in 4 files.");
      await window.screenshot("undo-done");
      allAsBefore();
      await done.click("Redo");
      const back = await notification("Redid 4 changes in 4 files.");
      expect(text("src/main.ts")).toContain("Katherine");
      await back.click("Undo Again");
      await notification("Undid 4 changes in 4 files.");
      allAsBefore();
      await clearNotifications();
    });

    it("refuses with the file and lines when the user has changed the same ones", async () => {
      await window.command("toolhost.undoLastTurn", { ask: false }).catch(() => undefined);
      await window.chat.newConversation();
      await window.model.script([
        { calls: [{ name: "toolhost_read", input: { path: "src/greet.ts" } }] },
        { calls: [{ name: "toolhost_edit", input: EDIT }] },
        { text: "Louder." },
      ]);
      await window.chat.ask("@toolhost make the greeting louder");
      await window.chat.waitForAnswer();
      const mine = text("src/greet.ts").replace("Hello, ${name}!", "Good evening, ${name}!");
      writeFileSync(at("src/greet.ts"), mine);
      start("toolhost.undoLastTurn");
      const refused = await notification(
        "Nothing was undone. src/greet.ts has been changed since in the same lines (line 3).",
      );
      await window.screenshot("undo-conflict");
      await refused.click("Review");
      await window.page.locator(".tab", { hasText: "Changes: make the greeting louder" }).waitFor();
      await clearNotifications();
      await window.chat.ask("@toolhost /undo");
      const answer = await window.chat.waitForAnswer();
      expect(answer).toContain("Nothing was undone");
      expect(answer).toMatch(/src\/greet\.ts has been changed since in the same lines \(line 3\)\./);
      await window.screenshot("undo-chat-conflict");
      expect(text("src/greet.ts")).toBe(mine);
      writeFileSync(at("src/greet.ts"), mine.replace("Good evening, ${name}!", "Hello, ${name}!"));
      await window.chat.ask("@toolhost /undo");
      expect(await window.chat.waitForAnswer()).toContain("Undid 1 change in 1 file.");
      allAsBefore();
    });

    it("undoes the edits and commands of a turn with one press", async () => {
      await window.command("workbench.action.closeAllEditors");
      await window.chat.newConversation();
      const files = (): Record<string, string> =>
        Object.fromEntries(globSync("src/**/*.*", { cwd: folder }).map((path) => [path, text(path)]));
      const all = files();
      await window.model.script([
        { calls: [{ name: "toolhost_read", input: { path: "docs/notes.md" } }] },
        { calls: [{ name: "toolhost_edit", input: EDIT }] },
        {
          calls: [
            {
              name: "toolhost_edit",
              input: { path: "docs/notes.md", old_text: "TODO: greet", new_text: "DONE: greet" },
            },
          ],
        },
        { calls: [{ name: "toolhost_exec", input: { command: "rm -rf src" } }] },
        { text: "There is nothing left to greet." },
      ]);
      await window.chat.ask("@toolhost start over");
      await (await window.chat.question()).press("Allow Once");
      const answer = await window.chat.waitForAnswer();
      const [told] = resultTexts(await window.model.requests()).slice(-1);
      expect(told).toMatch(/\[Changed: [^\n]*D src\/greet\.ts −\d/);
      expect(existsSync(at("src"))).toBe(false);
      expect(answer).toContain(`Changed ${Object.keys(all).length + 1} files`);
      expect(answer).toMatch(/src\/greet\.ts: deleted/);
      expect(answer).toMatch(/docs\/notes\.md: \+1 −1/);
      expect(answer).not.toContain("Undo does not cover");
      await window.screenshot("undo-command");
      await window.chat.press(
        window.chat.lastAnswer.locator(".chat-command-button", { hasText: "Undo" }).locator(".monaco-button").first(),
      );
      await poll("the files to be back", () => existsSync(at("src/greet.ts")));
      await notification(`Undid 4 changes in ${Object.keys(all).length + 1} files.`);
      await window.screenshot("undo-command-done");
      expect(files()).toEqual(all);
      allAsBefore();
      await clearNotifications();
    });

    it("undoes the other files where one is in the way", async () => {
      await window.command("workbench.action.closeAllEditors");
      await window.chat.newConversation();
      await window.model.script([
        { calls: ["src/main.ts", "docs/notes.md"].map((path) => ({ name: "toolhost_read", input: { path } })) },
        { calls: [{ name: "toolhost_apply_patch", input: { patch: PATCH } }] },
        { text: "Katherine is greeted, too." },
      ]);
      await window.chat.ask("@toolhost greet Katherine");
      await window.chat.waitForAnswer();
      const theirs = text("src/main.ts");
      writeFileSync(at("src/main.ts"), theirs.replace("Katherine", "Dorothy"));
      await window.chat.ask("@toolhost /undo");
      expect(await window.chat.waitForAnswer()).toContain(
        "The command Toolhost: Undo Change… can undo the other files alone.",
      );
      start("toolhost.undoLastTurn");
      await (
        await notification("Nothing was undone. src/main.ts has been changed since in the same lines (line 3).")
      ).click("Undo the Other Files…");
      const dialog = await window.dialog();
      expect(dialog.message).toBe("Undo 2 changes in 2 files?");
      expect(dialog.detail).not.toContain("src/main.ts");
      await dialog.click("Undo");
      await notification("Undid 2 changes in 2 files.");
      await clearNotifications();
      expect(text("src/main.ts")).toContain("Dorothy");
      expect(text("docs/notes.md")).toBe(originals.get("docs/notes.md"));
      writeFileSync(at("src/main.ts"), theirs);
      await window.chat.ask("@toolhost /undo");
      expect(await window.chat.waitForAnswer()).toContain("Undid 1 change in 1 file.");
      allAsBefore();
    });

    it("undoes chosen changes, and offers undone ones to bring back", async () => {
      await window.command("workbench.action.closeAllEditors");
      await window.chat.newConversation();
      await twoTurns();
      start("toolhost.undoChange");
      let list = await window.quickInput();
      expect(await list.title()).toBe("Toolhost: Undo Change");
      await poll("the calls", async () => (await list.items()).some((row) => row.includes("Patch src/main.ts")));
      await window.screenshot("undo-list");
      await list.type("Patch src/main.ts");
      await window.page.locator(".quick-input-list .monaco-list-row", { hasText: "Patch src/main.ts" }).first().click();
      await list.accept();
      const dialog = await window.dialog();
      expect(dialog.message).toBe("Undo 3 changes in 3 files?");
      await dialog.click("Undo");
      await notification("Undid 3 changes in 3 files.");
      await clearNotifications();
      expect(text("src/greet.ts")).toContain("!`");
      expect(text("src/main.ts")).toBe(originals.get("src/main.ts"));

      start("toolhost.undoChange");
      list = await window.quickInput();
      await poll("the undone call", async () =>
        (await list.items()).some((row) => row.includes("Patch src/main.ts") && row.includes("undone")),
      );
      await window.page.locator(".quick-input-list .monaco-list-row", { hasText: "undone" }).first().click();
      // Some to undo and some to bring back make no sense together: what was chosen last counts.
      const selected = (many: number) =>
        window.page.locator(".quick-input-widget").getByText(`${many} Selected`).waitFor();
      await selected(1);
      await window.page.locator(".quick-input-list .monaco-list-row", { hasText: "Edit src/greet.ts" }).first().click();
      await selected(1);
      await window.page.locator(".quick-input-list .monaco-list-row", { hasText: "undone" }).first().click();
      await selected(1);
      await window.screenshot("undo-list-undone");
      await list.accept();
      const again = await window.dialog();
      expect(again.message).toBe("Redo 3 changes in 3 files?");
      expect(again.detail).toContain("src/main.ts: changed again");
      await again.click("Redo");
      await notification("Redid 3 changes in 3 files.");
      await clearNotifications();
      expect(text("src/main.ts")).toContain("Katherine");
    });

    it("shows the changes of a turn the user picks", async () => {
      start("toolhost.reviewChanges");
      const list = await window.quickInput();
      expect(await list.title()).toBe("Toolhost: Review Changes");
      await poll("the turns", async () => (await list.items()).length > 2);
      await window.screenshot("review-list");
      await list.accept();
      await poll("the review", async () => (await window.page.locator(".multiDiffEntry").count()) >= 3);
      await window.screenshot("undo-review-turn");
    });

    it("finds the last turn after a reload, and takes all of it back", async () => {
      await window.reload();
      for (const words of ["Undo the last turn, 3 changes in 3 files?", "Undo the last turn, 1 change in 1 file?"]) {
        start("toolhost.undoLastTurn");
        const dialog = await window.dialog();
        expect(dialog.message).toBe(words);
        await dialog.click("Undo");
        await notification("Undid");
        await clearNotifications();
      }
      allAsBefore();
      start("toolhost.undoLastTurn");
      await notification("Nothing to undo: no change that Toolhost's tools made in this workspace is left to undo.");
    });
  });
}

/** What VS Code's state in the browser says of the conversations of the windows' folders. */
function keptConversations(window: Workbench): Promise<string> {
  return window.page.evaluate(async () => {
    const texts: string[] = [];
    for (const { name = "" } of await indexedDB.databases()) {
      if (!name.startsWith("vscode-web-state-db-")) continue;
      texts.push(
        await new Promise<string>((resolve, reject) => {
          const opening = indexedDB.open(name);
          opening.onerror = () => reject(new Error(String(opening.error)));
          opening.onsuccess = () => {
            const reading = opening.result
              .transaction("ItemTable")
              .objectStore("ItemTable")
              .get("chat.ChatSessionStore.index");
            reading.onsuccess = () => {
              opening.result.close();
              resolve(String(reading.result));
            };
          };
        }),
      );
    }
    return texts.join();
  });
}
