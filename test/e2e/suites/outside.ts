// An agent of another system is connected from the window, and works there.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../../harness/poll";
import type { FreshWindow } from "../../harness/shared-window";
import type { Workbench } from "../../harness/workbench";

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

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
      const { mcpServers } = JSON.parse(readFileSync(file(), "utf8")) as { mcpServers: Record<string, Entry> };
      expect(mcpServers["other"]).toEqual({ command: "o" });
      const { command, args, env } = mcpServers["toolhost"] ?? { command: "", args: [] };
      // The user's environment, as the window has it.
      const { XDG_STATE_HOME: _, TOOLHOST_STATE: __, ...others } = process.env;
      const agent = spawn(command, args, {
        cwd: folder,
        env: { ...others, HOME: window.server.home, ...env },
      });
      const answers = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
      const ask = async (id: number, method: string, params: object): Promise<string> => {
        agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
        return String((await answers.next()).value);
      };
      const clientInfo = { name: "x", title: "Other Agent $(flame)", version: "1" };
      await ask(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
      expect(await status().count()).toBe(0);
      expect(await ask(1, "tools/list", {})).toContain('"name":"edit"');
      await poll("its name", async () => (await status().innerText()).includes("Other Agent $"));
      agent.stdin.end();
      await poll("its end", async () => (await status().count()) === 0);
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
