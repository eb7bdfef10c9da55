// Restricted Mode: no command runs, whoever would allow it.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { inWorkspace, toolText, withSettings } from "../tool";

const REFUSED =
  "refused: the workspace is not trusted, so only tools that just read inside it run.\nHint: The user can trust the workspace (command “Workspaces: Manage Workspace Trust”).";

describe("commands in Restricted Mode", () => {
  const calls: [tool: string, input: object][] = [
    ["exec", { command: "touch ran.txt" }],
    ["exec", { command: "touch ran.txt", background: true }],
    ["exec", { command: "touch ran.txt", terminal: true }],
    ["exec", { command: "true", workdir: "src", env: { A: "b" } }],
    ["run_task", { label: "build" }],
    ["process", { action: "input", process_id: "p1", input: "touch ran.txt\n" }],
  ];
  for (const [tool, input] of calls) {
    it(`are refused: ${tool} ${JSON.stringify(input)}`, async () => {
      await withSettings({ "toolhost.groups.runtime": "all" }, async () => {
        assert.equal(await toolText(tool, input), `Error (untrusted): ${tool}: ${REFUSED}`);
        assert.equal(existsSync(inWorkspace("ran.txt")), false);
      });
    });
  }

  it("leave nothing to list", async () => {
    assert.equal(await toolText("process", { action: "list" }), "No background processes.");
  });
});
