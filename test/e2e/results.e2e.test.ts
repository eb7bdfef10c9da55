// What a call that a person types in the chat gives them: links, a part of what is long and the way to all of it, and
// the way back from a change. No model is needed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const STAND_IN = "No model (tools only)";

describe("/run", () => {
  let window: Workbench;
  let folder: string;
  const run = async (tool: string, input: object): Promise<string> => {
    await window.chat.ask(`@toolhost /run ${tool} ${JSON.stringify(input)}`, { model: STAND_IN });
    return window.chat.waitForAnswer();
  };
  const press = (name: string): Promise<void> =>
    window.chat.press(window.chat.lastAnswer.locator("a").getByText(name).last());
  const editor = (): Promise<{ name: string; text: string; line: number }> =>
    window.rig.run(async (vscode) => {
      const shown = vscode.window.activeTextEditor;
      const name = shown?.document.uri.path.split("/").at(-1) ?? "";
      return { name, text: shown?.document.getText() ?? "", line: (shown?.selection.active.line ?? 0) + 1 };
    });

  beforeAll(async () => {
    const server = await startServer({ model: false, settings: { "workbench.colorTheme": "Default Light Modern" } });
    folder = server.temporaryFolder("sample", sampleFixture);
    window = await openWorkbench(server, { folder });
  });

  it("lists the tools in a few lines, and explains one", async () => {
    await window.chat.ask("@toolhost /tools", { model: STAND_IN });
    expect(await window.chat.waitForAnswer()).toContain("Files: ");
    await window.screenshot("results-tools");
    // All of it is on the screen at once.
    const height = (await window.chat.lastAnswer.boundingBox())?.height ?? Infinity;
    expect(height).toBeLessThan((await window.page.locator(".interactive-list").last().boundingBox())?.height ?? 0);
    await window.chat.press(window.chat.lastAnswer.getByText("Show All Tools"));
    await window.page.locator(".sidebar .pane-header", { hasText: "Tools" }).last().waitFor();
    await window.command("workbench.view.explorer");
    await window.chat.ask("@toolhost /tools grep", { model: STAND_IN });
    expect(await window.chat.waitForAnswer()).toContain("pattern (required)");
    await window.screenshot("results-tools-one");
  });

  it("links the files that it finds, and each match", async () => {
    await window.chat.newConversation();
    expect(await run("grep", { pattern: "greet" })).toContain("src/main.ts");
    await window.screenshot("results-grep");
    await press("6");
    await poll("the line of the match", async () => {
      const { name, line } = await editor();
      return name === "main.ts" && line === 6;
    });
    await run("ls", { path: "." });
    await window.screenshot("results-ls");
  });

  it("shows head and tail of a long output, all of it in an editor, and its terminal", async () => {
    await window.chat.newConversation();
    const answer = await run("exec", { command: "seq 1 20000" });
    expect(answer).toContain("many lines not shown");
    expect(answer).toContain("20000");
    expect(answer).not.toContain("read_result");
    expect(await window.chat.lastAnswer.evaluate((shown) => shown.scrollHeight)).toBeLessThan(1_500);
    await window.screenshot("results-long");
    await press("Show Terminal");
    await poll("the terminal of the command", () =>
      window.rig.run(async (vscode) => vscode.window.activeTerminal?.name.includes("seq 1 20000")),
    );
    await window.screenshot("results-terminal");
    await press("Open Whole Output");
    await poll("all of the output", async () => (await editor()).text.split("\n").length >= 20_000);
    await window.screenshot("results-whole");
    await window.command("workbench.action.closePanel");
    await window.command("workbench.action.closeAllEditors");
  });

  it("opens all of a long page", async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join("\n");
    writeFileSync(join(folder, "long.txt"), lines);
    expect(await run("read", { path: "long.txt" })).toContain("170 lines not shown");
    await press("Open Whole Output");
    await poll("the page", async () => (await editor()).text.includes("line 100"));
    await window.command("workbench.action.closeAllEditors");
  });

  it("says why a call failed in words that wrap", async () => {
    expect(await run("exec", { command: "ls nowhere/at/all" })).toContain("Exit code 2");
    expect(await run("read", { path: "src/gret.ts" })).toContain("Did you mean src/greet.ts?");
    await window.screenshot("results-failed");
  });

  it("offers to review and undo a change", async () => {
    await window.chat.newConversation();
    const greeting = (): string => readFileSync(join(folder, "src/greet.ts"), "utf8");
    const before = greeting();
    expect(await run("edit", { path: "src/greet.ts", old_text: "Hello", new_text: "Welcome" })).toContain(
      "Changed 1 file",
    );
    expect(greeting()).not.toBe(before);
    await window.screenshot("results-changed");
    await window.chat.press(window.chat.lastAnswer.locator(".monaco-button").getByText("Undo", { exact: true }));
    await poll("the change to be undone", () => greeting() === before);
  });

  it("is what a folder of the explorer leads to, too: the form of the search, with the folder filled in", async () => {
    await window.page
      .locator(".explorer-folders-view .monaco-list-row", { hasText: "docs" })
      .click({ button: "right" });
    const item = window.page.locator(".monaco-menu .action-item", { hasText: "Search Here with Toolhost…" });
    await item.waitFor();
    await window.screenshot("results-explorer-menu");
    await item.click();
    const form = await window.quickInput();
    expect(await form.title()).toBe("Toolhost: Search text");
    expect((await form.items()).some((row) => row.includes("docs"))).toBe(true);
    await window.screenshot("results-search-here");
    await form.pick("pattern");
    const box = await window.quickInput();
    await poll("the box for the pattern", async () => (await box.items()).length === 0);
    await box.type("TODO");
    await box.accept();
    await poll("the form again", async () =>
      (await (await window.quickInput()).items()).some((row) => row.includes("TODO")),
    );
    await (await window.quickInput()).pick("Run");
    await poll("the result", async () => (await editor()).text.startsWith("docs/notes.md\n"));
    await window.command("workbench.action.closeAllEditors");
  });

  it("has keys: the last turn is undone with Ctrl+Alt+H U", async () => {
    await window.chat.newConversation();
    await run("write", { path: "made.txt", content: "x" });
    await window.page.keyboard.press("Control+Alt+H");
    await window.page.keyboard.press("u");
    const dialog = await window.dialog();
    expect(dialog.detail).toContain("made.txt");
    await dialog.click("Undo");
    await poll("the file to be gone", () => !existsSync(join(folder, "made.txt")));
  });
});
