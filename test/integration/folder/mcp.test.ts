// An agent of another system, whose `toolhost mcp` works in this window.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";
import { onDisk, openUnsaved, writeFile } from "../tool";

const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");

interface Reply {
  id?: number;
  result?: { content: { text: string }[]; isError?: boolean };
}

/** A client that writes lines, as agents do. */
class LineClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #next = 0;
  /** What the server logs. */
  log = "";

  constructor() {
    this.#child = spawn(process.execPath, ["--no-warnings", cli, "mcp"], { cwd: workspaceFolder() });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.log += text));
    createInterface({ input: this.#child.stdout ?? process.stdin }).on("line", (line) => {
      const reply = JSON.parse(line) as Reply;
      this.#waiting.get(reply.id ?? -1)?.(reply);
    });
  }

  request(method: string, params: object): Promise<Reply> {
    const id = this.#next++;
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async text(name: string, input: object): Promise<string> {
    const { result } = await this.request("tools/call", { name, arguments: input });
    return result?.content[0]?.text ?? "";
  }

  async end(): Promise<unknown> {
    this.#child.stdin?.end();
    return (await once(this.#child, "close"))[0];
  }
}

describe("toolhost mcp in the folder of this window", () => {
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("reads and edits unsaved text, and its change is listed under the client's name", async () => {
    const document = await openUnsaved(writeFile("mcp/open.txt", "saved\n"), "unsaved\n");
    const client = new LineClient();
    await client.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "other-agent", title: "Other Agent", version: "1" },
    });
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
});
