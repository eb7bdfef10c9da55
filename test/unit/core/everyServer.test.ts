// What model servers take of JSON Schema, against every schema that is sent to one.
import { describe, expect, test } from "vitest";
import { schemas } from "../../../src/core/formats.js";
import { wireSchema } from "../../../src/core/wireSchema.js";
import { contributions } from "../../../src/manifest/manifest.js";
import { tools } from "../../../src/tools/index.js";
import { asGeminiJson, partsOf, refusedByGemini, refusedByLlama, refusedByOpenAi } from "../../harness/modelServers.js";

/** Every list of tools that leaves this house. */
const LISTS: Record<string, { name: string; schema: unknown }[]> = {
  "Chat Completions (describe --format openai)": schemas(tools, "openai").map((tool) => {
    const { name, parameters } = (tool as { function: { name: string; parameters: unknown } }).function;
    return { name, schema: parameters };
  }),
  "Anthropic's Messages (describe --format anthropic)": schemas(tools, "anthropic").map((tool) => {
    const { name, input_schema: schema } = tool as { name: string; input_schema: unknown };
    return { name, schema };
  }),
  MCP: schemas(tools, "mcp").map((tool) => {
    const { name, inputSchema: schema } = tool as { name: string; inputSchema: unknown };
    return { name, schema };
  }),
  "VS Code (package.json)": (
    contributions(tools) as { languageModelTools: { name: string; inputSchema: unknown }[] }
  ).languageModelTools.map(({ name, inputSchema: schema }) => ({ name, schema })),
  "our own agent": tools.map(({ name, inputSchema }) => ({ name, schema: wireSchema(inputSchema) })),
};

/** Schemas as other extensions and MCP servers write them: by Zod, Pydantic and by hand. */
const OTHERS: Record<string, object> = {
  zod: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      when: { type: "string", format: "date-time", pattern: "^\\d{4}-\\p{N}" },
      target: {
        oneOf: [
          { type: "object", properties: { kind: { const: "user" }, id: { type: "string", maxLength: 50_000 } } },
          { type: "object", properties: { kind: { const: "team" }, team: { type: "integer", exclusiveMinimum: 0 } } },
        ],
      },
      labels: { type: "object", propertyNames: { pattern: "^[a-z]" }, additionalProperties: { type: "string" } },
    },
    required: ["when", "target"],
    additionalProperties: false,
  },
  pydantic: {
    title: "Arguments",
    type: "object",
    $defs: { Color: { enum: ["red", "green"], type: "string", title: "Color" } },
    properties: {
      color: { $ref: "#/$defs/Color", default: "red" },
      count: { anyOf: [{ type: "integer" }, { type: "null" }], default: null, title: "Count" },
      order: { enum: ["", "asc", "desc"], type: "string" },
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "string" }], minItems: 2, maxItems: 2 },
    },
  },
};

/** The only map: our own tools have none. */
const MAP = "zod.labels";

const all = [
  ...Object.entries(LISTS).map(([list, named]) => ({ list, parts: named.flatMap((t) => partsOf(t.schema, t.name)) })),
  ...Object.entries(OTHERS).map(([list, schema]) => ({ list, parts: partsOf(wireSchema(schema), list) })),
];

describe.each(all)("$list", ({ parts }) => {
  test("llama.cpp makes a grammar of it: only kinds of parts that it was shown to compile", () => {
    expect(refusedByLlama(parts)).toEqual([]);
  });

  test("Gemini knows it, but for a map that another's tool has, which one of its two fields for schemas takes", () => {
    expect(refusedByGemini(asGeminiJson(parts))).toEqual([]);
    expect(refusedByGemini(parts)).toEqual(parts.some(({ at }) => at === MAP) ? [expect.stringContaining(MAP)] : []);
  });

  test("OpenAI's strict subset has the same words, within its limits", () => {
    expect(refusedByOpenAi(parts)).toEqual([]);
  });
});

describe("the checks themselves", () => {
  const refused = (schema: object, check: typeof refusedByLlama): string[] => check(partsOf(schema, "tool"));
  const deep = (levels: number): object =>
    levels === 0 ? { type: "string" } : { type: "object", properties: { "a.b": deep(levels - 1) } };

  test.each<{ what: string; schema: object; by: string[] }>([
    { what: "nothing", schema: { type: "object", properties: {} }, by: [] },
    { what: "a keyword", schema: { type: "object", properties: { a: { const: 1 } } }, by: ["llama", "gemini"] },
    {
      what: "an enum of numbers",
      schema: { type: "object", properties: { a: { enum: [1] } } },
      by: ["llama", "gemini"],
    },
    {
      what: "a list of anything",
      schema: { type: "object", properties: { a: { type: "array" } } },
      by: ["llama", "gemini"],
    },
    {
      what: "a map",
      schema: { type: "object", properties: { a: { type: "object", additionalProperties: { type: "string" } } } },
      by: ["gemini"],
    },
    {
      what: "a field that is required and missing",
      schema: { type: "object", properties: {}, required: ["a"] },
      by: ["openai"],
    },
    { what: "five levels", schema: deep(5), by: [] },
    { what: "six levels", schema: deep(6), by: ["openai"] },
  ])("$what", ({ schema, by }) => {
    const checks = { llama: refusedByLlama, gemini: refusedByGemini, openai: refusedByOpenAi };
    const names = Object.entries(checks).flatMap(([name, check]) => (refused(schema, check).length > 0 ? [name] : []));
    expect(names).toEqual(by);
  });
});
