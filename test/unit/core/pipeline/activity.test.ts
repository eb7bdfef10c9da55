import { describe, expect, test } from "vitest";
import { RecentActivity, rememberedInput, type ActivityEntry } from "../../../../src/core/pipeline/activity.js";
import { nested } from "../someTool.js";

describe("rememberedInput", () => {
  test.each<{ what: string; input: unknown; remembered: unknown }>([
    {
      what: "a small input",
      input: { path: "a", limit: 3, deep: true, none: null },
      remembered: { path: "a", limit: 3, deep: true, none: null },
    },
    {
      what: "a long text",
      input: { path: "x".repeat(210) },
      remembered: { path: `"${"x".repeat(200)}" (and 10 more characters)` },
    },
    {
      what: "many entries",
      input: Array.from({ length: 25 }, (_, index) => index),
      remembered: [...Array.from({ length: 20 }, (_, index) => index), "… 5 more"],
    },
    { what: "deep nesting", input: nested(6), remembered: { a: { a: { a: { a: "…" } } } } },
    { what: "no input", input: undefined, remembered: undefined },
    {
      what: "a field __proto__",
      input: JSON.parse('{"__proto__":{"x":1}}'),
      remembered: JSON.parse('{"__proto__":{"x":1}}'),
    },
  ])("$what", ({ input, remembered }) => {
    expect(rememberedInput(input)).toEqual(remembered);
  });

  test("many fields are cut and counted", () => {
    const fields = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index]));
    const remembered = rememberedInput(fields) as Record<string, unknown>;
    expect(Object.keys(remembered)).toHaveLength(21);
    expect(remembered["…"]).toBe("10 more");
  });

  test.each<{ what: string; input: unknown }>([
    { what: "text", input: { a: "x".repeat(10_000_000) } },
    {
      what: "names",
      input: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}${"x".repeat(100_000)}`, 1])),
    },
    { what: "entries", input: Array.from({ length: 1_000_000 }, () => "x") },
    { what: "levels", input: nested(100_000) },
    {
      what: "branches",
      input: {
        edits: Array.from({ length: 20 }, () =>
          Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => "x".repeat(1_000))),
        ),
      },
    },
  ])("megabytes of $what are not kept", ({ input }) => {
    expect(JSON.stringify(rememberedInput(input)).length).toBeLessThan(20_000);
  });
});

test("RecentActivity keeps the latest calls without their results, oldest first", () => {
  const activity = new RecentActivity();
  const entry: ActivityEntry = {
    callId: "",
    parentId: undefined,
    session: "s",
    door: "lm",
    tool: "read",
    input: {},
    started: 0,
    duration: 0,
    outcome: "ok",
    bytes: 0,
  };
  for (let index = 0; index < 501; index++) {
    activity.record({ ...entry, callId: String(index), result: "text" });
  }
  expect(activity.entries()).toHaveLength(500);
  expect(activity.entries()[0]?.callId).toBe("1");
  expect(activity.entries()[0]).not.toHaveProperty("result");
});
