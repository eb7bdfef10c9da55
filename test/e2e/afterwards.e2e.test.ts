// What people are told of work that they did not watch: who asks, what a task did, why a task is not done, and which turn
// a reload interrupted.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { SCRIPTED_MODEL } from "../harness/rig/protocol";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const EDIT = { path: "src/greet.ts", old_text: "Hello, ${name}", new_text: "Hello, ${name}!" };

let window: Workbench;
let folder: string;

beforeAll(async () => {
  const server = await startServer({
    settings: {
      "toolhost.agent.model": `${SCRIPTED_MODEL.vendor}/${SCRIPTED_MODEL.id}`,
      "workbench.colorTheme": "Default Light Modern",
    },
  });
  folder = server.temporaryFolder("sample", sampleFixture);
  mkdirSync(join(folder, ".toolhost/tasks"), { recursive: true });
  window = await openWorkbench(server, { folder, copilot: true });
});

describe("a task", () => {
  const put = (name: string, text: string): void => writeFileSync(join(folder, ".toolhost/tasks", name), text);

  it("is named in its questions, and its changes can be reviewed and its session read in a new chat", async () => {
    put("clean-up.md", "---\ntitle: Clean up\n---\nRemove the notes.\n");
    await window.model.script([
      { calls: [{ name: "exec", input: { command: "node -e \"require('fs').rmSync('docs/notes.md')\"" } }] },
      { calls: [{ name: "edit", input: EDIT }] },
      { calls: [{ name: "complete_task", input: { summary: "The notes are gone." } }] },
    ]);
    void window.command("toolhost.runNextTask");
    const dialog = await window.dialog();
    expect(dialog.message).toBe("Run this command?");
    expect(dialog.detail).toContain("Asked by Task “Clean up”.");
    await window.screenshot("afterwards-question");
    await dialog.click("Allow Once");
    const done = await window.notification("Task “Clean up”: complete — The notes are gone.");
    expect(done.buttons).toEqual(["Review", "Open Session", "Open Task"]);
    await window.screenshot("afterwards-task");
    await done.click("Open Session");
    await poll("the session", async () =>
      (await window.chat.lastAnswerText()).includes("This chat continues Clean up"),
    );
    await window.chat.waitForAnswer();
    const answer = await window.chat.lastAnswerText();
    expect(answer).toContain("Edit src/greet.ts");
    expect(answer).toContain("Changed 3 files");
    await window.screenshot("afterwards-session");
    await window.command("notifications.clearAll");
  });

  it("that is malformed is said, and opened", async () => {
    put("bad.md", "---\ntitle: Bad\nstatus: open\n---\nDo it.\n");
    void window.command("toolhost.runNextTask");
    const told = await window.notification("No readable task can be done now. Not read: .toolhost/tasks/bad.md");
    await window.screenshot("afterwards-malformed");
    await told.click("Open");
    await poll("the malformed task", () =>
      window.rig.run(async (vscode) => vscode.window.activeTextEditor?.document.uri.path.endsWith("/bad.md")),
    );
    rmSync(join(folder, ".toolhost/tasks/bad.md"));
    await window.command("workbench.action.closeAllEditors");
  });
});

it("a turn that a reload interrupted is said once, with what it changed, and goes on in a new chat", async () => {
  await window.chat.newConversation();
  await window.model.script([
    { calls: [{ name: "toolhost_write", input: { path: "half.txt", content: "half\n" } }] },
    { text: "I have begun and ", hang: true },
  ]);
  await window.chat.ask("@toolhost write both files");
  await poll("the first file", () => existsSync(join(folder, "half.txt")));
  await poll("the text", async () => (await window.chat.lastAnswerText()).includes("I have begun and"));
  await window.reload();
  const told = await window.notification("was interrupted", 120_000);
  expect(told.message).toBe("@toolhost's turn “write both files” was interrupted after it changed 1 file.");
  expect(told.buttons).toEqual(["Continue", "Review"]);
  await window.screenshot("afterwards-interrupted");
  await told.click("Continue");
  await poll("the session", async () =>
    (await window.chat.lastAnswerText()).includes("This chat continues write both files"),
  );
  await window.screenshot("afterwards-continued");
  expect(readFileSync(join(folder, "half.txt"), "utf8")).toBe("half\n");
  await window.command("notifications.clearAll");
  await window.reload();
  await window.chat.open();
  expect(await window.page.getByText("was interrupted").count()).toBe(0);
});
