import { Validator, type Schema } from "@cfworker/json-schema";
import { describe, expect, it, test } from "vitest";
import { fromZodIssues, tellIssues } from "../../../../src/core/pipeline/issues.js";
import { checkerOf, valueSchema, type ValueSchema } from "../../../../src/features/custom/parameters.js";

/** What is wrong with a value, in the words that models read; undefined if nothing is. */
function wrong(schema: ValueSchema, value: unknown): string | undefined {
  const { error } = checkerOf(schema).safeParse(value);
  return error && tellIssues(fromZodIssues(error, value, []));
}

const VALUES = [
  ...["", "a", "abc", 0, 1, 7, 1.5, -3, true, false, null],
  ...[[], ["a"], ["a", "b", "c"], [1, 2], {}, { a: "x" }, { a: 1 }, { a: "x", b: 1 }, { b: 1 }],
];

test.each<ValueSchema>([
  {},
  { type: "string" },
  { type: "string", minLength: 1, maxLength: 2 },
  { type: "number", minimum: 1, maximum: 1.5 },
  { type: "integer" },
  { type: "integer", minimum: 1, maximum: 3 },
  { type: "boolean" },
  { type: "array" },
  { type: "array", minItems: 1, maxItems: 2 },
  { type: "array", items: { type: "string" } },
  { type: "object" },
  { type: "object", properties: { a: { type: "string" } } },
  { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
  { enum: ["a", 1, true] },
  { type: "string", enum: ["a", "a"] },
])("%j decides as JSON Schema does", (schema) => {
  expect(valueSchema().safeParse(schema).success).toBe(true);
  const validator = new Validator(schema as Schema);
  const right = VALUES.filter((value) => validator.validate(value).valid);
  expect(VALUES.filter((value) => wrong(schema, value) === undefined)).toEqual(right);
});

test.each<[object, string]>([
  [{ minimum: 1 }, 'minimum: has no effect without "type": "number" or "type": "integer"'],
  [{ type: "number", maxLength: 1 }, 'maxLength: has no effect without "type": "string"'],
  [{ properties: { n: { type: "integer" } } }, 'properties: has no effect without "type": "object"'],
  [{ type: "array", items: { minItems: 1 } }, 'items.minItems: has no effect without "type": "array"'],
  [{ type: "object", properties: {}, required: ["n"] }, "required[0]: n is not among the properties"],
])("%j, which would check nothing, is refused", (schema, problem) => {
  const { error } = valueSchema().safeParse(schema);
  expect(error && tellIssues(fromZodIssues(error, schema, []))).toBe(problem);
});

describe("a schema of a tool's input", () => {
  it("gives what is missing its default, at every depth", () => {
    const inner: ValueSchema = { type: "object", properties: { n: { type: "integer", default: 3 } } };
    expect(checkerOf({ ...inner, properties: { ...inner.properties, inner } }).parse({ inner: {} })).toEqual({
      n: 3,
      inner: { n: 3 },
    });
  });

  it("says what is wrong and where", () => {
    const schema: ValueSchema = {
      type: "object",
      properties: {
        count: { type: "integer", minimum: 1 },
        colour: { enum: ["red", 1, "red"] },
        names: { type: "array", maxItems: 1 },
      },
      required: ["count"],
      additionalProperties: false,
    };
    expect(wrong(schema, {})).toBe("count: required (number), got nothing");
    expect(wrong(schema, { count: 0 })).toBe("count: must be at least 1, got 0");
    expect(wrong(schema, { count: 1, colour: "blue" })).toBe('colour: must be one of red, 1; got string "blue"');
    expect(wrong(schema, { count: 1, names: ["a", "b"] })).toBe("names: must be at most 1 entry long");
    expect(wrong(schema, { count: 1, size: 1 })).toBe("size: unknown field");
  });
});
