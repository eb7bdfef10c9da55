import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Pipeline } from "../../../../src/core/pipeline/pipeline.js";
import { readRules } from "../../../../src/core/permission/rules/readRules.js";
import { Rules } from "../../../../src/core/permission/rules/book.js";
import type { PermissionMode } from "../../../../src/core/permission/modes.js";
import { Registry } from "../../../../src/core/registry.js";
import { createToolApi } from "../../../../src/doors/shared/toolApi.js";
import type { ToolApi, ToolDefinition } from "../../../../src/doors/shared/toolTypes.js";
import { loadOpenApiTools } from "../../../../src/features/openapi/load.js";
import type { Question } from "../../../../src/ports/confirm.js";
import { nodeHttp } from "../../../../src/hosts/node/http/nodeHttp.js";
import { read } from "../../../../src/tools/fs/read.js";
import { sample } from "../../core/someTool.js";

interface Rig {
  api: ToolApi;
  asked: Question[];
  settings: { mode: PermissionMode; trusted: boolean };
  /** The user's rules. */
  rules: unknown[];
}

/** The API over a real pipeline. The user answers every question with `answer`. */
function rig(answer = true): Rig {
  const registry = new Registry([read, sample]);
  const asked: Question[] = [];
  const settings: Rig["settings"] = { mode: "default", trusted: true };
  const rules: unknown[] = [];
  const pipeline = new Pipeline({
    registry,
    capabilities: {},
    settings: () => ({ ...settings, defaultTimeout: 30_000, timeoutSetBy: "x", isGroupEnabled: () => true }),
    rules: new Rules(
      { rules: () => readRules(rules, "settings", "rules", registry.list()), add: () => Promise.resolve() },
      Date.now,
    ),
    activity: { record: () => undefined },
    now: Date.now,
  });
  const confirm = {
    ask: async (question: Question) => {
      asked.push(question);
      return answer ? ("once" as const) : ("no" as const);
    },
  };
  const caller = { door: "api", authority: "model", confirm } as const;
  return {
    api: createToolApi({
      registry,
      pipeline,
      openApi: () => ({ loadOpenApiTools, http: nodeHttp("Toolhost/test") }),
      useSandbox: () => {
        throw new Error("no test here uses one");
      },
      caller,
    }),
    asked,
    settings,
    rules,
  };
}

const COUNT = {
  name: "count_words",
  description: "Count the words of a text.",
  inputSchema: {
    type: "object",
    properties: {
      text: { type: "string", description: "The text." },
      least: { type: "integer", minimum: 1, description: "Least length of a word." },
    },
    required: ["text"],
    additionalProperties: false,
  },
  execute: ({ text, least = 1 }: { text: string; least?: number }) => {
    const words = text.split(" ").filter((word) => word.length >= least).length;
    return { text: `${words} words`, data: { words } };
  },
} satisfies ToolDefinition<{ text: string; least?: number }>;

const withExecute = (execute: ToolDefinition["execute"], more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: "theirs",
  description: "Does something.",
  inputSchema: { type: "object", properties: {} },
  execute,
  ...more,
});

