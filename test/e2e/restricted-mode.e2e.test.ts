// A folder the user does not trust: reading works, changing is refused in words, and nothing is asked.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench } from "../harness/workbench";
import { resultTexts } from "./answers";

it("refuses edits and commands in Restricted Mode, whatever the workspace's settings say, and reads on", async () => {
  const server = await startServer({ trust: false });
  const folder = server.temporaryFolder("sample", sampleFixture);
  mkdirSync(join(folder, ".vscode"));
  writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify({ "toolhost.permissionMode": "bypass", "toolhost.permissions.rules": [{ tool: "*", decision: "allow" }] }));
  const window = await openWorkbench(server, { folder, copilot: true });
  const before = readFileSync(join(folder, "README.md"), "utf8");
  await window.model.script([
    {
      calls: [
        { name: "toolhost_edit", input: { path: "README.md", old_text: "Sample", new_text: "Changed" } },
        { name: "toolhost_read", input: { path: "README.md", limit: 1 } },
        { name: "toolhost_exec", input: { command: "git status" } },
      ],
    },
    { text: "I may only read here." },
  ]);
  await window.chat.askByCommand("@toolhost change the readme");
  expect(await window.chat.lastAnswerText()).toContain("I may only read here.");
  const [edit, read, exec] = resultTexts(await window.model.requests());
  expect(edit).toMatch(/^Error \(untrusted\): edit: refused: the workspace is not trusted/);
  expect(edit).toContain("Manage Workspace Trust");
  expect(read).toContain("# Sample workspace");
  expect(exec).toMatch(/^Error \(untrusted\): exec: refused: the workspace is not trusted/);
  expect(readFileSync(join(folder, "README.md"), "utf8")).toBe(before);
  await window.screenshot("restricted-mode");
});
