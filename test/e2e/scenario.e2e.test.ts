// A day's work with @toolhost on a real small repository: a test fails, is investigated, fixed, verified and told; then
// all of it is undone.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { failingFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { resultTexts } from "./answers";
import { widenChat } from "./widenChat";

const TESTS = { calls: [{ name: "exec", input: { command: "node --test" } }] };
const FIX = { path: "src/slug.js", old_text: '.replace(/[^a-z0-9]+/, "-")', new_text: '.replace(/[^a-z0-9]+/g, "-")' };

describe("a failing test", () => {
  let started: Awaited<ReturnType<typeof startServer>>;
  let window: Workbench;
  let folder: string;
  let original: string;
  const source = (): string => readFileSync(join(folder, "src/slug.js"), "utf8");
  /** Whether the repository's own tests pass, asked without Toolhost. */
  const passes = (): boolean => {
    try {
      execFileSync(process.execPath, ["--test"], { cwd: folder, stdio: "ignore", env: { PATH: process.env["PATH"] } });
      return true;
    } catch {
      return false;
    }
  };

  beforeAll(async () => {
    started = await startServer({
      settings: {
        "files.autoSave": "off",
        "workbench.colorTheme": "Default Light Modern",
        "editor.minimap.enabled": false,
        "toolhost.permissions.offerRules": false,
      },
    });
    folder = started.temporaryFolder("slugs", failingFixture);
    window = await openWorkbench(started, { folder, copilot: true });
    await window.chat.open();
    await widenChat(window);
    await window.openFile(join(folder, "src/slug.js"));
    original = source();
    expect(passes()).toBe(false);
  });

  it("is found, fixed, verified and reported in one turn", async () => {
    await window.model.script([
      { text: "I run the tests first.", ...TESTS },
      {
        text: "One of two fails: only the first gap becomes a dash. I look at the code and who uses it.",
        calls: [
          { name: "read", input: { path: "src/slug.js" } },
          { name: "grep", input: { pattern: "slug(", literal: true, output: "content" } },
        ],
      },
      { text: "The expression replaces only once: the flag `g` is missing.", calls: [{ name: "edit", input: FIX }] },
      { text: "Now the proof.", ...TESTS },
      {
        text: "The tests pass. `slug` replaced only the first gap of a title; it has the flag `g` now (`src/slug.js:5`). Nothing else changes: `src/page.js` is its only caller.",
      },
    ]);
    await window.chat.ask("@toolhost the tests fail: find out why, fix it, and verify it");
    const question = await window.chat.confirmation();
    expect(question.text.replaceAll("\u00a0", " ")).toContain("node --test");
    expect(question.text).toContain("Runs the project's tests.");
    await window.screenshot("scenario-asks");
    // So that the proof needs no second question.
    await question.allowInSession();
    const answer = await window.chat.waitForAnswer();

    const [failed, code, callers, edited, passed] = resultTexts(await window.model.requests());
    expect(failed).toMatch(/Exit code 1[^]*several words[^]*hello-brave new world!/);
    expect(code).toMatch(/^5\t {4}\.replace\(\/\[\^a-z0-9\]\+\/, "-"\)/m);
    expect(callers).toContain("src/page.js");
    expect(edited).toContain("Edited src/slug.js: 1 replacement at line 5.");
    expect(passed).toMatch(/Exit code 0[^]*pass 2/);
    expect(answer).toContain("The tests pass.");
    expect(answer).toContain("Changed 1 file");
    expect(answer).toMatch(/src\/slug\.js: \+1 −1/);
    expect(source()).toContain('/g, "-")');
    expect(passes()).toBe(true);
    // What the repository says to agents was told to the model.
    const [asked] = (await window.model.requests()).filter(({ scripted }) => scripted);
    expect(JSON.stringify(asked?.messages)).toContain("Change the code, not the tests.");
    await window.screenshot("scenario-done");
  });

  it("and all of it is undone with one button", async () => {
    await window.chat.press(
      window.chat.lastAnswer.locator(".chat-command-button", { hasText: "Undo" }).locator(".monaco-button").first(),
    );
    await poll("the file to be as it was", () => source() === original);
    expect(passes()).toBe(false);
    await window.screenshot("scenario-undone");
  });

  it("and a second window goes on with the session, though never while the first is at work", async () => {
    const first = window;
    const second = await openWorkbench(started, { folder, beside: first, copilot: true });
    await first.model.script([{ text: "I think about it and ", hang: true }]);
    await first.chat.ask("@toolhost what else could be wrong?");
    await poll("the first window to be at work", async () =>
      (await first.chat.lastAnswerText()).includes("I think about it"),
    );
    await second.chat.ask("@toolhost /sessions");
    expect(await second.chat.waitForAnswer()).toContain("the tests fail: find out why, fix it, and verify it");
    await second.chat.ask("@toolhost /sessions 1");
    expect(await second.chat.waitForAnswer()).toContain("This chat continues");
    await second.model.script([{ text: "The flag." }]);
    await second.chat.ask("@toolhost what was it?");
    expect(await second.chat.waitForAnswer()).toMatch(/one of its turns is in progress in a window of VS Code/);
    expect((await second.model.requests()).filter(({ scripted }) => scripted)).toEqual([]);
    await first.chat.stop();
    await poll("the session to wait", async () => {
      await second.chat.ask("@toolhost what was it?");
      return (await second.chat.waitForAnswer()).includes("The flag.");
    });
    const [asked] = (await second.model.requests()).filter(({ scripted }) => scripted);
    expect(JSON.stringify(asked?.messages)).toContain("replaced only the first gap of a title");
    await second.screenshot("scenario-second-window");
  });
});
