// The agent's list of steps: where it is shown, what it outlasts, and what it does to the detection of repeats.
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.js";
import type { ModelMessage } from "../../../src/ports/models.js";
import { tools } from "../../../src/tools/index.js";
import { toolLike } from "../core/someTool.js";
import { answering, call, lines, sessionLog, text, turn, type Script } from "./rig.js";

const list = (...done: boolean[]) => ({
  todos: done.map((isDone, index) => ({ content: `Step ${index + 1}`, status: isDone ? "completed" : "pending" })),
});
const OURS = tools.filter(({ name }) => ["todo", "ask_user", "read"].includes(name));
const NOTE = (...rows: string[]) => `user: [Toolhost: Your list of steps (todo):\n${rows.join("\n")}]`;
const shown = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "todos" ? [event.todos.map(({ content }) => content).join()] : []));

describe("a list of steps", () => {
  test("is an event for whoever shows it, by any name and form, and only when it was kept", async () => {
    const { events } = await turn(
      [
        [call("1", "todo", list(false))],
        [call("2", "TodoWrite", { todos: [{ content: "Theirs", status: "pending", activeForm: "x" }] })],
        [call("3", "find_tool", { tool: "todo", input: { plan: [{ step: "Found", status: "pending" }] } })],
        [call("4", "todo", { todos: [] })],
        [text("Done.")],
      ],
      { tools: OURS, sent: OURS.filter(({ name }) => name === "read") },
    );
    expect(shown(events)).toEqual(["Step 1", "Theirs", "Found", ""]);
    const refused = await turn([[call("1", "todo", list(false))], [text("Done.")]], {
      tools: OURS,
      callTool: answering({ todo: { ok: false, text: "Error" } }),
    });
    expect(shown(refused.events)).toEqual([]);
  });
});

/** Some 7,000 tokens. */
const LONG = "word ".repeat(5_600);
const summary: Script = [text("Goal: x.")];
const sumUp = (messages: readonly ModelMessage[]): boolean =>
  lines(messages).some((line) => line.startsWith("system: You summarize"));
const long = {
  tools: OURS,
  maxInputTokens: 20_000,
  callTool: answering({ read: { text: LONG } }),
};
const reads = (...ids: string[]): Script[] => ids.map((id) => [call(id, "read", { path: `${id}.ts` })]);

describe("a summarized conversation", () => {
  test.each<{ what: string; before: Script[]; note: string[] }>([
    {
      what: "its latest list",
      before: [[call("a", "todo", list(false))], [call("b", "todo", list(true, false))]],
      note: [NOTE("[x] Step 1", "[ ] Step 2")],
    },
    {
      what: "a list by another name",
      before: [[call("a", "update_plan", { plan: [{ step: "P", status: "in_progress" }] })]],
      note: [NOTE("[>] P")],
    },
    {
      what: "no list that was cleared",
      before: [[call("a", "todo", list(false))], [call("b", "todo", { todos: [] })]],
      note: [],
    },
    {
      what: "the list before one that was refused",
      before: [[call("a", "todo", list(false))], [call("b", "todo", { todos: 5 })]],
      note: [NOTE("[ ] Step 1")],
    },
  ])("keeps $what", async ({ before, note }) => {
    const { model } = await turn([...before, ...reads("1", "2", "3"), summary, [text("Done.")]], long);
    expect(model.requests.some(({ messages }) => sumUp(messages))).toBe(true);
    const told = lines(model.requests.at(-1)?.messages ?? []);
    expect(told.filter((line) => line.includes("list of steps"))).toEqual(note);
  });

  test("keeps it over a second summary, the next turn and another process, without taking it for the user's words", async () => {
    const log = sessionLog();
    const session = "s";
    await turn([[call("a", "todo", list(true, false))], ...reads("1", "2", "3"), summary, [text("Done.")]], {
      ...{ ...long, log, session },
    });
    const { model } = await turn([...reads("4", "5", "6"), summary, [text("Done.")]], {
      ...{ ...long, log, session, content: [{ type: "text", text: "Go on." }] },
    });
    expect(model.requests.some(({ messages }) => sumUp(messages))).toBe(true);
    const again = lines(model.requests.at(-1)?.messages ?? []);
    expect(again.filter((line) => line.includes("list of steps"))).toEqual([NOTE("[x] Step 1", "[ ] Step 2")]);
    expect(again[1]).toContain("The user's latest message before this:\nGo on.");
    const next = await turn([[text("Yes.")]], { log, session, tools: OURS });
    expect(lines(next.model.requests[0]?.messages ?? [])).toEqual(
      expect.arrayContaining([NOTE("[x] Step 1", "[ ] Step 2")]),
    );
  });

  test("leaves a list out when the steps that stay have a newer one", async () => {
    const { model } = await turn(
      [
        [call("a", "todo", list(false))],
        ...reads("1", "2"),
        [call("3", "read", { path: "3.ts" }), call("b", "todo", list(true))],
        summary,
        [text("Done.")],
      ],
      long,
    );
    const told = lines(model.requests.at(-1)?.messages ?? []);
    expect(told).toContain("assistant: → todo");
    expect(told.filter((line) => line.includes("list of steps"))).toEqual([]);
  });

  test("names the files of calls that were made by other names or through find_tool", async () => {
    const { model } = await turn(
      [
        [call("a", "read_file", { filePath: "theirs.ts" })],
        [call("b", "find_tool", { tool: "read", input: { path: "found.ts" } })],
        ...reads("1", "2", "3"),
        summary,
        [text("Done.")],
      ],
      { ...long, tools: tools.filter(({ name }) => ["todo", "read"].includes(name)), sent: [] },
    );
    expect(lines(model.requests.at(-1)?.messages ?? [])[1]).toMatch(/Files read: theirs\.ts, found\.ts/);
  });
});

