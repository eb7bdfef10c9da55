// Toolhost's own view in the activity bar, as a user sees and works it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { UNDO_COMMAND, WORK_VIEW_COMMAND } from "../../src/names/contributed.js";
import { SETTING } from "../../src/names/settings.js";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const PATCH = [
  "*** Begin Patch",
  "*** Update File: src/main.ts",
  "@@",
  '-const names = ["Ada", "Grace", "Barbara"];',
  '+const names = ["Ada", "Grace", "Barbara", "Katherine"];',
  "*** Add File: src/people/names.ts",
  '+export const names = ["Ada"];',
  "*** Delete File: docs/notes.md",
  "*** End Patch",
].join("\n");

let window: Workbench;
let folder: string;

beforeAll(async () => {
  const server = await startServer({ settings: { "workbench.colorTheme": "Default Light Modern" } });
  folder = server.temporaryFolder("view", sampleFixture);
  window = await openWorkbench(server, { folder });
});

const at = (path: string): string => join(folder, path);
const text = (path: string): string => readFileSync(at(path), "utf8");
const pane = (name: string): Locator =>
  window.page.locator(".sidebar .pane", { has: window.page.locator(`.pane-header[aria-label^="${name}"]`) });
const rows = (name: string): Locator => pane(name).locator(".monaco-list-row");
const row = (name: string, words: string): Locator => rows(name).filter({ hasText: words }).first();
/** The rows of a view, as a screen reader says them. */
const said = (name: string): Promise<string[]> =>
  rows(name).evaluateAll((elements) => elements.map((element) => element.getAttribute("aria-label") ?? ""));
const isSaid = (name: string, ...words: RegExp[]): Promise<true> =>
  poll(`${name}: ${words.join(", ")}`, async () => {
    const now = await said(name);
    return now.length === words.length && words.every((each, index) => each.test(now[index] ?? ""))
      ? (true as const)
      : Promise.reject(new Error(now.join(" | ")));
  });

/** Presses a button of a row, which is there while the pointer is. */
async function press(name: string, words: string, button: string): Promise<void> {
  await row(name, words).hover();
  await row(name, words).locator(`.action-label[aria-label^="${button}"]`).click();
}

/** Folds a row, or unfolds it. A press is lost if the list is drawn anew in its middle. */
const turn = (name: string, words: string, open: boolean): Promise<unknown> =>
  poll(`${words} to be ${open ? "open" : "folded"}`, async () => {
    const found = row(name, words);
    if ((await found.getAttribute("aria-expanded")) === String(open)) {
      return true;
    }
    await found.locator(".monaco-tl-twistie").click();
    return false;
  });

/** Edits src/greet.ts as an agent that VS Code does not name. */
async function edit(old_text: string, new_text: string): Promise<void> {
  await window.rig.run(
    (vscode, input) =>
      vscode.lm.invokeTool("toolhost_edit", { input, toolInvocationToken: undefined }).then(() => undefined),
    { path: "src/greet.ts", old_text, new_text },
  );
}

/** What the user has set. */
const setting = (id: string): Promise<unknown> =>
  window.rig
    .run((vscode, key) => ({ value: vscode.workspace.getConfiguration().inspect(key)?.globalValue }), id)
    .then(({ value }) => value);

async function unfold(name: string): Promise<void> {
  await pane(name).locator(".pane-header").click();
  await pane(name).locator(".pane-header.expanded").waitFor();
}

async function fold(name: string): Promise<void> {
  await pane(name).locator(".pane-header").click();
  await pane(name).locator(".pane-header:not(.expanded)").waitFor();
}

