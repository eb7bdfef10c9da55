// A folder the user does not trust: reading works, changing is refused in words, and nothing is asked.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench } from "../harness/workbench";
import { resultTexts } from "./answers";

it("refuses edit in Restricted Mode and reads on", async () => {
  const server = await startServer({ trust: false });
  const folder = server.temporaryFolder("sample", sampleFixture);
  const window = await openWorkbench(server, { folder, copilot: true });
  const before = readFileSync(join(folder, "README.md"), "utf8");
  await window.model.script([
    {
      calls: [
        { name: "toolhost_edit", input: { path: "README.md", old_text: "Sample", new_text: "Changed" } },
        { name: "toolhost_read", input: { path: "README.md", limit: 1 } },
      ],
    },
    { text: "I may only read here." },
  ]);
  await window.chat.askByCommand("@toolhost change the readme");
  expect(await window.chat.lastAnswerText()).toContain("I may only read here.");
  const [edit, read] = resultTexts(await window.model.requests());
  expect(edit).toMatch(/^Error \(untrusted\): edit: refused: the workspace is not trusted/);
  expect(edit).toContain("Manage Workspace Trust");
  expect(read).toContain("# Sample workspace");
  expect(readFileSync(join(folder, "README.md"), "utf8")).toBe(before);
  await window.screenshot("restricted-mode");
});
