// The extension in examples/, installed alongside ours: its tool is one of Toolhost's.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { AgentEvent, ToolhostApi } from "../../../src/doors/api/types";
import { rig, SCRIPTED_MODEL } from "../../harness/host";
import { withSettings, writeFile } from "../tool";

const allowed = { "toolhost.permissions.rules": [{ tool: "open_editors", decision: "allow" }] };

async function api(): Promise<ToolhostApi> {
  // It depends on ours, and is active once its tool is registered.
  await vscode.extensions.getExtension("toolhost-examples.open-editors")?.activate();
  const extension = vscode.extensions.getExtension<ToolhostApi>("toolhost.toolhost");
  assert.ok(extension);
  return extension.activate();
}

describe("the example extension", () => {
  it("gives every caller a tool, which asks unless a rule allows it", async () => {
    const { describe: describeTool, invoke } = await api();
    assert.equal(describeTool("open_editors")?.title, "Open editors");
    const refused = await invoke("open_editors", {});
    assert.equal(refused.ok ? "ran" : refused.error.type, "denied");
  });

  it("is called by an agent, and tells what only the editor knows", async () => {
    const { invoke, runAgent } = await api();
    await vscode.window.showTextDocument(writeFile("example/opened.txt", "text\n"), { preview: false });
    try {
      await withSettings(allowed, async () => {
        const { model: script } = await rig();
        script.script([{ calls: [{ name: "open_editors", input: { unsaved: false } }] }, { text: "Done." }]);
        const [model] = await vscode.lm.selectChatModels({ vendor: SCRIPTED_MODEL.vendor, id: SCRIPTED_MODEL.id });
        assert.ok(model);
        const events: AgentEvent[] = [];
        for await (const event of runAgent({ model, messages: "What is open?", tools: "all" })) events.push(event);
        const result = events.find((event) => event.type === "result");
        assert.equal(result?.ok, true, JSON.stringify(result));
        assert.match(result?.text ?? "", /^example\/opened\.txt$/m);
        const wrong = await invoke("open_editors", { unsaved: "maybe" });
        assert.equal(wrong.ok ? "ran" : wrong.error.type, "invalid_input");
      });
    } finally {
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    }
  });
});
