// A window whose tools work in a sandbox: one that another extension brings, and one that the user's settings name.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import type { SandboxUse, ToolhostApi } from "../../../src/doors/api/types";
import { InMemorySandboxClient } from "../../../src/hosts/sandbox/memoryClient";
import { poll } from "../../harness/host";
import { inWorkspace, toolText, withSettings, writeFile } from "../tool";

async function api(): Promise<ToolhostApi> {
  const extension = vscode.extensions.getExtension<ToolhostApi>("toolhost.toolhost");
  assert.ok(extension);
  return extension.activate();
}

async function inSandbox(
  files: Record<string, string>,
  work: (client: InMemorySandboxClient, use: SandboxUse, toolhost: ToolhostApi) => Promise<void>,
): Promise<void> {
  const toolhost = await api();
  const client = new InMemorySandboxClient({
    files,
    runHandler: (command, options) => ({ stdout: `${command} in ${options?.workingDirectory}\n`, exitCode: 0 }),
  });
  const use = toolhost.useSandbox(client, { folder: "/app", name: "box" });
  try {
    await work(client, use, toolhost);
  } finally {
    use.dispose();
  }
}

const text = (client: InMemorySandboxClient, path: string): string =>
  Buffer.from(client.getFile(path) ?? "").toString();

describe("a window whose tools work in a sandbox", () => {
  it("has its files read, searched and changed there, and says so once a session", async () => {
    writeFile("only-here.txt", "needle\n");
    await inSandbox({ "/app/a.txt": "needle there\n" }, async (client, _, { invoke }) => {
      const read = await invoke("read", { path: "a.txt" }, { session: "sandbox-1" });
      assert.match(read.ok ? read.text : "", /^\[Tools work in box:\/app now, .*\]\n.*needle there/s);
      const found = await invoke("grep", { pattern: "needle" }, { session: "sandbox-1" });
      assert.match(found.ok ? found.text : "", /needle there/);
      assert.doesNotMatch(found.ok ? found.text : "", /only-here|Tools work/);
      const edit = { path: "a.txt", old_text: "there", new_text: "changed" };
      assert.ok((await invoke("edit", edit, { session: "sandbox-1" })).ok);
      assert.equal(text(client, "/app/a.txt"), "needle changed\n");
    });
    // The window's folders again.
    assert.match(await toolText("read", { path: "only-here.txt" }), /needle/);
  });

  it("runs commands there that a rule allows by the sandbox's name", async () => {
    const rule = (params: object): object => ({
      tool: "exec",
      params: { command: "npm test", ...params },
      decision: "allow",
    });
    await inSandbox({ "/app/a": "" }, async (_, __, { invoke }) => {
      await withSettings({ "toolhost.permissions.rules": [rule({})] }, async () => {
        const refused = await invoke("exec", { command: "npm test" });
        assert.equal(refused.ok ? "ran" : refused.error.type, "denied");
      });
      await withSettings({ "toolhost.permissions.rules": [rule({ sandbox: "box" })] }, async () => {
        const ran = await invoke("exec", { command: "npm test" });
        assert.match(ran.ok ? ran.text : ran.error.message, /npm test in \/app/);
      });
    });
  });

  it("shows its commands in terminals that say where they run", async () => {
    const rule = { tool: "exec", params: { command: "npm start", sandbox: "box" }, decision: "allow" };
    await inSandbox({ "/app/a": "" }, async (_, __, { invoke }) => {
      await withSettings({ "toolhost.permissions.rules": [rule] }, async () => {
        const ran = await invoke("exec", { command: "npm start", background: true });
        assert.ok(ran.ok, JSON.stringify(ran));
        await poll("its terminal", () => vscode.window.terminals.some(({ name }) => / box: npm start$/.test(name)));
      });
    });
  });

  it("undoes there what was changed there, by the window's command", async () => {
    await inSandbox({ "/app/a.txt": "one\n" }, async (client, _, { invoke }) => {
      const session = "sandbox-2";
      assert.ok((await invoke("edit", { path: "a.txt", old_text: "one", new_text: "two" }, { session })).ok);
      await vscode.commands.executeCommand("toolhost.undoLastTurn", { ask: false });
      assert.equal(text(client, "/app/a.txt"), "one\n");
      assert.equal(existsSync(inWorkspace("a.txt")), false);
    });
  });

  it("works where the user's settings say, until they say nothing", async () => {
    writeFile("only-here.txt", "needle\n");
    const { invoke } = await api();
    await withSettings({ "toolhost.sandbox.client": "podman://no-such-container/app" }, async () => {
      const read = await invoke("read", { path: "only-here.txt" });
      assert.match(read.ok ? "read" : read.error.message, /podman/);
    });
    await withSettings({ "toolhost.sandbox.client": "nowhere" }, async () => {
      assert.ok((await invoke("read", { path: "only-here.txt" })).ok);
    });
    const settings = vscode.workspace.getConfiguration();
    await assert.rejects(
      async () => settings.update("toolhost.sandbox.client", "podman://x/app", vscode.ConfigurationTarget.Workspace),
      /only into User settings/,
    );
  });
});
