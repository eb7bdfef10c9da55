// The user's own tools in VS Code: inert until approved, checked as they are written, replaced when their file changes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { poll, workspaceFolder } from "../../harness/host";
import { LineClient } from "../mcpClient";
import { inWorkspace, toolText, writeFile } from "../tool";

const FILE = ".toolhost/tools.json";
const entry = (name: string, fields: object = {}): object => ({
  ...{ name, description: "Says it.", readOnly: true, command: "printf", args: ["<%s>", "{text}"] },
  parameters: { properties: { text: { type: "string", description: "The text." } } },
  ...fields,
});
const write = (...tools: object[]): vscode.Uri => writeFile(FILE, JSON.stringify({ tools }, undefined, 2));
/** `pipe` calls any tool. */
const say = (name: string, text: string): Promise<string> =>
  toolText("pipe", { tool_name: name, tool_input: { text }, path: "customTools.txt", on_conflict: "overwrite" });
const problems = (uri: vscode.Uri): string[] =>
  vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === "Toolhost")
    .map(({ range, message }) => `${range.start.line + 1}: ${message}`);

/** Runs the command line, whose state is the window's, and returns what it prints. */
async function commandLine(...args: string[]): Promise<string> {
  const extension = vscode.extensions.all.find(
    ({ packageJSON }) => (packageJSON as { name: string }).name === "toolhost",
  );
  const cli = join(extension?.extensionPath ?? "", "dist", "cli.js");
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args], {
    cwd: workspaceFolder(),
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1", TOOLHOST_AGENT: undefined },
  });
  return stdout;
}

/** Approves at the command line, and has the window look again. */
async function approve(): Promise<void> {
  await commandLine("tools", "approve", "--yes");
  await vscode.commands.executeCommand("toolhost.approveTools");
}