describe("a registered tool", () => {
  test("is listed, called with a checked input, and gone when it is disposed", async () => {
    const { api } = rig();
    let changes = 0;
    const listening = api.onDidChangeTools(() => changes++);
    const registered = api.registerTool(COUNT);
    expect(api.tools().find(({ name }) => name === "count_words")).toMatchObject({
      title: "Count words",
      group: "extensions",
      inputSchema: { required: ["text"] },
    });
    expect(await api.invoke("count_words", { text: "a bc d", least: 2 })).toEqual({
      ok: true,
      text: "1 words",
      data: { words: 1 },
    });
    // Other types that mean the same are understood, as for every tool.
    expect(await api.invoke("count_words", { text: "a bc", least: "2" })).toMatchObject({ ok: true });
    expect(await api.invoke("count_words", { text: 3, least: 0, more: 1 })).toMatchObject({
      ok: false,
      error: { type: "invalid_input", hint: "Fields of count_words: text (string, required), least (integer)." },
    });
    registered.dispose();
    registered.dispose();
    expect(api.tools().map(({ name }) => name)).not.toContain("count_words");
    expect(await api.invoke("count_words", { text: "a" })).toMatchObject({
      error: { type: "unknown_tool", message: expect.stringContaining("count_words is gone") as string },
    });
    listening.dispose();
    api.registerTool(COUNT).dispose();
    expect(changes).toBe(2);
  });

  test.each([
    { what: "a JSON Schema", outputSchema: { type: "object", properties: { words: { type: "number" } } } },
    { what: "a Zod schema", outputSchema: z.object({ words: z.number() }) },
  ])("is described with the shape of its data, given as $what", ({ outputSchema }) => {
    const { api } = rig();
    expect(api.describe("count_words")).toBeUndefined();
    api.registerTool({ ...COUNT, outputSchema });
    expect(api.describe("count_words")).toMatchObject({
      inputSchema: { required: ["text"] },
      outputSchema: { type: "object", properties: { words: { type: "number" } } },
    });
    api.registerTool({ ...COUNT, name: "count_more" });
    expect(api.describe("count_more")).not.toHaveProperty("outputSchema");
  });

  test("with a Zod schema gets what that makes of the input", async () => {
    const { api } = rig();
    const inputSchema = z.strictObject({
      at: z.string().trim().describe("Where."),
      many: z.int().default(2).describe("How many."),
    });
    api.registerTool({
      name: "zod_tool",
      description: "Does something.",
      inputSchema,
      execute: ({ at, many }) => `${at} ${many + 1}`,
    });
    expect(await api.invoke("zod_tool", { at: " x " })).toEqual({ ok: true, text: "x 3" });
    expect(await api.invoke("zod_tool", { many: 1.5 })).toMatchObject({
      error: { type: "invalid_input", message: expect.stringMatching(/at: .*many: /) as string },
    });
    expect(api.tools().at(-1)?.inputSchema).toMatchObject({ properties: { at: { description: "Where." } } });
  });

  test("gets the session and its call's id, tells its steps, and is told to stop", async () => {
    const { api } = rig();
    const controller = new AbortController();
    const steps: string[] = [];
    let seen: unknown;
    api.registerTool(
      withExecute(async (_input, { signal, session, callId, report }) => {
        seen = [session, callId.length > 10];
        report("Half way");
        controller.abort();
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        return "not reached";
      }),
    );
    const options = { session: "mine", signal: controller.signal, onProgress: (step: string) => steps.push(step) };
    expect(await api.invoke("theirs", {}, options)).toMatchObject({ error: { type: "cancelled" } });
    expect([seen, steps]).toEqual([["mine", true], ["Half way"]]);
  });

  test("a listener that throws stops nothing", async () => {
    const { api } = rig();
    api.onDidChangeTools(() => {
      throw new Error("theirs");
    });
    api.registerTool(withExecute((_input, { report }) => (report("x"), "done")));
    const onProgress = (): void => {
      throw new Error("theirs");
    };
    expect(await api.invoke("theirs", {}, { onProgress })).toMatchObject({ text: "done" });
  });

  test("from defineTool is the same tool, and registered once", () => {
    const { api } = rig();
    const tool = api.defineTool(COUNT);
    expect(tool).toMatchObject({ name: "count_words", title: "Count words" });
    api.registerTool(tool);
    expect(() => api.registerTool(tool)).toThrow(
      new TypeError('Toolhost registerTool: Tool "count_words" is already registered.'),
    );
  });
});

