// Changes of several files in the real chat view: what is asked about, what is shown, and what is made of it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../../harness/poll";
import { resetSample, type FreshWindow } from "../../harness/shared-window";
import type { Workbench } from "../../harness/workbench";
import { resultTexts } from "../answers";
import { widenChat } from "../widenChat";

const ours = { toolPrefix: "toolhost_" };

/** The greeting's word can be chosen, and main chooses. */
const PATCH = `*** Begin Patch
*** Update File: src/greet.ts
@@
-export function greet(name: string): string {
-  return \`Hello, \${name}\`;
+export function greet(name: string, hello = "Hello") {
+  return \`\${hello}, \${name}\`;
 }
*** Update File: src/main.ts
@@
-  console.log(greet(name));
+  console.log(greet(name, "Bonjour"));
*** End Patch`;

const RESULT = [
  "Applied the patch to 2 files:",
  "- updated src/greet.ts: lines 2-3 (+2 −2)",
  "- updated src/main.ts: line 6 (+1 −1)",
];

/** Needs Copilot set up, the light theme and mode `default`. */
export function editsSuite(fresh: FreshWindow): void {
  describe("changes of several files", () => {
    let window: Workbench;
    let folder: string;
    const textOf = (path: string): string => readFileSync(join(folder, path), "utf8");

    beforeAll(async () => {
      ({ window, folder } = await fresh());
    });

    describe("in mode default", () => {
      it("Copilot's agent patches two files without a question, and is told what each came to", async () => {
        await window.model.script(
          [
            { calls: [{ name: "toolhost_apply_patch", input: { patch: PATCH } }] },
            { text: "It greets in French now." },
          ],
          ours,
        );
        await window.chat.ask("Greet people in French");
        // Nobody presses anything.
        const answer = await window.chat.waitForAnswer();
        expect(answer).toContain("Patch src/greet.ts and src/main.ts");
        expect(answer).toContain("It greets in French now.");
        expect(textOf("src/greet.ts")).toContain("${hello}, ${name}");
        expect(textOf("src/main.ts")).toContain('greet(name, "Bonjour")');
        const [told = ""] = resultTexts(await window.model.requests());
        expect(told.split("\n").slice(0, 3)).toEqual(RESULT);
        await window.screenshot("edits-not-asked");
      });

      it("Copilot's agent is asked, with the difference, before it overwrites a file it has not read", async () => {
        await window.chat.newConversation();
        const overwrite = {
          calls: [{ name: "toolhost_write", input: { path: "docs/notes.md", content: "# Notes\n\nNothing to do.\n" } }],
        };
        await window.model.script([overwrite, { text: "Cleared." }], ours);
        await window.chat.ask("Clear my notes");
        const card = await window.chat.confirmation();
        expect(card.title).toBe("Write docs/notes.md");
        expect(card.text).toContain("Overwrites docs/notes.md, whose current content was not read.");
        expect(card.text).toContain("-- TODO: greet people in their own language.");
        expect(card.text).toContain("+Nothing to do.");
        await window.screenshot("edits-overwrite");
        await card.skip();
        await window.chat.waitForAnswer();
        expect(textOf("docs/notes.md")).toContain("TODO");

        await window.chat.newConversation();
        await window.model.script(
          [
            { calls: [{ name: "toolhost_read", input: { path: "docs/notes.md" } }] },
            overwrite,
            { text: "Read, then cleared." },
          ],
          ours,
        );
        await window.chat.ask("Read my notes, then clear them");
        expect(await window.chat.waitForAnswer()).toContain("Read, then cleared.");
        expect(textOf("docs/notes.md")).toBe("# Notes\n\nNothing to do.\n");
      });

      it("@toolhost must read what it overwrites, edits what it quotes, and is told what the user changed elsewhere", async () => {
        await window.chat.newConversation();
        const edit = {
          calls: [
            {
              name: "toolhost_edit",
              input: { path: "README.md", old_text: "# Sample workspace", new_text: "# A sample" },
            },
          ],
        };
        await window.model.script([
          { calls: [{ name: "toolhost_write", input: { path: "README.md", content: "# A sample\n" } }] },
          edit,
          { calls: [{ name: "toolhost_read", input: { path: "README.md", limit: 2 } }] },
          { text: "Renamed." },
        ]);
        await window.chat.ask("@toolhost call it a sample");
        expect(await window.chat.waitForAnswer()).toContain("Renamed.");
        expect(resultTexts(await window.model.requests())).toEqual([
          "Error (must_read): README.md has not been read in this session. Nothing was changed.\nHint: Read it first, then make the change on its current text.",
          "Edited README.md: 1 replacement at line 1.",
          expect.stringMatching(/^1\t# A sample/),
        ]);
        expect(textOf("README.md")).toMatch(/^# A sample\n/);

        // What the user changes afterwards elsewhere is told.
        writeFileSync(join(folder, "README.md"), textOf("README.md").replace("A tiny program", "A very tiny program"));
        const again = {
          calls: [
            { name: "toolhost_edit", input: { path: "README.md", old_text: "# A sample", new_text: "# The sample" } },
          ],
        };
        await window.model.script([again, { text: "Renamed again." }]);
        await window.chat.ask("@toolhost call it the sample");
        expect(await window.chat.waitForAnswer()).toContain("Renamed again.");
        const made = resultTexts(await window.model.requests()).at(-1);
        expect(made).toMatch(
          /^Edited README\.md: 1 replacement at line 1\.\nIt had changed elsewhere since you read it:\n@@ /,
        );
        expect(made).toContain("+A very tiny program");
        expect(textOf("README.md")).toMatch(/^# The sample\n\nA very tiny program/);
      });
    });

    describe("when the user wants to be asked about every change", () => {
      beforeAll(async () => {
        resetSample(folder);
        await window.changeSetting("toolhost.permissionMode", "ask");
        await window.openFile(join(folder, "src/greet.ts"));
        await window.chat.open();
        await widenChat(window);
      });

      const askToPatch = async (patch: string): Promise<void> => {
        await window.chat.newConversation();
        await window.model.script(
          [{ calls: [{ name: "toolhost_apply_patch", input: { patch } }] }, { text: "So it is." }],
          ours,
        );
        await window.chat.ask("Greet people in French");
      };

      it("a patch that meets a change made while the question waits is stale: nothing of it is made, and the model is told", async () => {
        const before = textOf("src/greet.ts");
        await askToPatch(PATCH);
        const card = await window.chat.confirmation();
        const changed = textOf("src/main.ts").replace("Barbara", "Hedy");
        writeFileSync(join(folder, "src/main.ts"), changed);
        await card.allow();
        await window.chat.waitForAnswer();
        expect(resultTexts(await window.model.requests())).toEqual([
          expect.stringMatching(/^Error \(stale\): src\/main\.ts has changed since/),
        ]);
        expect(textOf("src/main.ts")).toBe(changed);
        expect(textOf("src/greet.ts")).toBe(before);
      });

      it("the confirmation shows every file with what it comes to, then the diffs, and just that is made", async () => {
        await askToPatch(PATCH);
        const card = await window.chat.confirmation();
        expect(card.title).toBe("Patch src/greet.ts and src/main.ts");
        expect(card.text).toContain("Changes src/greet.ts and src/main.ts.");
        for (const line of [
          "2 files: +3 −3",
          " src/greet.ts: +2 −2",
          " src/main.ts: +1 −1",
          "+++ b/src/greet.ts",
          "+  return `${hello}, ${name}`;",
          "+++ b/src/main.ts",
          '+  console.log(greet(name, "Bonjour"));',
        ]) {
          expect(card.text).toContain(line);
        }
        await window.screenshot("edits-patch");
        // As large as the card gets, for the picture media/confirm-patch.png.
        const size = window.page.viewportSize() ?? { width: 1280, height: 800 };
        await window.page.setViewportSize({ ...size, height: 900 });
        await card.element.locator(".codicon-screen-full").first().click();
        await poll("the whole patch", () =>
          card.element.getByText('console.log(greet(name, "Bonjour"))').first().isVisible(),
        );
        await window.screenshot("confirm-patch");
        await window.page.setViewportSize(size);
        await card.allow();
        expect(await window.chat.waitForAnswer()).toContain("So it is.");
        const [told = ""] = resultTexts(await window.model.requests());
        expect(told.split("\n").slice(0, 3)).toEqual(RESULT);
        expect(textOf("src/greet.ts")).toContain('hello = "Hello"');
        expect(textOf("src/main.ts")).toContain("Hedy");
        expect(textOf("src/main.ts")).toContain('greet(name, "Bonjour")');
      });

      it("a patch too long to show says what is left out before anything else", async () => {
        const lines = Array.from({ length: 1_500 }, (_, index) => `+export const value${index} = ${index};`);
        await askToPatch(
          [
            "*** Begin Patch",
            "*** Add File: src/values.ts",
            ...lines,
            "*** Add File: src/last.ts",
            "+export {};",
            "*** End Patch",
          ].join("\n"),
        );
        const card = await window.chat.confirmation();
        expect(card.text).toMatch(/Too long to show: \d+ of 1510 lines are omitted: \+\d+ −0, in 2 of 2 files\./);
        expect(card.text).toContain("2 files: +1501 −0");
        expect(card.text).toContain(" src/last.ts: new, +1 −0");
        await window.screenshot("edits-long");
        await card.skip();
        await window.chat.waitForAnswer();
        expect(existsSync(join(folder, "src/values.ts"))).toBe(false);
      });
    });
  });
}
