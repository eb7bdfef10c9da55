import { describe, expect, test } from "vitest";
import { runCalls } from "../../../src/agent/runCalls.js";
import { withParts } from "../../../src/core/toolParts.js";
import { understandInput } from "../../../src/core/pipeline/input.js";
import { meantCall } from "../../../src/core/pipeline/unknownTool.js";
import { tools } from "../../../src/tools/index.js";
import { document } from "../../../src/tools/documents/document.js";
import { INPUT, nouns, onDocument, open, PATHS, text, WELL } from "../features/documents/kinds.js";
import { failed, openWorkspace, result } from "./workspace.js";

const parts = document.parts ?? [];

describe("the definition", () => {
  test("is one tool in the place of twenty", () => {
    expect(parts).toHaveLength(20);
    expect(tools.filter(({ group }) => group === "documents")).toEqual([document]);
  });

  test("has the fields of all parts, with the same choices, and no others", () => {
    const own = document.inputSchema.properties;
    const fields = parts.flatMap(({ tool }) => Object.entries(tool.inputSchema.properties));
    expect(new Set(Object.keys(own))).toEqual(new Set(["action", "kind", ...fields.map(([name]) => name)]));
    for (const [name, { enum: choices }] of fields) {
      expect(own[name]?.enum, name).toEqual(choices);
    }
  });
});

describe("a call", () => {
  test.each<{ what: string; raw: Record<string, unknown>; input: Record<string, unknown>; notes?: string[] }>([
    {
      what: "in the fields of the kind",
      raw: { action: "write", kind: "schedule", name: "a", schedule: "0 9 * * *", prompt: "Go." },
      input: { action: "write", kind: "schedule", name: "a", schedule: "0 9 * * *", prompt: "Go." },
    },
    {
      what: "with the body of another kind",
      raw: { action: "write", kind: "schedule", name: "a", schedule: "0 9 * * *", body: "Go." },
      input: { action: "write", kind: "schedule", name: "a", schedule: "0 9 * * *", prompt: "Go." },
    },
    {
      what: "with a task's text as its body",
      raw: { action: "write", kind: "task", name: "a", body: "Do it." },
      input: { action: "write", kind: "task", name: "a", description: "Do it." },
    },
    {
      what: "with a description and a body of a task",
      raw: { action: "write", kind: "task", name: "a", description: "In short.", body: "At length." },
      input: { action: "write", kind: "task", name: "a", description: "In short.\n\nAt length." },
      notes: ["A task has one text: description, then body."],
    },
    {
      what: "with other words for the action and the kind",
      raw: { operation: "create", type: "prompts", name: "a", content: "Say it." },
      input: { action: "write", kind: "prompt", name: "a", body: "Say it." },
    },
    {
      what: "that fills in the fields of other kinds with nothing",
      raw: { action: "list", kind: "skill", name: "", status: null, blocked_by: [], query: null },
      input: { action: "list", kind: "skill" },
    },
    {
      what: "with a skill's line of arguments",
      raw: { action: "read", kind: "skill", name: "a", arguments: "" },
      input: { action: "read", kind: "skill", name: "a", arguments: "" },
    },
    {
      what: "with a skill's arguments as JSON, as the schema says",
      raw: {
        ...{ action: "write", kind: "skill", name: "a", description: "d", body: "b" },
        arguments: '[{"name": "where", "required": true}]',
      },
      input: {
        ...{ action: "write", kind: "skill", name: "a", description: "d", body: "b" },
        arguments: [{ name: "where", required: true }],
      },
    },
    {
      what: "with numbers as text",
      raw: { action: "read", kind: "task", name: "a", offset: "3" },
      input: { action: "read", kind: "task", name: "a", offset: 3 },
    },
  ])("$what is understood", ({ raw, input, notes = [] }) => {
    expect(understandInput(document, raw)).toEqual({ input, notes });
  });

  const TASK_FIELDS =
    "Fields of document with action=write, kind=task: name (string, required), description (string), priority (high|medium|low), blocked_by (array), sandbox (worktree), on_conflict (error|overwrite).";
  test.each<{ what: string; raw: Record<string, unknown>; message: RegExp; hint?: string }>([
    {
      what: "without action and kind",
      raw: { name: "a" },
      message: /^document: action: .*list, read, write, edit, delete.*; kind: .*skill, prompt, task, schedule/,
    },
    {
      what: "of an unknown kind",
      raw: { action: "list", kind: "note" },
      message: /^document: kind: must be one of skill, prompt, task, schedule; got string "note"\.$/,
    },
    {
      what: "without a field of the kind",
      raw: { action: "write", kind: "skill", name: "a", description: "d" },
      message: /^document: body: required \(string\), got nothing\.$/,
    },
    {
      what: "with a field of another kind",
      raw: { action: "write", kind: "task", name: "a", schedule: "0 9 * * *" },
      message: /^document: schedule: unknown field/,
      hint: TASK_FIELDS,
    },
    {
      what: "with a wrong choice",
      raw: { action: "write", kind: "task", name: "a", priority: "urgent" },
      message: /^document: priority: must be one of high, medium, low; got string "urgent"\.$/,
      hint: TASK_FIELDS,
    },
  ])("$what is refused with what the kind takes", async ({ raw, message, hint }) => {
    const error = failed(await (await open()).call("document", raw));
    expect(error).toMatchObject({ type: "invalid_input", message: expect.stringMatching(message) as string });
    if (hint !== undefined) {
      expect(error.hint).toBe(hint);
    }
  });
});