describe("permission for a registered tool", () => {
  test("it asks, with its input; a no is a denial, and nothing runs", async () => {
    const { api, asked } = rig(false);
    let ran = 0;
    api.registerTool({ ...COUNT, execute: () => `${++ran}` });
    expect(await api.invoke("count_words", { text: "a" })).toMatchObject({ error: { type: "denied" } });
    expect(asked).toMatchObject([
      {
        tool: "count_words",
        reasons: ["What count_words reaches is unknown."],
        detail: { text: expect.stringContaining('"text": "a"') as string },
      },
    ]);
    expect(ran).toBe(0);
  });

  test("what its author says of it is told, and decides nothing", async () => {
    const { api, asked, settings } = rig();
    api.registerTool({ ...COUNT, annotations: { readOnly: true, destructive: false } });
    expect(api.tools().at(-1)?.annotations).toMatchObject({ readOnly: false, destructive: true });
    expect(await api.invoke("count_words", { text: "a" })).toMatchObject({ ok: true });
    expect(asked.map(({ reasons }) => reasons)).toEqual([
      ["What count_words reaches is unknown. Its author says that it only reads."],
    ]);
    settings.mode = "plan";
    expect(await api.invoke("count_words", { text: "a" })).toMatchObject({ error: { type: "denied" } });
    settings.trusted = false;
    expect(await api.invoke("count_words", { text: "a" })).toMatchObject({ error: { type: "untrusted" } });
    expect(asked).toHaveLength(1);
  });

  test("rules allow and deny it by its name and arguments; one for all tools does not allow it", async () => {
    const { api, asked, rules } = rig(false);
    api.registerTool(COUNT);
    rules.push({ tool: "*", decision: "allow" });
    expect(await api.invoke("count_words", { text: "a" })).toMatchObject({ error: { type: "denied" } });
    rules.push({ tool: "count_words", params: { text: "a*" }, decision: "allow" });
    expect(await api.invoke("count_words", { text: "ab" })).toMatchObject({ ok: true });
    expect(await api.invoke("count_words", { text: "b" })).toMatchObject({ error: { type: "denied" } });
    expect(asked).toHaveLength(2);
    rules.push({ tool: "count_words", params: { text: "ax" }, decision: "deny" });
    expect(await api.invoke("count_words", { text: "ax" })).toMatchObject({ error: { type: "denied" } });
    expect(asked).toHaveLength(2);
  });
});

describe("a tool's failures and results", () => {
  const thrown =
    (error: unknown): ToolDefinition["execute"] =>
    () => {
      throw error;
    };
  test.each<{ what: string; execute: ToolDefinition["execute"]; more?: Partial<ToolDefinition>; error: object }>([
    {
      what: "throws",
      execute: thrown(new Error("No such page. List them first.")),
      error: { type: "inner_tool_error", message: "theirs: No such page. List them first." },
    },
    {
      what: "throws with a type and a hint",
      execute: thrown(Object.assign(new Error("no page 3"), { type: "not_found", hint: "There are 2." })),
      error: { type: "not_found", message: "theirs: no page 3", hint: "There are 2." },
    },
    {
      what: "pretends that the user said no",
      execute: thrown(Object.assign(new Error("x"), { type: "denied" })),
      error: { type: "inner_tool_error", message: "theirs: x" },
    },
    { what: "throws nothing", execute: thrown(undefined), error: { type: "inner_tool_error" } },
    {
      what: "returns nothing",
      execute: () => undefined as unknown as string,
      error: {
        type: "inner_tool_error",
        message: "theirs gave a result that cannot be used: expected a text or {text, data}, got nothing.",
      },
    },
    {
      what: "breaks its promise",
      execute: () => ({ text: "x", data: { words: "three" } }),
      more: { outputSchema: { type: "object", properties: { words: { type: "number" } } } },
      error: { type: "inner_tool_error", message: expect.stringContaining("words: ") as string },
    },
    {
      what: "returns data that is not JSON",
      execute: () => {
        const data: Record<string, unknown> = {};
        data["self"] = data;
        return { text: "x", data };
      },
      error: { type: "inner_tool_error", message: expect.stringContaining("is not JSON") as string },
    },
    {
      what: "returns far too much",
      execute: () => "x".repeat(20_000_001),
      error: { type: "too_large", message: "theirs: its result has more than 20 million characters." },
    },
    {
      what: "returns something else as media",
      execute: () => ({ text: "x", media: [{ mimeType: "image/png", bytes: [1] as unknown as Uint8Array }] }),
      error: { message: expect.stringContaining("media: expected") as string },
    },
  ])("that $what", async ({ execute, more, error }) => {
    const { api } = rig();
    api.registerTool(withExecute(execute, more));
    expect(await api.invoke("theirs", {})).toMatchObject({ ok: false, error });
  });

  test("data is read once: what a program later changes changes nothing", async () => {
    const { api } = rig();
    const data = { list: [1] };
    api.registerTool(
      withExecute(() => ({ text: "x", data, media: [{ mimeType: "image/png", bytes: new Uint8Array(1) }] })),
    );
    const outcome = await api.invoke("theirs", {});
    data.list.push(2);
    expect(outcome).toMatchObject({ data: { list: [1] }, media: [{ mimeType: "image/png" }] });
  });
});

