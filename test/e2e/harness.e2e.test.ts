// The harness itself, in the real chat view: what every other end-to-end test relies on.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { repository } from "../../scripts/paths.mjs";
import { poll } from "../harness/poll";
import { sampleFixture, startServer } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

describe("a trusted window with Copilot Chat set up", () => {
  let window: Workbench;

  beforeAll(async () => {
    const server = await startServer({ extensions: [] });
    window = await openWorkbench(server, { folder: server.temporaryFolder("sample", sampleFixture), copilot: true });
  });

  it("lets Copilot's own agent call a tool that the scripted model asks for", async () => {
    await window.model.script(
      [{ calls: [{ name: "rig_echo", input: { text: "from the agent" } }] }, { text: ["The tool ", "answered."] }],
      { toolPrefix: "rig_" },
    );
    await window.chat.ask("Please echo something");
    expect(await window.chat.waitForAnswer()).toContain("The tool answered.");

    const [first, second] = await window.model.requests();
    expect(first?.tools).toEqual(expect.arrayContaining(["rig_echo", "read_file"]));
    const results = second?.messages.flatMap((message) => message.parts.filter((part) => part.type === "result"));
    expect(results).toMatchObject([{ text: expect.stringContaining("rig_echo: from the agent") as string }]);
    expect(await window.model.remaining()).toBe(0);
    expect(statSync(await window.screenshot("harness-agent")).size).toBeGreaterThan(10_000);
  });

  it("shows a participant's confirmation, and runs the tool only when it is allowed", async () => {
    await window.chat.newConversation();
    const ask = { calls: [{ name: "rig_ask", input: { text: "twice" } }] };
    const runs = () => window.rig.run((_vscode, _arg, rig) => rig.runs.rig_ask);

    await window.model.script([ask, { text: "You skipped it." }]);
    await window.chat.ask("@rig ask me");
    const card = await window.chat.confirmation();
    expect(card.text).toContain("It will echo twice.");
    await window.screenshot("harness-confirmation");
    await card.skip();
    expect(await window.chat.waitForAnswer()).toContain("You skipped it.");
    expect(await runs()).toBe(0);

    await window.model.script([ask, { text: "You allowed it." }]);
    await window.chat.ask("@rig ask me again");
    await (await window.chat.confirmation()).allow();
    expect(await window.chat.waitForAnswer()).toContain("You allowed it.");
    expect(await runs()).toBe(1);
  });

  it("stops a request that hangs, and the model sees the cancellation", async () => {
    await window.model.script([{ hang: true }]);
    await window.chat.ask("@rig never answer");
    await poll("the request", async () => (await window.model.requests()).length === 1);
    await window.chat.stop();
    await poll("the cancellation", async () => (await window.model.requests())[0]?.cancelled);
  });

  it("reads and presses modal dialogs and toasts", async () => {
    const modal = window.rig.run((vscode) =>
      vscode.window.showWarningMessage("Really?", { modal: true, detail: "It is a test." }, "Do it"),
    );
    const dialog = await window.dialog();
    expect(dialog).toMatchObject({
      message: "Really?",
      detail: "It is a test.",
      buttons: expect.arrayContaining(["Do it", "Cancel"]) as string[],
    });
    await dialog.click("Do it");
    expect(await modal).toBe("Do it");

    const toast = window.rig.run((vscode) => vscode.window.showInformationMessage("Well done.", "Thanks"));
    const shown = await window.notification("Well done.");
    expect(shown.message).toBe("Well done.");
    await shown.click("Thanks");
    expect(await toast).toBe("Thanks");
  });

  it("finds a notification that is behind the bell alone, since too many came at once", async () => {
    const last = window.rig.run(async (vscode) => {
      for (let number = 1; number <= 4; number++) void vscode.window.showInformationMessage(`Number ${number}.`);
      return vscode.window.showInformationMessage("One too many.", "Thanks");
    });
    await window.notification("Number 3.");
    expect((await window.notifications()).map(({ message }) => message)).not.toContain("One too many.");
    await (await window.notification("One too many.")).click("Thanks");
    expect(await last).toBe("Thanks");
    await window.command("notifications.clearAll");
  });

  it("works quick picks and input boxes", async () => {
    const picked = window.rig.run((vscode) =>
      vscode.window.showQuickPick(["apple", "pear", "plum"], { title: "Fruit" }),
    );
    const pick = await window.quickInput();
    expect(await pick.title()).toBe("Fruit");
    expect(await pick.items()).toEqual(["apple", "pear", "plum"]);
    await pick.pick("pear");
    expect(await picked).toBe("pear");

    const entered = window.rig.run((vscode) => vscode.window.showInputBox({ prompt: "How many?" }));
    const box = await window.quickInput();
    await poll("the prompt", async () => (await box.message()).includes("How many?"));
    await box.type("twelve");
    await box.accept();
    expect(await entered).toBe("twelve");
  });

  it("reads a terminal", async () => {
    await window.rig.run((vscode) => {
      const terminal = vscode.window.createTerminal("test");
      terminal.show();
      terminal.sendText("echo $((6 * 7)) is the answer");
    });
    await poll("the terminal's output", async () => (await window.terminalText()).includes("\n42 is the answer"));
    await window.command("workbench.action.terminal.killAll");
    await poll("the terminal's end", () => window.rig.run((vscode) => vscode.window.terminals.length === 0));
  });

  it("types into a file, and keeps its place across a reload", async () => {
    const file = join(
      await window.rig.run((vscode) => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? ""),
      "README.md",
    );
    await window.openFile(file);
    await window.typeInEditor("typed ");
    await window.command("workbench.action.files.save");
    await poll("the file to be saved", () => readFileSync(file, "utf8").includes("typed "));

    const pid = () => window.rig.run(() => process.pid);
    const before = await pid();
    await window.reload();
    expect(await pid()).not.toBe(before);
  });
});

describe("Restricted Mode", () => {
  it("runs a participant through the chat command", async () => {
    const server = await startServer({ extensions: [], trust: false });
    const window = await openWorkbench(server, {
      folder: server.temporaryFolder("sample", sampleFixture),
      copilot: true,
    });
    expect(await window.rig.run((vscode) => vscode.workspace.isTrusted)).toBe(false);

    await window.model.script([
      { calls: [{ name: "rig_echo", input: { text: "untrusted" } }] },
      { text: "Done in Restricted Mode." },
    ]);
    await window.chat.askByCommand("@rig echo");
    expect(await window.chat.lastAnswerText()).toContain("Done in Restricted Mode.");
    await window.screenshot("harness-restricted");

    await window.trustFolder();
    expect(await window.rig.run((vscode) => vscode.workspace.isTrusted)).toBe(true);
  });
});

it("answers, with npm start, at the address it prints", () => {
  const { status, stdout } = spawnSync("node", ["scripts/setup.mjs", "start", "--check"], {
    cwd: repository,
    encoding: "utf8",
  });
  expect(stdout).toMatch(/^Toolhost is running in VS Code: http:\/\/127\.0\.0\.1:\d+\/\?folder=\S+$/m);
  expect(status).toBe(0);
});

it("leaves no folder behind when a server stops", async () => {
  const server = await startServer({ extensions: [] });
  expect(existsSync(server.dataDir)).toBe(true);
  await server.stop();
  expect(existsSync(server.dataDir)).toBe(false);
  await expect(fetch(server.origin)).rejects.toThrow();
});
