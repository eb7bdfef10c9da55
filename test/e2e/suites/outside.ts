// An agent of another system is connected from the window, and works there.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../../harness/poll";
import type { FreshWindow } from "../../harness/shared-window";
import type { Workbench } from "../../harness/workbench";
import { serversIn, startConnected } from "../connectedAgent";

export function outsideSuite(fresh: FreshWindow): void {
  describe("an agent of another system", () => {
    let window: Workbench;
    let folder: string;
    const file = (): string => join(folder, ".mcp.json");
    const status = () => window.page.locator('.statusbar-item[id$="toolhost.outside"]');

    beforeAll(async () => {
      ({ window, folder } = await fresh());
    });

    /** Chooses Claude Code. @returns the question, unless the entry is there */
    async function choose(): Promise<void> {
      void window.command("toolhost.connectAgent").catch(() => undefined);
      await (await window.quickInput()).pick("Claude Code");
    }

    it("is not connected unless its user says yes to what they see", async () => {
      await choose();
      const dialog = await window.dialog();
      expect(dialog.message).toBe(`Write this into ${file()}?`);
      expect(dialog.detail).toContain('"toolhost": {');
      await dialog.click("Don't Write");
      expect(existsSync(file())).toBe(false);
    });

    it("starts Toolhost by what was written, and is named in the status bar while it is connected", async () => {
      writeFileSync(file(), '{ "mcpServers": { "other": { "command": "o" } } }\n');
      await choose();
      await (await window.dialog()).click("Write");
      await window.notification("is written");
      expect(serversIn(file())["other"]).toEqual({ command: "o" });
      const title = "Other Agent $(flame)";
      const agent = await startConnected(file(), { folder, home: window.server.home, title });
      expect(await status().count()).toBe(0);
      expect(await agent.ask("tools/list", {})).toContain('"name":"edit"');
      await poll("its name", async () => (await status().innerText()).includes("Other Agent $"));
      // Two turns, each with a change.
      const edits = [
        { path: "src/greet.ts", old_text: "Hello", new_text: "Hi" },
        { path: "docs/notes.md", old_text: "TODO", new_text: "DONE" },
      ];
      for (const [at, edit] of edits.entries()) {
        const _meta = { "toolhost/turn": String(at) };
        await agent.ask("tools/call", { name: "read", arguments: { path: edit.path }, _meta });
        const edited = await agent.ask("tools/call", { name: "edit", arguments: edit, _meta });
        expect(edited).toContain("1 replacement");
      }
      agent.end();
      await poll("its end", async () => (await status().count()) === 0);
    });

    it("has its change in the review and in the list of changes under its name, and the user takes it back", async () => {
      const notes = (): string => readFileSync(join(folder, "docs/notes.md"), "utf8");
      expect(notes()).toContain("DONE: greet people");
      void window.command("toolhost.reviewChanges").catch(() => undefined);
      const list = await window.quickInput();
      const rows = window.page.locator(".quick-input-list .monaco-list-row", { hasText: "docs/notes.md" });
      expect(await rows.first().innerText()).toMatch(
        /Other Agent \$\u2060\(flame\) \(MCP\), just now · 1 call · \+1 −1/,
      );
      await list.pick("docs/notes.md");
      await poll("the review", async () => (await window.page.locator(".multiDiffEntry").count()) === 1);
      await window.screenshot("outside-review");
      await window.command("workbench.action.closeAllEditors");

      void window.command("toolhost.undoChange").catch(() => undefined);
      const changes = await window.quickInput();
      expect(await rows.first().innerText()).toMatch(
        /^Edit docs\/notes\.md\s+Other Agent \$\u2060\(flame\) \(MCP\), just now/,
      );
      await rows.first().click();
      await changes.accept();
      const dialog = await window.dialog();
      expect(dialog.detail).toMatch(/^Other Agent \$\u2060?\(flame\) \(MCP\), just now/);
      await dialog.click("Undo");
      await window.notification("Undid 1 change in 1 file.");
      expect(notes()).toContain("TODO: greet people");
      await window.command("notifications.clearAll");
    });

    it("is told to be there already, and its entry can be removed", async () => {
      await choose();
      await (await window.notification("has this entry already")).click("Remove the Entry…");
      const dialog = await window.dialog();
      expect(dialog.message).toBe(`Take Toolhost's entry out of ${file()}?`);
      await dialog.click("Remove");
      await poll("the removal", () => !readFileSync(file(), "utf8").includes("toolhost"));
      expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({ mcpServers: { other: { command: "o" } } });
    });
  });
}