describe("a call by the name of a part", () => {
  test.each(nouns)("does the same with a %s", async (noun) => {
    const workspace = await open({}, "memory");
    result(await workspace.call(`${noun}_write`, { name: "one", ...INPUT[noun] }));
    expect(result(await workspace.call(`${noun}_list`, {}))).toEqual(result(await onDocument(workspace, noun, "list")));
    expect(result(await workspace.call(`${noun}_read`, { name: "one" })).data).toMatchObject({ name: "one" });
    result(
      await workspace.call(`${noun}_edit`, {
        name: "one",
        patches: [{ start_line: 99, end_line: 0, content: "More." }],
      }),
    );
    expect(await text(workspace, PATHS[noun]("one"))).toContain("More.");
    result(await workspace.call(`${noun}_delete`, { name: "one" }));
  });

  test("by pipe stores its result", async () => {
    const workspace = await open({ [PATHS.skill("one")]: WELL.skill("one") });
    const call = { tool_name: "skill_list", tool_input: {}, path: "/skills" };
    expect(result(await workspace.call("pipe", call)).text).toContain("from document as");
  });

  test("that says something else, or does not fit, is refused with the call to make", async () => {
    const workspace = await open();
    expect(meantCall("task_read", { kind: "skill", name: "a" }, tools)).toBeUndefined();
    expect(failed(await workspace.call("task_write", { name: "a", priority: "urgent" }))).toMatchObject({
      type: "invalid_input",
      message: expect.stringMatching(
        /^document \{"action":"write","kind":"task"\} does here what task_write does\. document: priority: must be one of/,
      ) as string,
    });
    expect(meantCall("task_list", {}, [])).toBeUndefined();
  });
});

describe("permission", () => {
  const files = { [PATHS.skill("one")]: WELL.skill("one"), [PATHS.prompt("one")]: WELL.prompt("one") };
  const patches = [{ start_line: 99, end_line: 0, content: "more" }];

  test("is decided by action: a list asks nothing where every change does", async () => {
    const workspace = await openWorkspace(files);
    const asks = { as: "model", mode: "ask", answer: true } as const;
    result(await onDocument(workspace, "skill", "list", {}, asks));
    result(await onDocument(workspace, "skill", "read", { name: "one" }, asks));
    expect(workspace.asked).toEqual([]);
    result(await onDocument(workspace, "skill", "edit", { name: "one", patches }, asks));
    result(await onDocument(workspace, "skill", "delete", { name: "one" }, asks));
    expect(workspace.asked.map(({ tool, title, detail }) => [tool, title, detail.language])).toEqual([
      ["document", "Edit the skill one", "diff"],
      ["document", "Delete the skill one", "diff"],
    ]);
    const planned = { as: "model", mode: "plan" } as const;
    result(await onDocument(workspace, "prompt", "list", {}, planned));
    expect(failed(await onDocument(workspace, "prompt", "delete", { name: "one" }, planned)).type).toBe("denied");
  });

  test.each<{ rule: { tool: string; params?: object }; allowed: string[] }>([
    { rule: { tool: "skill_edit" }, allowed: ["edit skill"] },
    { rule: { tool: "skill_*" }, allowed: ["edit skill", "delete skill"] },
    { rule: { tool: "*_delete" }, allowed: ["delete skill", "delete prompt"] },
    { rule: { tool: "prompt_edit", params: { name: "one" } }, allowed: ["edit prompt"] },
    { rule: { tool: "prompt_edit", params: { name: "two" } }, allowed: [] },
    { rule: { tool: "document", params: { kind: "prompt" } }, allowed: ["edit prompt", "delete prompt"] },
    { rule: { tool: "document" }, allowed: ["edit skill", "delete skill", "edit prompt", "delete prompt"] },
  ])("by the rule $rule covers $allowed", async ({ rule, allowed }) => {
    const call = (decision: string) => async (what: string) => {
      const [action = "", kind] = what.split(" ") as [string, "skill" | "prompt"];
      // They are protected files, which a rule opens only by their own path. In mode bypass, only a rule stops a call.
      const isAllow = decision === "allow";
      const path = isAllow ? { path: PATHS[kind]("one") } : {};
      const { params = {} } = rule;
      const workspace = await openWorkspace(files, { rules: [{ ...rule, params: { ...params, ...path }, decision }] });
      const input = { name: "one", ...(action === "edit" ? { patches } : {}) };
      const mode = isAllow ? "ask" : "bypass";
      const outcome = await onDocument(workspace, kind, action, input, { as: "model", mode, reads: "free" });
      return outcome.ok ? what : [];
    };
    const all = ["edit skill", "delete skill", "edit prompt", "delete prompt"];
    expect((await Promise.all(all.map(call("allow")))).flat()).toEqual(allowed);
    expect((await Promise.all(all.map(call("deny")))).flat()).toEqual(all.filter((what) => !allowed.includes(what)));
  });
});

test("reads run together, and a change waits for them", async () => {
  const call = (action: string): { id: string; name: string; input: object } => ({
    ...{ id: action, name: "document", input: { action, kind: "task", name: "a", patches: [] } },
  });
  const running = new Set<string>();
  const together: string[][] = [];
  await runCalls(["list", "read", "edit"].map(call), {
    toolOf: () => document,
    onlyReads: () => Promise.resolve(false),
    call: async ({ id, ready }) => {
      await (id === "edit" ? ready : undefined);
      running.add(id);
      await Promise.resolve();
      together.push([...running]);
      running.delete(id);
      return { ok: true, text: "" };
    },
    onResult: () => Promise.resolve(),
  });
  expect(together.at(-1)).toEqual(["edit"]);
  expect(together.slice(0, -1).flat()).not.toContain("edit");
  expect(together[0]).toEqual(["list", "read"]);
});

test("every part is known by a name that no tool has", () => {
  const names = withParts(tools).map(({ name }) => name);
  expect(names).toHaveLength(new Set(names).size);
});
