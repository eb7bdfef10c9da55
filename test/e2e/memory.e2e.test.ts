// The memory as a user meets it: noted in one chat, known after a reload, written by two windows at once.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleFixture, startServer, type Server } from "../harness/server";
import { openWorkbench, type Workbench } from "../harness/workbench";

describe("memory", () => {
  let server: Server;
  let window: Workbench;
  let folder: string;

  beforeAll(async () => {
    server = await startServer({ settings: { "toolhost.groups.memory": "all" } });
    folder = server.temporaryFolder("sample", sampleFixture);
    window = await openWorkbench(server, { folder, copilot: true });
  });

  /** What the tools gave the model in the last turn. */
  const toolResults = async (): Promise<string> => JSON.stringify((await window.model.requests()).at(-1)?.messages);

  it("keeps what @toolhost notes, and finds it after a reload", async () => {
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

  it("loses nothing of what two windows write at once", async () => {
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
