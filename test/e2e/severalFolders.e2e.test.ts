// An agent of another system in one folder of a window with several.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { startConnected, type ConnectedAgent } from "./connectedAgent";

let window: Workbench;
let [shop, site]: string[] = [];

beforeAll(async () => {
  const server = await startServer({ settings: { "workbench.colorTheme": "Default Light Modern" } });
  [shop, site] = ["shop", "site"].map((name) => server.temporaryFolder(name, sampleFixture));
  const workspace = join(shop ?? "", "..", "both.code-workspace");
  writeFileSync(
    workspace,
    JSON.stringify({
      folders: [
        { path: shop, name: "shop" },
        { path: site, name: "site" },
      ],
    }),
  );
  window = await openWorkbench(server, { workspace });
});

describe("an agent of another system, in a window with several folders", () => {
  const file = (): string => join(site ?? "", ".mcp.json");
  let agent: ConnectedAgent;
  const call = (name: string, input: object): Promise<string> => agent.ask("tools/call", { name, arguments: input });

  it("is connected in the folder that its user chooses", async () => {
    void window.command("toolhost.connectAgent").catch(() => undefined);
    await (await window.quickInput()).pick("Claude Code");
    await poll("the choice of a folder", async () =>
      (await (await window.quickInput()).items()).some((item) => item.includes(site ?? "")),
    );
    await window.screenshot("connect-folder");
    await (await window.quickInput()).pick("site");
    const dialog = await window.dialog();
    expect(dialog.message).toBe(`Write this into ${file()}?`);
    await dialog.click("Write");
    await window.notification("is written");
    await window.command("notifications.clearAll");
    expect(existsSync(join(shop ?? "", ".mcp.json"))).toBe(false);
    agent = await startConnected(file(), { folder: site ?? "", home: window.server.home, title: "Other Agent" });
  });

  it("edits what is open there, by its own paths, and asks with the folder's name", async () => {
    await window.openFile(join(site ?? "", "src/greet.ts"));
    await window.typeUnsaved("// typed\n");
    expect(await call("read", { path: "src/greet.ts" })).toContain("// typed");
    expect(await call("edit", { path: "src/greet.ts", old_text: "Hello", new_text: "Hi" })).toContain("1 replacement");
    const running = call("exec", { command: "node -e \"require('fs').rmSync('docs/notes.md')\"" });
    const dialog = await window.dialog();
    expect(dialog.message).toBe("Run this command?");
    expect(dialog.detail).toMatch(/^node -e [^]*\n\nRuns a program\.\n\nAsked by Other Agent in site\./);
    await window.screenshot("several-folders-question");
    await dialog.click("Allow Once");
    const ran = await running;
    expect(ran).toContain("D docs/notes.md");
    expect(ran).not.toContain("site/docs");
    expect(existsSync(join(site ?? "", "docs/notes.md"))).toBe(false);
  });

  it("has its changes in the window's list by the window's paths, and all of them undone", async () => {
    void window.command("toolhost.undoLastTurn").catch(() => undefined);
    const dialog = await window.dialog();
    expect(dialog.detail).toMatch(/Other Agent/);
    expect(dialog.detail).toContain("site/src/greet.ts");
    expect(dialog.detail).toContain("site/docs/notes.md");
    await window.screenshot("several-folders-undo");
    await dialog.click("Undo");
    await window.notification("Undid");
    expect(readFileSync(join(site ?? "", "docs/notes.md"), "utf8")).toContain("TODO");
    expect(await call("read", { path: "src/greet.ts" })).toContain("Hello");
    agent.end();
  });
});
