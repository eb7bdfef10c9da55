import { Validator, type Schema } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRecord } from "../../../src/core/jsonSchema.js";
import { wireSchema } from "../../../src/core/wireSchema.js";
import { tools } from "../../../src/tools/index.js";

const [a, b] = [{ type: "string" }, { type: "integer" }];
const field = (schema: object): object => ({ type: "object", properties: { a: schema } });

describe("the schema that is sent to models", () => {
  test.each<{ what: string; schema: object; result: object }>([
    { what: "nothing", schema: {}, result: { type: "object", properties: {} } },
    {
      what: "the plain words stay",
      schema: {
        type: "object",
        properties: { a: { type: "array", description: "Some.", items: { type: "string", enum: ["x", "y"] } }, b },
        required: ["a"],
      },
      result: {
        type: "object",
        properties: { a: { type: "array", description: "Some.", items: { type: "string", enum: ["x", "y"] } }, b },
        required: ["a"],
      },
    },
    {
      what: "what only a validator needs goes",
      schema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        $id: "x",
        title: "Input",
        ...field({
          ...a,
          title: "A",
          format: "uri",
          pattern: "^\\S+$",
          minLength: 1,
          maxLength: 10_000,
          examples: ["x"],
          deprecated: true,
        }),
        additionalProperties: false,
        if: { required: ["a"] },
        then: { required: ["b"] },
        not: {},
        enum: [1],
      },
      result: field(a),
    },
    {
      what: "a root that is no object",
      schema: { type: "array", items: a },
      result: { type: "object", properties: {} },
    },
    {
      what: "a map's values stay, but not what its keys are",
      schema: field({ type: "object", propertyNames: { type: "string" }, additionalProperties: a }),
      result: field({ type: "object", additionalProperties: a }),
    },
    {
      what: "a map of values of several types, or of anything, is any object",
      schema: {
        type: "object",
        properties: {
          a: { type: "object", additionalProperties: { type: ["string", "null"] } },
          b: { type: "object", additionalProperties: {} },
        },
      },
      result: { type: "object", properties: { a: { type: "object" }, b: { type: "object" } } },
    },
    {
      what: "a list without items is one of anything",
      schema: field({ type: ["array", "null"] }),
      result: field({ type: "array", items: {} }),
    },
    {
      what: "a constant is an enum of one",
      schema: field({ const: "x" }),
      result: field({ type: "string", enum: ["x"] }),
    },
    {
      what: "constants that are not strings are said",
      schema: { type: "object", properties: { a: { const: true }, b: { enum: [1, 2], description: "Which" } } },
      result: {
        type: "object",
        properties: {
          a: { type: "boolean", description: "Only true." },
          b: { type: "number", description: "Which. Only 1, 2." },
        },
      },
    },
    {
      what: "an empty text is said, since Gemini refuses it in an enum",
      schema: field({ type: "string", description: "What it is", enum: ["", "x", "y"] }),
      result: field({ type: "string", description: 'What it is. Or "".', enum: ["x", "y"] }),
    },
    {
      what: "an empty text alone is no enum",
      schema: field({ type: "string", enum: [""] }),
      result: field({ type: "string", description: 'Only "".' }),
    },
    {
      what: "alternatives of constants are an enum",
      schema: field({ oneOf: [{ const: "x", title: "X" }, { const: "y" }, { enum: ["z"] }, { type: "null" }] }),
      result: field({ type: "string", enum: ["x", "y", "z"] }),
    },
    {
      what: "an enum or any other text is a text",
      schema: field({
        anyOf: [
          { type: "string", enum: ["x"] },
          { type: "string", description: "Any." },
        ],
      }),
      result: field({ type: "string" }),
    },
    {
      what: "of alternatives that differ, the first remains",
      schema: field({ description: "One or some.", anyOf: [{ type: "null" }, a, { type: "array", items: a }] }),
      result: field({ type: "string", description: "One or some." }),
    },
    {
      what: "what may be left out need not be null",
      schema: field({ type: ["string", "null"], nullable: true }),
      result: field(a),
    },
    {
      what: "that what must be given may be null is said, since Gemini takes no lists of types",
      schema: { ...field({ anyOf: [a, { type: "null" }] }), required: ["a"] },
      result: { ...field({ type: "string", description: "Or null." }), required: ["a"] },
    },
    {
      what: "that an object or an enum may be null is said after what it is",
      schema: {
        type: "object",
        properties: {
          a: { type: ["object", "null"], properties: { b }, description: "Where" },
          c: { enum: ["x", null], description: "Which." },
          d: { type: ["string", "null"], description: "Null removes it." },
        },
        required: ["a", "c", "d"],
      },
      result: {
        type: "object",
        properties: {
          a: { type: "object", properties: { b }, description: "Where. Or null." },
          c: { type: "string", enum: ["x"], description: "Which. Or null." },
          d: { type: "string", description: "Null removes it." },
        },
        required: ["a", "c", "d"],
      },
    },
    {
      what: "alternative objects: all fields, and what each requires",
      schema: {
        anyOf: [
          { properties: { a, kind: { const: "one" } }, required: ["a", "kind"] },
          { properties: { b, kind: { const: "two" } }, required: ["kind"] },
        ],
      },
      result: {
        type: "object",
        properties: { a, kind: { type: "string", enum: ["one", "two"] }, b },
        required: ["kind"],
      },
    },
    {
      what: "alternatives that only require",
      schema: { properties: { a, b }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      result: { type: "object", properties: { a, b } },
    },
    {
      what: "allOf: all fields and all that is required, also of a field",
      schema: field({
        allOf: [
          { type: "object", properties: { a }, required: ["a"] },
          { properties: { b }, required: ["b"] },
          { allOf: [{ description: "Both." }] },
        ],
      }),
      result: field({ type: "object", description: "Both.", properties: { a, b }, required: ["a", "b"] }),
    },
    {
      what: "references are put in place",
      schema: {
        $ref: "#/$defs/Input",
        $defs: {
          Input: { properties: { a: { $ref: "#/$defs/a~1b", description: "Mine." } }, required: ["a"] },
          "a/b": { type: "string", description: "Theirs." },
        },
      },
      result: { type: "object", properties: { a: { type: "string", description: "Mine." } }, required: ["a"] },
    },
    { what: "a reference to nothing", schema: field({ $ref: "#/gone" }), result: field({}) },
    { what: "a reference elsewhere", schema: field({ $ref: "https://example.com/x" }), result: field({}) },
    {
      what: "a required field that it does not define",
      schema: { ...field(a), required: ["a", "toString", 7] },
      result: { ...field(a), required: ["a"] },
    },
    {
      what: "parts that are none",
      schema: { anyOf: "x", allOf: [null, 7], required: "a", properties: [] },
      result: { type: "object", properties: {} },
    },
    {
      what: "fields that are called like keywords",
      schema: { properties: { type: a, const: b, anyOf: a } },
      result: { type: "object", properties: { type: a, const: b, anyOf: a } },
    },
    {
      what: "defaults and limits are said",
      schema: {
        properties: {
          a: { type: "integer", description: "How many", default: 10, minimum: 1, maximum: 50 },
          b: { type: "number", minimum: -5, maximum: 5 },
          c: { type: "integer", minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
        },
      },
      result: {
        type: "object",
        properties: {
          a: { type: "integer", description: "How many. At most 50. Default: 10." },
          b: { type: "number", description: "At most 5. At least -5." },
          c: { type: "integer" },
        },
      },
    },
    {
      what: "but not twice",
      schema: field({ type: "integer", description: "Up to 5,000 (default: 10).", default: 10, maximum: 5_000 }),
      result: field({ type: "integer", description: "Up to 5,000 (default: 10)." }),
    },
  ])("$what", ({ schema, result }) => {
    const before = structuredClone(schema);
    const wire = wireSchema(schema);
    expect(wire).toEqual(result);
    expect(schema).toEqual(before);
    // The agent counts its tokens, and a host sends it.
    expect(wireSchema(wire)).toBe(wire);
    expect(wireSchema(structuredClone(wire))).toEqual(wire);
  });

  test("references to references end, and soon", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        {
          properties: Object.fromEntries(
            ["a", "b", "c", "d"].map((name) => [name, { $ref: `#/$defs/d${(n + 1) % 40}` }]),
          ),
        },
      ]),
    );
    expect(JSON.stringify(wireSchema({ $ref: "#/$defs/d0", $defs })).length).toBeLessThan(200_000);
    expect(wireSchema({ $ref: "#" })).toEqual({ type: "object", properties: {} });
    expect(wireSchema({ properties: { a: { $ref: "#/properties/a" } } })).toEqual(field({}));
  });

  test("requires nothing that the original does not, whatever the original is", () => {
    const name = fc.constantFrom("a", "b", "c");
    const leaf = fc.record(
      { properties: fc.dictionary(name, fc.constantFrom(a, b)), required: fc.uniqueArray(name) },
      { requiredKeys: [] },
    );
    const branches = fc.array(leaf, { minLength: 1, maxLength: 3 });
    const schemas = fc.record(
      { type: fc.constant("object"), anyOf: branches, oneOf: branches, allOf: branches },
      { requiredKeys: ["type"] },
    );
    fc.assert(
      fc.property(schemas, fc.dictionary(name, fc.constantFrom("x", 1)), (schema, input) => {
        const { required = [] } = wireSchema(schema);
        if (new Validator(schema as Schema, "7").validate(input).valid) {
          for (const each of required) expect(input).toHaveProperty(each);
        }
      }),
    );
  });
});

