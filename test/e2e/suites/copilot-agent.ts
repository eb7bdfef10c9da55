// The main job, first way: Copilot Chat's own agent reads, searches and changes a real workspace with our tools.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { poll } from "../../harness/poll";
import type { FreshWindow } from "../../harness/shared-window";
import type { Workbench } from "../../harness/workbench";
import { EDITED, resultTexts } from "../answers";

const EDIT = { path: "src/greet.ts", old_text: "Hello, ${name}", new_text: "Hello, ${name}!" };

/** Needs Copilot set up, and mode `ask`. */
export function copilotAgentSuite(fresh: FreshWindow): void {
  describe("Copilot Chat's own agent, when the user wants to be asked about every change", () => {
    let window: Workbench;
    let folder: string;
    const greeting = (): string => readFileSync(join(folder, "src/greet.ts"), "utf8");

    beforeAll(async () => {
      ({ window, folder } = await fresh());
    });

    it("is offered exactly our default tools, with their schemas", async () => {
      await window.model.script([{ text: "Nothing to do." }], { toolPrefix: "toolhost_" });
      await window.chat.ask("Hello");
      await window.chat.waitForAnswer();
      const [request] = await window.model.requests();
      const ours = request?.toolDetails.filter(({ name }) => name.startsWith("toolhost_")) ?? [];
      expect(ours.map(({ name }) => name).sort()).toEqual(
        [
          "apply_patch",
          "edit",
          "edit_symbol",
          "exec",
          "glob",
          "grep",
          "ls",
          "memory_search",
          "multi_edit",
          "pipe",
          "process",
          "query",
          "read",
          "read_result",
          "references",
          "rename_symbol",
          "sessions_spawn",
          "symbols",
          "write",
        ].map((name) => `toolhost_${name}`),
      );
      expect(ours.find(({ name }) => name === "toolhost_edit")?.inputSchema).toMatchObject({
        type: "object",
        required: ["path", "old_text", "new_text"],
      });
    });

    it("finds, reads and changes a file once the user allows it", async () => {
      await window.chat.newConversation();
      await window.model.script(
        [
          {
            text: "I will look for the greeting.",
            calls: [
              { name: "toolhost_grep", input: { pattern: "Hello" } },
              { name: "toolhost_ls", input: {} },
            ],
          },
          { calls: [{ name: "toolhost_read", input: { path: "src/greet.ts" } }] },
          { calls: [{ name: "toolhost_edit", input: EDIT }] },
          { text: "The greeting now ends with an exclamation mark." },
        ],
        { toolPrefix: "toolhost_" },
      );
      await window.chat.ask("Make the greeting end with an exclamation mark");
      const card = await window.chat.confirmation();
      expect(card.text).toContain("src/greet.ts");
      expect(card.text).toContain("+  return `Hello, ${name}!`;");
      await window.screenshot("copilot-confirmation");
      expect(greeting()).not.toContain("!`");
      await card.allow();

      expect(await window.chat.waitForAnswer()).toContain("exclamation mark");
      expect(greeting()).toContain("return `Hello, ${name}!`;");
      const results = resultTexts(await window.model.requests());
      expect(results).toEqual([
        expect.stringMatching(/^src\/greet\.ts\n {2}3: +return `Hello, \$\{name\}`;\n\[1 match in 1 file\.\]$/),
        expect.stringContaining("README.md"),
        expect.stringMatching(/^3\t {2}return `Hello, \$\{name\}`;/m),
        expect.stringMatching(EDITED),
      ]);
      await window.screenshot("copilot-agent");
    });

    it("sees the words of a refusal when the user skips, and nothing changes", async () => {
      await window.chat.newConversation();
      const before = greeting();
      await window.model.script(
        [
          { calls: [{ name: "toolhost_edit", input: { ...EDIT, old_text: "Hello", new_text: "Bye" } }] },
          { text: "Then not." },
        ],
        { toolPrefix: "toolhost_" },
      );
      await window.chat.ask("Say bye instead");
      await (await window.chat.confirmation()).skip();
      expect(await window.chat.waitForAnswer()).toContain("Then not.");
      expect(greeting()).toBe(before);
    });

    it("is told what is wrong with a call that cannot work, without asking the user", async () => {
      await window.chat.newConversation();
      await window.model.script(
        [
          {
            calls: [
              { name: "toolhost_edit", input: { ...EDIT, old_text: "not there" } },
              { name: "toolhost_read", input: { path: "~/secret" } },
            ],
          },
          { text: "I see." },
        ],
        { toolPrefix: "toolhost_" },
      );
      await window.chat.ask("Try something impossible");
      expect(await window.chat.waitForAnswer()).toContain("I see.");
      expect(resultTexts(await window.model.requests())).toEqual([
        expect.stringMatching(/^Error \(no_match\): src\/greet\.ts: old_text was not found/),
        expect.stringMatching(/^Error \(invalid_input\): "~\/secret"/),
      ]);
    });

    it("reads and searches what is on screen, not what is on disk", async () => {
      await window.chat.newConversation();
      await window.openFile(join(folder, "docs/notes.md"));
      await window.typeUnsaved("UNSAVED-WORDS ");
      await window.model.script(
        [
          {
            calls: [
              { name: "toolhost_grep", input: { pattern: "UNSAVED-WORDS" } },
              { name: "toolhost_read", input: { path: "docs/notes.md" } },
            ],
          },
          { text: "Seen." },
        ],
        { toolPrefix: "toolhost_" },
      );
      await window.chat.ask("What did I just type?");
      await window.chat.waitForAnswer();
      const [found, read] = resultTexts(await window.model.requests());
      expect(found).toContain("docs/notes.md (unsaved)");
      expect(read).toContain("UNSAVED-WORDS");
      expect(readFileSync(join(folder, "docs/notes.md"), "utf8")).not.toContain("UNSAVED-WORDS");
    });

    it("has our tools and the user's own in place of its own as the agent Toolhost", async () => {
      await window.chat.newConversation();
      const own = { name: "say_hello", description: "Says hello.", command: "echo", args: ["hello"], readOnly: true };
      await window.changeSetting("toolhost.tools", [own]);
      const request = await poll("a request with the user's own tool", async () => {
        await window.model.script(
          [{ calls: [{ name: "toolhost_read", input: { path: "README.md" } }] }, { text: "Read with Toolhost." }],
          { toolPrefix: "toolhost_" },
        );
        await window.chat.askByCommand("What is this project?", { mode: "Toolhost" });
        expect(await window.chat.waitForAnswer()).toContain("Read with Toolhost.");
        const asked = (await window.model.requests()).findLast(({ scripted }) => scripted);
        return asked?.tools.some((name) => name.endsWith("say_hello")) === true ? asked : undefined;
      });
      await window.screenshot("toolhost-agent");
      // Copilot gives its list of sessions to every agent.
      expect(request?.tools.filter((name) => !name.startsWith("toolhost_")).sort()).toEqual([
        ...["manage_todo_list", "mcp_toolhost_say_hello", "session_store_sql", "vscode_askQuestions"],
      ]);
      expect(JSON.stringify(request)).toContain("The user can review and undo every change you make");
      expect(resultTexts(await window.model.requests()).at(-1)).toContain("1\t");
      // Later tests mean Copilot's own agent.
      await window.command("workbench.action.chat.open", { mode: "agent" });
      const input = window.page.locator(".interactive-input-part").last();
      await poll("Copilot's own agent", async () => (await input.textContent())?.includes("Toolhost") === false);
    });

    it("is not offered the tools of a group that the user turned off", async () => {
      await window.chat.newConversation();
      await window.changeSetting("toolhost.groups.fs", "off");
      // VS Code hears of a setting a moment later; until then the pipeline refuses the calls.
      const request = await poll("a request without them", async () => {
        await window.model.script([{ text: "No tools of Toolhost." }], { toolPrefix: "rig_" });
        await window.chat.ask("Hello");
        await window.chat.waitForAnswer();
        const asked = (await window.model.requests()).findLast(({ scripted }) => scripted);
        return asked?.tools.includes("toolhost_read") === false ? asked : undefined;
      });
      expect(request?.tools).toContain("read_file");
      expect(request?.tools.filter((name) => name.startsWith("toolhost_")).sort()).toEqual(
        [
          ...["edit_symbol", "exec", "memory_search", "pipe", "process", "query", "read_result"],
          ...["references", "rename_symbol", "sessions_spawn", "symbols"],
        ].map((name) => `toolhost_${name}`),
      );
    });
  });
}
