// The same words at every door: VS Code's and the command line's.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import * as vscode from "vscode";
import { workspaceFolder } from "../../harness/host";
import { toolText } from "../tool";

const CALLS: [tool: string, input: object][] = [
  ["read", {}],
  ["read", { path: 7, limit: "x", pth: 1 }],
  ["read", { path: "src/gret.ts" }],
  ["read", { path: "src" }],
  ["read", { path: "nul\0" }],
  ["read", { path: "\\\\server\\share" }],
  ["read", { path: "~/x" }],
  ["grep", { pattern: "(a|b" }],
  ["grep", { pattern: "x", output: "lines" }],
  ["grep", { pattern: "x", path: "sr" }],
  ["ls", { path: "READNE.md" }],
  ["ls", { depth: 0 }],
  ["edit", { path: "README.md", old_text: "nowhere in it", new_text: "x" }],
  ["edit", { path: "README.md", old_text: "same", new_text: "same" }],
];

describe("a failing call", () => {
  const cli = join(vscode.extensions.getExtension("toolhost.toolhost")?.extensionPath ?? "", "dist", "cli.js");
  for (const [tool, input] of CALLS) {
    it(`is told in the same words by ${tool} ${JSON.stringify(input)}`, async () => {
      const { stderr } = spawnSync(
        process.execPath,
        [cli, "--workspace", workspaceFolder(), "run", tool, "--input", JSON.stringify(input)],
        { encoding: "utf8" },
      );
      assert.equal(await toolText(tool, input), stderr.trimEnd());
      assert.match(stderr, /^Error \(/);
    });
  }
});
