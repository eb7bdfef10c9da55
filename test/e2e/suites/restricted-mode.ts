// A folder the user does not trust: reading works, changing is refused in words, and nothing is asked.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../../harness/server";
import type { FreshWindow } from "../../harness/shared-window";
import { openWorkbench, type Workbench } from "../../harness/workbench";
import { resultTexts } from "../answers";

const EDIT = { path: "src/greet.ts", old_text: "Hello, ${name}", new_text: "Hello, ${name}!" };

/** Needs mode `default`. Closes the window: after it comes no other. */
export function restrictedModeSuite(fresh: FreshWindow): void {
  describe("a folder that is not trusted any more", () => {
    let window: Workbench;
    let folder: string;
    const text = (path: string): string => readFileSync(join(folder, path), "utf8");

    beforeAll(async () => {
      const trusted = await fresh();
      folder = trusted.folder;
      await trusted.window.rig.run(
        (vscode, input) =>
          vscode.lm.invokeTool("toolhost_edit", { input, toolInvocationToken: undefined }).then(() => undefined),
        EDIT,
      );
      await trusted.window.close();
      mkdirSync(join(folder, ".vscode"));
      writeFileSync(
        join(folder, ".vscode/settings.json"),
        JSON.stringify({
          "toolhost.permissionMode": "bypass",
          "toolhost.permissions.rules": [{ tool: "*", decision: "allow" }],
        }),
      );
      window = await openWorkbench(await startServer({ trust: false }), { folder, copilot: true });
    });

    it("undoes nothing in Restricted Mode, and shows what was changed all the same", async () => {
      const after = text("src/greet.ts");
      expect(after).toContain("!`");
      await window.chat.askByCommand("@toolhost /undo");
      expect(await window.chat.lastAnswerText()).toContain(
        "Nothing was undone: in Restricted Mode Toolhost changes no files.",
      );
      void window.command("toolhost.undoLastTurn").catch(() => undefined);
      const told = await window.notification("Nothing was undone: in Restricted Mode");
      expect(told.message).toBe("Nothing was undone: in Restricted Mode Toolhost changes no files.");
      expect(told.buttons).toEqual(["Manage Workspace Trust"]);
      expect(text("src/greet.ts")).toBe(after);
      await window.command("notifications.clearAll");
    });

    it("refuses edits and commands in Restricted Mode, whatever the workspace's settings say, and reads on", async () => {
      await window.chat.newConversation();
      const before = text("README.md");
      await window.model.script([
        {
          calls: [
            { name: "toolhost_edit", input: { path: "README.md", old_text: "Sample", new_text: "Changed" } },
            { name: "toolhost_read", input: { path: "README.md", limit: 1 } },
            { name: "toolhost_exec", input: { command: "git status" } },
          ],
        },
        { text: "I may only read here." },
      ]);
      await window.chat.askByCommand("@toolhost change the readme");
      const answer = await window.chat.lastAnswerText();
      expect(answer).toContain("I may only read here.");
      expect(answer).toContain(
        "Toolhost can only read here. Not done: Edit README.md; Run git status. Trust this folder to allow it.",
      );
      expect(answer).not.toMatch(/not run: Restricted Mode|did not succeed/);
      const [edit, read, exec] = resultTexts(await window.model.requests());
      expect(edit).toMatch(/^Error \(untrusted\): edit: refused: the workspace is not trusted/);
      expect(edit).toContain("Manage Workspace Trust");
      expect(read).toContain("# Sample workspace");
      expect(exec).toMatch(/^Error \(untrusted\): exec: refused: the workspace is not trusted/);
      expect(text("README.md")).toBe(before);
      await window.chat.lastAnswer
        .locator(".chat-command-button", { hasText: "Manage Workspace Trust" })
        .first()
        .waitFor();
      await window.screenshot("restricted-mode");
    });
  });
}