describe("the view Changes", () => {
  it("says what will be there, and has buttons for the next step", async () => {
    await window.command("workbench.view.extension.toolhost");
    await pane("Changes").getByText("No changes to review.").waitFor();
    await pane("Changes").getByText("Connect an Outside Agent").waitFor();
    await window.screenshot("view-empty");
  });

  it("lists a change by its request, with who made it and its files", async () => {
    await window.model.script([
      { calls: ["src/main.ts", "docs/notes.md"].map((path) => ({ name: "toolhost_read", input: { path } })) },
      { calls: [{ name: "toolhost_apply_patch", input: { patch: PATCH } }] },
      { text: "Katherine is greeted, too." },
    ]);
    await window.chat.ask("@toolhost greet Katherine, and drop the notes");
    expect(await window.chat.waitForAnswer()).toContain("Katherine is greeted");
    await isSaid(
      "Changes",
      /^greet Katherine, and drop the notes, @toolhost, today at \d\d:\d\d, \+2 −\d+ in 3 files/,
      /^src\/main\.ts, \+1 −1/,
      /^src\/people\/names\.ts, New, \+1/,
      /^docs\/notes\.md, Deleted, −\d+/,
    );
    // Of an agent that VS Code does not name, only what it did is known.
    await edit("Hello", "Good morning");
    await row("Changes", "Edit src/greet.ts").waitFor();
    await row("Changes", "main.ts").hover();
    await window.screenshot("view-changes");
  });

  it("reviews a file in a diff editor, and a turn in one for all", async () => {
    await row("Changes", "names.ts").click();
    await window.page.locator(".tab.active", { hasText: "names.ts (@toolhost" }).waitFor();
    await window.page.locator(".monaco-diff-editor .modified .view-line", { hasText: "Ada" }).waitFor();
    await window.screenshot("view-review");
    await press("Changes", "greet Katherine", "Review");
    await poll("the review", async () => (await window.page.locator(".multiDiffEntry").count()) === 3);
    await window.command("workbench.action.closeAllEditors");
  });

  it("undoes one file, then the rest of the turn, says so, and redoes it", async () => {
    await press("Changes", "notes.md", "Undo");
    await poll("the file", () => existsSync(at("docs/notes.md")));
    await poll("the row to say so", async () =>
      (await said("Changes")).some((each) => /^docs\/notes\.md, Undone/.test(each)),
    );
    expect(text("src/main.ts")).toContain("Katherine");
    await press("Changes", "greet Katherine", "Undo");
    await poll("the turn to say so", async () =>
      (await said("Changes")).some((each) => /^greet Katherine.*, Undone · @toolhost/.test(each)),
    );
    expect(text("src/main.ts")).not.toContain("Katherine");
    expect(existsSync(at("src/people"))).toBe(false);
    await row("Changes", "greet Katherine").hover();
    await window.screenshot("view-undone");
    await press("Changes", "main.ts", "Redo");
    await poll("the change to be back", () => text("src/main.ts").includes("Katherine"));
    expect(existsSync(at("src/people"))).toBe(false);
    await window.command("notifications.clearAll");
  });

  it("removes from the list what is kept, for good", async () => {
    await poll("the row to say so", async () =>
      (await said("Changes")).some((each) => /^src\/main\.ts, \+1 −1/.test(each)),
    );
    await press("Changes", "main.ts", "Keep");
    await poll("the file to be gone", async () => (await row("Changes", "main.ts").count()) === 0);
    await press("Changes", "Edit src/greet.ts", "Keep");
    await poll("the turn to be gone", async () => (await row("Changes", "Edit src/greet.ts").count()) === 0);
    expect(text("src/greet.ts")).toContain("Good morning");
    await press("Changes", "greet Katherine", "Remove from List");
    await pane("Changes").getByText("No changes to review.").waitFor();
    expect(text("src/main.ts")).toContain("Katherine");
    await window.reload();
    // Without rows, a view that is not loaded yet would look the same.
    await edit("Good morning", "Good evening");
    await isSaid("Changes", /^Edit src\/greet\.ts, .*\+1 −1 in 1 file$/, /^src\/greet\.ts, \+1 −1/);
    await press("Changes", "Edit src/greet.ts", "Keep");
    await pane("Changes").getByText("No changes to review.").waitFor();
  });
});

