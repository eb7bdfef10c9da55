// Results that pass no model, in a real window: kept, reduced and asked about.
import assert from "node:assert/strict";
import { existsSync, rmSync, statSync } from "node:fs";
import * as vscode from "vscode";
import { mostHeld } from "../../harness/heldMemory";
import { activateProduct } from "../../harness/host";
import { inWorkspace, onDisk, openUnsaved, toolText, writeFile } from "../tool";

const store = ".toolhost/context";

describe("pipe and query", () => {
  before(() => activateProduct());
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    rmSync(inWorkspace(".toolhost"), { recursive: true, force: true });
  });

  it("keep what grep finds, and count it", async () => {
    const kept = await toolText("pipe", {
      tool_name: "toolhost_grep",
      tool_input: { pattern: "greet" },
      path: "found/greet.json",
    });
    assert.match(
      kept,
      /^Stored \d+ bytes from grep as found\/greet\.json \(envelope\)\.\nIt is an object: matches \(array of \d+\)/,
    );
    const { matches } = JSON.parse(onDisk(`${store}/found/greet.json`)) as { matches: unknown[] };
    assert.equal(
      await toolText("query", { path: "found/greet.json", expression: "$count(matches)" }),
      String(matches.length),
    );
    assert.equal(onDisk(`${store}/.gitignore`), "*\n");
  });

  it("keep a command's output of 15 MB, which goes past the undo journal", async () => {
    const kept = await toolText("pipe", {
      tool_name: "exec",
      tool_input: { command: "seq 1 2000000" },
      path: "numbers.jsonl",
    });
    assert.match(
      kept,
      /^Stored 14888896 bytes from exec as numbers\.jsonl \(text\)\.\nExit code 0 after .*\nIt is not in the undo journal\.\nIt starts: 1\n2\n/,
    );
    assert.equal(statSync(inWorkspace(`${store}/numbers.jsonl`)).size, 14_888_896);
    assert.equal(await toolText("query", { path: "numbers.jsonl", expression: "$count($)" }), "2000000");
  });

  it("keep 100 MB, and hold less than 20 MB at any time", async () => {
    const held = await mostHeld(() =>
      toolText("pipe", { tool_name: "exec", tool_input: { command: "seq 1 12345678" }, path: "numbers.jsonl" }),
    );
    assert.match(held.value, /^Stored 99999999 bytes/);
    assert.ok(held.samples > 1);
    assert.ok(held.bytes < 20_000_000, `It held ${Math.round(held.bytes / 1e6)} MB.`);
  });

  it("ask for the other tool as for a call of its own", async () => {
    // In this host VS Code refuses modal dialogs.
    const text = await toolText("pipe", {
      tool_name: "exec",
      tool_input: { command: "install -d ran.txt" },
      path: "out.txt",
    });
    assert.match(
      text,
      /^Error \(inner_tool_error\): exec failed \(denied\), and nothing was stored: exec needs the user's permission, and asking failed\./,
    );
    assert.equal(existsSync(inWorkspace("ran.txt")), false);
    assert.equal(existsSync(inWorkspace(store)), false);
  });

  it("end an expression that never ends, and go on", async () => {
    writeFile(`${store}/one.json`, "[1]");
    assert.match(
      await toolText("query", { path: "one.json", expression: "($f := function($x) {$f($x)}; $f(1))" }),
      /^Error \(evaluation_error\): The evaluation was stopped after 5 s\./,
    );
    assert.match(
      await toolText("query", {
        path: "one.json",
        expression: '($f := function($a) {$f($append($a, $a))}; $f(["0123456789"]))',
      }),
      /^Error \(evaluation_error\)/,
    );
    assert.equal(await toolText("query", { path: "one.json", expression: "$sum($)" }), "1");
  });

  it("read what is on screen", async () => {
    await openUnsaved(writeFile(`${store}/one.jsonl`, "2\n"), "1\n");
    assert.equal(await toolText("query", { path: "one.jsonl", expression: "$sum($)" }), "3");
    assert.equal(onDisk(`${store}/one.jsonl`), "2\n");
  });
});
