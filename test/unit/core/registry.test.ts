import { describe, expect, test } from "vitest";
import type { Tool } from "../../../src/core/contract.js";
import { schemas } from "../../../src/core/formats.js";
import { Registry } from "../../../src/core/registry.js";
import { wireSchema } from "../../../src/core/wireSchema.js";
import { tools } from "../../../src/tools/index.js";
import { sample, toolLike } from "./someTool.js";

describe("a malformed definition is refused with what is wrong with it", () => {
  const schema = sample.inputSchema;
  test.each<{ tool: Tool; problem: string }>([
    { tool: toolLike({ name: "" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "readFile" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "read-file" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "_read" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "read__file" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "a".repeat(56) }), problem: "has a name longer than 55 characters" },
    { tool: toolLike({ description: " " }), problem: "needs a description" },
    {
      tool: toolLike({ description: "x".repeat(1_025) }),
      problem: "has a description of 1025 characters; 1024 at most",
    },
    {
      tool: toolLike({ inputSchema: { ...schema, properties: { path: { type: "string" } } } }),
      problem: 'has a field "path" without a description',
    },
    {
      tool: toolLike({ inputSchema: { ...schema, required: ["gone"] } }),
      problem: 'requires a field "gone" that its schema does not define',
    },
    {
      tool: toolLike({ inputSchema: { ...schema, required: ["toString"] } }),
      problem: 'requires a field "toString" that its schema does not define',
    },
    { tool: toolLike({ texts: ["gone"] }), problem: 'has a text "gone" that is not a field' },
    { tool: toolLike({ positional: ["gone"] }), problem: 'has a positional "gone" that is not a field' },
    { tool: toolLike({ aliases: { limit: "path" } }), problem: 'has an alias "limit" that is also a field' },
    { tool: toolLike({ aliases: { file: "gone" } }), problem: 'has an alias "file" for "gone", which is not a field' },
  ])("$problem", ({ tool, problem }) => {
    const registry = new Registry();
    expect(() => registry.register(tool)).toThrow(`Tool "${tool.name}" ${problem}.`);
    expect(registry.list()).toEqual([]);
  });
});

describe("what is let in", () => {
  test("all of our tools, in their order", () => {
    const registry = new Registry();
    tools.forEach((tool) => registry.register(tool));
    expect(registry.list()).toEqual(tools);
    expect(new Registry(tools).list()).toEqual(tools);
  });

  test("a schema is made once: what is kept by it is found again", () => {
    for (const tool of tools) {
      expect(tool.inputSchema).toBe(tool.inputSchema);
    }
  });

  test("the longest name and description", () => {
    expect(new Registry().register(toolLike({ name: "a".repeat(55), description: "x".repeat(1_024) }))).toBeDefined();
  });
});

test("a name is taken once, until it is given back", () => {
  const registry = new Registry();
  const first = registry.register(sample);
  expect(() => registry.register(toolLike({ title: "Another" }))).toThrow('Tool "sample" is already registered.');
  expect(registry.get("sample")).toBe(sample);
  first.dispose();
  expect(registry.get("sample")).toBeUndefined();
  const another = toolLike({ title: "Another" });
  registry.register(another);
  // Disposing twice does not take out who came after.
  first.dispose();
  expect(registry.get("sample")).toBe(another);
});

test.each([
  { name: "find_tool", problem: "has a name that is reserved: it begins with toolhost_ or is find_tool" },
  { name: "toolhost_read", problem: "has a name that is reserved: it begins with toolhost_ or is find_tool" },
  { name: "skill_read", problem: "has a name that is too much like skill_read; choose another" },
  { name: "multiedit", problem: "has a name that is too much like multi_edit; choose another" },
  { name: "r_ead", problem: "has a name that is too much like read; choose another" },
])("no later tool is called $name", ({ name, problem }) => {
  const registry = new Registry(tools);
  expect(() => registry.register(toolLike({ name }))).toThrow(`Tool "${name}" ${problem}.`);
  expect(registry.list()).toEqual(tools);
});