describe("the user's own tools in VS Code", () => {
  after(async () => {
    rmSync(inWorkspace(FILE), { force: true });
    await vscode.workspace.getConfiguration().update("toolhost.tools", undefined, vscode.ConfigurationTarget.Global);
  });

  it("do nothing until their file is approved, and again after each change", async () => {
    const uri = write(entry("say_it"));
    await poll("the file to be told as not approved", () => problems(uri)[0]?.includes("have not approved") === true);
    assert.match(await say("say_it", "one"), /unknown_tool/);
    await approve();
    assert.match(await say("say_it", "one"), /<one>/);
    assert.deepEqual(problems(uri), []);
    write(entry("say_it", { args: ["[%s]", "{text}"] }));
    await poll("the change to be told", () => problems(uri)[0]?.includes("has changed since") === true);
    assert.match(await say("say_it", "two"), /unknown_tool|removed|gone/);
    await approve();
    assert.match(await say("say_it", "two"), /\[two\]/);
  });

  it("with mistakes are problems at their lines, and the others work", async () => {
    const uri = write(entry("good_one"), entry("read"), entry("bad_one", { command: 7 }));
    await poll("the problems", () => problems(uri).length === 3);
    await approve();
    assert.deepEqual(
      problems(uri).map((told) => told.replace(/^\d+/, "line")),
      [
        "line: read: name: Toolhost has a tool with this name, or with a very similar one. Choose another.",
        "line: bad_one: command: expected string, got number 7.",
      ],
    );
    assert.ok(problems(uri).every((told) => Number(told.split(":")[0]) > 10));
    assert.match(await say("good_one", "x"), /<x>/);
    rmSync(inWorkspace(FILE));
    await poll("the problems to go with the file", () => problems(uri).length === 0);
    assert.match(await say("good_one", "x"), /Error/);
  });

  it("are a warning at their line where this machine lacks their command, and run in a terminal where it has it", async () => {
    const done = join(tmpdir(), `toolhost-done-${process.pid}`);
    const uri = write(
      entry("lost_one", { command: "no-such-program" }),
      entry("slow_one", {
        command: "sh",
        // A file of the workspace in its words would make it ask.
        args: ["-c", 'echo begun; while [ ! -e "$DONE" ]; do sleep 0.1; done; echo ended'],
        env: { DONE: done },
        parameters: {},
      }),
    );
    await poll("the warning", () => problems(uri).some((told) => told.includes("no-such-program is missing")));
    await approve();
    assert.deepEqual(
      problems(uri).map((told) => told.replace(/^\d+/, "line")),
      ["line: lost_one: no-such-program is missing or not executable on this machine."],
    );
    const running = toolText("pipe", {
      tool_name: "slow_one",
      tool_input: {},
      path: "slow.txt",
      on_conflict: "overwrite",
    });
    try {
      await poll("its terminal", () => vscode.window.terminals.some(({ name }) => name.includes("begun")));
    } finally {
      writeFileSync(done, "");
    }
    assert.match(await running, /begun\s+ended/);
    rmSync(done);
  });

  it("are completed and checked while their file is written", async () => {
    const text = JSON.stringify({ tools: [{ ...entry("typed_one"), timeout: "long" }] }, undefined, 2);
    const uri = writeFile(FILE, text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await poll("the mistake", () =>
      vscode.languages
        .getDiagnostics(uri)
        .some(({ source, message }) => source !== "Toolhost" && /type/i.test(message)),
    );
    const inEntry = document.positionAt(text.indexOf('"readOnly"'));
    await poll("completions", async () => {
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        uri,
        inEntry,
      );
      const labels = items.map(({ label }) => (typeof label === "string" ? label : label.label));
      return ["stdin", "cwd", "env"].every((name) => labels.includes(name));
    });
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("of an OpenAPI description go when its file changes, until the change is approved", async () => {
    const description = (summary: string): string =>
      JSON.stringify({
        openapi: "3.1.0",
        servers: [{ url: "http://127.0.0.1:9" }],
        paths: { "/pets": { get: { operationId: "listPets", summary } } },
      });
    writeFile("api/[pets].json", description("List pets."));
    const uri = writeFile(FILE, JSON.stringify({ openapi: [{ spec: "./api/[pets].json" }] }));
    await approve();
    assert.deepEqual(problems(uri), []);
    writeFile("api/[pets].json", description("List all pets."));
    await poll("the change to be told", () => problems(uri)[0]?.includes("has changed since it was approved") === true);
    // Modal dialogs are refused in this window, which is a no.
    await vscode.commands.executeCommand("toolhost.approveTools");
    assert.match(problems(uri)[0] ?? "", /has changed since it was approved/);
    await approve();
    assert.deepEqual(problems(uri), []);
  });

  it("of an OpenAPI description are listed as far as the setting says, from the moment it changes", async () => {
    const names = ["count_ants", "count_bees", "count_cats"];
    const paths = Object.fromEntries(names.map((name) => [`/${name}`, { get: { operationId: name } }]));
    writeFile(
      "api/animals.json",
      JSON.stringify({ openapi: "3.1.0", servers: [{ url: "http://127.0.0.1:9" }], paths }),
    );
    writeFile(FILE, JSON.stringify({ openapi: [{ spec: "./api/animals.json" }] }));
    await approve();
    const client = await LineClient.start(workspaceFolder());
    const setting = vscode.workspace.getConfiguration();
    const listed = async (): Promise<string> =>
      (await client.tools()).filter((name) => [...names, "find_tool"].includes(name)).join();
    try {
      assert.equal(await listed(), names.join());
      await setting.update("toolhost.openapi.maxTools", 1, vscode.ConfigurationTarget.Global);
      await poll("the first tool alone", async () => (await listed()) === "count_ants,find_tool");
      assert.match(await client.text("find_tool", { query: "count cats" }), /count_cats/);
      await setting.update("toolhost.openapi.maxTools", 2, vscode.ConfigurationTarget.Global);
      await poll("two tools", async () => (await listed()) === "count_ants,count_bees,find_tool");
      await setting.update("toolhost.openapi.maxTools", undefined, vscode.ConfigurationTarget.Global);
      await poll("all tools", async () => (await listed()) === names.join());
    } finally {
      await setting.update("toolhost.openapi.maxTools", undefined, vscode.ConfigurationTarget.Global);
      await client.end();
    }
  });

  it("of the setting need no approval", async () => {
    await vscode.workspace
      .getConfiguration()
      .update("toolhost.tools", [entry("from_settings")], vscode.ConfigurationTarget.Global);
    await poll("the tool", async () => (await say("from_settings", "x")).includes("<x>"));
    assert.match(await commandLine("tools", "list"), /toolhost\.tools \(approved\)\n {2}from_settings {2}Says it/);
    assert.match(await commandLine("from_settings", "--text", "y"), /<y>/);
  });

  it("of the setting have their mistakes at their lines of settings.json", async () => {
    await vscode.workspace
      .getConfiguration()
      .update(
        "toolhost.tools",
        [entry("from_settings"), entry("wrong_one", { command: 7 })],
        vscode.ConfigurationTarget.Global,
      );
    const told = (): [vscode.Uri, vscode.Diagnostic][] =>
      vscode.languages
        .getDiagnostics()
        .flatMap(([uri, all]) =>
          all.flatMap((each) =>
            each.source === "Toolhost" && uri.path.endsWith("/settings.json") ? [[uri, each]] : [],
          ),
        );
    await poll("the problem", () => told().length === 1);
    const [[uri, { message, range }] = assert.fail("no problem")] = told();
    assert.equal(message, "wrong_one: command: expected string, got number 7.");
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.getText(new vscode.Range(range.start, range.start.translate(0, 1))), "7");
    await vscode.workspace.getConfiguration().update("toolhost.tools", undefined, vscode.ConfigurationTarget.Global);
    await poll("the problem to go", () => told().length === 0);
    assert.doesNotMatch(await commandLine("tools", "list"), /from_settings/);
  });
});
