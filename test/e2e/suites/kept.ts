// What is kept for the model, as a user meets it. A large result that the model never sees: grep, pipe, query, and the
// answer. The memory: noted in one chat, known after a reload. Both written by two windows and the
// command line at once.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FreshWindow } from "../../harness/shared-window";
import { openWorkbench, type Workbench } from "../../harness/workbench";
import { resultTexts } from "../answers";

/** Lines of orders; a third of them late. */
const ORDERS = 900;

/** Needs Copilot set up and mode `default`. */
export function keptSuite(fresh: FreshWindow): void {
  describe("@toolhost", () => {
    let window: Workbench;
    let folder: string;

    beforeAll(async () => {
      ({ window, folder } = await fresh());
      for (const group of ["memory", "context"]) await window.changeSetting(`toolhost.groups.${group}`, "all");
    });

    /** What the tools gave the model in the last turn. */
    const toolResults = async (): Promise<string> => JSON.stringify((await window.model.requests()).at(-1)?.messages);

    it("keeps a large result, reduces it and answers, and none of its lines is in a message", async () => {
      const lines = Array.from(
        { length: ORDERS },
        (_, index) => `order ${index} RAWLINE-${index} ${index % 3 === 0 ? "late" : "on time"}`,
      );
      writeFileSync(join(folder, "orders.log"), `${lines.join("\n")}\n`);
      await window.model.script([
        {
          calls: [
            {
              name: "toolhost_pipe",
              input: {
                tool_name: "toolhost_grep",
                tool_input: { pattern: "^order", path: "orders.log", max_results: 1_000 },
                path: "orders.json",
              },
            },
          ],
        },
        {
          calls: [
            { name: "toolhost_query", input: { path: "orders.json", expression: "$count(matches[text ~> /late$/])" } },
          ],
        },
        { text: "300 of the 900 orders are late." },
      ]);
      await window.chat.ask("@toolhost how many orders are late?");
      expect(await window.chat.waitForAnswer()).toContain("300 of the 900 orders are late.");
      const requests = await window.model.requests();
      // The setting offers the whole group, and with it tools that are not offered by default.
      expect(requests[0]?.tools).toEqual(expect.arrayContaining(["context_read", "context_search", "context_write"]));
      const [kept, counted] = resultTexts(requests);
      expect(kept).toContain("as orders.json (envelope)");
      expect(kept).toContain("matches (array of 900)");
      expect(counted).toBe("300");
      // The first 200 characters of what is stored are shown, and nothing else.
      const told = JSON.stringify(requests.map(({ messages }) => messages));
      expect(told.match(/RAWLINE-\d+/g)?.filter((line) => !["RAWLINE-0", "RAWLINE-1"].includes(line)) ?? []).toEqual(
        [],
      );
      expect(readFileSync(join(folder, ".toolhost/context/orders.json"), "utf8")).toContain(`RAWLINE-${ORDERS - 1}`);
      // The steps fold away when the answer is complete: show them as a reader would.
      await window.chat.press(window.chat.lastAnswer.getByText(/(Completed|Finished with) \d+ steps/).first());
      await window.screenshot("toolhost-pipe-query");
    });

    it("keeps what it notes, and finds it after a reload", async () => {
      await window.chat.newConversation();
      await window.model.script([
        {
          calls: [
            {
              name: "toolhost_memory_write",
              input: { key: "release", value: "The walrus checklist comes before each release." },
            },
          ],
        },
        { text: "Noted." },
      ]);
      await window.chat.ask("@toolhost remember the walrus checklist");
      expect(await window.chat.waitForAnswer()).toContain("Noted.");
      expect(readFileSync(join(folder, ".toolhost/memory/release.md"), "utf8")).toContain(
        "---\nThe walrus checklist comes before each release.",
      );

      await window.reload();
      await window.model.script([
        { calls: [{ name: "toolhost_memory_search", input: { query: "what comes before a release" } }] },
        { text: "The walrus checklist." },
      ]);
      await window.chat.ask("@toolhost what comes before a release?");
      expect(await window.chat.waitForAnswer()).toContain("The walrus checklist.");
      expect(await toolResults()).toMatch(/memory\/release\.md:\d+-\d+ \(score [01]\.\d\d\)/);
    });

    /** Calls of a tool in a window, all at once; what each said. */
    const inWindow = (from: Workbench, tool: string, inputs: object[]): Promise<string[]> =>
      from.rig.run(
        async (vscode, calls) => {
          const results = await Promise.all(
            calls.inputs.map((input) => vscode.lm.invokeTool(calls.tool, { input, toolInvocationToken: undefined })),
          );
          return results.map(({ content }) =>
            content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join(""),
          );
        },
        { tool, inputs },
      );

    /** The command line on the same folder, with the same state as the windows; what it said. */
    const commandLine = (...words: string[]): Promise<string> => {
      const { XDG_STATE_HOME: _, XDG_DATA_HOME: __, TOOLHOST_STATE: ___, ...env } = process.env;
      const args = [
        "--no-warnings",
        join(import.meta.dirname, "../../../dist/cli.js"),
        "--workspace",
        folder,
        ...words,
      ];
      return new Promise((resolve) =>
        execFile(process.execPath, args, { env: { ...env, HOME: window.server.home } }, (_error, out, err) =>
          resolve(out + err),
        ),
      );
    };

    it("loses nothing of what two windows and the command line write at once", async () => {
      const other = await openWorkbench(window.server, { folder, beside: window });
      const each = [0, 1, 2, 3];
      /** Four calls of every writer, all at once; what each said. */
      const together = async (
        tool: string,
        input: (text: string) => object,
        words: (text: string) => string[],
      ): Promise<string[]> => {
        const texts = (writer: string): string[] => each.map((index) => `${writer} ${index}`);
        const told = [
          inWindow(window, tool, texts("first").map(input)),
          inWindow(other, tool, texts("second").map(input)),
          Promise.all(texts("third").map((text) => commandLine(...words(text)))),
        ];
        return (await Promise.all(told)).flat();
      };
      const noted = await together(
        "toolhost_memory_write",
        (value) => ({ key: "shared", value, append: true }),
        (text) => ["memory", "write", "shared", text, "--append"],
      );
      for (const text of noted) {
        expect(text).toMatch(/^Stored \d+ bytes under key "shared"/);
      }
      const lines = readFileSync(join(folder, ".toolhost/memory/shared.md"), "utf8")
        .split("---\n")[2]
        ?.split("\n")
        .sort();
      expect(lines).toEqual(["first", "second", "third"].flatMap((name) => each.map((index) => `${name} ${index}`)));
      // Each finds what the others wrote.
      const found = [
        inWindow(window, "toolhost_memory_search", [{ pattern: "second 3" }]),
        inWindow(other, "toolhost_memory_search", [{ pattern: "third 3" }]),
        commandLine("memory", "search", "--pattern", "first 3"),
      ];
      for (const text of (await Promise.all(found)).flat()) {
        expect(text).toMatch(/memory\/shared\.md:\d+-\d+ /);
      }
      // A path of the context store has one whole text in the end, and all writers but its own were told.
      const written = await together(
        "toolhost_context_write",
        (content) => ({ path: "shared.md", content }),
        (text) => ["context", "write", "shared.md", "--content", text],
      );
      expect(
        written.filter((text) => text.startsWith("Stored ")),
        written.join("\n"),
      ).toHaveLength(1);
      expect(
        written.filter((text) => text.includes("already exists in the context store")),
        written.join("\n"),
      ).toHaveLength(11);
      expect(readFileSync(join(folder, ".toolhost/context/shared.md"), "utf8")).toMatch(/^(first|second|third) \d$/);
    });
  });
}