describe("a definition that cannot be used is refused with what is wrong", () => {
  const schema = COUNT.inputSchema;
  const circular: Record<string, unknown> = { type: "object" };
  circular["properties"] = { a: circular };
  const deep = (levels: number): object => (levels === 0 ? {} : { items: deep(levels - 1) });
  test.each<{ given: unknown; problem: string }>([
    { given: undefined, problem: "expected an object {name, description, inputSchema, execute}, got nothing." },
    { given: { ...COUNT, name: undefined }, problem: "name: expected a text, got nothing." },
    { given: { ...COUNT, name: "read" }, problem: 'Tool "read" is already registered.' },
    { given: { ...COUNT, name: "toolhost_x" }, problem: 'Tool "toolhost_x" has a name that is reserved' },
    { given: { ...COUNT, name: "rm -rf" }, problem: 'Tool "rm -rf" must be named in snake_case.' },
    { given: { ...COUNT, handler: 1 }, problem: "handler: there is no such field; the fields are name, " },
    { given: { ...COUNT, execute: "rm" }, problem: "execute: expected a function, got" },
    { given: { ...COUNT, timeout: 0.5 }, problem: "timeout: expected milliseconds, 1 to 86400000, got number 0.5." },
    { given: { ...COUNT, annotations: { readonly: true } }, problem: "annotations: expected an object of readOnly, " },
    { given: { ...COUNT, title: "Safe\u202e" }, problem: "title: contains characters that people cannot see." },
    {
      given: { ...COUNT, description: "x\u200b" },
      problem: "description: contains characters that people cannot see.",
    },
    { given: { ...COUNT, title: "a\nb" }, problem: "title: must be one line of at most 80 characters." },
    { given: { ...COUNT, inputSchema: "object" }, problem: "inputSchema: expected a JSON Schema or a Zod schema, got" },
    { given: { ...COUNT, inputSchema: circular }, problem: "inputSchema: is not JSON: " },
    { given: { ...COUNT, inputSchema: deep(70) }, problem: "inputSchema: is nested deeper than 64 levels." },
    { given: { ...COUNT, inputSchema: { type: "array" } }, problem: "inputSchema: its type must be object." },
    { given: { ...COUNT, inputSchema: { $ref: "#" } }, problem: "inputSchema: cannot be used for checking: " },
    {
      given: { ...COUNT, inputSchema: { ...schema, description: "x".repeat(100_000) } },
      problem: "inputSchema: expected a JSON Schema of at most 100 kB.",
    },
    {
      given: { ...COUNT, inputSchema: { type: "object", properties: { a: { $ref: "https://a.b/c" } } } },
      problem: "inputSchema: $ref https://a.b/c leads to nothing in the schema itself.",
    },
    {
      given: { ...COUNT, inputSchema: { type: "object", properties: { default: { $ref: "#/$defs/gone" } } } },
      problem: "inputSchema: $ref #/$defs/gone leads to nothing in the schema itself.",
    },
    {
      given: { ...COUNT, inputSchema: { type: "object", properties: { a: { pattern: "(", description: "A." } } } },
      problem: "inputSchema: Invalid regular expression: ",
    },
    {
      given: { ...COUNT, inputSchema: { type: "object", properties: { a: { not: { pattern: "^(a+)+$" } } } } },
      problem: "inputSchema: the pattern ^(a+)+$ may take very long here.",
    },
    {
      given: { ...COUNT, inputSchema: { type: "object", patternProperties: { "^(a+)+$": {} } } },
      problem: "inputSchema: the pattern ^(a+)+$ may take very long here.",
    },
    {
      given: { ...COUNT, inputSchema: { type: "object", properties: { a: { $recursiveRef: "#" } } } },
      problem: "inputSchema: $recursiveRef is not supported; use $ref.",
    },
    {
      given: { ...COUNT, inputSchema: JSON.parse('{"type": "object", "properties": {"__proto__": {}}}') as object },
      problem: "inputSchema: __proto__ cannot be a field's name; use letters, digits, _, - and .",
    },
    {
      given: { ...COUNT, inputSchema: { type: "object", properties: { toString: {} } } },
      problem: "inputSchema: toString cannot be a field's name",
    },
    {
      given: { ...COUNT, inputSchema: { type: "object", properties: { a: { type: "string" } } } },
      problem: 'Tool "count_words" has a field "a" without a description.',
    },
    {
      given: { ...COUNT, inputSchema: z.object({ when: z.date().describe("When.") }) },
      problem: "inputSchema: Date cannot be represented in JSON Schema.",
    },
    {
      given: { ...COUNT, inputSchema: { "~standard": { validate: () => ({}) } } },
      problem: "inputSchema: this library's schema gives no JSON Schema of itself (Zod 4.2 and later do).",
    },
  ])("$problem", ({ given, problem }) => {
    const { api } = rig();
    const before = api.tools().length;
    expect(() => api.registerTool(given as ToolDefinition)).toThrow(TypeError);
    expect(() => api.registerTool(given as ToolDefinition)).toThrow(`Toolhost registerTool: ${problem}`);
    expect(api.tools()).toHaveLength(before);
  });
});

