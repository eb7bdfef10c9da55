// The context store inside VS Code: in open documents, beside the command line and the user's own hand, found, undone.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";
import { inWorkspace, onDisk, openUnsaved, toolText, withSettings, writeFile } from "../tool";

const store = ".toolhost/context";
const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");

/** The command line in the window's folder: another process, as another window is. What it printed. */
function commandLine(...words: string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--no-warnings", cli, "--workspace", workspaceFolder(), ...words], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => (output += String(chunk)));
    }
    child.on("close", () => resolve(output));
  });
}

describe("the context store in VS Code", () => {
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    rmSync(inWorkspace(".toolhost"), { recursive: true, force: true });
  });

  it("is kept in files, out of Git, and read, listed and edited", async () => {
    assert.equal(
      await toolText("context_write", { path: "notes/plan.md", content: "# Plan\n\nShip on Friday.\n" }),
      "Stored 24 bytes as notes/plan.md (new).",
    );
    assert.equal(onDisk(`${store}/notes/plan.md`), "# Plan\n\nShip on Friday.\n");
    assert.equal(onDisk(`${store}/.gitignore`), "*\n");
    assert.equal(
      await toolText("context_read", { path: "notes/plan.md", offset: 3 }),
      "3\tShip on Friday.\n[Line 3 of 3: the end.]",
    );
    assert.equal(
      await toolText("context_edit", {
        path: "notes/plan.md",
        patches: [{ start_line: 3, end_line: 3, content: "Ship on Monday." }],
      }),
      "Edited notes/plan.md: +1 −1 lines.",
    );
    assert.equal(await toolText("context_tree", {}), "notes/\n  plan.md  (24 bytes)");
    assert.match(
      await toolText("context_write", { path: "notes/plan.md", content: "other" }),
      /^Error \(path_conflict\): notes\/plan\.md already exists.*\nHint: .*Read \.toolhost\/context\/.*on_conflict='overwrite'/,
    );
    assert.equal(onDisk(`${store}/notes/plan.md`), "# Plan\n\nShip on Monday.\n");
  });

  it("is found as the tools, the command line and a person left it, and by no grep", async () => {
    await toolText("context_write", { path: "a.md", content: "The walrus sleeps.\n" });
    await commandLine("context", "write", "b.md", "--content", "The walrus wakes.");
    writeFile(`${store}/c.md`, "A walrus by hand.\n");
    const text = await toolText("context_search", { query: "walrus" });
    assert.deepEqual(
      [...text.matchAll(/^(\w\.md):1/gm)].map(([, path]) => path).sort(),
      ["a.md", "b.md", "c.md"],
      text,
    );
    assert.equal(await toolText("context_delete", { path: "b.md" }), "Deleted b.md (17 bytes).");
    assert.match(await toolText("context_search", { pattern: "WALRUS WAKES" }), /^\[Nothing found\.\]/);
    assert.equal(
      await toolText("grep", { pattern: "walrus", include_ignored: true }),
      "[No match.]\n[Files that may hold secrets are not searched.]",
    );
    assert.match(await toolText("context_refresh", {}), /^Indexed 0 files; 2 unchanged, 0 removed, 0 not indexed\.$/);
  });

  it("changes a file that is open, beside what the user typed", async () => {
    // The web saves after a second by itself.
    await withSettings({ "files.autoSave": "off" }, async () => {
      const document = await openUnsaved(writeFile(`${store}/open.md`, "one\ntwo\n"), "typed\n");
      assert.match(
        await toolText("context_edit", { path: "open.md", patches: [{ start_line: 3, end_line: 3, content: "TWO" }] }),
        /^Edited open\.md: \+1 −1 lines\.\nThe file has unsaved changes/,
      );
      assert.equal(document.getText(), "typed\none\nTWO\n");
      assert.equal(onDisk(`${store}/open.md`), "one\ntwo\n");
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    });
  });

  it("is undone like every change", async () => {
    await toolText("context_write", { path: "notes/a.md", content: "kept" });
    await toolText("context_delete", { path: "notes" });
    assert.equal(existsSync(inWorkspace(`${store}/notes`)), false);
    // The calls of a window may be one turn, so the deletion alone is undone.
    const { data } = JSON.parse(await commandLine("undo", "--list", "--json")) as {
      data: { turns: { calls: { id: number; tool: string }[] }[] };
    };
    const deletions = data.turns.flatMap(({ calls }) =>
      calls.filter(({ tool }) => tool === "context_delete").map(({ id }) => id),
    );
    const told = await commandLine("undo", "--id", String(Math.max(...deletions)));
    assert.match(told, /Undid 1 change in 1 file\.\n/);
    assert.equal(onDisk(`${store}/notes/a.md`), "kept");
  });

  it("keeps one whole text when the window and other processes write one path at once", async () => {
    const inside = [0, 1, 2].map((writer) =>
      toolText("context_write", { path: "shared.md", content: `window ${writer}` }),
    );
    const outside = [0, 1].map((writer) =>
      commandLine("context", "write", "shared.md", "--content", `process ${writer}`),
    );
    const told = await Promise.all([...inside, ...outside]);
    assert.equal(told.filter((text) => text.startsWith("Stored ")).length, 1, told.join("\n"));
    assert.equal(
      told.filter((text) => text.includes("already exists in the context store")).length,
      4,
      told.join("\n"),
    );
    assert.match(onDisk(`${store}/shared.md`), /^(window|process) \d$/);
    assert.deepEqual(readdirSync(inWorkspace(store)).sort(), [".gitignore", "shared.md"]);
  });

  it("follows no link, and leaves no path out", async () => {
    await toolText("context_write", { path: "a.md", content: "x" });
    symlinkSync(inWorkspace("README.md"), inWorkspace(`${store}/link.md`));
    assert.match(await toolText("context_read", { path: "link.md" }), /^Error \(unsupported\): link\.md is a link/);
    assert.match(
      await toolText("context_write", { path: "link.md", content: "x", on_conflict: "overwrite" }),
      /^Error \(unsupported\)/,
    );
    for (const path of [
      "../MEMORY.md",
      "..\\..\\README.md",
      "~/a",
      "C:\\a",
      "//server/a",
      "nul",
      "a/.gitignore",
      "a\0",
    ]) {
      assert.match(await toolText("context_write", { path, content: "x" }), /^Error \(invalid_input\)/, path);
    }
    assert.deepEqual(readdirSync(inWorkspace(store)).sort(), [".gitignore", "a.md", "link.md"]);
  });
});
