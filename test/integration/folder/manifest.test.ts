// What package.json promises is what VS Code has.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { toolText, withSettings } from "../tool";

interface ContributedTool {
  name: string;
  modelDescription: string;
  inputSchema: object;
}

describe("the tools VS Code has", () => {
  const product = vscode.extensions.getExtension("toolhost.toolhost");
  const contributed = (product?.packageJSON as { contributes: { languageModelTools: ContributedTool[] } }).contributes
    .languageModelTools;
  const known = (): readonly vscode.LanguageModelToolInformation[] =>
    vscode.lm.tools.filter(({ name }) => name.startsWith("toolhost_"));

  it("are those of package.json, with their descriptions and schemas", () => {
    assert.deepEqual(
      known()
        .map(({ name, description, inputSchema }) => ({ name, modelDescription: description, inputSchema }))
        .sort(byName),
      contributed
        .map(({ name, modelDescription, inputSchema }) => ({ name, modelDescription, inputSchema }))
        .sort(byName),
    );
  });

  it("all have an implementation", async () => {
    // The web is searched only with a service.
    const service = { "toolhost.web.searchUrl": "http://127.0.0.1:9", "toolhost.web.searchProvider": "searxng" };
    await withSettings(service, async () => {
      for (const { name } of contributed) {
        // An empty input is refused by validation or answered: never "no implementation".
        assert.match(
          await toolText(name.replace("toolhost_", ""), { no_such_field: 1 }),
          /^Error \(invalid_input\)/,
          name,
        );
      }
    });
  });

  it("are refused when their group is turned off", async () => {
    // VS Code keeps a tool whose `when` is false callable; that it is not offered is seen in the end-to-end tests.
    await withSettings({ "toolhost.groups.fs": "off" }, async () => {
      assert.equal(
        await toolText("read", { path: "README.md" }),
        "Error (unavailable): read: the user has turned the fs tools off.\nHint: The setting toolhost.groups.fs turns them on.",
      );
    });
    assert.match(await toolText("read", { path: "README.md" }), /^1\t/);
  });
});

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name);
}

describe("the key bindings", () => {
  it("collide with none of VS Code's own, and run commands that there are", async () => {
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.parse("vscode://defaultsettings/keybindings.json"),
    );
    const all = JSON.parse(document.getText().replaceAll(/^\s*\/\/.*$/gm, "")) as { key: string; command: string }[];
    assert.ok(all.length > 500, "VS Code's own are there");
    const ours = all.filter(({ command }) => command.startsWith("toolhost."));
    assert.deepEqual(ours.map(({ command }) => command).sort(), [
      "toolhost.changes.keepAtCursor",
      "toolhost.changes.undoAtCursor",
      "toolhost.reviewChanges",
      "toolhost.runTool",
      "toolhost.undoLastTurn",
    ]);
    const commands = await vscode.commands.getCommands(true);
    const chords = new Set(ours.map(({ key }) => key.split(" ")[0]));
    for (const { key, command } of all) {
      // A key that begins a chord does nothing else.
      assert.ok(command.startsWith("toolhost.") ? commands.includes(command) : !chords.has(key.split(" ")[0]), key);
    }
  });
});
