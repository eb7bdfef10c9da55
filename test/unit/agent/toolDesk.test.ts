import { describe, expect, test } from "vitest";
import { ToolDesk } from "../../../src/agent/toolDesk.js";
import { agentTools } from "../../../src/agent/toolSets.js";
import type { Tool } from "../../../src/core/contract.js";
import { readChosenTools } from "../../../src/doors/cli/chosenTools.js";
import { tools as shipped } from "../../../src/tools/index.js";
import { toolLike } from "../core/someTool.js";
import { answering, call, text, turn, type Turn, type TurnOptions } from "./rig.js";

const SENT = [toolLike({ name: "read", paged: true })];
const HIDDEN = [
  toolLike({ name: "cron", title: "Schedule", description: "Run a prompt at set times." }),
  toolLike({
    name: "memory_list",
    title: "List notes",
    description: "List notes.",
    inputSchema: { type: "object", properties: {} },
  }),
];
const options: TurnOptions = { tools: [...SENT, ...HIDDEN], sent: SENT };
const INPUT = { path: "daily" };

/** Runs a turn in which the model makes one call, and returns the turn and what the call gave. */
async function after(
  name: string,
  input: object,
  more: TurnOptions = {},
): Promise<Turn & { result: Turn["result"]; told: string }> {
  const made = await turn([[call("1", name, input)], [text("Done.")]], { ...options, ...more });
  const last = made.model.requests[1]?.messages.at(-1)?.content[0];
  return { ...made, told: last?.type === "result" ? last.text : "" };
}

describe("tools that are not sent", () => {
  test("are behind one that is", async () => {
    const { model } = await after("read", { path: "a" });
    for (const { tools } of model.requests) {
      expect(tools.map(({ name }) => name)).toEqual(["read", "find_tool"]);
      expect(tools[1]?.description).toContain("not in your list: cron, memory_list.");
    }
  });

  test.each<{ what: string; name: string; input: object; tool?: string; given?: object }>([
    { what: "through it", name: "find_tool", input: { tool: "cron", input: INPUT } },
    { what: "by their own name", name: "cron", input: INPUT },
    { what: "by the name that VS Code gives them", name: "toolhost_cron", input: INPUT },
    { what: "with that name through it", name: "toolhost_find_tool", input: { tool: "toolhost_cron", input: INPUT } },
    { what: "with Qwen's fields", name: "find_tool", input: { name: "cron", arguments: INPUT } },
    { what: "with pipe's fields", name: "find_tool", input: { tool_name: "cron", tool_input: INPUT } },
    { what: "with an input in a string", name: "find_tool", input: { tool: "cron", input: JSON.stringify(INPUT) } },
    {
      what: "with a string that is not quite JSON",
      name: "find_tool",
      input: { tool: "cron", input: `${JSON.stringify(INPUT)}}` },
    },
    { what: "with an input that is not wrapped", name: "find_tool", input: { tool: "cron", ...INPUT } },
    { what: "with a search next to it", name: "find_tool", input: { query: "times", tool: "cron", input: INPUT } },
    { what: "by another system's search", name: "ToolSearch", input: { tool: "cron", input: INPUT } },
    {
      what: "without an input, if none is required",
      name: "find_tool",
      input: { tool: "memory_list" },
      tool: "memory_list",
      given: {},
    },
    {
      what: "though it is in the list",
      name: "find_tool",
      input: { tool: "read", input: { path: "a" } },
      tool: "read",
      given: { path: "a" },
    },
  ])("are called $what", async ({ name, input, tool = "cron", given = INPUT }) => {
    const { calls, events } = await after(name, input, { callTool: answering({ [tool]: { text: "It ran." } }) });
    expect(calls.map((made) => ({ tool: made.tool, input: made.input }))).toEqual([{ tool, input: given }]);
    // People see the tool that ran, not the way to it.
    expect(events.find(({ type }) => type === "call")).toMatchObject({ tool, input: given });
  });

  test("what a call of one gave is the result of the model's call, and the conversation keeps what it wrote", async () => {
    const { model, told } = await after(
      "find_tool",
      { tool: "cron", input: INPUT },
      { callTool: answering({ cron: { text: "It ran." } }) },
    );
    expect(told).toBe("It ran.");
    expect(model.requests[1]?.messages.at(-2)?.content).toEqual([
      { type: "call", id: "1", name: "find_tool", input: { tool: "cron", input: INPUT } },
    ]);
  });

  test.each([
    { what: "words", input: { query: "run something at set times" }, found: ["cron"] },
    { what: "a name", input: { query: "memory_list" }, found: ["memory_list"] },
    { what: "names", input: { query: "toolhost_cron, memory_list" }, found: ["cron", "memory_list"] },
    { what: "a list of names", input: { names: ["cron", "memory_list"] }, found: ["cron", "memory_list"] },
    { what: "a name whose input it does not know", input: { tool: "cron" }, found: ["cron"] },
  ])("are described to a model that asks by $what", async ({ input, found }) => {
    const { told, calls } = await after("find_tool", input);
    expect(calls).toEqual([]);
    expect([...told.matchAll(/^(\w+): .*\nInput: (\{.*\})$/gm)].map(([, name]) => name)).toEqual(found);
    expect(told).toContain(`{"tool": "${found[0]}", "input": {…}}`);
    // As they would be sent.
    expect(told).not.toMatch(/minLength|maxLength|exclusiveMinimum/);
  });

  test.each([
    {
      what: "words that none has",
      input: { query: "zebra crossing" },
      told: "[No tool fits zebra crossing. The tools are: cron, memory_list.]",
    },
    { what: "a name nearly right", input: { query: "corn" }, told: "Did you mean cron?" },
    {
      what: "nothing",
      input: {},
      told: "Give query: what you want to do, or names of these tools: cron, memory_list.",
    },
    { what: "a tool that is in the list", input: { query: "read" }, told: "read: in your list; call it by its name." },
    {
      what: "a call of a tool that there is not",
      input: { tool: "crom", input: {} },
      told: "crom: there is no such tool.\nHint: Did you mean cron",
    },
    {
      what: "a call with an input that is none",
      input: { tool: "cron", input: "daily" },
      told: "cron: input is not a JSON object. Nothing was run.",
    },
  ])("$what: says so", async ({ input, told }) => {
    const made = await after("find_tool", input);
    expect(made.told).toContain(told);
    expect(made.calls).toEqual([]);
  });

  test("a nearly right name, called directly, leads to one of them", async () => {
    expect((await after("memory_lst", {})).told).toContain("Did you mean memory_list?");
  });

  test("there is nothing to find when all are sent", async () => {
    const { told, model } = await after("find_tool", { query: "cron" }, { sent: options.tools ?? [] });
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["read", "cron", "memory_list"]);
    expect(told).toContain("find_tool: there is no such tool.");
  });

  test("keep their place among the calls of an answer: a change waits, as by its own name", async () => {
    const order: string[] = [];
    const write = toolLike({
      name: "context_write",
      annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
      touches: () => [{ kind: "write", path: "a" }],
    });
    await turn(
      [
        [call("1", "read", { path: "a" }), call("2", "find_tool", { tool: "context_write", input: { path: "a" } })],
        [text("Done.")],
      ],
      {
        tools: [...SENT, write],
        sent: SENT,
        callTool: async ({ tool, ready }) => {
          await ready;
          order.push(`${tool} begins`);
          await Promise.resolve();
          order.push(`${tool} ends`);
          return { ok: true, text: "" };
        },
      },
    );
    expect(order).toEqual(["read begins", "read ends", "context_write begins", "context_write ends"]);
  });
});

