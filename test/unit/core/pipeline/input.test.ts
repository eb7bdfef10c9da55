import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineTool } from "../../../../src/core/defineTool.js";
import { ToolError } from "../../../../src/core/errors.js";
import { parseInput } from "../../../../src/core/pipeline/input.js";
import { nested, sample, toolLike } from "../someTool.js";

const FIELDS =
  "Fields of sample: path (string, required), limit (integer), ratio (number), deep (boolean), mode (fast|slow), tags (array), edits (array of {old_text, new_text}), env (object).";

/** What a wrong input is answered with. */
function refusal(raw: unknown, tool = sample): ToolError {
  try {
    parseInput(tool, raw);
  } catch (error) {
    if (error instanceof ToolError) {
      return error;
    }
    throw error;
  }
  throw new Error("was taken");
}

/** An object as JSON.parse makes it, `__proto__` being a field like any other. */
const fromJson = (json: string): unknown => JSON.parse(json);

describe("what is taken", () => {
  test.each([
    { what: "the least", raw: { path: "a" }, input: { path: "a", mode: "fast" } },
    {
      what: "null prototype",
      raw: Object.assign(Object.create(null) as object, { path: "a" }),
      input: { path: "a", mode: "fast" },
    },
    { what: "an alias", raw: { file_path: "a" }, input: { path: "a", mode: "fast" } },
    { what: "several aliases", raw: { filePath: "a", max: 3 }, input: { path: "a", limit: 3, mode: "fast" } },
    {
      what: "an alias beside its field with the same value",
      raw: { path: "a", file_path: "a" },
      input: { path: "a", mode: "fast" },
    },
    {
      what: "an alias beside a field that is not set",
      raw: { path: undefined, file_path: "a" },
      input: { path: "a", mode: "fast" },
    },
    {
      what: "a field beside an alias that is not set",
      raw: { path: "a", file_path: undefined },
      input: { path: "a", mode: "fast" },
    },
    {
      what: "undefined in an optional field",
      raw: { path: "a", limit: undefined },
      input: { path: "a", mode: "fast" },
    },
    {
      what: "a whole number written as a float",
      raw: { path: "a", limit: 3.0 },
      input: { path: "a", limit: 3, mode: "fast" },
    },
  ])("$what", ({ raw, input }) => {
    expect(parseInput(sample, raw)).toMatchObject(input);
  });

  test.each<{ what: string; raw: Record<string, unknown>; input: Record<string, unknown> }>([
    { what: "a number as a string", raw: { limit: "10", ratio: "0.5" }, input: { limit: 10, ratio: 0.5 } },
    { what: "a switch as a string", raw: { deep: "true" }, input: { deep: true } },
    { what: "null for a field that is not given", raw: { limit: null, mode: null }, input: { mode: "fast" } },
    { what: "a list as JSON", raw: { tags: '["a","b"]' }, input: { tags: ["a", "b"] } },
    { what: "one entry without its list", raw: { tags: "a" }, input: { tags: ["a"] } },
    { what: "an object as JSON", raw: { env: '{"A":"b"}' }, input: { env: { A: "b" } } },
    {
      what: "one object without its list",
      raw: { edits: { old_text: "x", new_text: "y" } },
      input: { edits: [{ old_text: "x", new_text: "y" }] },
    },
    {
      what: "a list of objects as JSON",
      raw: { edits: '[{"old_text":"x","new_text":"y"}]' },
      input: { edits: [{ old_text: "x", new_text: "y" }] },
    },
    { what: "a list of one where one is expected", raw: { limit: ["3"] }, input: { limit: 3 } },
    { what: "words that only explain", raw: { description: "why", explanation: "how", goal: "what" }, input: {} },
    {
      what: "words that only explain an entry",
      raw: { edits: [{ old_text: "x", new_text: "y", explanation: "why" }] },
      input: { edits: [{ old_text: "x", new_text: "y" }] },
    },
  ])("$what, losing nothing", ({ raw, input }) => {
    expect(parseInput(sample, { path: "a", ...raw })).toEqual({ path: "a", mode: "fast", ...input });
  });

  test("unknown fields, by a tool that wants them", () => {
    const loose = defineTool({ ...definition, input: () => z.looseObject({ path: z.string().describe("A path.") }) });
    expect(parseInput(loose, { path: "a", more: 1 })).toEqual({ path: "a", more: 1 });
  });
});

