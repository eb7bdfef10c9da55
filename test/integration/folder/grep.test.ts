import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import * as vscode from "vscode";
import { ASKED, inWorkspace, NO_MATCH, openUnsaved, toolText, writeFile } from "../tool";

describe("grep in VS Code", () => {
  it("finds with the ripgrep that VS Code ships", async () => {
    assert.equal(
      await toolText("grep", { pattern: "Ada|Barbara" }),
      'src/main.ts\n  3: const names = ["Ada", "Grace", "Barbara"];\n[2 matches on 1 line in 1 file.]',
    );
  });

  it("searches what is on screen, by the same engine, and only there", async () => {
    const uri = writeFile("grep/dirty.txt", "old words\n");
    const document = await openUnsaved(uri, "näw wörds 42\n");
    assert.equal(
      await toolText("grep", { pattern: String.raw`w\w+ds \d{2}`, path: "grep" }),
      "grep/dirty.txt (unsaved)\n  1: näw wörds 42\n[1 match in 1 file.]",
    );
    assert.equal(
      await toolText("grep", { pattern: "näw", path: "grep/dirty.txt" }),
      "grep/dirty.txt (unsaved)\n  1: näw wörds 42\n[1 match in 1 file.]",
    );
    assert.match(await toolText("grep", { pattern: "näw", path: "grep", include: "*.md" }), /^\[No match\.\]/);
    await document.save();
  });

  it("does not find on disk what the editor has taken away", async () => {
    const uri = writeFile("grep/gone.txt", "needle-in-old-text");
    const document = await openUnsaved(uri, "x");
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, 99, 0), "other");
    await vscode.workspace.applyEdit(edit);
    assert.equal(await toolText("grep", { pattern: "needle-in-old-text" }), NO_MATCH);
    await document.save();
  });

  it("leaves out ignored files and says so when they alone match", async () => {
    writeFile("dist/out.txt", "only-in-ignored\n");
    assert.equal(await toolText("grep", { pattern: "only-in-ignored" }), NO_MATCH);
    assert.match(await toolText("grep", { pattern: "only-in-ignored", include_ignored: true }), /^dist\/out\.txt\n/);
  });

  it("searches no files that may hold secrets, and tells nothing of what is in them", async () => {
    writeFile("grep/secret/.env", "TOKEN=very-secret\n");
    const answer = NO_MATCH;
    assert.equal(await toolText("grep", { pattern: "very-secret", path: "grep/secret" }), answer);
    assert.equal(await toolText("grep", { pattern: "not in it at all", path: "grep/secret" }), answer);
    rmSync(inWorkspace("grep/secret"), { recursive: true });
  });

  it("finds nothing outside through a link", async () => {
    mkdirSync(inWorkspace("grep"), { recursive: true });
    symlinkSync("/etc", inWorkspace("grep/etc"));
    assert.equal(
      await toolText("grep", { pattern: "root", path: "grep", include_ignored: true }),
      "[No match.]\n[Files that may hold secrets are not searched.]",
    );
    assert.match(await toolText("grep", { pattern: "root", path: "grep/etc" }), ASKED);
  });

  for (const [name, input, error] of [
    [
      "a broken regular expression",
      { pattern: "(a|b" },
      /^Error \(invalid_input\): Invalid regular expression: .*unclosed group/s,
    ],
    ["a broken glob", { pattern: "x", include: "{a" }, /^Error \(invalid_input\): Invalid glob: /],
    ["a missing folder", { pattern: "x", path: "scr" }, /^Error \(not_found\): scr: .*\nHint: Did you mean src\?/],
    ["a flag in place of a pattern", { pattern: "--version" }, /^\[No match\.\]\n/],
  ] as const) {
    it(`answers ${name}`, async () => {
      assert.match(await toolText("grep", input), error);
    });
  }
});