describe("what another process changes", () => {
  it("is listed a moment later, without a press of a button", async () => {
    const { XDG_STATE_HOME: _, TOOLHOST_STATE: __, ...env } = process.env;
    const input = JSON.stringify({ path: "src/greet.ts", old_text: "Good evening", new_text: "Good night" });
    const args = [
      join(import.meta.dirname, "../../dist/cli.js"),
      "--workspace",
      folder,
      "run",
      "edit",
      "--input",
      input,
    ];
    execFileSync(process.execPath, ["--no-warnings", ...args], { env: { ...env, HOME: window.server.home } });
    await isSaid("Changes", /^Edit src\/greet\.ts, command line, today at/, /^src\/greet\.ts, \+1 −1/);
  });

  it("is not asked about once it is as before, and lists for undo and review name the request", async () => {
    writeFileSync(at("src/greet.ts"), text("src/greet.ts").replace("Good night", "Good evening"));
    await window.command(UNDO_COMMAND.lastTurn);
    await window.notification("Nothing to change: the file is already as before.");
    await isSaid("Changes", /^Edit src\/greet\.ts, Undone/, /^src\/greet\.ts, Undone/);
    await window.command("notifications.clearAll");
    // The next one is about the turn before.
    const again = window.command(UNDO_COMMAND.lastTurn);
    const dialog = await window.dialog();
    expect(dialog.message).toMatch(/^Undo /);
    await dialog.click("Cancel");
    await again;
    const reviewing = window.command(UNDO_COMMAND.review);
    const list = await window.quickInput();
    expect((await list.items()).join("\n")).toMatch(/greet Katherine, and drop the notes[\s\S]*@toolhost/);
    await list.cancel();
    await reviewing;
    await press("Changes", "Edit src/greet.ts", "Remove from List");
    await pane("Changes").getByText("No changes to review.").waitFor();
  });
});

describe("the view Running", () => {
  it("lists a background command while it runs, shows its terminal and stops it", async () => {
    await unfold("Running");
    await pane("Running").getByText("Nothing is running.").waitFor();
    await window.changeSetting(SETTING.permissionMode, "bypass");
    await window.rig.run((vscode) =>
      vscode.lm
        .invokeTool("toolhost_exec", {
          input: { command: "echo ready; sleep 1000", background: true },
          toolInvocationToken: undefined,
        })
        .then(() => undefined),
    );
    await window.restoreSettings();
    await isSaid("Running", /^echo ready; sleep 1000, p1, since \d\d:\d\d/);
    await press("Running", "sleep 1000", "Show Terminal");
    await poll("the terminal", async () => (await window.terminalText()).includes("ready"));
    await row("Running", "sleep 1000").hover();
    await window.screenshot("view-running");
    await press("Running", "sleep 1000", "Stop");
    await pane("Running").getByText("Nothing is running.").waitFor();
    await window.command("workbench.action.closePanel");
  });

  it("lists a subagent with what it does, and stops it without stopping its parent", async () => {
    await window.model.script([
      { calls: [{ name: "sessions_spawn", input: { prompt: "Look for greetings" } }] },
      { hang: true },
      { text: "It was stopped, so I looked myself." },
    ]);
    await window.chat.ask("@toolhost look around with help");
    await isSaid("Running", /^Look for greetings, subagent, Thinking, since/);
    await press("Running", "Look for greetings", "Stop");
    await pane("Running").getByText("Nothing is running.").waitFor();
    expect(await window.chat.waitForAnswer()).toContain("I looked myself");
  });
});

describe("the view Sessions", () => {
  it("lists what was said with what it changed and used, and opens it in a new chat", async () => {
    await fold("Running");
    await unfold("Sessions");
    await row("Sessions", "greet Katherine").waitFor();
    const [newest = ""] = await said("Sessions");
    expect(newest).toMatch(/^greet Katherine.*, today at \d\d:\d\d, 1 file changed, .*tokens, \d+ messages/);
    await row("Sessions", "greet Katherine").hover();
    await window.screenshot("view-sessions");
    await window.chat.newConversation();
    await press("Sessions", "greet Katherine", "Open in New Chat");
    await poll("the session in the chat", async () =>
      (await window.chat.lastAnswerText()).includes("This chat continues greet Katherine"),
    );
  });
});

