// An agent of another system, whose `toolhost mcp` works in this window.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as vscode from "vscode";
import { poll, workspaceFolder } from "../../harness/host";
import { cli, LineClient } from "../mcpClient";
import { inWorkspace, onDisk, openUnsaved, writeFile } from "../tool";

describe("toolhost mcp in the folder of this window", () => {
  let clients: LineClient[] = [];
  const start = async (...flags: string[]): Promise<LineClient> => {
    const client = await LineClient.start(workspaceFolder(), flags);
    clients.push(client);
    return client;
  };

  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()));
    clients = [];
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("reads and edits unsaved text, and its change is listed under the client's name", async () => {
    const document = await openUnsaved(writeFile("mcp/open.txt", "saved\n"), "unsaved\n");
    const client = await LineClient.start(workspaceFolder());
    assert.equal(await client.text("read", { path: "mcp/open.txt" }), "1\tunsaved\n2\tsaved");
    assert.match(client.log, /serving the folder in the window of VS Code that has it open/);
    assert.match(
      await client.text("edit", { path: "mcp/open.txt", old_text: "unsaved", new_text: "changed" }),
      /^Edited/,
    );
    assert.equal(document.getText(), "changed\nsaved\n");
    assert.match(await client.text("exec", { command: "echo outside: $PWD" }), new RegExp(workspaceFolder()));
    assert.equal(await client.end(), 0);
    const list = spawn(process.execPath, ["--no-warnings", cli, "undo", "--list"], { cwd: workspaceFolder() });
    let listed = "";
    list.stdout.setEncoding("utf8").on("data", (text: string) => (listed += text));
    await once(list, "close");
    assert.match(listed, /^Other Agent \(MCP\), just now\n/);
    assert.equal(onDisk("mcp/open.txt"), "saved\n");
  });

  it("has the tools that its flags choose, and no others", async () => {
    const usual = await (await start()).tools();
    assert.ok(["read", "edit", "exec", "read_result"].every((name) => usual.includes(name)));
    assert.ok(["show_secret", "todo_update"].every((name) => !usual.includes(name)));
    // Other extensions of these tests have registered tools, too, which are always served.
    const shipped = vscode.lm.tools.map(({ name }) => name.replace(/^toolhost_/, ""));
    const chosen = await start("--tools", "ls");
    assert.deepEqual(
      (await chosen.tools()).filter((name) => shipped.includes(name)),
      ["ls", "read_result"],
    );
    assert.match(
      await chosen.text("edit", { path: "README.md", old_text: "a", new_text: "b" }),
      /^Error \(unknown_tool\)/,
    );
  });

  it("is asked about in the window: flags that allow mean nothing there, and --plan only looks", async () => {
    const allowed = await start("--allow-all");
    assert.match(
      await allowed.text("exec", { command: "install -d mcp-made.txt" }),
      /^Error \(denied\).*Contents: Run this command\?/s,
    );
    const plan = await start("--plan");
    assert.match(await plan.text("write", { path: "mcp/plan.txt", content: "x" }), /^Error \(denied\)/);
    assert.throws(() => onDisk("mcp/plan.txt"), /ENOENT/);
  });

  it("gets data if it asks for it, and none if not", async () => {
    writeFile("mcp/data.txt", "text\n");
    const [plain, data] = [await start(), await start("--data")];
    const input = { path: "mcp/data.txt" };
    assert.equal((await plain.call("read", input)).result?.structuredContent, undefined);
    assert.equal(typeof (await data.call("read", input)).result?.structuredContent, "object");
  });

  it("works for 20 clients at once", async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `mcp/many${index}.txt`);
    paths.forEach((path) => writeFile(path, "old\n"));
    await Promise.all(
      paths.map(async (path) => {
        const client = await start();
        assert.match(await client.text("edit", { path, old_text: "old", new_text: "new" }), /^Edited/);
        assert.match(client.log, /in the window of VS Code/);
      }),
    );
    for (const path of paths) {
      const document = await vscode.workspace.openTextDocument(inWorkspace(path));
      assert.equal(document.getText(), "new\n");
    }
  });

  it("ends the command of a client that is killed, whose change is whole or absent", async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `mcp/whole${index}.txt`);
    paths.forEach((path) => writeFile(path, "old\n"));
    const client = await LineClient.start(workspaceFolder(), ["--tools", "usual,multi_edit"]);
    const running = (): boolean => spawnSync("pgrep", ["-f", "sleep 31536.5"]).status === 0;
    void client.call("exec", { command: "sleep 31536.5", timeout: 900 });
    await poll("the command", running);
    void client.call("multi_edit", { edits: paths.map((path) => ({ path, old_text: "old", new_text: "new" })) });
    await client.kill();
    await poll("the command's end", () => !running());
    // A call of another client on the same files comes after it.
    const other = await start();
    const texts = await Promise.all(paths.map((path) => other.text("read", { path })));
    assert.equal(new Set(texts).size, 1);
  });

  it("says the folder that it serves when a path lies outside", async () => {
    const client = await start();
    const answer = await client.text("read", { path: "/etc/hostname-of-nobody" });
    assert.match(answer, /^Error \(denied\)/);
    assert.ok(answer.endsWith(`This server serves ${workspaceFolder()}, and paths are relative to it.`));
  });
});
