// The harness itself, inside the extension host.
import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import * as vscode from "vscode";
import { rig, SCRIPTED_MODEL, workspaceFolder } from "../../harness/host";

describe("the window of a folder", () => {
  it("is a trusted VS Code of at least the version we support", () => {
    const [major = 0, minor = 0] = vscode.version.split(".").map(Number);
    assert.ok(major === 1 && minor >= 110, vscode.version);
    assert.equal(vscode.workspace.isTrusted, true);
  });

  it("has a temp copy of the sample open", async () => {
    assert.deepEqual(
      vscode.workspace.workspaceFolders?.map((folder) => folder.uri.fsPath),
      [workspaceFolder()],
    );
    assert.ok(workspaceFolder().startsWith(realpathSync(tmpdir())));
    const names = (await vscode.workspace.fs.readDirectory(vscode.Uri.file(workspaceFolder()))).map(([name]) => name);
    assert.ok(names.includes("README.md"));
  });

  it("has the scripted model", async () => {
    const { model: script } = await rig();
    script.script([{ text: ["Hello, ", "host."] }], { all: true });
    const [model] = await vscode.lm.selectChatModels({ vendor: SCRIPTED_MODEL.vendor, id: SCRIPTED_MODEL.id });
    assert.ok(model);
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User("Hi")]);
    let text = "";
    for await (const chunk of response.text) text += chunk;
    assert.equal(text, "Hello, host.");
    assert.deepEqual(
      script.requests().map((request) => request.messages),
      [[{ role: "user", parts: [{ type: "text", text: "Hi" }] }]],
    );
  });

  it("calls a tool without asking, since nobody is there to answer", async () => {
    const result = await vscode.lm.invokeTool("rig_ask", {
      input: { text: "in the host" },
      toolInvocationToken: undefined,
    });
    assert.equal((result.content[0] as vscode.LanguageModelTextPart).value, "rig_ask: in the host");
  });
});
