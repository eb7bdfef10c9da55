import { describe, expect, test } from "vitest";
import { defineExternalTool, type ExternalToolDefinition } from "../../../src/core/externalTool.js";
import type { Tool } from "../../../src/core/contract.js";
import { ToolError } from "../../../src/core/errors.js";
import { parseInput } from "../../../src/core/pipeline/input.js";

const BASE: ExternalToolDefinition = {
  name: "issues-create",
  group: "github",
  description: "Creates an issue.",
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      title: { type: "string", minLength: 1 },
      state: { enum: ["open", "closed"] },
      labels: { type: "array", items: { type: "string" } },
      where: { type: "object", properties: { "a/b": { type: "number" } }, required: ["a/b"] },
      count: { type: ["integer", "null"], minimum: 0 },
    },
    required: ["title"],
  },
  execute: async (input) => ({ text: JSON.stringify(input) }),
};

const tool = defineExternalTool(BASE);

function refusal(raw: unknown, of: Tool = tool): string {
  try {
    parseInput(of, raw);
  } catch (error) {
    return error instanceof ToolError && error.type === "invalid_input"
      ? error.message
      : `not refused as invalid_input: ${String(error)}`;
  }
  return "taken";
}

describe("input", () => {
  test.each<{ what: string; raw: Record<string, unknown> }>([
    { what: "the least", raw: { title: "a" } },
    { what: "everything", raw: { title: "a", state: "open", labels: ["x"], where: { "a/b": 1 }, count: null } },
    { what: "fields that the schema does not name", raw: { title: "a", more: { deep: [1] } } },
  ])("is taken as it came: $what", ({ raw }) => {
    expect(parseInput(tool, raw)).toEqual(raw);
  });

  test.each<{ raw: unknown; message: string }>([
    { raw: {}, message: 'Instance does not have required property "title".' },
    { raw: { title: 5 }, message: 'title: Instance type "number" is invalid. Expected "string".' },
    { raw: { title: "a", state: "half" }, message: 'state: Instance does not match any of ["open","closed"].' },
    {
      raw: { title: "a", labels: ["x", 2] },
      message: 'labels[1]: Instance type "number" is invalid. Expected "string".',
    },
    {
      raw: { title: "a", where: { "a/b": "x" } },
      message: 'where.a/b: Instance type "string" is invalid. Expected "number".',
    },
    { raw: { title: "a", where: {} }, message: 'where: Instance does not have required property "a/b".' },
    { raw: { title: "a", count: -1 }, message: "count: -1 is less than 0." },
    { raw: [], message: "input must be an object, got an array of 0." },
  ])("is refused: $raw", ({ raw, message }) => {
    expect(refusal(raw)).toBe(`issues-create: ${message}`);
  });

  test("is refused with all its problems at once", () => {
    expect(refusal({ state: "half", labels: [1] })).toBe(
      'issues-create: Instance does not have required property "title".; state: Instance does not match any of ["open","closed"].; labels[0]: Instance type "number" is invalid. Expected "string".'.replaceAll(
        ".;",
        ";",
      ),
    );
  });

  test("of 10 MB does not become 10 MB of message", () => {
    const closed = defineExternalTool({
      ...BASE,
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
    });
    expect(refusal({ ["x".repeat(10_000_000)]: 1 }, closed).length).toBeLessThan(2_500);
    expect(refusal({ title: 5, more: "x".repeat(10_000_000) }).length).toBeLessThan(2_500);
  });

  test("with keys of the prototype is data like any other", () => {
    const raw = JSON.parse('{"title":"a","__proto__":{"title":1},"constructor":2}') as Record<string, unknown>;
    expect(Object.keys(parseInput(tool, raw))).toEqual(["title", "__proto__", "constructor"]);
    expect(refusal(JSON.parse('{"__proto__":{"title":"a"}}'))).toContain('required property "title"');
  });
});

describe("drafts", () => {
  test.each<{ what: string; schema: Record<string, unknown>; good: unknown; bad: unknown }>([
    {
      what: "definitions",
      schema: { definitions: { id: { type: "integer" } }, properties: { a: { $ref: "#/definitions/id" } } },
      good: 1,
      bad: "x",
    },
    {
      what: "$defs",
      schema: { $defs: { id: { type: "integer" } }, properties: { a: { $ref: "#/$defs/id" } } },
      good: 1,
      bad: "x",
    },
    {
      what: "a tuple of draft 7",
      schema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        properties: { a: { type: "array", items: [{ type: "string" }] } },
      },
      good: ["x"],
      bad: [1],
    },
    {
      what: "a tuple of 2020-12",
      schema: { properties: { a: { type: "array", prefixItems: [{ type: "string" }] } } },
      good: ["x"],
      bad: [1],
    },
    {
      what: "a boolean bound of draft 4",
      schema: {
        $schema: "http://json-schema.org/draft-04/schema#",
        properties: { a: { minimum: 0, exclusiveMinimum: true } },
      },
      good: 1,
      bad: 0,
    },
    {
      what: "a choice",
      schema: { properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } },
      good: null,
      bad: 1,
    },
  ])("$what", ({ schema, good, bad }) => {
    const drafted = defineExternalTool({ ...BASE, inputSchema: schema });
    expect(refusal({ a: good }, drafted)).toBe("taken");
    expect(refusal({ a: bad }, drafted)).toMatch(/^issues-create: a/);
  });
});

test("nothing is known of what it reaches, and hints it does not give are pessimistic", () => {
  expect(tool).toMatchObject({
    touches: undefined,
    preview: undefined,
    external: true,
    needs: [],
    expose: "optional",
    title: "issues-create",
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  });
  expect(defineExternalTool({ ...BASE, annotations: { readOnly: true } }).annotations).toEqual({
    readOnly: true,
    destructive: true,
    idempotent: false,
    openWorld: true,
  });
  expect(tool.summary({ title: "a" })).toBe("Call issues-create");
});
