import { describe, expect, test } from "vitest";
import { defineExternalTool } from "../../../src/core/externalTool.js";
import type { Tool } from "../../../src/core/contract.js";
import { Registry } from "../../../src/core/registry.js";
import { tools } from "../../../src/tools/index.js";
import { sample, toolLike } from "./someTool.js";

function registryOf(...names: string[]): Registry {
  const registry = new Registry();
  for (const name of names) {
    registry.register(toolLike({ name, group: name.startsWith("mem") ? "memory" : "fs" }));
  }
  return registry;
}

describe("a malformed definition is refused with what is wrong with it", () => {
  const schema = sample.inputSchema;
  const external = (name: string): Tool =>
    defineExternalTool({
      name,
      group: "x",
      description: "Does.",
      inputSchema: {},
      execute: async () => ({ text: "" }),
    });
  test.each<{ tool: Tool; problem: string }>([
    { tool: toolLike({ name: "" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "readFile" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "read-file" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "_read" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "read__file" }), problem: "must be named in snake_case" },
    { tool: toolLike({ name: "read\n" }), problem: "must be named in snake_case" },
    { tool: external("my tool"), problem: "must be named with letters, digits, _ and -" },
    { tool: external("tööl"), problem: "must be named with letters, digits, _ and -" },
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
    { tool: toolLike({ positional: ["gone"] }), problem: 'has a positional "gone" that is not a field' },
    { tool: toolLike({ aliases: { limit: "path" } }), problem: 'has an alias "limit" that is a field of its own' },
    { tool: toolLike({ aliases: { file: "gone" } }), problem: 'has an alias "file" for "gone", which is not a field' },
  ])("$problem", ({ tool, problem }) => {
    const registry = new Registry();
    expect(() => registry.register(tool)).toThrow(`Tool "${tool.name}" ${problem}.`);
    expect(registry.list()).toEqual([]);
  });

  test("a field without a schema", () => {
    const tool = defineExternalTool({
      name: "x",
      group: "x",
      description: "Does.",
      inputSchema: { properties: { a: true } },
      execute: async () => ({ text: "" }),
    });
    expect(() => new Registry().register(tool)).toThrow('Tool "x" has a field "a" without a schema.');
  });

  test("a list of required fields that is none", () => {
    const tool = defineExternalTool({
      name: "x",
      group: "x",
      description: "Does.",
      inputSchema: { required: true },
      execute: async () => ({ text: "" }),
    });
    expect(() => new Registry().register(tool)).toThrow('Tool "x" has a list of required fields that is no list.');
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

  test("external tools with names of their kind, and fields without a description", () => {
    const tool = defineExternalTool({
      name: "GitHub-search_2",
      group: "mcp",
      description: "Finds.",
      inputSchema: { properties: { q: {} } },
      execute: async () => ({ text: "" }),
    });
    expect(new Registry().register(tool)).toBeDefined();
  });

  test("the longest name and description", () => {
    expect(new Registry().register(toolLike({ name: "a".repeat(55), description: "x".repeat(1_024) }))).toBeDefined();
  });
});

test("a name is taken once, ours or external, until it is given back", () => {
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

test("names of every object's properties are names of no tool", () => {
  const registry = registryOf("read");
  expect([registry.get("constructor"), registry.get("__proto__"), registry.get("toString")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("finds tools by group, name and pattern", () => {
  const registry = registryOf("read", "edit", "memory_read", "memory_write");
  const names = (found: readonly Tool[]): string[] => found.map(({ name }) => name);
  expect(names(registry.byGroup("memory"))).toEqual(["memory_read", "memory_write"]);
  expect(names(registry.byGroup("none"))).toEqual([]);
  expect(names(registry.matching("read"))).toEqual(["read"]);
  expect(names(registry.matching(/^memory_/))).toEqual(["memory_read", "memory_write"]);
  // A global expression remembers where it stopped: it must not skip every other tool.
  expect(names(registry.matching(/read|edit/g))).toEqual(["read", "edit", "memory_read"]);
  expect(names(registry.matching(/READ/iy))).toEqual(["read", "memory_read"]);
});

test("tells of every change until nobody listens", () => {
  const registry = new Registry();
  let changes = 0;
  const listening = registry.onDidChange(() => changes++);
  const registration = registry.register(sample);
  registration.dispose();
  registration.dispose();
  expect(changes).toBe(2);
  listening.dispose();
  registry.register(sample);
  expect(changes).toBe(2);
});

describe("schemas", () => {
  const registry = registryOf("read", "edit");
  const { description, inputSchema } = sample;

  test("for Anthropic", () => {
    expect(registry.schemas("anthropic")).toEqual([
      { name: "read", description, input_schema: inputSchema },
      { name: "edit", description, input_schema: inputSchema },
    ]);
  });

  test("for OpenAI", () => {
    expect(registry.schemas("openai")[0]).toEqual({
      type: "function",
      function: { name: "read", description, parameters: inputSchema },
    });
  });

  test("for MCP", () => {
    expect(registry.schemas("mcp")[0]).toEqual({
      name: "read",
      title: "Sample",
      description,
      inputSchema,
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
