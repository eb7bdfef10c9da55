// Rules and mode are the user's alone: what a workspace's settings say neither grants nor takes anything.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import * as vscode from "vscode";
import { poll } from "../../harness/host";
import { inWorkspace, toolText, withSettings, writeFile } from "../tool";

const rules = "toolhost.permissions.rules";
const mode = "toolhost.permissionMode";
const denied = [{ tool: "exec", params: { command: "git log **" }, decision: "deny" }];

describe("permission rules in the settings", () => {
  after(() => rmSync(inWorkspace(".vscode/settings.json"), { force: true }));

  it("hold as soon as they are written", async () => {
    assert.match(await toolText("exec", { command: "echo here" }), /here$/);
    await withSettings(
      { [rules]: [{ tool: "exec", params: { command: "echo here" }, decision: "deny" }] },
      async () => {
        assert.match(
          await toolText("exec", { command: "echo here" }),
          /^Error \(denied\): exec: refused: .*toolhost\.permissions\.rules\[0\]: deny echo here/,
        );
      },
    );
    assert.match(await toolText("exec", { command: "echo here" }), /here$/);
  });

  it("of a workspace are not read, nor is its mode", async () => {
    await withSettings({ [rules]: denied, [mode]: "plan" }, async () => {
      writeFile(
        ".vscode/settings.json",
        JSON.stringify({ [rules]: [{ tool: "*", decision: "allow" }], [mode]: "bypass", "editor.tabSize": 7 }),
      );
      await poll("the workspace's settings", () => vscode.workspace.getConfiguration().get("editor.tabSize") === 7);
      assert.match(
        await toolText("exec", { command: "git log" }),
        /^Error \(denied\): exec: refused: .*deny git log \*\*/,
      );
      assert.match(
        await toolText("exec", { command: "install -d made-by-a-command" }),
        /^Error \(denied\): exec: refused: the permission mode is plan/,
      );
    });
  });
});
