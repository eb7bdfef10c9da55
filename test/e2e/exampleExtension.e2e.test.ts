// The example of an extension that registers a tool, installed alongside ours: Copilot's own agent calls its tool.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ToolhostApi } from "../../src/doors/api/types";
import { repository } from "../../scripts/paths.mjs";
import { poll } from "../harness/poll";
import type { RecordedRequest } from "../harness/rig/protocol";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { resultTexts } from "./answers";
import { widenChat } from "./widenChat";

let window: Workbench;
let folder: string;

beforeAll(async () => {
  const server = await startServer({
    extensions: [repository, join(repository, "examples", "extension")],
    settings: { "toolhost.permissions.offerRules": false, "files.autoSave": "off", "chat.saveBeforeSend": false },
  });
  folder = server.temporaryFolder("sample", sampleFixture);
  window = await openWorkbench(server, { folder, copilot: true });
  await window.chat.open();
  await widenChat(window);
});

/** What Copilot's agent is offered for a message, in a conversation of its own. */
async function offered(): Promise<RecordedRequest["toolDetails"]> {
  await window.chat.newConversation();
  await window.model.script([{ text: "Nothing to do." }], { toolPrefix: "toolhost_" });
  await window.chat.ask("Hello");
  await window.chat.waitForAnswer();
  return (await window.model.requests()).at(-1)?.toolDetails ?? [];
}

/** Waits until Copilot's agent is offered a tool. @returns its name there */
async function offeredAs(name: string): Promise<string> {
  return poll(`${name} in Copilot's list`, async () =>
    (await offered()).map((tool) => tool.name).find((each) => each.endsWith(`_${name}`)),
  );
}

/** Lets the model of Copilot's agent call a tool, and then say that it did. */
async function callByCopilot(name: string, input: object): Promise<void> {
  await window.chat.newConversation();
  await window.model.script([{ calls: [{ name, input }] }, { text: "Called." }], { toolPrefix: "toolhost_" });
  await window.chat.ask("Call the tool");
}

describe("the example extension", () => {
  it("has its tool called by Copilot's own agent, after one question", async () => {
    const [saved, unsaved] = [join(folder, "saved.txt"), join(folder, "unsaved.txt")];
    for (const path of [saved, unsaved]) {
      writeFileSync(path, "text\n");
      await window.openFile(path);
    }
    await window.typeInEditor("x");
    const name = await offeredAs("open_editors");
    const [tool] = (await window.model.requests()).at(-1)?.toolDetails.filter((each) => each.name === name) ?? [];
    expect(tool).toMatchObject({
      description: "List the files that the user has open in the editor, with those that have unsaved changes marked.",
      inputSchema: { properties: { unsaved: { type: "boolean" } } },
    });
    await callByCopilot(name, { unsaved: true });
    const question = await window.dialog();
    expect(`${question.message}\n${question.detail}`).toContain("Open editors");
    expect(question.detail).toContain('"unsaved": true');
    await window.screenshot("example-extension-question");
    await question.click("Allow Once");
    await poll("the answer", async () => (await window.chat.waitForAnswer()).includes("Called."));
    // The tool got the input, since it leaves the saved file out; the model has what the tool gave.
    expect(resultTexts(await window.model.requests())).toEqual(["unsaved.txt (unsaved)"]);
    await window.screenshot("example-extension-answer");
  });

  it("has no call made that the user refuses", async () => {
    await callByCopilot(await offeredAs("open_editors"), {});
    await (await window.dialog()).click("Don't Allow");
    await poll("the answer", async () => (await window.chat.waitForAnswer()).includes("Called."));
    const [result] = resultTexts(await window.model.requests());
    expect(result).toContain("denied");
    expect(result).not.toContain("unsaved.txt");
  });
});

describe("a tool that an extension registers later", () => {
  /** Registers a tool that answers when `finish` is called, in the window's extension host. */
  const register = (): Promise<void> =>
    window.rig.run(async (vscode) => {
      const api = await vscode.extensions.getExtension<ToolhostApi>("toolhost.toolhost")?.activate();
      const shared = globalThis as { theirs?: unknown };
      let finish = (_text: string): void => undefined;
      const answer = new Promise<string>((resolve) => (finish = resolve));
      const registered = api?.registerTool({
        name: "weigh_farm",
        description: "Weigh the animals of a farm.",
        inputSchema: { type: "object", properties: { farm: { type: "string", description: "The farm." } } },
        execute: () => {
          theirs.calls++;
          return answer;
        },
      });
      const theirs = { finish, calls: 0, dispose: () => registered?.dispose() };
      shared.theirs = theirs;
    });
  const calls = (): Promise<number> =>
    window.rig.run(() => (globalThis as unknown as { theirs: { calls: number } }).theirs.calls);
  const dispose = (): Promise<void> =>
    window.rig.run(() => (globalThis as unknown as { theirs: { dispose: () => void } }).theirs.dispose());
  const finish = (text: string): Promise<void> =>
    window.rig.run(
      (_, said) => (globalThis as unknown as { theirs: { finish: (text: string) => void } }).theirs.finish(said),
      text,
    );

  it("reaches Copilot's agent without a reload, and leaves it when it is removed", async () => {
    await register();
    await offeredAs("weigh_farm");
    await dispose();
    await poll("the end of the tool", async () => !(await offered()).some(({ name }) => name.endsWith("weigh_farm")));
  });

  it("that is removed while its question is open is not called, and the model is told why", async () => {
    await register();
    await callByCopilot(await offeredAs("weigh_farm"), { farm: "north" });
    const question = await window.dialog();
    await dispose();
    await question.click("Allow Once");
    await poll("the answer", async () => (await window.chat.waitForAnswer()).includes("Called."));
    expect(resultTexts(await window.model.requests())).toEqual([
      expect.stringMatching(/weigh_farm is gone: .*Nothing ran/s),
    ]);
    expect(await calls()).toBe(0);
  });

  it("that is removed during a call still answers it", async () => {
    await register();
    await callByCopilot(await offeredAs("weigh_farm"), { farm: "north" });
    await (await window.dialog()).click("Allow Once");
    await poll("the call", async () => (await calls()) === 1);
    await dispose();
    await finish("900 kg");
    await poll("the answer", async () => (await window.chat.waitForAnswer()).includes("Called."));
    expect(resultTexts(await window.model.requests())).toEqual(["900 kg"]);
  });
});
