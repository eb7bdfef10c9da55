// Documents inside VS Code: a prompt in an open document, as a person, the command line and undo see it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";
import { inWorkspace, onDisk, openUnsaved, toolText, withSettings, writeFile } from "../tool";

const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");

/** The command line in the window's folder: another process, as a worker is. */
function commandLine(...words: string[]): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", cli, "--workspace", workspaceFolder(), ...words],
    { encoding: "utf8" },
  );
  return stdout + stderr;
}

/**
 * Runs a document tool in the window: they are not language model tools, but pipe runs any tool. Returns what it
 * gave, or why it failed.
 */
async function run(tool: string, input: object): Promise<Record<string, unknown>> {
  const said = await toolText("pipe", {
    tool_name: tool,
    tool_input: input,
    path: "out.json",
    on_conflict: "overwrite",
  });
  return /^Error/.test(said)
    ? { error: said }
    : (JSON.parse(onDisk(".toolhost/context/out.json")) as Record<string, unknown>);
}

describe("documents in VS Code", () => {
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const folder of [".toolhost", ".github/prompts", ".agents"]) {
      rmSync(inWorkspace(folder), { recursive: true, force: true });
    }
  });

  it("lists the schedules there are for every agent", async () => {
    assert.match(await toolText("cron", { action: "list" }), /^There are no schedules/);
  });

  it("are no language model tool", () => {
    assert.deepEqual(
      vscode.lm.tools.filter(({ name }) => /^toolhost_(document$|(skill|prompt|task|schedule)_)/.test(name)),
      [],
    );
  });

  it("are written in the window and read by another process", async () => {
    const write = { action: "write", kind: "task", name: "Fix the login", description: "Do it." };
    // A task tells an agent what to do, so that every change of one asks; nobody can answer here.
    assert.match(
      String((await run("document", write))["error"]),
      /document needs the user's permission, and asking failed\. Nothing was done\.\n.*Contents: Write the task Fix the login\?/,
    );
    assert.equal(existsSync(inWorkspace(".toolhost/tasks")), false);
    await withSettings({ "toolhost.permissionMode": "bypass" }, async () => {
      assert.deepEqual(await run("document", write), {
        name: "fix-the-login",
        path: ".toolhost/tasks/fix-the-login.md",
        created: true,
        changed: true,
      });
    });
    assert.match(
      onDisk(".toolhost/tasks/fix-the-login.md"),
      /^---\nid: fix-the-login\ntitle: Fix the login\nstatus: pending\n[^]*\n---\n\nDo it\.\n$/,
    );
    assert.match(commandLine("task", "list"), /^fix-the-login {2}\[pending, medium\] Fix the login\n$/);
  });

  it("are written by another process, and undone in the window", async () => {
    assert.match(commandLine("task", "write", "Fix the logout", "--description", "Do it."), /fix-the-logout/);
    assert.equal(existsSync(inWorkspace(".toolhost/tasks/fix-the-logout.md")), true);
    await vscode.commands.executeCommand("toolhost.undoLastTurn", { ask: false });
    assert.equal(existsSync(inWorkspace(".toolhost/tasks/fix-the-logout.md")), false);
  });

  it("that are open in the editor are read and changed with what the user typed", async () => {
    // A prompt tells agents what to do, so that every change of one asks.
    await withSettings({ "files.autoSave": "off", "toolhost.permissionMode": "bypass" }, async () => {
      const document = await openUnsaved(
        writeFile(".github/prompts/review.prompt.md", "Look at it.\n"),
        "---\ndescription: Review\n---\n",
      );
      assert.deepEqual(await run("document", { action: "list", kind: "prompt" }), {
        prompts: [
          {
            name: "review",
            path: ".github/prompts/review.prompt.md",
            problem: null,
            description: "Review",
            agent_modification: true,
          },
        ],
        total: 1,
      });
      const review = (action: string): object => ({ action, kind: "prompt", name: "review" });
      const change = (start_line: number, content: string): Promise<Record<string, unknown>> =>
        run("document", { ...review("edit"), patches: [{ start_line, end_line: start_line, content }] });
      await run("document", review("read"));
      assert.deepEqual(await change(4, "Look twice."), {
        name: "review",
        path: ".github/prompts/review.prompt.md",
        added: 1,
        removed: 1,
        changed: true,
      });
      assert.equal(document.getText(), "---\ndescription: Review\n---\nLook twice.\n");
      assert.equal(onDisk(".github/prompts/review.prompt.md"), "Look at it.\n");
      assert.match(String((await change(2, "description: ["))["error"]), /would be malformed: .*not valid YAML/);
      assert.equal(document.getText(), "---\ndescription: Review\n---\nLook twice.\n");
      await document.save();
    });
  });
});
