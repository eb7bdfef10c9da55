// The main job, second way: @toolhost in the chat view.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../../harness/poll";
import type { FreshWindow } from "../../harness/shared-window";
import type { Workbench } from "../../harness/workbench";
import { EDITED, resultTexts } from "../answers";

const READ = { calls: [{ name: "toolhost_read", input: { path: "src/greet.ts" } }] };
const EDIT = { path: "src/greet.ts", old_text: "Hello, ${name}", new_text: "Hello, ${name}!" };

/** Needs Copilot set up, and mode `ask`. */
export function participantSuite(fresh: FreshWindow): void {
  describe("@toolhost, when the user wants to be asked about every change", () => {
    let window: Workbench;
    let folder: string;
    const greeting = (): string => readFileSync(join(folder, "src/greet.ts"), "utf8");

    beforeAll(async () => {
      ({ window, folder } = await fresh());
    });

    it("declining an edit changes nothing and tells the model", async () => {
      const before = greeting();
      await window.model.script([READ, { calls: [{ name: "toolhost_edit", input: EDIT }] }, { text: "As you wish." }]);
      await window.chat.ask("@toolhost make the greeting louder");
      const card = await window.chat.confirmation();
      expect(card.title).toBe("Edit src/greet.ts");
      expect(card.text).toContain("Changes src/greet.ts.");
      await card.skip();
      expect(await window.chat.waitForAnswer()).toContain("As you wish.");
      expect(greeting()).toBe(before);
      expect(resultTexts(await window.model.requests())[1]).toContain("skip");
    });

    it("searches, reads, asks, edits and answers in one turn, several calls at once", async () => {
      await window.chat.newConversation();
      await window.model.script([
        {
          text: ["Let me look ", "for the greeting."],
          calls: [
            { name: "toolhost_grep", input: { pattern: "greet", output: "files" } },
            { name: "toolhost_read", input: { path: "src/greet.ts" } },
          ],
        },
        { calls: [{ name: "toolhost_edit", input: EDIT }] },
        { text: "Done: `greet` in `src/greet.ts` now ends its greeting with an exclamation mark." },
      ]);
      await window.chat.ask("@toolhost make the greeting end with an exclamation mark");
      const card = await window.chat.confirmation();
      expect(card.text).toContain("+  return `Hello, ${name}!`;");
      await window.screenshot("toolhost-confirmation");
      await card.allow();
      const answer = await window.chat.waitForAnswer();
      expect(answer).toContain("Let me look for the greeting.");
      expect(answer).toContain("Done: greet in src/greet.ts");
      expect(greeting()).toContain("Hello, ${name}!");
      const results = resultTexts(await window.model.requests());
      expect(results).toHaveLength(3);
      expect(results[0]).toContain("src/greet.ts");
      expect(results[1]).toMatch(/^3\t/m);
      expect(results[2]).toMatch(EDITED);
      await window.screenshot("toolhost-answer");
    });

    it("remembers the turn before", async () => {
      await window.model.script([{ text: "You asked for an exclamation mark." }]);
      await window.chat.ask("@toolhost what did I ask for?");
      await window.chat.waitForAnswer();
      const [request] = await window.model.requests();
      const texts =
        request?.messages.flatMap(({ parts }) =>
          parts.map((part) => (part.type === "text" || part.type === "result" ? part.text : "")),
        ) ?? [];
      expect(texts.join("\n")).toContain("make the greeting end with an exclamation mark");
      expect(texts.join("\n")).toContain("Edited src/greet.ts: 1 replacement at line 3.");
    });

    it("lists its tools", async () => {
      await window.chat.newConversation();
      await window.chat.ask("@toolhost /tools");
      expect(await window.chat.waitForAnswer()).toMatch(/^Files: \d+$/m);
      await window.screenshot("toolhost-tools");
      await window.chat.press(window.chat.lastAnswer.getByText("Files", { exact: true }));
      await poll("the group", async () => (await window.chat.waitForAnswer()).includes("grep Search text"));
      const answer = await window.chat.lastAnswerText();
      for (const name of ["read", "edit", "grep", "ls"]) {
        expect(answer).toContain(name);
      }
      await window.screenshot("toolhost-tools-group");
      expect(await window.model.requests()).toHaveLength(1);
    });

    it("runs one tool without asking a model", async () => {
      await window.model.script([]);
      await window.chat.ask('@toolhost /run grep {"pattern": "Barbara"}');
      expect(await window.chat.waitForAnswer()).toContain("src/main.ts");
      // The name stays in the input, and a copied line brings it again.
      await window.chat.ask('@toolhost @toolhost /run grep {"pattern": "Grace"}');
      expect(await window.chat.waitForAnswer()).toContain("src/main.ts");
      await window.chat.ask('@toolhost /run grpe {"pattern": "x"}');
      expect(await window.chat.waitForAnswer()).toContain("Did you mean grep");
      await window.chat.ask("@toolhost /run grep {pattern");
      expect(await window.chat.waitForAnswer()).toContain("The input is not JSON");
      expect((await window.model.requests()).filter(({ scripted }) => scripted)).toHaveLength(0);
      await window.screenshot("toolhost-run");
    });

    it("tells the model of an unknown tool, a bad input and a missing file, and goes on", async () => {
      await window.chat.newConversation();
      await window.model.script([
        {
          calls: [
            { name: "toolhost_raed", input: {} },
            { name: "toolhost_read", input: { pth: "src/greet.ts", limit: "all" } },
            { name: "toolhost_read", input: { path: "src/gret.ts" } },
          ],
        },
        { text: "I understand." },
      ]);
      await window.chat.ask("@toolhost make mistakes");
      expect(await window.chat.waitForAnswer()).toContain("I understand.");
      const [unknown, bad, missing] = resultTexts(await window.model.requests());
      expect(unknown).toContain("Did you mean read?");
      expect(bad).toContain('pth: unknown field; did you mean "path"?');
      expect(bad).toContain('limit: expected number, got string "all"');
      expect(missing).toContain("Did you mean src/greet.ts?");
    });

    it("says in words why a model does not answer", async () => {
      await window.chat.newConversation();
      for (const [code, words] of [
        ["Blocked", "is blocked for now"],
        ["NoPermissions", "may not use"],
        ["NotFound", "is no longer available"],
        ["Other", "Send the message again"],
      ] as const) {
        await window.model.script([
          { error: { code, message: `told by ![](https://example.com) [the test](https://example.com): ${code}` } },
        ]);
        await window.chat.ask(`@toolhost fail with ${code}`);
        expect(await window.chat.waitForAnswer()).toContain(words);
        const markup = window.chat.lastAnswer.locator(
          'a[href*="example.com"], a[data-href*="example.com"], .value img',
        );
        expect(await markup.evaluateAll((found) => found.map((element) => element.outerHTML))).toEqual([]);
      }
      await window.screenshot("toolhost-model-error");
      expect(await window.chat.lastAnswerText()).toContain("The model did not answer.");
      await window.chat.press(window.chat.lastAnswer.getByText("Choose Another Model…"));
      const models = window.page.locator(".action-widget:visible .monaco-list-row");
      await models.filter({ hasText: "Scripted model" }).first().waitFor();
      await window.screenshot("toolhost-model-choice");
      await window.page.keyboard.press("Escape");
      await models.first().waitFor({ state: "hidden" });
      await window.model.script([{ text: "" }, { text: " " }]);
      await window.chat.ask("@toolhost say nothing");
      expect(await window.chat.waitForAnswer()).toContain("gave no answer");
    });

    it("stops at once when the user presses stop, also while a question waits", async () => {
      await window.chat.newConversation();
      await window.model.script([{ text: "Thinking ", hang: true }]);
      await window.chat.ask("@toolhost think for ever");
      await poll("the request", async () => (await window.model.requests()).some(({ scripted }) => scripted));
      await window.chat.stop();
      await poll("the cancellation", async () => (await window.model.requests())[0]?.cancelled);
      await window.chat.waitForAnswer();

      const before = greeting();
      await window.model.script([
        READ,
        { calls: [{ name: "toolhost_edit", input: { path: "src/greet.ts", old_text: "Hello", new_text: "Stopped" } }] },
        { text: "never said" },
      ]);
      await window.chat.ask("@toolhost edit and be stopped");
      await window.chat.confirmation();
      await window.chat.stop();
      await window.chat.waitForAnswer();
      expect(greeting()).toBe(before);
      expect(await window.model.requests()).toHaveLength(2);
    });

    it("asks the user, and shows the list of steps", async () => {
      await window.chat.newConversation();
      const question = "Which **store** should keep the greetings?";
      const choices = [{ label: "SQLite", description: "One file, no server." }, { label: "Post$(trash)gres" }];
      const todos = [
        { content: "Choose a store", status: "completed" },
        { content: "Build it", status: "in_progress" },
      ];
      await window.model.script([
        { calls: [{ name: "ask_user", input: { question, choices } }] },
        { calls: [{ name: "ask_user", input: { question, choices, several: true } }] },
        { calls: [{ name: "ask_user", input: { question, choices } }] },
        { calls: [{ name: "ask_user", input: { question: "What is it called?" } }] },
        { calls: [{ name: "ask_user", input: { question, choices } }] },
        { calls: [{ name: "todo", input: { todos } }] },
        { text: "All said." },
      ]);
      await window.chat.ask("@toolhost ask me things");
      let picker = await window.quickInput();
      await poll("the choices", async () => (await picker.items()).length === 2);
      expect(await picker.title()).toBe("Toolhost asks");
      expect((await picker.items())[0]).toContain("One file, no server.");
      await window.screenshot("toolhost-asks");
      await picker.pick("SQLite");

      // Boxes to check, and words for the rest.
      const boxes = window.page.locator(".quick-input-widget:visible .quick-input-list .monaco-checkbox");
      await poll("the boxes", async () => (await boxes.count()) === 2);
      picker = await window.quickInput();
      await boxes.first().click();
      await picker.type("and a cache");
      await picker.accept();

      await poll("one choice again", async () => {
        picker = await window.quickInput();
        return (await boxes.count()) === 0 && (await picker.items()).length === 2;
      });
      await picker.type("a plain file");
      await poll("the own answer", async () => (await picker.items()).join().includes("Answer: a plain file"));
      await picker.accept();

      await poll("the input box", async () => (await picker.message()).includes("What is it called?"));
      await picker.type("greetings.db");
      await picker.accept();

      await poll("the last question", async () => (await picker.items()).length === 2);
      await picker.cancel();
      const answer = await window.chat.waitForAnswer();
      for (const words of [
        "Which **store** should keep",
        "One file, no server.",
        "Post$\u2060(trash)gres",
        "No answer.",
        "Build it",
        "All said.",
      ]) {
        expect(answer).toContain(words);
      }
      expect(resultTexts(await window.model.requests())).toEqual([
        "The user chose: SQLite",
        "The user chose: SQLite\nThe user answered: and a cache",
        "The user answered: a plain file",
        "The user answered: greetings.db",
        expect.stringContaining("The user did not answer."),
        "Kept: 1 of 2 steps done.",
      ]);
      await window.screenshot("toolhost-asked");
    });

    it("stops while it asks", async () => {
      await window.model.script([{ calls: [{ name: "ask_user", input: { question: "Why?" } }] }, { text: "never" }]);
      await window.chat.ask("@toolhost ask and be stopped");
      await window.quickInput();
      await window.chat.stop();
      await window.chat.waitForAnswer();
      await window.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
      expect(await window.model.requests()).toHaveLength(1);
    });

    it("edits what is on screen and leaves unsaved work unsaved", async () => {
      await window.chat.newConversation();
      const notes = join(folder, "docs/notes.md");
      await window.openFile(notes);
      await window.typeUnsaved("MY OWN WORDS ");
      const onDisk = readFileSync(notes, "utf8");
      await window.model.script([
        { calls: [{ name: "toolhost_read", input: { path: "docs/notes.md" } }] },
        {
          calls: [
            {
              name: "toolhost_edit",
              input: { path: "docs/notes.md", old_text: "TODO: greet", new_text: "DONE: greet" },
            },
          ],
        },
        { text: "Edited." },
      ]);
      await window.chat.ask("@toolhost tick off the todo");
      await (await window.chat.confirmation()).allow();
      await window.chat.waitForAnswer();
      const text = await window.rig.run(
        (vscode, path) => vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path)?.getText() ?? "",
        notes,
      );
      expect(text).toContain("MY OWN WORDS");
      expect(text).toContain("DONE: greet");
      expect(readFileSync(notes, "utf8")).toBe(onDisk);
      expect(resultTexts(await window.model.requests())[1]).toContain("unsaved changes in the editor");
    });
  });
}
