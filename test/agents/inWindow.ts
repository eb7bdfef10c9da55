// What each agent does in a real window of VS Code, on a file with unsaved changes, while its user answers.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { poll } from "../harness/poll.js";
import { startServer, type Server } from "../harness/server.js";
import { openWorkbench, type Workbench } from "../harness/workbench.js";
import type { Build } from "./build.js";
import type { Client } from "./clients.js";
import type { Row } from "./report.js";
import { expect, startAgent } from "./start.js";

/** A window whose user is asked about every change and every command. */
interface AskingWindow {
  server: Server;
  folder: string;
  window: Workbench;
}

/** Opens an empty folder in a window. */
export async function openAskingWindow(): Promise<AskingWindow> {
  const server = await startServer({ settings: { "toolhost.permissionMode": "ask", "files.autoSave": "off" } });
  const folder = server.temporaryFolder("project");
  return { server, folder, window: await openWorkbench(server, { folder }) };
}

/** Reads and edits unsaved text after a question, has a command refused in the window, and the edit is undone there. */
export async function runInWindow(client: Client, build: Build, row: Row, at: AskingWindow): Promise<void> {
  const { server, folder, window } = at;
  const name = `${client.name}.txt`;
  const file = join(folder, name);
  writeFileSync(file, "saved\n");
  await window.openFile(file);
  await setText(window, file, "unsaved\n");
  const session = await startAgent(client, build, { folder, home: server.home });
  try {
    const read = await session.step(client.tool("read", { path: name }));
    expect(read.text.includes("unsaved"), "read of unsaved text", read.text);

    const edit = session.step(client.tool("edit", { path: name, old_text: "unsaved", new_text: "changed" }));
    await answer(window, edit, [name, row.listedAs ?? ""], "Allow Once");
    const { text } = await edit;
    expect((await textOf(window, file)) === "changed\n", "edit of unsaved text", text);
    expect(readFileSync(file, "utf8") === "saved\n", "the file on disk", readFileSync(file, "utf8"));
    row.inWindow.push("read, edit after a question that names it");

    const run = session.step(client.tool("exec", { command: "install -d made" }));
    await answer(window, run, ["install -d made", row.listedAs ?? ""], "Don't Allow");
    const refused = await run;
    expect(refused.text.includes("Error (denied)") && !existsSync(join(folder, "made")), "refusal", refused.text);
    row.inWindow.push("a command refused by the user");
    await session.finish();
  } finally {
    session.kill();
  }
  const undone = window.command("toolhost.undoLastTurn");
  await (await window.dialog()).click("Undo");
  await poll("the text before the edit", async () => (await textOf(window, file)) === "unsaved\n");
  await undone;
  row.inWindow.push("undo in the window");
}

/** Answers the question about a call. @throws Error if the call ended without one, or a word is missing in it */
async function answer(
  window: Workbench,
  call: Promise<{ text: string }>,
  words: readonly string[],
  button: string,
): Promise<void> {
  const question = await Promise.race([window.dialog(), call.then(({ text }) => text)]);
  if (typeof question === "string") {
    throw new Error(`no question about ${words.join(", ")}: ${question.slice(-400)}`);
  }
  const shown = `${question.message} ${question.detail}`;
  const hasAll = words.every((word) => shown.includes(word));
  await question.click(hasAll ? button : "Don't Allow");
  expect(hasAll, `the question with ${words.join(", ")}`, shown);
}

function textOf(window: Workbench, file: string): Promise<string> {
  return window.rig.run(async (vscode, path) => (await vscode.workspace.openTextDocument(path)).getText(), file);
}

/** Types over the whole text, without saving it. */
async function setText(window: Workbench, file: string, text: string): Promise<void> {
  await window.rig.run(
    async (vscode, { path, content }) => {
      const document = await vscode.workspace.openTextDocument(path);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), content);
      await vscode.workspace.applyEdit(edit);
    },
    { path: file, content: text },
  );
}
