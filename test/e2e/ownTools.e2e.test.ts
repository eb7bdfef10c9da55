// The user's own tools: a command and operations of a real server, approved in the window, then called by Copilot's own
// agent and by @toolhost.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository } from "../../scripts/paths.mjs";
import { poll } from "../harness/poll";
import type { RecordedRequest } from "../harness/rig/protocol";
import { sampleFixture, startServer } from "../harness/server";
import { WebhookServer } from "../harness/webhook-server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { resultTexts } from "./answers";
import { widenChat } from "./widenChat";

const SECRET = "s3cr3t-value";
const FILE = ".toolhost/tools.json";

let http: WebhookServer;
let window: Workbench;
let folder: string;

beforeAll(async () => {
  http = await WebhookServer.start({ headers: { "content-type": "application/json" }, body: '{"name":"Rex"}' });
  const server = await startServer({
    settings: { "workbench.colorTheme": "Default Light Modern", "toolhost.permissions.offerRules": false },
  });
  folder = server.temporaryFolder("sample", sampleFixture);
  mkdirSync(join(folder, ".toolhost"));
  writeFileSync(
    join(folder, "pets.json"),
    readFileSync(join(repository, "test/fixtures/openapi/petstore-3.0.json"), "utf8"),
  );
  writeFileSync(join(folder, FILE), JSON.stringify(toolsFile(http.origin), undefined, 2));
  window = await openWorkbench(server, { folder, copilot: true });
  await window.chat.open();
  await widenChat(window);
});
afterAll(() => http.stop());

function toolsFile(origin: string): object {
  const path = { type: "string", description: "The file." };
  return {
    tools: [
      {
        ...{ name: "count_lines", description: "Count the lines of a file.", command: "wc", readOnly: true },
        ...{ args: ["-l", "--", "{path}"], parameters: { properties: { path }, required: ["path"] } },
      },
    ],
    openapi: [
      {
        ...{ spec: "./pets.json", operations: ["getPet", "createPet", "listPets"], server: origin },
        auth: { type: "apiKey", secret: "PETS" },
      },
    ],
  };
}

const CALLS = [
  { name: "count_lines", input: { path: "src/greet.ts" } },
  { name: "get_pet", input: { petId: "a b" } },
  { name: "create_pet", input: { body: { name: "Rex", kind: "dog" } } },
  { name: "list_pets", input: { limit: 2 } },
];

/** Lets the model make the calls one after the other, and says yes to each question. @returns the questions */
async function callAll(prefix: string, message: string): Promise<string[]> {
  http.requests.length = 0;
  await window.model.script(
    [...CALLS.map(({ name, input }) => ({ calls: [{ name: prefix + name, input }] })), { text: "All called." }],
    { toolPrefix: prefix },
  );
  await window.chat.ask(message);
  const questions: string[] = [];
  for (;;) {
    const asked = await poll("a question, or the answer", async () => {
      if (await window.chat.isAsking()) return "card";
      if ((await window.page.locator(".monaco-dialog-box").count()) > 0) return "dialog";
      if (await window.chat.isQuestioning()) return "question";
      return (await window.chat.isAnswering()) ? undefined : "none";
    });
    if (asked === "none") return questions;
    if (asked === "card") {
      // VS Code's own question, which nobody should be asked besides ours.
      const card = await window.chat.confirmation();
      questions.push(`card: ${card.title}`);
      await card.allow();
    } else if (asked === "question") {
      const question = await window.chat.question();
      questions.push(question.text);
      await question.press("Allow Once");
    } else {
      const dialog = await window.dialog();
      questions.push(`${dialog.message}\n${dialog.detail}`);
      await window.screenshot(`own-tools-question-${prefix}${questions.length}`);
      await dialog.click("Allow Once");
    }
  }
}

/** What the server was asked. */
function asked(): unknown[] {
  return http.requests.map(({ method, path, headers, body }) => [method, path, headers["x-api-key"], body]);
}

const EXPECTED = [
  ["GET", "/pets/a%20b", SECRET, ""],
  ["POST", "/pets", SECRET, '{"name":"Rex","kind":"dog"}'],
  ["GET", "/pets?limit=2", SECRET, ""],
];

/** The names of the tools in the newest request that the script answered. */
async function offered(): Promise<RecordedRequest["toolDetails"]> {
  return (await window.model.requests()).at(-1)?.toolDetails ?? [];
}