describe("the view Tasks & Schedules", () => {
  const TASK = (title: string, more = ""): string =>
    `---\ntitle: ${title}\npriority: high\nstatus: pending\n${more}---\nDo it.\n`;
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };

  it("says what tasks and schedules are, and makes a task by form", async () => {
    await fold("Sessions");
    // A view is only as high as the others leave it.
    await fold("Changes");
    await unfold("Tasks & Schedules");
    await pane("Tasks & Schedules").getByText("New Task…").click();
    const form = await window.quickInput();
    expect(await form.title()).toBe("Toolhost: New Task");
    await poll("what is left to fill in", async () =>
      (await form.items()).some((item) => /Create\s*fill in Name first/.test(item)),
    );
    await form.cancel();
  });

  it("asks in words when a new schedule runs", async () => {
    void window.command(WORK_VIEW_COMMAND.newSchedule.command);
    const times = await window.quickInput();
    expect(await times.title()).toBe("Toolhost: New Schedule");
    await times.pick("Weekdays at 09:00");
    await poll("the form", async () => (await (await window.quickInput()).items()).some((row) => /^Prompt/.test(row)));
    const form = await window.quickInput();
    expect((await form.items()).find((row) => row.startsWith("Schedule"))).toContain("0 9 * * 1-5");
    await form.cancel();
  });

  it("lists them as their files are, malformed ones with their problem", async () => {
    put(".toolhost/tasks/polish.md", TASK("Polish the greeting"));
    put(".toolhost/tasks/ship.md", TASK("Ship it", "blocked_by: [polish]\n"));
    put(".toolhost/tasks/broken.md", "---\ntitle: Broken\nstatus: someday\n---\nDo it.\n");
    put(".toolhost/schedules/digest.md", "---\nschedule: 0 9 * * *\n---\nWrite a digest.\n");
    await isSaid(
      "Tasks & Schedules",
      /^Tasks, 3$/,
      /^broken, malformed: status/,
      /^Polish the greeting, pending, high priority$/,
      /^Ship it, pending, high priority, after polish$/,
      /^Schedules, 1$/,
      /^digest, needs your approval, every day at 09:00$/,
    );
    await row("Tasks & Schedules", "Polish").hover();
    await window.screenshot("view-work");
  });

  it("approves a schedule after showing it, and says when it runs next", async () => {
    await press("Tasks & Schedules", "digest", "Approve…");
    const dialog = await window.dialog();
    expect(dialog.message).toContain("Approve the schedule “digest”?");
    await dialog.click("Approve");
    await poll("the row to say so", async () =>
      (await said("Tasks & Schedules")).some((each) => /^digest, every day at 09:00, next .* at \d\d:\d\d$/.test(each)),
    );
    await window.command("notifications.clearAll");
  });

  it("offers to run a schedule now only where schedules run, and says why it does not", async () => {
    const run = row("Tasks & Schedules", "digest").locator('.action-label[aria-label^="Run Now"]');
    await row("Tasks & Schedules", "digest").hover();
    await run.waitFor();
    const becomes = (words: RegExp): Promise<boolean> =>
      poll(`${words}`, async () => (await said("Tasks & Schedules")).some((each) => words.test(each)));
    await window.changeSetting(SETTING.group("automation"), "off");
    await becomes(/^digest, turned off in the settings, every day at 09:00$/);
    await row("Tasks & Schedules", "digest").hover();
    await row("Tasks & Schedules", "digest").locator('.action-label[aria-label^="Open File"]').waitFor();
    expect(await run.count()).toBe(0);
    await window.restoreSettings();
    await becomes(/^digest, every day at 09:00, next /);
  });

  it("runs an approved schedule now, and leaves its next run where it is", async () => {
    await window.model.script([{ text: "The digest is written." }]);
    await press("Tasks & Schedules", "digest", "Run Now");
    await (await window.notification("digest: The digest is written.")).click("Open Session");
    await poll("its session in the chat", async () =>
      (await window.chat.lastAnswerText()).includes("This chat continues digest (schedule)"),
    );
    expect(await said("Tasks & Schedules")).toContainEqual(
      expect.stringMatching(/^digest, every day at 09:00, next .* at \d\d:\d\d$/),
    );
  });

  it("runs the task that was meant, and says that it is done", async () => {
    put(".toolhost/tasks/aaa.md", TASK("Another one, older and first by name"));
    // VS Code's watcher can miss a file in a folder that was just created.
    await window.command(WORK_VIEW_COMMAND.refresh.command);
    await row("Tasks & Schedules", "Another one").waitFor();
    await window.model.script([{ calls: [{ name: "complete_task", input: { summary: "Polished." } }] }]);
    // A press is lost if the list is drawn anew in its middle, as after each file that the watcher tells of.
    await poll(
      "the task to begin",
      async () => {
        const waits = (await said("Tasks & Schedules")).some((each) => /^Polish the greeting, pending/.test(each));
        await (waits && press("Tasks & Schedules", "Polish", "Run Task"));
        return !waits;
      },
      { intervalMs: 10_000 },
    );
    await poll("the row to say so", async () => {
      const now = await said("Tasks & Schedules");
      return (
        now.some((each) => /^Polish the greeting, complete/.test(each)) || Promise.reject(new Error(now.join(" | ")))
      );
    });
    expect(await said("Tasks & Schedules")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Another one.*, pending/),
        expect.stringMatching(/^Ship it, pending, high priority$/),
      ]),
    );
    await unfold("Changes");
    await poll("its changes, under its name", async () =>
      (await said("Changes")).some((each) => /^Polish the greeting, task, today at/.test(each)),
    );
    expect(await said("Changes")).toContainEqual(expect.stringMatching(/polish\.md, State of the task · \+\d+ −\d+/));
    await window.screenshot("view-task-changes");
    await fold("Changes");
  });
});

