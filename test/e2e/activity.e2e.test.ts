// The page that shows what agents do: live, by keyboard, in themes, and exported.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { repository } from "../../scripts/paths.mjs";
import { pageHtml } from "../../src/views/activity/pageHtml.js";
import type { ExportedActivity } from "../../src/views/activity/protocol.js";
import { newContext } from "../harness/browser";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const FIRST = "@toolhost look around";
/** Looks like a token of GitHub. Joined here, so that no scanner takes it for one. */
const SECRET = ["ghp", "A8fK29dLq0ZxC7vB3nM5pQ1wE4rT6yU2iOsd"].join("_");

let window: Workbench;
let folder: string;

beforeAll(async () => {
  const server = await startServer({ settings: { "workbench.colorTheme": "Default Light Modern" } });
  folder = server.temporaryFolder("activity", sampleFixture);
  window = await openWorkbench(server, { folder });
});

const page = (): FrameLocator => window.page.frameLocator("iframe.webview.ready").frameLocator("iframe");
const list = (): Locator => page().getByRole("listbox", { name: "Calls" });
const calls = (): Locator => list().getByRole("option");
/** The calls, as a screen reader says them. */
const said = (): Promise<string[]> =>
  calls().evaluateAll((elements) => elements.map((element) => element.getAttribute("aria-label") ?? ""));
const invoke = (name: string, input: object): Promise<void> =>
  window.rig.run(
    (vscode, given) =>
      vscode.lm.invokeTool(given.name, { input: given.input, toolInvocationToken: undefined }).then(
        () => undefined,
        () => undefined,
      ),
    { name, input },
  );
const isSaid = (...words: RegExp[]): Promise<true> =>
  poll(words.join(", "), async () => {
    const now = await said();
    return now.length === words.length && words.every((each, index) => each.test(now[index] ?? ""))
      ? (true as const)
      : Promise.reject(new Error(now.join(" | ")));
  });