describe("repeats", () => {
  const TOOLS = [
    toolLike({ name: "read", paged: true }),
    toolLike({ name: "todo", annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false } }),
  ];
  const many = (make: (index: number) => Script[]): Script[] => Array.from({ length: 12 }, (_, at) => make(at)).flat();
  test.each<{ what: string; scripts: Script[]; reason: string }>([
    {
      what: "sends the same list after each of twelve reads",
      scripts: many((at) => [[call(`r${at}`, "read", { path: String(at) })], [call(`t${at}`, "todo", list(false))]]),
      reason: "answered",
    },
    {
      what: "sends the same list and nothing else",
      scripts: many((at) => [[call(`t${at}`, "todo", list(false))]]),
      reason: "repeated",
    },
    {
      what: "sends two lists in turn and nothing else",
      scripts: many((at) => [[call(`a${at}`, "todo", list(false))], [call(`b${at}`, "todo", list(true))]]),
      reason: "repeated",
    },
    {
      what: "reads the same file, with a new list before each time",
      scripts: many((at) => [
        [call(`t${at}`, "todo", list(...Array<boolean>(at + 1).fill(true)))],
        [call(`r${at}`, "read", { path: "a" })],
      ]),
      reason: "repeated",
    },
  ])("a turn that $what: $reason", async ({ scripts, reason }) => {
    const { result } = await turn([...scripts, [text("Done.")]], { tools: TOOLS });
    expect(result.reason).toBe(reason);
  });
});

const edit = toolLike({
  name: "edit",
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  touches: () => [{ kind: "write", path: "a" }],
});

test.each([
  { what: "a read", after: call("3", "read", { path: "b" }) },
  // Its own question could be asked early, elsewhere.
  { what: "an edit", after: call("3", "edit", { path: "a" }) },
])("a question waits for the calls before it, and $what after it waits for the answer", async ({ after }) => {
  const order: string[] = [];
  await turn([[call("1", "read", { path: "a" }), call("2", "ask_user", { question: "?" }), after], [text("Done.")]], {
    tools: [...OURS, edit],
    callTool: async ({ id, ready }) => {
      if (id !== "2") {
        order.push(`${id} is handed over`);
      }
      await ready;
      order.push(`${id} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${id} ends`);
      return { ok: true, text: id };
    },
  });
  expect(order).toEqual([
    ...["1 is handed over", "1 begins", "1 ends", "2 begins", "2 ends"],
    ...["3 is handed over", "3 begins", "3 ends"],
  ]);
});