test("a schema is checked as JSON Schema says: alternatives, conditions and references", async () => {
  const { api } = rig();
  api.registerTool(
    withExecute(() => "done", {
      inputSchema: {
        type: "object",
        properties: {
          id: { type: "string", format: "uuid", description: "One of two." },
          name: { type: "string", description: "The other." },
          format: { $ref: "#/$defs/kind", description: "A field whose name is a keyword." },
        },
        oneOf: [{ required: ["id"] }, { required: ["name"] }],
        if: { required: ["format"] },
        then: { required: ["id"] },
        $defs: { kind: { enum: ["a", "b"] } },
      },
    }),
  );
  const ok = async (input: object): Promise<boolean> => (await api.invoke("theirs", input)).ok;
  expect(await ok({ id: "any text" })).toBe(true);
  expect(await ok({ name: "x" })).toBe(true);
  expect(await ok({ id: "x", name: "x" })).toBe(false);
  expect(await ok({ id: "x", format: "a" })).toBe(true);
  expect(await ok({ id: "x", format: "c" })).toBe(false);
  expect(await ok({ name: "x", format: "a" })).toBe(false);
});

test("a check of what others' schemas say is bounded: patterns, references, long lists", async () => {
  const { api } = rig();
  const doubled = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `d${at}`,
      { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  );
  api.registerTool(
    withExecute(() => "done", {
      inputSchema: {
        type: "object",
        properties: {
          slow: { type: "string", pattern: "^(a+)+$", description: "Takes for ever where it does not match." },
          quick: { type: "string", pattern: "^[a-z]+$", description: "Letters." },
          self: { $ref: "#/$defs/self", description: "Without end." },
          doubled: { $ref: "#/$defs/d0", description: "A million million references." },
          list: { type: "array", uniqueItems: true, description: "Different items." },
          numbers: { type: "array", items: { type: "number" }, description: "Numbers." },
        },
        $defs: { self: { anyOf: [{ type: "string" }, { $ref: "#/$defs/self" }] }, ...doubled, d40: { type: "string" } },
      },
    }),
  );
  const told = async (input: object): Promise<string> => {
    const outcome = await api.invoke("theirs", input);
    return outcome.ok ? "done" : `${outcome.error.type}: ${outcome.error.message}`;
  };
  expect(await told({ slow: `${"a".repeat(100)}!` })).toBe("done");
  expect(await told({ quick: "A" })).toContain("quick: String does not match pattern");
  expect(await told({ self: 1 })).toMatch(/^invalid_input: .*cannot be checked: it is too large, or the schema/);
  expect(await told({ doubled: "x" })).toMatch(/^invalid_input: .*cannot be checked/);
  expect(await told({ list: [1, 2, 1] })).toContain("list: Duplicate items");
  const long = Array.from({ length: 300_000 }, (_, at) => at);
  expect(await told({ list: long })).toBe("done");
  expect(await told({ numbers: long.map((at) => `n${at}`) })).toMatch(
    /^invalid_input: .*(cannot be checked|more problems)/,
  );
});