describe("the views Tools and Permissions", () => {
  it("lists tools by group, with their last use, and runs one", async () => {
    await fold("Tasks & Schedules");
    await unfold("Tools");
    await turn("Tools", "Files", true);
    await row("Tools", "Search text").waitFor();
    await window.rig.run((vscode) =>
      vscode.lm
        .invokeTool("toolhost_grep", { input: { pattern: "Ada" }, toolInvocationToken: undefined })
        .then(() => undefined),
    );
    await poll("the last use of grep", async () =>
      (await said("Tools")).some((each) =>
        /^Search text, grep, used today at \d\d:\d\d by Copilot or another agent$/.test(each),
      ),
    );
    await window.screenshot("view-tools");
    await press("Tools", "Search text", "Run Tool…");
    const form = await window.quickInput();
    expect(await form.title()).toContain("Search text");
    await form.cancel();
  });

  it("turns a group off and on by its check mark", async () => {
    const box = (label: string) => row("Tools", label).locator(".monaco-tl-row .custom-view-tree-node-item-checkbox");
    await row("Tools", "Memory").waitFor();
    await box("Memory").click();
    await poll("the group to be off", async () => (await setting("toolhost.groups.memory")) === "off");
    await poll("the mark", async () => (await box("Memory").getAttribute("aria-checked")) === "false");
    // It stays where it is, and its tools are listed by their names alone.
    await turn("Tools", "Memory", true);
    await poll("its tools", async () => (await said("Tools")).some((each) => /^memory_search$/.test(each)));
    await window.screenshot("view-tools-off");
    const place = async (label: string): Promise<number> =>
      (await said("Tools")).findIndex((each) => each.startsWith(label));
    expect(await place("Memory")).toBeLessThan(await place("Schedules and Messages"));
    await turn("Tools", "Memory", false);
    await box("Memory").click();
    await poll("the group to be on", async () => (await setting("toolhost.groups.memory")) === undefined);
    await poll("the mark", async () => (await box("Memory").getAttribute("aria-checked")) === "true");
  });

  it("lists the mode and the rules, and removes one", async () => {
    await fold("Tools");
    await unfold("Permissions");
    await row("Permissions", "Mode: default").waitFor();
    await row("Permissions", "Add Rule…").waitFor();
    const rule = { tool: "exec", params: { command: "npm test **" }, decision: "allow" };
    await window.changeSetting(SETTING.rules, [rule, rule]);
    await poll("both rules", async () => (await rows("Permissions").filter({ hasText: "npm test **" }).count()) === 2);
    // The second press of a double click means the row that is about to go, not the equal one that takes its place.
    await row("Permissions", "npm test **").hover();
    await row("Permissions", "npm test **").locator(`.action-label[aria-label^="Remove Rule"]`).dblclick();
    await window.notification("The rules in your settings have changed in the meantime.");
    await poll("one rule", async () => (await rows("Permissions").filter({ hasText: "npm test **" }).count()) === 1);
    await window.command("notifications.clearAll");
    await row("Permissions", "npm test **").hover();
    await window.screenshot("view-permissions");
    await press("Permissions", "npm test **", "Remove Rule");
    await row("Permissions", "Add Rule…").waitFor();
    await window.notification("Removed the rule “npm test **”.");
    await window.restoreSettings();
  });
});
