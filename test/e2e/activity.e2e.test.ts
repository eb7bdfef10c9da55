// The page that shows what agents do: live, by keyboard, in themes, and exported.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { newContext } from "../harness/browser";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

const FIRST = "@toolhost look around";

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
      vscode.lm
        .invokeTool(given.name, { input: given.input, toolInvocationToken: undefined })
        .then(() => undefined, () => undefined),
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
          { name: "toolhost_grep", input: { pattern: "greet" } },
        ],
      },
      { calls: [{ name: "toolhost_edit", input: { path: "src/main.ts", old_text: "no such text", new_text: "x" } }] },
      { calls: [{ name: "toolhost_ask_user", input: { question: "Which colour?", options: ["red", "blue"] } }] },
      { text: "Red it is." },
    ]);
    await window.chat.ask(FIRST);
    await poll("the call that waits", async () => (await said()).some((each) => /^ask_user.*, running, /.test(each)));
    expect(await said()).toEqual([
      expect.stringMatching(/^read src\/main\.ts, done, \d+ m?s, 0 ms after the first call/),
      expect.stringMatching(/^grep greet, done, /),
      expect.stringMatching(/^edit src\/main\.ts, no match, /),
      expect.stringMatching(/^ask_user Which colour\?, running, /),
    ]);
    await window.screenshot("activity-running");
  });
});
