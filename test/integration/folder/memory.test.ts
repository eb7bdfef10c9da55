// The memory inside VS Code: beside the command line, in open documents, turned off and back on.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";
import { inWorkspace, onDisk, openUnsaved, toolText, withSettings, writeFile } from "../tool";

const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");
const cliArguments = (...words: string[]): string[] => [
  "--no-warnings",
  cli,
  "--workspace",
  workspaceFolder(),
  "memory",
  ...words,
];

/** The command line in the window's folder: another process, as another window is. */
function commandLine(...words: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, cliArguments(...words), { encoding: "utf8" });
  assert.equal(stderr, "");
  return stdout;
}

/** The same without waiting; its exit code. */
function inBackground(...words: string[]): Promise<number | null> {
  return new Promise((resolve) =>
    spawn(process.execPath, cliArguments(...words), { stdio: "ignore" }).on("close", resolve),
  );
}

/** The text below the line that says what a note is. */
const valueOf = async (key: string): Promise<string> => (await toolText("memory_read", { key })).replace(/^.*\n/, "");

describe("memory in VS Code", () => {
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    rmSync(inWorkspace(".toolhost"), { recursive: true, force: true });
  });

  it("keeps what is written in a file, for every other process", async () => {
    assert.equal(
      await toolText("memory_write", { key: "build", value: "npm run compile" }),
      'Stored 15 bytes under key "build" (new).',
    );
    assert.match(onDisk(".toolhost/memory/build.md"), /^---\ncreated: .*\nupdated: .*\n---\nnpm run compile$/);
    assert.match(commandLine("read", "build"), /\nnpm run compile\n$/);
    commandLine("write", "from-outside", "written by the command line");
    assert.equal(await valueOf("from-outside"), "written by the command line");
    assert.match(await toolText("memory_list", {}), /^build .*\nfrom-outside /);
    assert.match(await toolText("memory_get", { path: "memory/from-outside.md" }), /\n.*written by the command line/);
  });

  it("finds what any of them wrote, at once", async () => {
    await toolText("memory_write", { key: "deploy", value: "The staging server is deployed from the release branch." });
    commandLine("write", "style", "The user prefers tabs over spaces in Makefiles.");
    writeFile(".toolhost/MEMORY.md", "# Memory\n\nThe walrus checklist comes before each release.\n");
    for (const [query, found] of [
      ["deploy staging", "memory/deploy.md"],
      ["tabs or spaces", "memory/style.md"],
      ["walrus checklist", "MEMORY.md"],
    ] as const) {
      const text = await toolText("memory_search", { query });
      assert.match(text, new RegExp(`\\n${found.replace(".", "\\.")}:\\d+-\\d+ \\(score [01]\\.\\d\\d\\)\\n`), text);
    }
    assert.match(
      await toolText("memory_search", { query: "quarterly revenue of the aviary" }),
      /^\[Nothing in memory matches this/,
    );
  });

  it("loses nothing when the window and other processes write at once", async () => {
    const writers = [0, 1, 2];
    const [outside, inside] = await Promise.all([
      Promise.all(writers.map((writer) => inBackground("write", "shared", `process ${writer}`, "--append"))),
      Promise.all(
        writers.map((writer) => toolText("memory_write", { key: "shared", value: `window ${writer}`, append: true })),
      ),
    ]);
    assert.deepEqual(outside, [0, 0, 0]);
    inside.forEach((text) => assert.match(text, /^Stored /));
    assert.deepEqual((await valueOf("shared")).split("\n").sort(), [
      ...writers.map((writer) => `process ${writer}`),
      ...writers.map((writer) => `window ${writer}`),
    ]);
    assert.deepEqual(readdirSync(inWorkspace(".toolhost/memory")), ["shared.md"]);
  });

  it("reads and changes a note that is open in the editor, with what the user typed", async () => {
    // The web saves after a second by itself.
    await withSettings({ "files.autoSave": "off" }, async () => {
      const document = await openUnsaved(writeFile(".toolhost/memory/open.md", "theirs\n"), "typed ");
      await vscode.window.showTextDocument(document);
      assert.equal(await valueOf("open"), "typed theirs\n");
      assert.match(
        await toolText("memory_write", { key: "open", value: "ours", append: true }),
        /^Stored 17 bytes under key "open" \(appended\)\.\nThe file has unsaved changes in the editor/,
      );
      assert.match(document.getText(), /typed theirs\nours$/);
      assert.equal(onDisk(".toolhost/memory/open.md"), "theirs\n");
      await document.save();
    });
  });

  it("gives back what was deleted, by undo", async () => {
    await toolText("memory_write", { key: "k", value: "kept" });
    assert.equal(await toolText("memory_delete", { key: "k" }), 'Deleted "k" from memory.');
    assert.match(await toolText("memory_read", { key: "k" }), /^Error \(not_found\)/);
    const undo = (...words: string[]): string =>
      spawnSync(
        process.execPath,
        ["--no-warnings", cli, "--workspace", workspaceFolder(), "undo", ...words, "--json"],
        { encoding: "utf8" },
      ).stdout;
    const { data } = JSON.parse(undo("--list")) as { data: { turns: { calls: { id: number; tool: string }[] }[] } };
    const id = data.turns
      .flatMap(({ calls }) => calls)
      .filter(({ tool }) => tool === "memory_delete")
      .map((call) => call.id)
      .sort((a, b) => b - a)[0];
    assert.match(undo("--id", String(id)), /^\{"ok":true/);
    assert.equal(await valueOf("k"), "kept");
  });

  it("is nowhere when it is turned off, and as it was when it is turned on", async () => {
    await toolText("memory_write", { key: "k", value: "kept" });
    await withSettings({ "toolhost.memory.enabled": false }, async () => {
      for (const [tool, input] of [
        ["memory_read", { key: "k" }],
        ["memory_write", { key: "k", value: "x" }],
        ["memory_search", { query: "kept" }],
      ] as const) {
        assert.equal(
          await toolText(tool, input),
          `Error (unavailable): ${tool}: the user has turned the memory tools off.\nHint: The setting toolhost.memory.enabled turns them on.`,
        );
      }
      assert.match(await toolText("read", { path: ".toolhost/memory/k.md" }), /kept/);
    });
    assert.equal(await valueOf("k"), "kept");
  });

  it("takes the user's limits", async () => {
    await withSettings({ "toolhost.memory.limits": { keys: 1 } }, async () => {
      await toolText("memory_write", { key: "first", value: "x" });
      assert.match(
        await toolText("memory_write", { key: "second", value: "x" }),
        /^Error \(too_large\): memory key "second": memory has 1 keys; at most 1\. Nothing was stored\./,
      );
    });
    assert.match(await toolText("memory_write", { key: "second", value: "x" }), /^Stored /);
  });
});