const definition = {
  name: "loose",
  group: "fs",
  title: "Loose",
  description: "Takes all.",
  output: () => z.undefined(),
  needs: [],
  annotations: sample.annotations,
  summary: () => "",
  execute: async () => ({ text: "" }),
} as const;

describe("what is refused, word by word", () => {
  test.each<{ raw: unknown; message: string }>([
    { raw: undefined, message: "input must be an object, got nothing." },
    { raw: null, message: "input must be an object, got null." },
    { raw: [{ path: "a" }], message: "input must be an object, got an array of 1." },
    { raw: '{"path":"a"}', message: 'input must be an object, got string "{\\"path\\":\\"a\\"}".' },
    { raw: 7, message: "input must be an object, got number 7." },
    { raw: true, message: "input must be an object, got boolean true." },
    { raw: () => undefined, message: "input must be an object, got a function." },
    { raw: {}, message: "path: required (string), got nothing." },
    { raw: { path: 5 }, message: "path: expected string, got number 5." },
    { raw: { path: null }, message: "path: expected string, got null." },
    { raw: { path: ["a", "b"] }, message: "path: expected string, got an array of 2." },
    { raw: { path: { a: 1 } }, message: "path: expected string, got an object." },
    { raw: { path: { length: 0 } }, message: "path: expected string, got an object." },
    { raw: { path: { length: { valueOf: 1, toString: 1 } } }, message: "input cannot be read." },
    { raw: { path: "" }, message: "path: must be at least 1 character long." },
    { raw: { path: "a".repeat(21) }, message: "path: must be at most 20 characters long." },
    { raw: { path: "a", limit: "5 lines" }, message: 'limit: expected number, got string "5 lines".' },
    { raw: { path: "a", limit: "500" }, message: "limit: must be at most 100, got 500." },
    { raw: { path: "a", limit: "1.5" }, message: "limit: expected integer, got number 1.5." },
    { raw: { path: "a", limit: 1.5 }, message: "limit: expected integer, got number 1.5." },
    { raw: { path: "a", limit: 0 }, message: "limit: must be at least 1, got 0." },
    { raw: { path: "a", limit: 101 }, message: "limit: must be at most 100, got 101." },
    { raw: { path: "a", limit: Number.NaN }, message: "limit: expected number, got number NaN." },
    { raw: { path: "a", ratio: 0 }, message: "ratio: must be more than 0, got 0." },
    { raw: { path: "a", deep: "yes" }, message: 'deep: expected boolean, got string "yes".' },
    { raw: { path: "a", deep: 1 }, message: "deep: expected boolean, got number 1." },
    { raw: { path: "a", mode: "quick" }, message: 'mode: must be one of fast, slow; got string "quick".' },
    { raw: { path: "a", tags: 5 }, message: "tags: expected array, got number 5." },
    { raw: { path: "a", edits: "x" }, message: 'edits: expected array, got string "x".' },
    { raw: { path: "a", tags: [] }, message: "tags: must be at least 1 entry long." },
    { raw: { path: "a", tags: ["1", "2", "3", "4"] }, message: "tags: must be at most 3 entries long." },
    { raw: { path: "a", tags: ["1", 2] }, message: "tags[1]: expected string, got number 2." },
    { raw: { path: "a", edits: [{ old_text: "x" }] }, message: "edits[0].new_text: required (string), got nothing." },
    {
      raw: { path: "a", edits: [{ old_text: "x", new_text: "y", new_txt: "z" }] },
      message: "edits[0].new_txt: unknown field.",
    },
    { raw: { path: "a", env: { HOME: 1 } }, message: "env.HOME: expected string, got number 1." },
    { raw: { pth: "a" }, message: 'path: required (string), got nothing; pth: unknown field; did you mean "path"?' },
    { raw: { path: "a", lim: 1 }, message: 'lim: unknown field; did you mean "limit"?' },
    { raw: { path: "a", nonsense: 1 }, message: "nonsense: unknown field." },
    { raw: { path: "a", file_path: "b" }, message: "path: given twice, as path and file_path, with different values." },
    {
      raw: { file_path: "a", filePath: "b" },
      message: "path: given twice, as file_path and filePath, with different values.",
    },
    { raw: { file_path: 5 }, message: "path: expected string, got number 5." },
    { raw: fromJson('{"path":"a","__proto__":{"limit":5}}'), message: "__proto__: unknown field." },
    {
      raw: fromJson('{"__proto__":{"path":"a"}}'),
      message: "path: required (string), got nothing; __proto__: unknown field.",
    },
    {
      raw: fromJson('{"path":"a","constructor":1,"toString":2}'),
      message: "constructor: unknown field; toString: unknown field.",
    },
  ])("$raw", ({ raw, message }) => {
    expect(refusal(raw)).toMatchObject({ type: "invalid_input", message: `sample: ${message}`, hint: FIELDS });
  });

  test("several problems are told at once", () => {
    expect(refusal({ limit: "x", deep: 1, mod: "fast" }).message).toBe(
      'sample: path: required (string), got nothing; limit: expected number, got string "x"; deep: expected boolean, got number 1; mod: unknown field; did you mean "mode"?',
    );
  });

  test("very many problems are counted", () => {
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`zzz${index}`, 1]));
    expect(refusal({ path: "a", ...fields }).message).toMatch(/zzz7: unknown field; and 992 more problems\.$/);
  });

  test("a tool without fields says so", () => {
    const bare = toolLike({
      name: "bare",
      inputSchema: { type: "object", properties: {} },
      parse: () => ({ ok: false, issues: [{ path: "x", message: "unknown field" }] }),
    });
    expect(refusal({ x: 1 }, bare).hint).toBe("bare takes no fields: send {}.");
  });
});

