// The extension in VS Code's extension host of the browser: what is there besides files, and what says that it is not.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { activateProduct, poll } from "../../harness/host";
import { put, stored } from "../memory";
import { toolText } from "../tool";

/** Where VS Code's server keeps what extensions save, beside the folder of this host's logs. */
const data = (): string => process.env["TOOLHOST_RIG_LOGS"]?.replace(/[/\\]logs$/, "") ?? "";

const undo = (...calls: number[]): Thenable<unknown> =>
  vscode.commands.executeCommand("toolhost.undoChange", { calls, ask: false });

/** The calls that the saved undo journal has, newest first. */
async function savedCalls(): Promise<{ id: number; tool: string; pending: number }[]> {
  const [file] = globSync(join(data(), "User", "workspaceStorage", "*", "toolhost.toolhost", "state.db"));
  assert.ok(file !== undefined && existsSync(file), `no state below ${data()}`);
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare("SELECT id, tool, pending FROM calls ORDER BY id DESC").all() as never;
  } finally {
    database.close();
  }
}

describe("Toolhost in a browser", () => {
  before(async () => {
    await activateProduct();
    await vscode.workspace.getConfiguration().update("files.autoSave", "off", vscode.ConfigurationTarget.Global);
  });

  it("runs in another extension host than these tests: the browser's", () => {
    assert.equal(vscode.extensions.getExtension("toolhost.toolhost"), undefined);
  });

  it("undoes a change, and the undo", async () => {
    await put("undone.txt", "before\r\n");
    await toolText("read", { path: "undone.txt" });
    assert.match(await toolText("edit", { path: "undone.txt", old_text: "before", new_text: "after" }), /^Edited /);
    const call = await poll("the edit to be saved in the journal", async () => {
      const [newest] = await savedCalls();
      return newest?.tool === "edit" && newest.pending === 0 ? newest.id : undefined;
    });
    await undo(call);
    assert.equal(await stored("undone.txt"), "before\r\n");
    const back = await poll("the undo to be saved in the journal", async () => {
      const [newest] = await savedCalls();
      return newest?.tool === "undo" && newest.pending === 0 ? newest.id : undefined;
    });
    await undo(back);
    assert.equal(await stored("undone.txt"), "after\r\n");
  });

  it("keeps, finds and forgets notes, in the workspace's own folders", async () => {
    const kept = await toolText("context_write", {
      path: "docs/queue.md",
      content: "# Queue\n\nRetries use a jitter.\n",
    });
    assert.doesNotMatch(kept, /^Error/);
    assert.match(await toolText("context_search", { query: "jitter of retries" }), /docs\/queue\.md/);
    assert.match(await toolText("context_write", { path: "page.md", url: "https://example.com/" }), /^Error \(/);
    const noted = await toolText("memory_write", { content: "The release is cut on Fridays.", name: "release" });
    assert.doesNotMatch(noted, /^Error/);
    assert.match(await toolText("memory_search", { query: "release day" }), /Fridays/);
  });

  it("knows code by its syntax", async () => {
    await put("code/queue.py", "class Queue:\n    def push(self, item):\n        self.items.append(item)\n");
    assert.match(await toolText("symbols", { path: "code/queue.py" }), /push/);
    assert.match(await toolText("read", { path: "code/queue.py", symbol: "push" }), /self\.items\.append/);
    assert.match(await toolText("code_search", { query: "push an item to the queue" }), /code\/queue\.py/);
  });

  for (const [tool, input, lacks] of [
    ["exec", { command: "ls" }, "processes"],
    ["query", { expression: "1" }, "expressions"],
    ["web_fetch", { url: "https://example.com/" }, "http"],
  ] as const) {
    it(`says that ${tool} is not there, and why`, async () => {
      assert.match(await toolText(tool, input), new RegExp(`^Error \\(unavailable\\): ${tool} needs ${lacks}`));
    });
  }

  it("says of a PDF that it is not read here, not that it is empty", async () => {
    await put("paper.pdf", "%PDF-1.4\n\0\x01");
    assert.match(await toolText("read", { path: "paper.pdf" }), /^Error \((unavailable|binary)\): /);
  });
});
