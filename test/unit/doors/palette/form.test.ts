import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineTool } from "../../../../src/core/defineTool.js";
import {
  editableText,
  fieldProblem,
  fieldValue,
  formFields,
  formProblems,
  given,
  shownValue,
  toggled,
} from "../../../../src/doors/palette/form.js";

const tool = defineTool({
  name: "sample",
  group: "fs",
  title: "Sample",
  description: "A tool with every kind of field.",
  input: () =>
    z.object({
      limit: z.int().min(1).max(9).optional().describe("How many."),
      path: z.string().describe("Where."),
      literal: z.boolean().optional().describe("Plain."),
      output: z.enum(["content", "files"]).optional().describe("What."),
      edits: z
        .array(z.object({ path: z.string().describe("Which.") }))
        .max(2)
        .optional()
        .describe("All of them."),
      text: z.string().describe("What to write; may be empty."),
    }),
  output: () => z.object({}),
  needs: [],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  summary: () => "",
  execute: async () => ({ text: "", data: {} }),
});

const field = (name: string) => {
  const found = formFields(tool).find((candidate) => candidate.name === name);
  if (found === undefined) {
    throw new Error(`no field ${name}`);
  }
  return found;
};

describe("a form made from a schema", () => {
  test.each([
    ["time_zone", "Time zone"],
    ["path", "Path"],
    ["base_url", "Base URL"],
    ["task_id", "Task ID"],
    ["userName", "userName"],
    ["x-header", "x-header"],
  ])("names the field %s %s", (name, label) => {
    const properties = { [name]: { type: "string" as const } };
    expect(formFields({ ...tool, inputSchema: { ...tool.inputSchema, properties } }).map((each) => each.label)).toEqual(
      [label],
    );
  });

  test("has the required fields first, each of the kind its type wants", () => {
    expect(formFields(tool).map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ["path", "text", true],
      ["text", "text", true],
      ["limit", "text", false],
      ["literal", "toggle", false],
      ["output", "choice", false],
      ["edits", "json", false],
    ]);
    expect(field("output").choices).toEqual(["content", "files"]);
  });

  test.each([
    ["limit", "5", 5],
    ["limit", "five", "five"],
    ["limit", "", undefined],
    ["path", "", ""],
    ["path", "5", "5"],
    ["edits", '[{"path":"a"}]', [{ path: "a" }]],
    ["edits", "[half", "[half"],
    ["edits", "", undefined],
  ])("%s typed as %j is %j", (name, typed, value) => {
    expect(fieldValue(field(name), typed)).toEqual(value);
  });

  test.each([
    ["limit", 5, undefined],
    ["limit", "five", "Limit: enter a whole number from 1 to 9"],
    ["limit", 10, "Limit: must be at most 9, got 10"],
    ["limit", 1.5, "Limit: enter a whole number from 1 to 9"],
    ["edits", [{}], "Edits, item 1, path is missing"],
    ["edits", [{ path: "a" }, { path: "b" }, { path: "c" }], "Edits: must be at most 2 entries long"],
    ["edits", "x", "Edits: enter a list in JSON, in square brackets"],
    ["path", undefined, "Path is missing"],
  ])("%s of %j: %s", (name, value, problem) => {
    expect(fieldProblem(tool, { path: "a", text: "", [name]: value }, name)).toBe(problem);
  });

  test("cannot be sent until nothing is wrong with it", () => {
    expect(formProblems(tool, {})).toEqual(["Path is missing", "Text is missing"]);
    expect(formProblems(tool, { path: "a", text: "", limit: undefined })).toEqual([]);
  });

  test("sends what was filled in and nothing else", () => {
    expect(given({ path: "a", limit: undefined, literal: false })).toEqual({ path: "a", literal: false });
  });

  test("shows values in one short line", () => {
    expect(shownValue(field("path"), undefined)).toBe("required");
    expect(shownValue(field("limit"), undefined)).toBe("");
    expect(shownValue(field("text"), "two\nlines")).toBe("two lines");
    expect(shownValue(field("text"), "x".repeat(9_999)).length).toBeLessThanOrEqual(200);
    expect(shownValue(field("edits"), [1, 2])).toBe("an array of 2");
  });

  test("a value is edited as it was typed", () => {
    for (const [name, typed] of [
      ["limit", "5"],
      ["path", "a b"],
      ["edits", '[{"path":"a"}]'],
    ] as const) {
      expect(editableText(fieldValue(field(name), typed))).toBe(typed);
    }
  });

  test("a switch goes from the tool's default to on, to off, and back", () => {
    expect([undefined, true, false].map(toggled)).toEqual([true, false, undefined]);
  });
});
