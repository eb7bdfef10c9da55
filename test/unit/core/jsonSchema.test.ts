import { Validator, type Schema } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  inputJsonSchema,
  isRecord,
  normalise,
  type JsonSchema,
  type JsonSchemaProperty,
} from "../../../src/core/jsonSchema.js";
import { tools } from "../../../src/tools/index.js";

describe("inputJsonSchema", () => {
  test("is the side of the caller: a field with a default may be left out", () => {
    const schema = inputJsonSchema(z.object({ a: z.string(), b: z.string().default("x"), c: z.string().optional() }));
    expect(schema.required).toEqual(["a"]);
    expect(schema.properties["b"]).toEqual({ type: "string", default: "x" });
  });

  test("is an object with properties also when there are none", () => {
    expect(inputJsonSchema(z.object({}))).toEqual({ type: "object", properties: {} });
  });

  test.each([
    { what: "a plain object", input: z.object({ a: z.string() }) },
    { what: "a strict one", input: z.strictObject({ a: z.string() }) },
    { what: "a loose one", input: z.looseObject({ a: z.string() }) },
  ])("leaves room for aliases: $what", ({ input }) => {
    expect(inputJsonSchema(input)).not.toHaveProperty("additionalProperties");
    expect(inputJsonSchema(input)).not.toHaveProperty("$schema");
  });

  test("does not bother models with the bounds of safe integers", () => {
    expect(inputJsonSchema(z.object({ a: z.int(), b: z.int().min(0) })).properties).toEqual({
      a: { type: "integer" },
      b: { type: "integer", minimum: 0 },
    });
  });
});

describe("normalise", () => {
  test.each<{ what: string; schema: Record<string, unknown>; result: JsonSchema }>([
    { what: "an empty schema", schema: {}, result: { type: "object", properties: {} } },
    { what: "properties that are none", schema: { properties: [] }, result: { type: "object", properties: {} } },
    {
      what: "an array without items",
      schema: { properties: { a: { type: "array" } } },
      result: { type: "object", properties: { a: { type: "array", items: {} } } },
    },
    {
      what: "an array that may be null",
      schema: { properties: { a: { type: ["array", "null"] } } },
      result: { type: "object", properties: { a: { type: ["array", "null"], items: {} } } },
    },
    {
      what: "arrays in arrays and in choices",
      schema: { properties: { a: { anyOf: [{ type: "array", items: { type: "array" } }, { type: "string" }] } } },
      result: {
        type: "object",
        properties: { a: { anyOf: [{ type: "array", items: { type: "array", items: {} } }, { type: "string" }] } },
      },
    },
    {
      what: "fields that are called like keywords",
      schema: { properties: { type: { type: "string" }, minimum: { type: "number" }, items: { type: "array" } } },
      result: {
        type: "object",
        properties: { type: { type: "string" }, minimum: { type: "number" }, items: { type: "array", items: {} } },
      },
    },
    {
      what: "bounds of its own",
      schema: { properties: { a: { minimum: 1, maximum: 9 } } },
      result: { type: "object", properties: { a: { minimum: 1, maximum: 9 } } },
    },
  ])("$what", ({ schema, result }) => {
    const before = structuredClone(schema);
    expect(normalise(schema)).toEqual(result);
    expect(schema).toEqual(before);
  });
});

// Of a tool made of several, each has a schema of its own.
const single = tools.flatMap((tool) => tool.parts?.map((part) => part.tool) ?? [tool]);

describe.each(single.map((tool) => ({ name: tool.name, tool })))("$name", ({ tool }) => {
  test("has a schema that every model API takes", () => {
    expect(tool.inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) as object });
    for (const keyword of ["anyOf", "oneOf", "allOf", "not", "$ref", "$schema", "additionalProperties"]) {
      expect(tool.inputSchema).not.toHaveProperty(keyword);
    }
    expect(arraysWithoutItems(tool.inputSchema)).toEqual([]);
    expect(JSON.parse(JSON.stringify(tool.inputSchema))).toEqual(tool.inputSchema);
  });

  test("what the pipeline takes, the schema that models and Copilot see takes, too", () => {
    const validator = new Validator(tool.inputSchema as Schema, "7", false);
    let taken = 0;
    fc.assert(
      fc.property(inputsFor(tool.inputSchema), (input) => {
        if (tool.parse(input).ok) {
          taken += 1;
          // write understands a JSON value as content, though its schema asks for a string.
          const asked = tool.name === "write" ? { ...input, content: "" } : input;
          expect(validator.validate(asked).errors).toEqual([]);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(taken).toBeGreaterThan(20);
  });

  test("what the schema takes of the fields it names, the pipeline takes, too", () => {
    const validator = new Validator(tool.inputSchema as Schema, "7", false);
    const known = new Set(Object.keys(tool.inputSchema.properties));
    fc.assert(
      fc.property(inputsFor(tool.inputSchema), (input) => {
        // JSON knows no difference between 1.0 and 1, and no integer past the safe ones.
        if (Object.keys(input).every((key) => known.has(key)) && validator.validate(input).valid) {
          expect(tool.parse(input)).toMatchObject({ ok: true });
        }
      }),
      { numRuns: 400 },
    );
  });
});

/** Inputs that are right, nearly right and wrong. */
function inputsFor(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(schema.properties).map(
    ([name, property]) => [name, fc.oneof({ weight: 12, arbitrary: valueFor(property) }, wild())] as const,
  );
  const required = schema.required ?? [];
  const right = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  return fc.oneof(
    { weight: 8, arbitrary: right },
    fc.record(Object.fromEntries(fields), { requiredKeys: [] }),
    fc
      .tuple(right, fc.dictionary(fc.string({ maxLength: 5 }), wild(), { maxKeys: 1 }))
      .map(([known, more]) => ({ ...known, ...more })),
  );
}

function valueFor(property: JsonSchemaProperty): fc.Arbitrary<unknown> {
  if (property.enum) {
    return fc.constantFrom(...property.enum);
  }
  switch (property.type) {
    case "string":
      return fc.string({ maxLength: 8, unit: fc.constantFrom("a", "/", "😀", " ") });
    case "integer":
      return fc.oneof(fc.integer({ min: -2, max: 20 }), fc.integer({ min: -2, max: 1_200 }));
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(isRecord(property.items) ? valueFor(property.items) : wild(), { maxLength: 3 });
    case "object":
      // What is in an array is mostly right, or hardly any array would be.
      return fc.oneof({ weight: 20, arbitrary: rightObject(property) }, wild());
    default:
      return wild();
  }
}

function rightObject({ properties, required }: JsonSchemaProperty): fc.Arbitrary<unknown> {
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchemaProperty>).map(
    ([name, field]) => [name, valueFor(field)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: (required ?? []) as string[] });
}

function wild(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constant(null),
    fc.string({ maxLength: 4 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
    fc.boolean(),
    fc.constant([]),
    fc.constant({}),
  );
}

function arraysWithoutItems(node: unknown, path = ""): string[] {
  if (Array.isArray(node)) {
    return node.flatMap((item, index) => arraysWithoutItems(item, `${path}[${index}]`));
  }
  if (!isRecord(node)) {
    return [];
  }
  const here = node["type"] === "array" && node["items"] === undefined ? [path] : [];
  return [...here, ...Object.entries(node).flatMap(([key, value]) => arraysWithoutItems(value, `${path}.${key}`))];
}
