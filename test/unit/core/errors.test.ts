import { describe, expect, test } from "vitest";
import { Cancelled, ERROR_TYPES, ToolError } from "../../../src/core/errors.js";
import { errorText, failure } from "../../../src/core/outcome.js";

test("the list of error types is the one that the design closes", () => {
  expect(ERROR_TYPES.join(" ")).toBe(
    "unknown_tool invalid_input not_found not_unique no_match conflict stale must_read path_conflict outside_workspace protected denied untrusted too_large binary is_directory unsupported unavailable timeout cancelled io_error forbidden_tool inner_tool_error source_not_found source_too_large invalid_json invalid_expression evaluation_error unknown_id page_out_of_range internal_error",
  );
});

describe("failure", () => {
  test("tells a ToolError as it is", () => {
    expect(failure("grep", new ToolError("not_found", "src: gone.", "Look again."))).toEqual({
      ok: false,
      error: { type: "not_found", message: "src: gone.", hint: "Look again." },
    });
    expect(failure("grep", new ToolError("binary", "a: is binary."))).toEqual({
      ok: false,
      error: { type: "binary", message: "a: is binary." },
    });
    expect(failure("grep", new Cancelled("grep"))).toMatchObject({ error: { type: "cancelled" } });
  });

  const unprintable: unknown = Object.create(null);
  const hostile = new Proxy(new Error("x"), {
    get: () => {
      throw new Error("trap");
    },
  });
  test.each<{ what: string; thrown: unknown; message: string }>([
    { what: "an Error", thrown: new TypeError("x is not a function"), message: "x is not a function" },
    { what: "a string", thrown: "broke", message: "broke" },
    { what: "undefined", thrown: undefined, message: "undefined" },
    { what: "null", thrown: null, message: "null" },
    { what: "a symbol", thrown: Symbol("s"), message: "Symbol(s)" },
    { what: "what cannot be printed", thrown: unprintable, message: "unknown reason" },
    { what: "what throws when looked at", thrown: hostile, message: "unknown reason" },
  ])("tells $what in words, without a stack", ({ thrown, message }) => {
    const outcome = failure("grep", thrown);
    expect(outcome).toMatchObject({
      ok: false,
      error: { type: "internal_error", message: `grep: failed unexpectedly: ${message}` },
    });
    expect(JSON.stringify(outcome)).not.toMatch(/\.ts:\d|at .*\(/);
  });

  test("of 10 MB is told short", () => {
    expect(JSON.stringify(failure("grep", new Error("x".repeat(10_000_000)))).length).toBeLessThan(2_000);
  });
});

test.each([
  {
    error: { type: "denied", message: "edit: no.", hint: "Ask." } as const,
    text: "Error (denied): edit: no.\nHint: Ask.",
  },
  { error: { type: "timeout", message: "edit: stopped." } as const, text: "Error (timeout): edit: stopped." },
])("errorText: $text", ({ error, text }) => {
  expect(errorText(error)).toBe(text);
});
