// What model servers take of JSON Schema, against every schema that is sent to one.
import { describe, expect, test } from "vitest";
import { schemas } from "../../../src/core/formats.js";
import { isRecord } from "../../../src/core/jsonSchema.js";
import { wireSchema } from "../../../src/core/wireSchema.js";
import { contributions } from "../../../src/manifest/manifest.js";
import { tools } from "../../../src/tools/index.js";
import llama from "./llamaGrammar.json" with { type: "json" };

interface Part {
  at: string;
  schema: Record<string, unknown>;
}

/** Returns a schema and all its parts. */
function partsOf(schema: unknown, at: string): Part[] {
  if (!isRecord(schema)) {
    return [];
  }
  const { properties, items, additionalProperties } = schema;
  return [
    { at, schema },
    ...(isRecord(properties) ? Object.entries(properties) : []).flatMap(([name, part]) =>
      partsOf(part, `${at}.${name}`),
    ),
    ...partsOf(items, `${at}[]`),
    ...partsOf(additionalProperties, `${at}.*`),
  ];
}

const wrong = (parts: readonly Part[], isRight: (schema: Part["schema"]) => boolean): string[] =>
  parts.filter(({ schema }) => !isRight(schema)).map(({ at, schema }) => `${at}: ${JSON.stringify(schema)}`);

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

const all = [
  ...Object.entries(LISTS).map(([list, named]) => ({ list, parts: named.flatMap((t) => partsOf(t.schema, t.name)) })),
  ...Object.entries(OTHERS).map(([list, schema]) => ({ list, parts: partsOf(wireSchema(schema), list) })),
];

describe.each(all)("$list", ({ parts }) => {
  test("llama.cpp makes a grammar of it: only kinds of parts that it was shown to compile", () => {
    const kindOf = ({ type = "any", description: _words, ...rest }: Part["schema"]): string =>
      `${String(type)}: ${Object.keys(rest).sort().join(", ")}`.trim();
    expect(wrong(parts, (schema) => llama.kinds.includes(kindOf(schema)))).toEqual([]);
    expect(llama.runs.flatMap(({ refused }) => refused)).toEqual([]);
  });

  /**
   * `Schema` of the Gemini API (ai.google.dev/api/caching, "Schema", and Vertex AI's reference of
   * `FunctionDeclaration`): fields it does not know are refused (`additionalProperties`, `const`, `propertyNames`,
   * `$ref`, lists of types). Values of an enum are strings, arrays need `items`. A map is the one thing that it cannot
   * express; its `parametersJsonSchema` takes `additionalProperties`.
   */
  test("Gemini knows it", () => {
    const known = ["type", "description", "enum", "properties", "required", "items", "additionalProperties"];
    expect(wrong(parts, (schema) => Object.keys(schema).every((word) => known.includes(word)))).toEqual([]);
    expect(wrong(parts, ({ type }) => type === undefined || typeof type === "string")).toEqual([]);
    expect(wrong(parts, ({ type, items }) => (type === "array") === (items !== undefined))).toEqual([]);
    expect(wrong(parts, ({ type, properties }) => properties === undefined || type === "object")).toEqual([]);
    expect(
      wrong(
        parts,
        ({ type, enum: values }) =>
          values === undefined ||
          (type === "string" && (values as unknown[]).every((value) => typeof value === "string" && value !== "")),
      ),
    ).toEqual([]);
  });

  /**
   * OpenAI, "Structured model outputs", "Supported schemas" (platform.openai.com/docs/guides/structured-outputs). That
   * every field is required and every object closed applies with `strict: true` alone, which we do not send: optional
   * fields would have to be given as null.
   */
  test("OpenAI's strict subset has the same words, within its limits", () => {
    const roots = parts.filter(({ at }) => !/[.[]/.test(at));
    expect(wrong(roots, ({ type, properties }) => type === "object" && isRecord(properties))).toEqual([]);
    // At most 5 levels of objects, and 1,000 values of enums in all.
    expect(parts.filter(({ at }) => at.split(/[.[]/).length > 6).map(({ at }) => at)).toEqual([]);
    const values = parts.flatMap(({ schema }) => (Array.isArray(schema["enum"]) ? (schema["enum"] as unknown[]) : []));
    expect(values.length).toBeLessThan(1_000);
    expect(
      wrong(parts, ({ required = [], properties = {} }) =>
        (required as string[]).every((name) => Object.hasOwn(properties as object, name)),
      ),
    ).toEqual([]);
  });
});
