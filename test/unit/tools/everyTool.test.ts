// What a new tool is easily left without (docs/architecture.md, "A tool"): each is told here by the tool's name.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Tool, Touch } from "../../../src/core/contract.js";
import { ToolError } from "../../../src/core/errors.js";
import { isRecord } from "../../../src/core/jsonSchema.js";
import { withParts } from "../../../src/core/toolParts.js";
import type { CapabilityName } from "../../../src/ports/capabilities.js";
import { tools } from "../../../src/tools/index.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The texts of the files of a folder, by their paths. */
function textsBelow(folder: string, ending: string): Map<string, string> {
  const files = readdirSync(root + folder, { recursive: true, withFileTypes: true }).filter(
    ({ name }) => name.endsWith(ending) && name !== "everyTool.test.ts",
  );
  const paths = files.map(({ parentPath, name }) => `${parentPath}/${name}`);
  return new Map(paths.map((path) => [path.slice(root.length), readFileSync(path, "utf8")]));
}

const sources = textsBelow("src/tools", ".ts");
const defining = [...sources].flatMap(([path, text]) => (/\b(defineTool|combineTools)\(/.test(text) ? [path] : []));
const everySource = textsBelow("src", ".ts");
const names = tools.map(({ name }) => name);

const isTool = (value: unknown): boolean => isRecord(value) && "inputSchema" in value && "execute" in value;

test.each(defining)("what %s defines is in the list (src/tools/index.ts)", async (path) => {
  const exported = Object.entries((await import(root + path)) as Record<string, unknown>);
  const defined = exported.filter(([, value]) => isTool(value));
  expect(defined.filter(([, tool]) => !tools.includes(tool as Tool)).map(([name]) => name)).toEqual([]);
  // A file without a tool of its own has others make some; a door may pass one with a call.
  const users = [...everySource].filter(
    ([other, text]) => other !== path && text.includes(`/${path.replace(/^.*\/|\.ts$/g, "")}.js"`),
  );
  expect(defined.length + users.length).toBeGreaterThan(0);
});

/** Tools that no test of these folders names in quotes. */
function untested(folders: string[], among: readonly Tool[]): string[] {
  const all = folders.flatMap((folder) => [...textsBelow(folder, ".test.ts").values()]).join("\n");
  return among.flatMap(({ name }) => (new RegExp(`["'\`]${name}["'\`]`).test(all) ? [] : [name]));
}

test("every tool has a test in Node: test/unit/tools/<tool>.test.ts, or in test/system", () => {
  expect(untested(["test/unit", "test/system"], tools)).toEqual([]);
});

test("every tool that other agents are offered has a test in VS Code: test/integration/folder/<tool>.test.ts", () => {
  expect(
    untested(
      ["test/integration"],
      tools.filter(({ expose }) => expose !== "never"),
    ),
  ).toEqual([]);
});

test.each(["README.md", "CHANGELOG.md"])("every tool is named in %s", (page) => {
  const text = readFileSync(root + page, "utf8");
  const isIn = (name: string): boolean =>
    text.includes(`\`${name}\``) || text.includes(`\`${name.replace(/_[a-z]+$/, "_*")}\``);
  expect(names.filter((name) => !isIn(name))).toEqual([]);
});

/** What changes something, or has something changed: a tool that has none of these can only look. */
const CHANGING: readonly CapabilityName[] = [
  ...(["approvals", "changes", "externalTools", "messages", "processes", "sessions", "spool", "tasks"] as const),
];
/** Of these a tool that only looks needs none. Sessions and tools of others can be listed. */
const FOR_CHANGES: readonly CapabilityName[] = ["approvals", "changes", "messages", "processes", "spool", "tasks"];

/** What reads or changes files, or runs something. */
const FOR_FILES: readonly CapabilityName[] = ["files", "search", "changes", "processes", "tasks"];
/** Tools that end a task write its own file, which no call names. */
const OWN_TASK = ["complete_task", "fail_task", "wait_task"];

/** What reaches beyond the workspace, whatever the input. */
const REACHING_OUT: readonly CapabilityName[] = ["messages", "processes"];

describe.each(withParts(tools).map((tool) => ({ tool, name: tool.name })))("$name", ({ tool }) => {
  const touched = touchesOf(tool);

  test("says what a call reaches", () => {
    expect(tool.touches, `${tool.name} needs touches: without, each call asks the user`).toBeDefined();
  });

  test("has the permission that its needs call for", () => {
    const needed = tool.needs.filter((need) => FOR_FILES.includes(need));
    const reached = touched.filter(({ kind }) => kind !== "network");
    // The parts of a tool are in this table, too.
    const isDecided = reached.length > 0 || tool.parts !== undefined || OWN_TASK.includes(tool.name);
    expect(
      isDecided ? [] : needed,
      `${tool.name} needs what reaches files or runs commands, but touches nothing, so nobody decides on it`,
    ).toEqual([]);
  });

  test("has annotations that agree with what it reaches", () => {
    const { readOnly, destructive, idempotent, openWorld } = tool.annotations;
    // Asking a person again is not the same as asking once.
    const isRepeatable = readOnly && !tool.needs.includes("person");
    expect(
      idempotent || !isRepeatable,
      `${tool.name} is annotated as readOnly, so calling it again changes nothing more: annotate it as idempotent`,
    ).toBe(true);
    const reachesOut =
      tool.needs.some((need) => REACHING_OUT.includes(need)) || touched.some(({ kind }) => kind === "command");
    expect(openWorld || !reachesOut, `${tool.name} runs commands or sends messages: annotate it as openWorld`).toBe(
      true,
    );
    const reached = [...new Set(touched.map(({ kind }) => kind))].filter((kind) => !["read", "search"].includes(kind));
    if (readOnly) {
      expect(
        { needs: tool.needs.filter((need) => FOR_CHANGES.includes(need)), reached, destructive },
        `${tool.name} is annotated as readOnly, but needs or touches what is for changes, or is destructive`,
      ).toEqual({ needs: [], reached: [], destructive: false });
    } else {
      expect(
        [...tool.needs.filter((need) => CHANGING.includes(need)), ...reached],
        `${tool.name} needs and touches nothing that a call could change: annotate it as readOnly`,
      ).not.toEqual([]);
    }
  });
});

/** What calls with random input reach. */
function touchesOf(tool: Tool): Touch[] {
  const inputs = fc.sample(valueOf(tool.inputSchema), { numRuns: 300, seed: 16 });
  return inputs.flatMap((raw) => {
    const parsed = isRecord(raw) ? tool.parse(raw) : undefined;
    try {
      return parsed?.ok === true ? (tool.touches?.(parsed.input) ?? []) : [];
    } catch (error) {
      if (error instanceof ToolError) {
        return [];
      }
      throw error;
    }
  });
}

const PATCH = "*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch";

/** Values of a JSON Schema, as far as the inputs of tools go. Not all of them are valid. */
function valueOf(schema: Record<string, unknown>): fc.Arbitrary<unknown> {
  const options = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(schema["enum"])) {
    return fc.constantFrom(...(schema["enum"] as unknown[]));
  }
  if (Array.isArray(options)) {
    return fc.oneof(...options.filter(isRecord).map(valueOf));
  }
  const { items, properties, required } = schema;
  switch (schema["type"]) {
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return fc.integer({ min: 0, max: 20 });
    case "string":
      return fc.constantFrom("a", "a.md", "MEMORY.md", "src/a.ts", "30m", "webhook:x", PATCH);
    case "array":
      return fc.array(valueOf(isRecord(items) ? items : {}), { minLength: 1, maxLength: 2 });
    case "object": {
      const fields = Object.entries(isRecord(properties) ? properties : {}).filter(([, field]) => isRecord(field));
      const values = fields.map(([name, field]) => [name, valueOf(field as Record<string, unknown>)] as const);
      return fc.record(Object.fromEntries(values), {
        requiredKeys: Array.isArray(required) ? (required as string[]) : [],
      });
    }
    default:
      return schema["const"] === undefined ? fc.constantFrom("a", 1) : fc.constant(schema["const"]);
  }
}

/** The tools that models call most. */
const MOST_USED = ["read", "edit", "multi_edit", "apply_patch", "write", "grep", "glob", "ls", "exec", "process"];

/** Returns the places of a schema's fields that say nothing of what they are. */
function undescribed(schema: unknown, place: string): string[] {
  if (!isRecord(schema)) {
    return [];
  }
  const { properties, items, anyOf } = schema;
  const fields = Object.entries(isRecord(properties) ? properties : {});
  return [
    ...fields.flatMap(([name, field]) => [
      ...(isRecord(field) && typeof field["description"] === "string" ? [] : [`${place}.${name}`]),
      ...undescribed(field, `${place}.${name}`),
    ]),
    ...undescribed(items, place),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((each) => undescribed(each, place)) : []),
  ];
}

test.each(MOST_USED)("each field that %s returns to programs is described", (name) => {
  const schema = tools.find((tool) => tool.name === name)?.outputSchema;
  expect(schema).toMatchObject({ properties: expect.any(Object) as object });
  expect(undescribed(schema, name)).toEqual([]);
});
