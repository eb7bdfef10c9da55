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
    { tool: toolLike({ name: "read\n" }), problem: "must be named in snake_case" },
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