describe("tools behind search", () => {
  const many = Array.from({ length: 1_000 }, (_, index) =>
    toolLike({
      name: `pets_${index}`,
      description: index === 700 ? "Give a zebra a name." : "A pet.",
      expose: "search",
    }),
  );
  const desk = new ToolDesk([...SENT, ...HIDDEN, ...many], SENT);

  test("are counted, not named, in what is sent", () => {
    expect(desk.list).toHaveLength(2);
    expect(desk.finder?.description).toContain(
      "not in your list: cron, memory_list, and 1000 more that query finds, such as pets_0 and pets_1.",
    );
    expect(desk.search({}).text).toContain("such as pets_0 and pets_1.");
    expect(desk.search({ query: "xylophone" }).text.length).toBeLessThan(500);
  });

  test("are found by what they do", () => {
    expect(desk.search({ query: "name a zebra" }).text).toMatch(/^pets_700: Give a zebra a name\.\nInput: /);
  });

  test("are sent to agents only if the user names them", () => {
    const usage = (message: string): Error => new Error(message);
    const all = [...SENT, ...HIDDEN, ...many];
    const chosen = readChosenTools(["all", "pets_5"], { tools: all, usage });
    expect(agentTools(all, chosen).sent.map(({ name }) => name)).toEqual(["read", "cron", "memory_list", "pets_5"]);
  });
});

