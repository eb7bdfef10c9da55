// Our own questions about what @toolhost does: in the chat, with buttons, and never in a way that something else can press.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { resultTexts } from "./answers";

describe("a question about what @toolhost does", () => {
  let window: Workbench;
  let folder: string;
  const told = async (): Promise<string> => resultTexts(await window.model.requests()).at(-1) ?? "";

  beforeAll(async () => {
    const server = await startServer();
    folder = server.temporaryFolder("sample", sampleFixture);
    window = await openWorkbench(server, { folder });
  });

  const item = () => window.page.locator(".statusbar-item:visible", { hasText: "Toolhost asks" });

  async function ask(command: string): Promise<void> {
    await window.model.script([{ calls: [{ name: "toolhost_exec", input: { command } }] }, { text: "Done." }]);
    await window.chat.ask("@toolhost clean up");
  }

  it("is in the answer, with the command as it is; a no runs nothing", async () => {
    await ask("rm -rf src");
    const question = await window.chat.question();
    expect(question.text).toContain("Allow this? Run rm -rf src");
    expect(question.text).toContain("Deletes files.");
    // The command is named once; above the question is VS Code's own line of the step.
    expect(question.text.split("Allow this?").at(-1)?.split("rm -rf src")).toHaveLength(2);
    expect(question.buttons).toEqual(["Allow Once", "Don't Allow"]);
    await window.screenshot("chat-question");
    await question.press("Don't Allow");
    const answer = await window.chat.waitForAnswer();
    expect(await told()).toMatch(/^Error \(denied\): exec: the user said no\. Nothing was done\./);
    await window.screenshot("chat-question-answered");
    // Told once, where it was answered.
    expect(answer).toContain("Not allowed: Run rm -rf src");
    expect(answer).not.toMatch(/you said no|did not succeed/);
    expect(existsSync(join(folder, "src"))).toBe(true);
    // Its buttons are still there, and mean nothing.
    await question.pressLate("Allow Once");
    expect((await window.notification("no longer waits")).message).toBe("This question no longer waits for an answer.");
    expect(existsSync(join(folder, "src"))).toBe(true);
  });

  it("can be answered where the chat is not seen: a status bar item shows it as a dialog", async () => {
    await ask("rm -rf docs");
    await window.chat.question();
    await window.command("workbench.action.closeAuxiliaryBar");
    await window.page.locator(".statusbar-item", { hasText: "Toolhost asks" }).click();
    const dialog = await window.dialog();
    expect(dialog.message).toBe("Run this command?");
    await dialog.click("Allow Once");
    await poll("the folder to go", () => !existsSync(join(folder, "docs")));
    await poll("the item to go", async () => (await item().count()) === 0);
    await window.chat.open();
    expect(await window.chat.waitForAnswer()).toContain("Allowed once: Run rm -rf docs");
  });

  it("allows the rule on its link for the session", async () => {
    await ask("rm -rf made");
    await (await window.chat.question()).press("Allow in This Session");
    await window.chat.waitForAnswer();
    expect(await told()).toMatch(/^\[Exit code 0/);
    await ask("rm -rf made");
    await window.chat.waitForAnswer();
    expect(await told()).toMatch(/^\[Exit code 0/);
  });

  it("waits no longer once the chat is stopped", async () => {
    await ask("rm -rf src");
    await window.chat.question();
    await window.chat.stop();
    await window.chat.waitForAnswer();
    await poll("the item to go", async () => (await item().count()) === 0);
    expect(existsSync(join(folder, "src"))).toBe(true);
  });

  it("cannot be answered by somebody who does not know its key", async () => {
    await ask("rm -rf src");
    const question = await window.chat.question();
    await window.rig.run((vscode) =>
      vscode.commands.executeCommand("toolhost.answerInChat", { key: "0", answer: "once" }).then(() => undefined),
    );
    await window.rig.run((vscode) => vscode.commands.executeCommand("toolhost.answerInChat").then(() => undefined));
    expect(await item().count()).toBe(1);
    expect(existsSync(join(folder, "src"))).toBe(true);
    await question.press("Don't Allow");
    await window.chat.waitForAnswer();
  });
});