describe.each(tools.map((tool) => ({ name: tool.name, tool })))("$name", ({ tool }) => {
  test("what a model may write by it, our own schema takes, or says what is wrong", () => {
    const wire = wireSchema(tool.inputSchema);
    expect(Object.keys(wire.properties)).toEqual(Object.keys(tool.inputSchema.properties));
    expect(wire.required ?? []).toEqual(tool.inputSchema.required ?? []);
    const typesOf = ({ properties }: { properties: Record<string, { type?: unknown }> }): unknown[] =>
      Object.values(properties).map(({ type }) => type);
    expect(typesOf(wire).every((type) => typeof type === "string")).toBe(true);
    expect(keywordsOf(wire)).toEqual(new Set([...keywordsOf(wire)].filter((word) => WORDS.includes(word))));
  });
});

const WORDS = ["type", "description", "enum", "properties", "required", "items", "additionalProperties"];

/** Returns the keywords of a schema and its parts. */
function keywordsOf(schema: unknown): Set<string> {
  if (!isRecord(schema)) {
    return new Set();
  }
  const { properties, items, additionalProperties } = schema;
  const parts = [...(isRecord(properties) ? Object.values(properties) : []), items, additionalProperties];
  return new Set([...Object.keys(schema), ...parts.flatMap((part) => [...keywordsOf(part)])]);
}