describe("the shipped tools", () => {
  const { tools, sent } = agentTools(shipped, undefined);
  const desk = new ToolDesk(tools, sent);
  const first = (words: string): string =>
    /^(?:\[No tool mentions [^\n]*\]\n\n)?(\w+): /.exec(desk.search({ query: words }).text)?.[1] ?? "";

  test.each<[words: string, tools: string[]]>([
    ["run a prompt every morning", ["cron", "document"]],
    ["save a note for later sessions", ["memory_write"]],
    ["update a memory note", ["memory_write"]],
    ["remember a fact", ["memory_write"]],
    ["update memory", ["memory_write"]],
    ["list subagents that are running", ["subagents"]],
    ["store a large result of a tool", ["pipe", "context_write"]],
    ["send the user a message on Slack", ["message"]],
    ["run the workspace's build task", ["run_task"]],
    ["look into the history of another session", ["sessions_history"]],
    ["create a skill", ["document"]],
    ["add a task for another agent", ["document"]],
    ["skill_read", ["document"]],
    ["refactor code", ["code_actions"]],
    ["rename a method in every file", ["rename_symbol"]],
    ["find all references of a function", ["references"]],
    ["fetch a URL", ["web_fetch"]],
    ["get a web page", ["web_fetch"]],
  ])("%s", (words, names) => {
    expect(names).toContain(first(words));
  });

  /** What a model asks for that no tool does. */
  test.each([
    ...["browse the internet", "generate an image", "install a package"],
    ...["play music", "docker container", "lint", "deploy", "GitHub issues"],
  ])("none for: %s", (words) => {
    expect(desk.search({ query: words })).toMatchObject({
      ok: true,
      text: expect.stringMatching(new RegExp(`^\\[No tool fits ${words}\\. The tools are: .*memory_get/`)) as string,
    });
  });

  test.each<[words: string, unknown: string]>([
    ["take a screenshot", "screenshot"],
    ["create a pull request", "pull"],
    ["translate text", "translate"],
  ])("perhaps none for: %s", (words, unknown) => {
    const told = desk.search({ query: words }).text;
    expect(told).toMatch(
      new RegExp(
        `^\\[No tool mentions [^.]*\\b${unknown}\\b[^.]*; (?:these come|this comes) nearest\\. With its name as query, find_tool describes one\\.\\]\\n\\n\\w+: `,
      ),
    );
    // A wrong tool's input, or a call of it, would be taken for advice.
    expect(told).not.toMatch(/^Input: |Call one with|"tool":/m);
    expect(told.split("\n\n").length).toBeLessThanOrEqual(3);
    expect(told.length).toBeLessThan(600);
  });

  test.each<[words: string, tools: string[]]>([
    ["refresh the index", ["context_refresh"]],
    ["a webhook message", ["message"]],
    ["run a VS Code task", ["run_task"]],
  ])("only those that come near the best for: %s", (words, names) => {
    const told = desk.search({ query: words }).text;
    expect(told.split("\n\n").flatMap((part) => /^(\w+): .*\nInput: /.exec(part)?.[1] ?? [])).toEqual(names);
    expect(told).not.toContain("No tool mentions");
  });

  test.each([
    { query: "bash", answer: /^exec: in your list; call it by its name\./ },
    { query: "str_replace_editor", answer: /^read: in your list/ },
    { query: "membot_write", answer: /^context_write: Store text/ },
    { query: "CronCreate", answer: /^cron: / },
    { query: "WebFetch", answer: /^web_fetch: Get the public web page/ },
    {
      query: "go to definition",
      answer: /^\[Use references; its kind says what to find, such as definition or callers\.\]$/,
    },
    { query: "git commit", answer: /^\[Use exec with git commit\.\]/ },
    { query: "web search", answer: /^web_search: Search the web/ },
    {
      query: "rename symbol",
      answer: /^rename_symbol: Rename a symbol [^\n]*\nInput: \{.*\}\n\n\[Call one with [^\n]*$/,
    },
    { query: "symbols diagnostics", answer: /^symbols: Outline [^]*\n\ndiagnostics: List the errors / },
    { query: "Bash WebFetch", answer: /^exec: in your list/ },
    { query: "select:WebFetch,WebSearch", answer: /^web_fetch: Get the [^]*\n\nweb_search: Search the web/ },
    { query: "codebase_search", answer: /^code_search: Find code by what it does/ },
    { query: "restart_language_server", answer: /^\[No tool here restarts language servers; each call waits/ },
    {
      query: "undo the last edit",
      answer: /^\[Only the user can undo with Toolhost\. Make the opposite change with edit/,
    },
    { query: "undo my last change", answer: /^\[Only the user can undo with Toolhost\./ },
  ])("other systems' names: $query", ({ query, answer }) => {
    expect(desk.search({ query }).text).toMatch(answer);
  });

  test("a search costs no more than the tools it describes", () => {
    const all = tools.filter((tool) => !sent.includes(tool)).map(({ name }: Tool) => name);
    for (const query of ["tool", "list read write edit delete", all.join(" ")]) {
      expect(desk.search({ query }).text.length).toBeLessThan(20_000);
    }
  });
});