describe("tools of the user's own", () => {
  it("are approved in the window: first the file, then the description that it names", async () => {
    await (await window.notification(`${FILE} has tools that you have not approved`)).click("Review…");
    const file = await window.dialog();
    expect(file.message).toBe(`Approve the tools of ${FILE}?`);
    expect(file.detail).toContain("They run commands on this machine");
    expect(file.detail).not.toContain("/dev/null");
    expect(await problems()).toEqual([
      expect.stringMatching(/^Information: openapi: pets\.json is not approved\. [^]*Toolhost: Approve Tools…/),
      expect.stringMatching(/^Information: You have not approved this file/),
    ]);
    await window.screenshot("own-tools-approve-file");
    await file.click("Approve");
    const description = await window.dialog();
    expect(description.message).toBe("Approve the tools of pets.json?");
    expect(description.detail).toContain("with your credentials");
    expect(description.detail).toContain("get_pet  Get a pet. (GET /pets/{petId})");
    expect(description.detail).toContain(`Calls go to ${http.origin}, on this machine or a private network.`);
    await window.screenshot("own-tools-approve-description");
    await description.click("Approve");
    await poll("no problem of the file", async () => (await problems()).length === 0);
  });

  it("have their secrets in VS Code's secret storage", async () => {
    void window.command("toolhost.tools.setSecret").catch(() => undefined);
    await (await window.quickInput()).pick("PETS");
    const input = await window.quickInput();
    await poll("the box for the secret", async () => (await input.title().catch(() => "")) === "Secret PETS");
    await input.type(SECRET);
    await input.accept();
    await window.notification("The secret PETS is set.");
  });

  it("are called by Copilot's own agent: one question a call, which says where it goes", async () => {
    // VS Code starts the server with the first message.
    const prefix = await poll("the tools in Copilot's list", async () => {
      await window.model.script([{ text: "Nothing to do." }], { toolPrefix: "toolhost_" });
      await window.chat.ask("Hello");
      await window.chat.waitForAnswer();
      const name = (await offered()).map((tool) => tool.name).find((each) => each.endsWith("count_lines"));
      return name?.slice(0, -"count_lines".length);
    });
    expect(prefix).toMatch(/^mcp_toolhost_$/i);
    await window.chat.newConversation();
    const questions = await callAll(prefix, "Call the tools");
    expect(await window.chat.lastAnswerText()).toContain("All called.");
    expect(asked()).toEqual(EXPECTED);
    expect(questions).toEqual([
      expect.stringContaining(`${http.origin}/pets/a%20b`),
      expect.stringContaining(`${http.origin}/pets`),
      expect.stringContaining(`${http.origin}/pets?limit=2`),
    ]);
    const results = resultTexts(await window.model.requests());
    expect(results).toEqual([expect.stringContaining("4 src/greet.ts"), ...answers()]);
    await window.screenshot("own-tools-copilot");
  });

  it("are called by @toolhost the same", async () => {
    await window.chat.newConversation();
    const questions = await callAll("", "@toolhost call the tools");
    expect(await window.chat.lastAnswerText()).toContain("All called.");
    expect(asked()).toEqual(EXPECTED);
    expect(questions).toHaveLength(3);
    expect(resultTexts(await window.model.requests())).toEqual([
      expect.stringContaining("4 src/greet.ts"),
      ...answers(),
    ]);
    await window.screenshot("own-tools-toolhost");
  });

  it("are Copilot's no longer once the description has changed, until the change is approved", async () => {
    const names = async (): Promise<string[]> => {
      await window.chat.newConversation();
      await window.model.script([{ text: "Nothing to do." }], { toolPrefix: "toolhost_" });
      await window.chat.ask("Hello");
      await window.chat.waitForAnswer();
      return (await offered()).map((tool) => tool.name);
    };
    const path = join(folder, "pets.json");
    writeFileSync(path, readFileSync(path, "utf8").replace("List pets", "List all pets"));
    await window.notification("pets.json has changed since you approved it");
    await poll("the tools to be gone", async () => !(await names()).some((name) => name.endsWith("list_pets")));
    // By now the message is behind the bell.
    void window.command("toolhost.approveTools").catch(() => undefined);
    const dialog = await window.dialog();
    expect(dialog.detail).toContain("It has changed since you approved it.");
    await dialog.click("Approve");
    await poll("the tools to be back", async () => (await names()).some((name) => name.endsWith("list_pets")));
    expect((await offered()).find(({ name }) => name.endsWith("list_pets"))?.description).toContain("List all pets");
  });
});

/** What the Problems view has about the file. */
function problems(): Promise<string[]> {
  return window.rig.run(
    (vscode, path) =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(path))
        .map(({ severity, message }) => `${vscode.DiagnosticSeverity[severity]}: ${message}`),
    join(folder, FILE),
  );
}

/** What a model is told of the server's answers. */
function answers(): unknown[] {
  return Array.from({ length: 3 }, () => expect.stringMatching(/^200 OK\n\{"name":"Rex"\}/) as unknown);
}
