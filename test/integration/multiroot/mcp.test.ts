// Agents of other systems, each in one folder of a window with two.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { poll, workspaceFolder } from "../../harness/host";
import { cli, LineClient } from "../mcpClient";
import { openUnsaved, withSettings } from "../tool";

interface Told {
  steps: { path: string; from?: string; did: string }[];
}

describe("toolhost mcp in one folder of a window with two", () => {
  const [first, second] = [workspaceFolder(0), workspaceFolder(1)];
  let clients: LineClient[] = [];
  const start = async (folder: string, ...flags: string[]): Promise<LineClient> => {
    const client = await LineClient.start(folder, flags);
    clients.push(client);
    return client;
  };
  const write = (folder: string, path: string, text: string): vscode.Uri => {
    const file = join(folder, "mcp", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return vscode.Uri.file(file);
  };
  const undoLast = (): Thenable<Told> => vscode.commands.executeCommand("toolhost.undoLastTurn", { ask: false });

  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()));
    clients = [];
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const folder of [first, second]) {
      rmSync(join(folder, "mcp"), { recursive: true, force: true });
      rmSync(join(folder, ".toolhost"), { recursive: true, force: true });
      rmSync(join(folder, ".vscode"), { recursive: true, force: true });
    }
  });

  it("reads and edits unsaved text of its folder by its own paths, and the window undoes that by its", async () => {
    const document = await openUnsaved(write(second, "open.txt", "saved\n"), "unsaved\n");
    write(first, "open.txt", "another file\n");
    const client = await start(second);
    assert.equal(await client.text("read", { path: "mcp/open.txt" }), "1\tunsaved\n2\tsaved");
    assert.match(client.log, /serving the folder in the window of VS Code that has it open/);
    const edited = await client.text("edit", { path: "mcp/open.txt", old_text: "unsaved", new_text: "changed" });
    assert.match(edited, /^Edited mcp\/open\.txt/);
    assert.equal(document.getText(), "changed\nsaved\n");
    assert.equal(readFileSync(join(second, "mcp/open.txt"), "utf8"), "saved\n");
    assert.deepEqual(
      (await undoLast()).steps.map(({ path }) => path),
      ["second/mcp/open.txt"],
    );
    assert.equal(document.getText(), "unsaved\nsaved\n");
  });

  it("has its changes in the command line's list, which undoes them", async () => {
    write(second, "closed.txt", "old\n");
    const client = await start(second);
    const edited = await client.text("edit", { path: "mcp/closed.txt", old_text: "old", new_text: "new" });
    assert.match(edited, /^Edited/);
    const undo = (...words: string[]): string =>
      spawnSync(process.execPath, ["--no-warnings", cli, "undo", ...words], { cwd: second, encoding: "utf8" }).stdout;
    const command = `toolhost undo --with ${first}`;
    assert.ok(undo("--list").endsWith(`  ${command} --list\n`), undo("--list"));
    const listed = undo("--list", "--with", first);
    assert.match(listed, /^Other Agent \(MCP\), just now\n *\d+ {2}edit {2}second\/mcp\/closed\.txt/);
    assert.ok(listed.endsWith(`Undo the last turn: ${command}. Undo one call: ${command} --id N\n`), listed);
    assert.match(undo("--with", first), /^The last turn \(Other Agent \(MCP\)/);
    assert.equal(readFileSync(join(second, "mcp/closed.txt"), "utf8"), "old\n");
  });

  it("finds its folder's files alone", async () => {
    write(first, "needle.txt", "needle\n");
    write(second, "needle.txt", "needle\n");
    await openUnsaved(write(first, "typed.txt", ""), "needle\n");
    const client = await start(second);
    assert.match(
      await client.text("grep", { pattern: "needle" }),
      /^mcp\/needle\.txt\n +1: needle\n\[1 match in 1 file\.\]/,
    );
    assert.match(await client.text("glob", { pattern: "mcp/*" }), /^mcp\/needle\.txt\b/);
    assert.match(await client.text("ls", {}), /^mcp\/$/m);
    assert.doesNotMatch(await client.text("ls", {}), /second/);
  });

  it("reaches nothing in the window's other folder, by whatever path", async () => {
    write(first, "kept.txt", "kept\n");
    const client = await start(second);
    for (const path of [join(first, "mcp/kept.txt"), "../first/mcp/kept.txt"]) {
      for (const [tool, input] of [
        ["read", { path }],
        ["edit", { path, old_text: "kept", new_text: "lost" }],
        ["write", { path, content: "lost" }],
        ["grep", { pattern: "kept", path }],
      ] as const) {
        assert.match(
          await client.text(tool, input),
          new RegExp(`^Error \\((outside_workspace|denied)\\): .*${second}`, "s"),
          `${tool} ${path}`,
        );
      }
      assert.match(await client.text("exec", { command: `cat ${path}` }), /^Error \(denied\)/);
    }
    assert.match(await client.text("read", { path: "first/mcp/kept.txt" }), /^Error \(not_found\)/);
    assert.equal(readFileSync(join(first, "mcp/kept.txt"), "utf8"), "kept\n");
  });

  it("runs commands in its folder, whose changes have its paths, and the window's in the list of changes", async () => {
    write(second, "old.txt", "old\n");
    const client = await start(second);
    assert.match(await client.text("exec", { command: "echo at: $PWD" }), new RegExp(`at: ${second}$`, "m"));
    const moved = await client.text("exec", { command: "mv mcp/old.txt mcp/new.txt" });
    assert.match(moved, /mcp\/new\.txt/);
    assert.doesNotMatch(moved, /second\/mcp/);
    assert.ok(existsSync(join(second, "mcp/new.txt")));
    const { steps } = await undoLast();
    assert.ok(
      steps.every(({ path }) => path.startsWith("second/mcp/")),
      JSON.stringify(steps),
    );
    assert.equal(readFileSync(join(second, "mcp/old.txt"), "utf8"), "old\n");
  });

  it("keeps its notes and contexts in its own folder", async () => {
    const client = await start(second, "--tools", "memory,context,pipe");
    assert.match(await client.text("context_write", { path: "a.md", content: "about zebras" }), /a\.md/);
    assert.equal(readFileSync(join(second, ".toolhost/context/a.md"), "utf8"), "about zebras");
    assert.match(await client.text("context_search", { query: "zebras" }), /a\.md/);
    assert.ok(!existsSync(join(first, ".toolhost/context")));
  });

  it("is held to the user's rules, which begin paths with the folder's name", async () => {
    write(second, "shut/a.txt", "a\n");
    write(second, "open/a.txt", "a\n");
    const rules = [
      { tool: "*", params: { path: "second/mcp/shut/**" }, decision: "deny" },
      { tool: "*", params: { path: "mcp/open/**" }, decision: "deny" },
      { tool: "*", params: { path: "first/**" }, decision: "deny" },
    ];
    await withSettings({ "toolhost.permissions.rules": rules }, async () => {
      const client = await start(second);
      const edit = (path: string) => client.text("edit", { path, old_text: "a", new_text: "b" });
      assert.match(await edit("mcp/shut/a.txt"), /^Error \(denied\)/);
      assert.match(await edit("mcp/open/a.txt"), /^Edited mcp\/open\/a\.txt/);
    });
    assert.equal(readFileSync(join(second, "mcp/shut/a.txt"), "utf8"), "a\n");
  });

  it("has the user's own tools, which run in its folder", () =>
    withSettings(
      { "toolhost.tools": [{ name: "say_folder", description: "Says it.", command: "pwd", readOnly: true }] },
      async () => {
        const client = await start(second);
        await poll("the tool", async () => (await client.tools()).includes("say_folder"));
        assert.match(await client.text("say_folder", {}), /\/second\b/);
      },
    ));

  it("has the tasks of its folder alone", async () => {
    for (const [folder, label] of [
      [first, "of_first"],
      [second, "of_second"],
    ] as const) {
      mkdirSync(join(folder, ".vscode"), { recursive: true });
      const tasks = [{ label, type: "shell", command: "pwd" }];
      writeFileSync(join(folder, ".vscode/tasks.json"), JSON.stringify({ version: "2.0.0", tasks }));
    }
    const client = await start(second, "--tools", "run_task");
    const listed = await client.text("run_task", { label: "none" });
    assert.match(listed, /of_second/);
    assert.doesNotMatch(listed, /of_first/);
  });

  it("goes on without the window when that closes its folder, and with it when it is opened again", async () => {
    const third = join(second, "..", "third");
    mkdirSync(third, { recursive: true });
    writeFileSync(join(third, "a.txt"), "on disk\n");
    const setThird = async (isOpen: boolean): Promise<void> => {
      const changed = new Promise((resolve) => vscode.workspace.onDidChangeWorkspaceFolders(resolve));
      assert.ok(
        vscode.workspace.updateWorkspaceFolders(
          2,
          isOpen ? 0 : 1,
          ...(isOpen ? [{ uri: vscode.Uri.file(third) }] : []),
        ),
      );
      await changed;
    };
    const client = await start(third);
    const read = () => client.text("read", { path: "a.txt" });
    assert.equal(await read(), "1\ton disk");
    await setThird(true);
    try {
      const document = await openUnsaved(vscode.Uri.file(join(third, "a.txt")), "typed\n");
      await poll("the window's text", async () => (await read()) === "1\ttyped\n2\ton disk");
      await setThird(false);
      await poll("the disk's text", async () => (await read()) === "1\ton disk");
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    } finally {
      if (vscode.workspace.workspaceFolders?.length === 3) {
        await setThird(false);
      }
      rmSync(third, { recursive: true });
    }
  });

  it("works beside one in the other folder, each on its own file of the same path", async () => {
    for (const folder of [first, second]) {
      write(folder, "same.txt", `of ${folder}\n`);
    }
    const [one, two] = [await start(first), await start(second)];
    await Promise.all(
      [one, two].map(async (client, index) => {
        await client.text("read", { path: "mcp/same.txt" });
        assert.match(
          await client.text("edit", { path: "mcp/same.txt", old_text: "of ", new_text: `${index} of ` }),
          /^Edited/,
        );
      }),
    );
    assert.deepEqual(
      await Promise.all(
        [first, second].map(async (folder) =>
          (await vscode.workspace.openTextDocument(join(folder, "mcp/same.txt"))).getText(),
        ),
      ),
      [`0 of ${first}\n`, `1 of ${second}\n`],
    );
  });
});
