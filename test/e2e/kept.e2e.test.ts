// What is kept for the model, as a user meets it. A large result that the model never sees: grep, pipe, query, and the
// answer. The memory: noted in one chat, known after a reload, written by two windows at once.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleFixture, startServer, type Server } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { resultTexts } from "./answers";

/** Lines of orders; a third of them late. */
const ORDERS = 900;

describe("@toolhost", () => {
  let server: Server;
  let window: Workbench;
  let folder: string;

  beforeAll(async () => {
    server = await startServer({ settings: { "files.autoSave": "off", "toolhost.groups.memory": "all" } });
    folder = server.temporaryFolder("sample", sampleFixture);
    window = await openWorkbench(server, { folder, copilot: true });
  });

  /** What the tools gave the model in the last turn. */
  const toolResults = async (): Promise<string> => JSON.stringify((await window.model.requests()).at(-1)?.messages);

  it("keeps a large result, reduces it and answers, and none of its lines is in a message", async () => {
    const lines = Array.from({ length: ORDERS }, (_, index) => `order ${index} RAWLINE-${index} ${index % 3 === 0 ? "late" : "on time"}`);
    writeFileSync(join(folder, "orders.log"), `${lines.join("\n")}\n`);
    await window.model.script([
      { calls: [{ name: "toolhost_pipe", input: { tool_name: "toolhost_grep", tool_input: { pattern: "^order", path: "orders.log", max_results: 1_000 }, path: "orders.json" } }] },
      { calls: [{ name: "toolhost_query", input: { path: "orders.json", expression: '$count(matches[text ~> /late$/])' } }] },
      { text: "300 of the 900 orders are late." },
    ]);
    await window.chat.ask("@toolhost how many orders are late?");
    expect(await window.chat.waitForAnswer()).toContain("300 of the 900 orders are late.");
    const requests = await window.model.requests();
    const [kept, counted] = resultTexts(requests);
    expect(kept).toContain("as orders.json (envelope)");
    expect(kept).toContain("matches (array of 900)");
    expect(counted).toBe("300");
    // The first 200 characters of what is stored are shown, and nothing else.
    const told = JSON.stringify(requests.map(({ messages }) => messages));
    expect(told.match(/RAWLINE-\d+/g)?.filter((line) => !["RAWLINE-0", "RAWLINE-1"].includes(line)) ?? []).toEqual([]);
    expect(readFileSync(join(folder, ".toolhost/context/orders.json"), "utf8")).toContain(`RAWLINE-${ORDERS - 1}`);
    await window.screenshot("toolhost-pipe-query");
  });

  it("keeps what it notes, and finds it after a reload", async () => {
    await window.chat.newConversation();
    await window.model.script([{ calls: [{ name: "toolhost_memory_write", input: { key: "release", value: "The walrus checklist comes before each release." } }] }, { text: "Noted." }]);
    await window.chat.ask("@toolhost remember the walrus checklist");
    expect(await window.chat.waitForAnswer()).toContain("Noted.");
    expect(readFileSync(join(folder, ".toolhost/memory/release.md"), "utf8")).toContain("---\nThe walrus checklist comes before each release.");

    await window.reload();
    await window.model.script([{ calls: [{ name: "toolhost_memory_search", input: { query: "what comes before a release" } }] }, { text: "The walrus checklist." }]);
    await window.chat.ask("@toolhost what comes before a release?");
    expect(await window.chat.waitForAnswer()).toContain("The walrus checklist.");
    expect(await toolResults()).toMatch(/memory\/release\.md:\d+-\d+ \(score [01]\.\d\d\)/);
  });

  it("loses nothing of what two windows write at once to the memory", async () => {
    const other = await openWorkbench(server, { folder, beside: window });
    const write = (from: Workbench, name: string): Promise<string[]> =>
      from.rig.run(
        async (vscode, writer) => {
          const texts = await Promise.all(
            [0, 1, 2, 3].map((index) => vscode.lm.invokeTool("toolhost_memory_write", { input: { key: "shared", value: `${writer} ${index}`, append: true }, toolInvocationToken: undefined })),
          );
          return texts.map(({ content }) => content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join(""));
        },
        name,
      );
    const told = (await Promise.all([write(window, "first"), write(other, "second")])).flat();
    for (const text of told) {
      expect(text).toMatch(/^Stored \d+ bytes under key "shared"/);
    }
    const lines = readFileSync(join(folder, ".toolhost/memory/shared.md"), "utf8").split("---\n")[2]?.split("\n").sort();
    expect(lines).toEqual(["first", "second"].flatMap((name) => [0, 1, 2, 3].map((index) => `${name} ${index}`)));
  });
});