describe("createOpenApiTools", () => {
  test.each<{ description?: unknown; options?: unknown; problem: string }>([
    { description: 3, problem: "expected a description as text or object, got number 3." },
    { options: 3, problem: "options: expected an object, got number 3." },
    { options: { secret: "s3cret" }, problem: "secret: expected a function, got" },
    { options: { operation: ["a"] }, problem: "operation: " },
    { options: { auth: { type: "bearer" } }, problem: "auth" },
  ])("a wrong option: $problem", ({ description = {}, options, problem }) => {
    const make = rig().api.createOpenApiTools as (...given: unknown[]) => unknown;
    expect(() => make(description, options)).toThrow(TypeError);
    expect(() => make(description, options)).toThrow(`Toolhost createOpenApiTools: ${problem}`);
  });

  test("a description that is none has no tools, and says so", () => {
    expect(rig().api.createOpenApiTools("no description")).toMatchObject({
      tools: [],
      problems: [{ message: expect.stringMatching(/./) as string }],
    });
  });
});

describe("invoke", () => {
  test.each<{ given: unknown[]; problem: string }>([
    { given: [3, {}], problem: "Toolhost invoke: expected a tool's name, got number 3." },
    { given: ["read", {}, 1], problem: "Toolhost invoke: options: expected an object, got number 1." },
    { given: ["read", {}, { sesion: "x" }], problem: 'Toolhost invoke: "sesion": there is no such option; ' },
    { given: ["read", {}, { session: "" }], problem: "Toolhost invoke: session: expected a text of at most 200" },
    { given: ["read", {}, { signal: {} }], problem: "Toolhost invoke: signal: expected an AbortSignal, got" },
    {
      given: ["read", {}, { onProgress: 1 }],
      problem: "Toolhost invoke: onProgress: expected a function, got number 1.",
    },
  ])("$problem", async ({ given, problem }) => {
    const { api } = rig();
    const failed: unknown = await api
      .invoke(...(given as Parameters<ToolApi["invoke"]>))
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TypeError);
    expect(String(failed)).toContain(problem);
  });

  test("never rejects for a call that fails", async () => {
    const { api } = rig();
    expect(await api.invoke("nope", {})).toMatchObject({ error: { type: "unknown_tool" } });
    expect(await api.invoke("toolhost_sample", [] as object)).toMatchObject({ error: { type: "invalid_input" } });
    expect(await api.invoke("read", { path: "a" })).toMatchObject({ error: { type: "unavailable" } });
    expect(await api.invoke("sample", {}, { signal: AbortSignal.abort() })).toMatchObject({
      error: { type: "cancelled" },
    });
  });
});