describe("the activity", () => {
  it("says what will be there", async () => {
    await window.command("toolhost.showActivity");
    await page().getByText("No calls yet.").waitFor();
  });

  it("shows a call while it runs, and then how it ended", async () => {
    await window.model.script([
      {
        calls: [
          { name: "toolhost_read", input: { path: "src/main.ts" } },
          { name: "toolhost_grep", input: { pattern: SECRET } },
        ],
      },
      { calls: [{ name: "toolhost_edit", input: { path: "src/main.ts", old_text: "no such text", new_text: "x" } }] },
      { calls: [{ name: "toolhost_ask_user", input: { question: "Which colour?", choices: ["red", "blue"] } }] },
      { text: "Red it is." },
    ]);
    await window.chat.ask(FIRST);
    await poll("the call that waits", async () => (await said()).some((each) => /^ask_user.*, running, /.test(each)));
    expect(await said()).toEqual([
      expect.stringMatching(/^read src\/main\.ts, done, \d+ m?s, 0 ms after the first call/),
      expect.stringMatching(/^grep .*, done, /),
      expect.stringMatching(/^edit src\/main\.ts, no match, /),
      expect.stringMatching(/^ask_user Which colour\?, running, /),
    ]);
    await window.screenshot("activity-running");
  });

  it("is read by keyboard: arrows choose a call, Enter goes to its texts, Escape back", async () => {
    const answer = await window.quickInput();
    await answer.pick("red");
    expect(await window.chat.waitForAnswer()).toContain("Red it is.");
    await poll("the call to have ended", async () => (await said()).some((each) => /^ask_user.*, done, /.test(each)));
    await list().focus();
    await window.page.keyboard.press("Home");
    const selected = list().locator('[aria-selected="true"]');
    expect(await selected.getAttribute("aria-label")).toMatch(/^read src\/main\.ts/);
    expect(await list().getAttribute("aria-activedescendant")).toBe(await selected.getAttribute("id"));
    await window.page.keyboard.press("ArrowDown");
    await window.page.keyboard.press("ArrowDown");
    expect(await selected.getAttribute("aria-label")).toMatch(/^edit src\/main\.ts, no match/);
    await page().getByLabel("Result", { exact: true }).getByText("Error (no_match)").waitFor();
    expect(await page().getByLabel("Input", { exact: true }).innerText()).toContain('"old_text": "no such text"');
    await window.page.keyboard.press("Enter");
    expect(await page().locator(":focus").getAttribute("aria-label")).toBe("Call");
    await window.screenshot("activity-details");
    await window.page.keyboard.press("Escape");
    expect(await page().locator(":focus").getAttribute("aria-label")).toBe("Calls");
    expect(await selected.getAttribute("aria-label")).toMatch(/^edit/);
    await window.page.keyboard.press("Escape");
    await page().locator(".details").waitFor({ state: "hidden" });
  });

  it("masks secrets as everywhere, and shows what a call got to the pointer", async () => {
    await calls().nth(1).hover();
    const tip = page().getByRole("tooltip");
    await tip.getByText(/"pattern"/).waitFor();
    expect(await tip.innerText()).not.toContain(SECRET);
    expect((await said()).join()).not.toContain(SECRET);
    await window.page.mouse.move(5, 400);
    await tip.waitFor({ state: "hidden" });
  });

  it("filters by text, outcome and tool", async () => {
    await page().getByLabel("Filter calls by text").fill("main.ts");
    await isSaid(/^read/, /^edit/);
    expect(await page().getByRole("status").innerText()).toBe("2 of 4 calls");
    await page().getByLabel("Outcome", { exact: true }).selectOption("Failed");
    await isSaid(/^edit/);
    await page().getByLabel("Outcome", { exact: true }).selectOption("All Outcomes");
    await page().getByLabel("Tool", { exact: true }).selectOption("read");
    await isSaid(/^read/);
    await page().getByLabel("Filter calls by text").fill("nothing like it");
    await page().getByText("No call passes the filter.").waitFor();
    await page().getByLabel("Filter calls by text").fill("");
    await page().getByLabel("Tool", { exact: true }).selectOption("All Tools");
    await poll("all", async () => (await calls().count()) === 4);
  });

  it("shows one session from its row in the view, and all with the calls of other agents", async () => {
    await invoke("toolhost_read", { path: "README.md" });
    await poll("the call of another agent", async () =>
      (await said()).some((each) => /^read README\.md, done/.test(each)),
    );
    await window.command("workbench.view.extension.toolhost");
    const header = window.page.locator(".sidebar .pane-header", { hasText: "Sessions" });
    await header.click();
    const row = window.page.locator(".sidebar .monaco-list-row", { hasText: "look around" });
    await row.hover();
    await row.locator('.action-label[aria-label^="Show Activity"]').click();
    await window.page.locator(".tab.active", { hasText: "Activity: look around" }).waitFor();
    await poll("its calls alone", async () => (await calls().count()) === 4);
    await page().getByLabel("Session", { exact: true }).selectOption({ label: "All Sessions" });
    await poll("all calls", async () => (await calls().count()) === 5);
    await header.click();
  });

  it("looks right in dark and high contrast, and where there is little room", async () => {
    await calls().nth(2).click();
    for (const [name, theme] of [
      ["dark", "Default Dark Modern"],
      ["high-contrast", "Default High Contrast"],
      ["high-contrast-light", "Default High Contrast Light"],
    ] as const) {
      await window.changeSetting("workbench.colorTheme", theme);
      await page().locator(`body.vscode-${name}`).waitFor();
      await window.screenshot(`activity-${name}`);
    }
    await window.restoreSettings();
    await window.command("workbench.action.closeAuxiliaryBar");
    await window.page.setViewportSize({ width: 700, height: 800 });
    await window.screenshot("activity-700");
    expect(await list().evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await window.page.setViewportSize({ width: 1280, height: 800 });
  });

  it("is exported as a page of its own, which loads nothing, and as data", async () => {
    for (const [name, words] of [
      ["activity.html", ""],
      ["activity.json", "main.ts"],
    ] as const) {
      await page().getByLabel("Filter calls by text").fill(words);
      await page().getByRole("button", { name: "Export…" }).click();
      const dialog = await window.quickInput();
      // It suggests a place once it has looked at the folder, in place of what was typed before.
      await poll("the suggested place", async () => (await dialog.value()).endsWith("activity.html"));
      await dialog.type(join(folder, name));
      await dialog.accept();
      await window.notification("The activity was exported.");
      await window.command("notifications.clearAll");
    }
    const data = JSON.parse(readFileSync(join(folder, "activity.json"), "utf8")) as {
      calls: { tool: string; look: string }[];
      texts: Record<string, { input: string; result: string }>;
    };
    // What the filter leaves out is not what somebody means to share.
    expect(data.calls.map(({ tool, look }) => `${tool} ${look}`)).toEqual(["read ok", "edit failed"]);
    expect(Object.keys(data.texts)).toHaveLength(2);
    await page().getByLabel("Filter calls by text").fill("");
    expect(Object.values(data.texts).map(({ result }) => result)).toContainEqual(expect.stringContaining("no_match"));
    expect(JSON.stringify(data)).not.toContain(SECRET);
    const context = await newContext({ width: 1000, height: 600 });
    try {
      const alone = await context.newPage();
      const problems: string[] = [];
      alone.on("console", (message) => problems.push(message.text()));
      alone.on("request", (request) => request.url().startsWith("file:") || problems.push(request.url()));
      await alone.goto(`file://${join(folder, "activity.html")}`);
      const bars = alone.getByRole("listbox", { name: "Calls" }).getByRole("option");
      expect(await bars.count()).toBe(5);
      await bars.nth(2).click();
      expect(await alone.getByLabel("Result", { exact: true }).innerText()).toContain("no_match");
      await alone.screenshot({ path: "test-results/screenshots/activity-exported.png" });
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  });

  it("has its words in the language that VS Code has them in, and English for the rest", async () => {
    const exported = JSON.parse(readFileSync(join(folder, "activity.json"), "utf8")) as ExportedActivity;
    const html = pageHtml({
      ...{ title: "", nonce: "n", exported, language: "de" },
      script: readFileSync(join(repository, "dist/activity-page.js"), "utf8"),
      translations: { Calls: "Aufrufe", "All Tools": "Alle Werkzeuge", "{0} calls": "{0} Aufrufe" },
    });
    const context = await newContext({ width: 1000, height: 600 });
    try {
      const alone = await context.newPage();
      await alone.setContent(html);
      expect(await alone.getByRole("listbox", { name: "Aufrufe" }).getByRole("option").count()).toBe(2);
      expect(await alone.getByRole("status").innerText()).toBe("2 Aufrufe");
      expect(await alone.getByLabel("Tool", { exact: true }).locator("option").first().innerText()).toBe(
        "Alle Werkzeuge",
      );
      expect(await alone.getByLabel("Outcome", { exact: true }).locator("option").first().innerText()).toBe(
        "All Outcomes",
      );
    } finally {
      await context.close();
    }
  });
});

describe("the activity of a window that cannot keep calls", () => {
  it("says so, and what to expect, instead of that there are none", async () => {
    const state = join(folder, "no-folder");
    writeFileSync(state, "a file where the state would be");
    const server = await startServer({ env: { TOOLHOST_STATE: state } });
    window = await openWorkbench(server, { folder: server.temporaryFolder("activity", sampleFixture) });
    await window.command("toolhost.showActivity");
    await page().getByText("so what agents did is not known").waitFor();
    expect(await page().getByText("No calls yet.").count()).toBe(0);
    expect(await page().getByRole("button", { name: "Export…" }).isDisabled()).toBe(true);
    await window.screenshot("activity-problem");
  });
});