test.each([
  { name: "re\u202edaer", shown: "re\\u202edaer" },
  { name: "read\u001b[2J", shown: "read\\u001b[2J" },
  { name: "read\n", shown: "read\\n" },
  { name: "../../read", shown: "../../read" },
  { name: "reаd", shown: "reаd" }, // A Cyrillic letter.
  { name: "__proto__", shown: "__proto__" },
  { name: "read; rm", shown: "read; rm" },
])("a name that is made to deceive is refused and shown as it is: $shown", ({ name, shown }) => {
  expect(() => new Registry().register(toolLike({ name }))).toThrow(`Tool "${shown}" must be named in snake_case.`);
});

test("a refused name of 10 MB is not told whole", () => {
  try {
    new Registry().register(toolLike({ name: "x".repeat(10_000_000) }));
    expect.unreachable();
  } catch (error) {
    expect(String(error).length).toBeLessThan(200);
  }
});

test("listeners learn of every tool that comes or goes, until they leave", () => {
  const registry = new Registry([toolLike({ name: "read" })]);
  const seen: string[][] = [];
  const listening = registry.onDidChange(() => seen.push(registry.list().map(({ name }) => name)));
  const added = registry.register(sample);
  expect(registry.list()).toBe(registry.list());
  expect(() => registry.register(sample)).toThrow("already");
  expect(registry.wasRemoved("sample")).toBe(false);
  added.dispose();
  added.dispose();
  expect([registry.wasRemoved("sample"), registry.wasRemoved("read")]).toEqual([true, false]);
  registry.register(sample);
  expect(registry.wasRemoved("sample")).toBe(false);
  listening.dispose();
  registry.register(toolLike({ name: "other" }));
  expect(seen).toEqual([["read", "sample"], ["read"], ["read", "sample"]]);
});

test("a batch tells listeners once, even if it fails, and not at all if nothing changed", () => {
  const registry = new Registry();
  const seen: string[][] = [];
  registry.onDidChange(() => seen.push(registry.list().map(({ name }) => name)));
  registry.batch(() => {
    registry.register(toolLike({ name: "one" }));
    registry.batch(() => registry.register(toolLike({ name: "two" })));
    expect(registry.list()).toHaveLength(2);
  });
  registry.batch(() => undefined);
  expect(() =>
    registry.batch(() => {
      registry.register(toolLike({ name: "three" }));
      registry.register(toolLike({ name: "three" }));
    }),
  ).toThrow("already registered");
  registry.register(toolLike({ name: "four" }));
  expect(seen).toEqual([
    ["one", "two"],
    ["one", "two", "three"],
    ["one", "two", "three", "four"],
  ]);
});

test("a name like that of a removed tool is free again", () => {
  const registry = new Registry(tools);
  const added = registry.register(toolLike({ name: "get_pet" }));
  expect(registry.nameProblem("getpet")).toBe("has a name that is too much like get_pet; choose another");
  added.dispose();
  expect(registry.nameProblem("getpet")).toBeUndefined();
});

test("names of every object's properties are names of no tool", () => {
  const registry = new Registry([toolLike({ name: "read" })]);
  expect([registry.get("constructor"), registry.get("__proto__"), registry.get("toString")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe("schemas", () => {
  const both = [toolLike({ name: "read" }), toolLike({ name: "edit" })];
  const { description } = sample;
  const inputSchema = wireSchema(sample.inputSchema);

  test("for Anthropic", () => {
    expect(schemas(both, "anthropic")).toEqual([
      { name: "read", description, input_schema: inputSchema },
      { name: "edit", description, input_schema: inputSchema },
    ]);
  });

  test("for OpenAI", () => {
    expect(schemas(both, "openai")[0]).toEqual({
      type: "function",
      function: { name: "read", description, parameters: inputSchema },
    });
  });

  test("for MCP", () => {
    expect(schemas(both, "mcp")[0]).toEqual({
      name: "read",
      title: "Sample",
      description,
      inputSchema,
      outputSchema: {
        type: "object",
        properties: { done: { type: "boolean" } },
        required: ["done"],
        additionalProperties: false,
      },
      annotations: {
        title: "Sample",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
  });
});
