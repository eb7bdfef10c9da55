// What an agent of another system sees of its folder while the window's folders change, and which rules hold for it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { ToolhostApi } from "../../../src/doors/api/types.js";
import { activateProduct, poll, workspaceFolder } from "../../harness/host";
import { LineClient } from "../mcpClient";
import { toolText, withSettings } from "../tool";

/** A rule that denies files. */
const deny = (path: string) => ({ tool: "*", params: { path }, decision: "deny" });

describe("an agent's folder in a window", () => {
  const [first, second] = [workspaceFolder(0), workspaceFolder(1)];
  let clients: LineClient[] = [];
  const start = async (folder: string): Promise<LineClient> => {
    const client = await LineClient.start(folder);
    clients.push(client);
    return client;
  };
  const write = (folder: string, path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const setFolders = async (...folders: { path: string; name?: string }[]): Promise<void> => {
    const now = vscode.workspace.workspaceFolders ?? [];
    const wanted = folders.map(({ path, name }) => ({
      uri: vscode.Uri.file(path),
      ...(name !== undefined && { name }),
    }));
    const changed = new Promise((resolve) => vscode.workspace.onDidChangeWorkspaceFolders(resolve));
    // The first one stays: to change it restarts all extensions.
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, now.length - 1, ...wanted));
    await changed;
  };
  const usual = (): Promise<void> => setFolders({ path: second });
  const withRules = (rules: object[], work: () => Promise<void>): Promise<void> =>
    withSettings({ "toolhost.permissions.rules": rules }, work);
  const read = async (client: LineClient, path: string): Promise<string> => client.text("read", { path });
  /** Whether the window's own agent may read a file. */
  const mayRead = async (path: string): Promise<boolean> => !/^Error/.test(await toolText("read", { path }));

  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()));
    clients = [];
    const now = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => `${name} ${uri.fsPath}`);
    if (now.join("\n") !== `first ${first}\nsecond ${second}`) {
      await usual();
    }
    for (const folder of [first, second]) {
      ["mcp", ".toolhost", "~secret", "first"].forEach((name) =>
        rmSync(join(folder, name), { recursive: true, force: true }),
      );
    }
  });

  it("stays all that it sees when the window gets a second one", async () => {
    write(first, "mcp/own.txt", "own\n");
    write(second, "mcp/kept.txt", "kept\n");
    const now = vscode.workspace.workspaceFolders ?? [];
    const changed = new Promise((resolve) => vscode.workspace.onDidChangeWorkspaceFolders(resolve));
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, now.length - 1));
    await changed;
    const client = await start(first);
    assert.equal(await read(client, "mcp/own.txt"), "1\town");
    assert.match(client.log, /in the window of VS Code/);
    const added = new Promise((resolve) => vscode.workspace.onDidChangeWorkspaceFolders(resolve));
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(second) }));
    await added;
    await poll("its own file", async () => (await read(client, "mcp/own.txt")) === "1\town");
    for (const path of ["second/mcp/kept.txt", join(second, "mcp/kept.txt")]) {
      assert.match(await read(client, path), /^Error/);
      assert.match(await client.text("edit", { path, old_text: "kept", new_text: "lost" }), /^Error/);
    }
    assert.doesNotMatch(await client.text("grep", { pattern: "kept" }), /kept\.txt/);
    assert.equal(readFileSync(join(second, "mcp/kept.txt"), "utf8"), "kept\n");
  });

  it("is held to rules by the names that the window's folders have now", async () => {
    write(second, "mcp/shut/a.txt", "a\n");
    const shut = "mcp/shut/a.txt";
    const client = await start(second);
    assert.equal(await read(client, shut), "1\ta");
    await setFolders({ path: second, name: "renamed" });
    await withRules([deny("renamed/mcp/shut/**")], async () => {
      assert.equal(await mayRead("renamed/mcp/shut/a.txt"), false);
      await poll("a refusal", async () => (await read(client, shut)).startsWith("Error (denied)"));
      assert.match(await read(await start(second), shut), /^Error \(denied\)/);
    });
  });

  it("is held to rules without names once it is the only one", async () => {
    write(first, "mcp/shut/a.txt", "a\n");
    const client = await start(first);
    assert.equal(await read(client, "mcp/shut/a.txt"), "1\ta");
    await setFolders();
    await withRules([deny("mcp/shut/**")], async () => {
      assert.equal(await mayRead("mcp/shut/a.txt"), false);
      await poll("a refusal", async () => (await read(client, "mcp/shut/a.txt")).startsWith("Error (denied)"));
    });
  });

  it("is held to rules about names that look like a home", async () => {
    write(second, "~secret/x.txt", "x\n");
    for (const rule of ["second/~secret/**", "second/**", "**"]) {
      await withRules([deny(rule)], async () => {
        assert.equal(await mayRead("second/~secret/x.txt"), false);
        assert.match(await read(await start(second), "~secret/x.txt"), /^Error \(denied\)/, rule);
      });
    }
  });

  it("is held to the rules of a folder in it that the window has open, too", async () => {
    write(second, "mcp/sub/x.txt", "x\n");
    write(second, "mcp/other.txt", "y\n");
    await setFolders({ path: second }, { path: join(second, "mcp/sub") });
    await withRules([deny("sub/**")], async () => {
      assert.equal(await mayRead(join(second, "mcp/sub/x.txt")), false);
      const [outer, inner] = [await start(second), await start(join(second, "mcp/sub"))];
      assert.match(await read(outer, "mcp/sub/x.txt"), /^Error \(denied\)/);
      assert.match(await read(inner, "x.txt"), /^Error \(denied\)/);
      assert.equal(await read(outer, "mcp/other.txt"), "1\ty");
      assert.match(await read(inner, "../other.txt"), /^Error \((outside_workspace|denied)\)/);
    });
  });

  it("has its own name where a link to it is open, too", async () => {
    write(second, "mcp/shut/a.txt", "a\n");
    symlinkSync(second, join(second, "..", "zlink"));
    try {
      await setFolders({ path: second }, { path: join(second, "..", "zlink") });
      await withRules([deny("second/mcp/shut/**")], async () => {
        assert.match(await read(await start(second), "mcp/shut/a.txt"), /^Error \(denied\)/);
      });
    } finally {
      rmSync(join(second, "..", "zlink"));
    }
  });

  it("is where the user's own tools run, also those that were there before the agent", async () => {
    mkdirSync(join(second, "first"));
    const tool = { name: "say_where", description: "Says it.", command: "pwd", readOnly: true };
    await withSettings({ "toolhost.tools": [tool] }, async () => {
      const early = await start(first);
      await poll("the tool", async () => (await early.tools()).includes("say_where"));
      // Files are read again when folders change.
      await setFolders({ path: second }, { path: join(second, "..", "no-such-folder") });
      await usual();
      const late = await start(second);
      await poll("its folder", async () => new RegExp(`^${second}$`, "m").test(await late.text("say_where", {})));
    });
  });

  it("has no rule of an extension's tool left out that is about one of its values", async () => {
    const { registerTool } = await activateProduct<ToolhostApi>();
    const registered = registerTool({
      ...{ name: "deploy_it", title: "Deploy It", description: "Deploys what is built." },
      inputSchema: { type: "object", properties: { path: { type: "string", description: "The target." } } },
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      execute: () => ({ text: "deployed" }),
    });
    try {
      const rules = [
        { tool: "deploy_it", params: { path: "production" }, decision: "deny" },
        { tool: "deploy_it", decision: "allow" },
      ];
      await withRules(rules, async () => {
        const client = await start(second);
        await poll("the tool", async () => (await client.tools()).includes("deploy_it"));
        assert.match(await client.text("deploy_it", { path: "production" }), /^Error \(denied\)/);
        assert.match(await client.text("deploy_it", { path: "test" }), /^deployed/);
      });
    } finally {
      registered.dispose();
    }
  });

  it("is all that its commands' answers tell of others' work", async () => {
    write(first, "mcp/theirs.txt", "theirs\n");
    const [one, two] = [await start(first), await start(second)];
    const running = two.text("exec", { command: "mkdir -p mcp; until [ -e mcp/go ]; do sleep 0.1; done; echo seen" });
    await one.text("read", { path: "mcp/theirs.txt" });
    await poll("the edit", async () =>
      (await one.text("edit", { path: "mcp/theirs.txt", old_text: "theirs", new_text: "changed" })).startsWith(
        "Edited",
      ),
    );
    write(second, "mcp/go", "");
    const told = await running;
    assert.match(told, /seen/);
    assert.doesNotMatch(told, /theirs/);
  });

  it("keeps its background processes while the window has it closed", async () => {
    const client = await start(second);
    assert.match(await client.text("exec", { command: "sleep 31537.5", background: true }), /f\d+p\d+/);
    await setFolders({ path: join(second, "..", "no-such-folder") });
    await usual();
    await poll("the process", async () => (await client.text("process", { action: "list" })).includes("sleep 31537.5"));
    const [id = ""] = /f\d+p\d+/.exec(await client.text("process", { action: "list" })) ?? [];
    await client.text("process", { action: "kill", id });
  });
});
