// What leads people to Toolhost: the first steps that VS Code shows after the installation, whose buttons do what they say
// and mark their steps; the editor's menu; the settings.
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

let window: Workbench;
let folder: string;

beforeAll(async () => {
  const server = await startServer({});
  folder = server.temporaryFolder("sample", sampleFixture);
  window = await openWorkbench(server, { folder, copilot: true });
});

const step = (title: string) => window.page.locator(".getting-started-step", { hasText: title });

async function open(title: string): Promise<void> {
  await step(title).locator(".step-title").first().click();
  await poll(`the step ${title}`, async () => (await step(title).getAttribute("class"))?.includes("expanded") === true);
}

const isDone = (title: string) =>
  poll(`the mark of ${title}`, async () => (await step(title).locator(".codicon-pass-filled, .complete").count()) > 0);

it("opens with five steps and their pictures", async () => {
  await window.command("workbench.action.openWalkthrough", "toolhost.toolhost#start");
  await step("Choose a model").first().waitFor();
  expect(await window.page.locator(".getting-started-step .step-title").allTextContents()).toEqual([
    "Choose a model",
    "Ask @toolhost",
    "Or let Copilot work with these tools",
    "Review and undo",
    "Decide what runs without a question",
  ]);
  await open("Review and undo");
  await poll("the picture", () =>
    window.page.evaluate(() =>
      [...document.querySelectorAll<HTMLImageElement>(".getting-started-media img")].some(
        ({ complete, naturalWidth }) => complete && naturalWidth > 0,
      ),
    ),
  );
  await window.screenshot("walkthrough");
});

it("asks @toolhost", async () => {
  await open("Ask @toolhost");
  await step("Ask @toolhost").getByText("Ask @toolhost").last().click();
  await poll("the name in the chat's input", async () =>
    ((await window.chat.input.textContent()) ?? "").includes("@toolhost"),
  );
  await isDone("Ask @toolhost");
});

it("chooses the agent Toolhost in the chat", async () => {
  await open("Or let Copilot work with these tools");
  await step("Or let Copilot").getByText("Use the Agent Toolhost").click();
  await poll("the agent below the chat's input", async () =>
    ((await window.page.locator(".interactive-input-part").textContent()) ?? "").includes("Toolhost"),
  );
  // The participant of the step before would get the message.
  expect(await window.chat.input.textContent()).not.toContain("@toolhost");
  await isDone("Or let Copilot work with these tools");
  await window.screenshot("walkthrough-agent");
});

it("is asked about a selection from the editor's menu, which comes along", async () => {
  await window.command("workbench.action.closeAllEditors");
  await window.openFile(join(folder, "src/greet.ts"));
  await window.page.keyboard.press("Control+A");
  await window.page.keyboard.press("Shift+F10");
  await window.page.locator(".monaco-menu .action-label", { hasText: "Ask Toolhost About Selection" }).click();
  await poll("the name in the chat's input", async () =>
    ((await window.chat.input.textContent()) ?? "").includes("@toolhost"),
  );
  await poll("the attached lines", async () =>
    ((await window.page.locator(".chat-attached-context").first().textContent()) ?? "").includes("greet.ts"),
  );
  await window.screenshot("ask-about-selection");
});

it("has its settings in sections, with permissions first", async () => {
  await window.command("workbench.action.openSettings", "@ext:toolhost.toolhost");
  const sections = async () =>
    (await window.page.locator(".settings-toc-container .monaco-list-row").allTextContents()).map((text) =>
      text.replace(/ ?\(\d+\)$/, "").trim(),
    );
  const wanted = [
    ...["Permissions", "Models", "Changes", "Your Own Tools", "Memory"],
    ...["Agents and Messages", "Web", "Tool Groups"],
  ];
  await poll("the sections", async () => (await sections()).slice(-wanted.length).join() === wanted.join());
  expect(await window.page.locator(".setting-item-label").first().textContent()).toBe("Permission Mode");
  await window.screenshot("settings");
});
