// What a session's requests have in common: providers bill the part that two requests begin with at a fraction, and only
// if it is the same byte for byte.
import { describe, expect, test } from "vitest";
import type { ChatBody } from "../../harness/openai-server.js";
import { agentRig, calls } from "./agentRig.js";

const rig = agentRig();
const FILES = { "AGENTS.md": "Be brief.\n", "a.txt": "one\ntwo\n", ".toolhost/MEMORY.md": "Tests: npm test\n" };

/** Returns a request's parts in the order in which providers cache them: tools, then messages. */
function parts({ tools, messages }: ChatBody): string[] {
  return [JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))];
}

function bodies(): ChatBody[] {
  return rig
    .server()
    .chats()
    .flatMap(({ body }) => body ?? []);
}

/** Checks that each request begins with the whole one before. */
function expectGrowing(requests: readonly ChatBody[]): void {
  for (const [index, request] of requests.entries()) {
    const before = index === 0 ? [] : parts(requests[index - 1] ?? request);
    expect(parts(request).slice(0, before.length)).toEqual(before);
  }
}

describe("a request begins with the whole one before it", () => {
  test("over calls, failures, tools that are found, a retry, and turns of a session", async () => {
    const { agent } = await rig.inFolder(FILES);
    await agent(
      [
        { text: "I look.", ...calls(["read", { path: "a.txt" }], ["ls", {}], ["grep", { pattern: "o" }]) },
        { ...calls(["read", { path: "none.txt" }], ["no_such_tool", {}], ["read", { paht: "a.txt" }]) },
        { calls: [{ id: "broken", name: "read", arguments: ['{"path": '] }] },
        { ...calls(["exec", { command: "rm a.txt" }]) },
        { text: "Half", drop: true },
        { ...calls(["edit", { path: "a.txt", old_text: "two", new_text: "zwei é 🙂" }]) },
        {
          ...calls(
            ["todo", { todos: [{ content: "Look", status: "in_progress" }] }],
            ["ask_user", { question: "Why?" }],
          ),
        },
        { ...calls(["find_tool", { query: "save a note" }]) },
        { ...calls(["find_tool", { tool: "memory_write", input: { content: "x" } }], ["memory_list", {}]) },
        { text: "Done." },
      ],
      ["Change", "it."],
    );
    const first = bodies();
    expect(first).toHaveLength(10);
    // What a folder's own instructions say comes on top: here a line each.
    expect(JSON.stringify(first[0]).length / 4).toBeLessThanOrEqual(4_000);
    expectGrowing(first);
    expect(parts(first.at(-1) ?? { model: "", messages: [] }).join("\n")).toContain("memory_write");

    await agent([{ ...calls(["read", { path: "a.txt" }]) }, { text: "Still." }], ["--continue", "Sure?"]);
    const second = bodies();
    expect(second).toHaveLength(2);
    expectGrowing([...first, ...second]);
  });

  test("also when other tools are wanted, as long as they are the same ones", async () => {
    const { agent } = await rig.inFolder(FILES);
    await agent([{ ...calls(["cron", { action: "list" }]) }, { text: "None." }], ["--tools", "cron", "Look."]);
    const first = bodies();
    await agent([{ text: "None." }], ["--tools", "cron", "--continue", "Sure?"]);
    expectGrowing([...first, ...bodies()]);
  });
});

describe("the tools of a request", () => {
  const namesOf = (body: ChatBody | undefined): string[] => (body?.tools ?? []).map((tool) => tool.function.name);

  test("are few; --tools adds some by name or group, or all", async () => {
    const { agent } = await rig.inFolder(FILES);
    const sent = async (...words: string[]): Promise<string[]> => {
      await agent([{ text: "Hello." }], [...words, "Hello."]);
      return namesOf(bodies()[0]);
    };
    const usual = await sent();
    expect(usual).toContain("find_tool");
    expect(usual.length).toBeLessThanOrEqual(16);
    expect(await sent("--tools", "cron,memory")).toEqual(
      expect.arrayContaining([...usual, "cron", "memory_write", "memory_delete"]),
    );
    const all = await sent("--tools", "all");
    expect(all).not.toContain("find_tool");
    expect(all.length).toBeGreaterThan(25);
    expect(all).toContain("document");
    // The name of a part stands for the tool.
    expect(await sent("--tools", "task_write")).toEqual(expect.arrayContaining([...usual, "document"]));
  });

  test("--tools with a name that no tool has is wrong usage", async () => {
    const { agent } = await rig.inFolder(FILES);
    const { code, err } = await agent([], ["--tools", "crom", "Hello."]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining("--tools crom: there is no such tool or group. Did you mean cron") as string,
    });
  });

  test("--json shows the tool that was called, not the way to it", async () => {
    const { agent } = await rig.inFolder(FILES);
    const { out } = await agent(
      [{ ...calls(["find_tool", { tool: "memory_list", input: {} }]) }, { text: "Done." }],
      ["--json", "Look."],
    );
    expect(out).toContain('"tool":"memory_list"');
    expect(out).not.toContain('"tool":"find_tool"');
  });
});