describe("10 MB of input does not become 10 MB of message", () => {
  const long = "x".repeat(10_000_000);
  test.each<{ what: string; raw: unknown }>([
    { what: "as the input", raw: long },
    { what: "as a value", raw: { path: long } },
    { what: "in the wrong type", raw: { path: "a", limit: long } },
    { what: "as a choice", raw: { path: "a", mode: long } },
    { what: "as a name", raw: { path: "a", [long]: 1 } },
    {
      what: "as many names",
      raw: { path: "a", ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}${long}`, 1])) },
    },
    { what: "as the name of a nested field", raw: { path: "a", edits: [{ [long]: 1 }] } },
    { what: "as the name of an entry", raw: { path: "a", env: { [long]: 1 } } },
    { what: "as an entry", raw: { path: "a", tags: [1, long] } },
    { what: "given twice", raw: { path: long, file_path: `${long}y` } },
  ])("$what", ({ raw }) => {
    const { message, hint } = refusal(raw);
    expect(message.length + (hint?.length ?? 0)).toBeLessThan(4_000);
  });

  test("nor do the fields of a tool that has very many, or a very long choice", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `field_${index}`,
        { enum: Array.from({ length: 100 }, () => "choice") },
      ]),
    );
    const wide = toolLike({ inputSchema: { type: "object", properties }, parse: () => ({ ok: false, issues: [] }) });
    expect(refusal({}, wide).hint?.length).toBeLessThan(4_000);
  });
});

describe("deep nesting", () => {
  test("some levels are nothing special", () => {
    expect(refusal({ path: "a", env: { a: nested(100) } }).message).toBe(
      "sample: env.a: expected string, got an object.",
    );
  });

  test.each([1_000, 10_000, 100_000])("%i levels are refused in words", (depth) => {
    expect(refusal({ path: "a", env: nested(depth) }).message).toBe("sample: input is nested deeper than 200 levels.");
    expect(refusal({ path: "a", env: { a: nested(depth) } }).type).toBe("invalid_input");
    expect(refusal({ path: nested(depth), file_path: nested(depth) }).type).toBe("invalid_input");
    expect(refusal(nested(depth)).type).toBe("invalid_input");
    // The same in a string that is read as JSON.
    const json = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    expect(refusal({ path: "a", env: json }).message).toMatch(/^sample: env: expected object, got string /);
  });
});

test("any input is either taken or refused as invalid_input", () => {
  const key = fc.oneof(
    fc.constantFrom("path", "limit", "mode", "tags", "edits", "env", "file_path", "__proto__", "constructor", "length"),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.anything({ key, withNullPrototype: true }), fc.dictionary(key, fc.anything(), { maxKeys: 4 })),
      (raw) => {
        try {
          expect(parseInput(sample, raw)).toMatchObject({ path: expect.any(String) as string });
        } catch (error) {
          expect(error).toMatchObject({ type: "invalid_input" });
        }
      },
    ),
    { numRuns: 500 },
  );
});
