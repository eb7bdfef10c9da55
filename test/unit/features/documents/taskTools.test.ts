import { describe, expect, test } from "vitest";
import { failed, result } from "../../tools/workspace.js";
import { open, PATHS, text, onDocument } from "./kinds.js";

const task = (fields: string, body = "Do it."): string => `---\ntitle: T\n${fields}\n---\n${body}\n`;

describe("a task is made of what is given", () => {
  test.each<{ what: string; input: object; fields: object; body: string }>([
    {
      what: "a title alone",
      input: { name: "Fix it" },
      fields: { title: "Fix it", status: "pending", priority: "medium", blocked_by: [] },
      body: "",
    },
    {
      what: "a description",
      input: { name: "Fix it", description: "Where:\n- here" },
      fields: { priority: "medium" },
      body: "Where:\n- here",
    },
    { what: "a high priority", input: { name: "Fix it", priority: "high" }, fields: { priority: "high" }, body: "" },
    { what: "a low priority", input: { name: "Fix it", priority: "low" }, fields: { priority: "low" }, body: "" },
    {
      what: "tasks before it",
      input: { name: "Fix it", blocked_by: ["a", "b"] },
      fields: { blocked_by: ["a", "b"] },
      body: "",
    },
    {
      what: "other systems' names of fields",
      input: { title: "Fix it", body: "Now." },
      fields: { title: "Fix it" },
      body: "Now.",
    },
    {
      what: "a title that YAML takes for something else",
      input: { name: "yes: [no]" },
      fields: { title: "yes: [no]" },
      body: "",
    },
  ])("$what", async ({ input, fields, body }) => {
    const workspace = await open(
      { [PATHS.task("a")]: task("priority: low"), [PATHS.task("b")]: task("status: complete") },
      "memory",
    );
    const { name } = result<{ name: string }>(await onDocument(workspace, "task", "write", input)).data;
    expect(result(await onDocument(workspace, "task", "read", { name })).data).toMatchObject({
      problem: null,
      fields: { id: name, ...fields },
      body,
    });
  });

  test.each<{ what: string; input: object; says: RegExp }>([
    {
      what: "a priority that is none",
      input: { name: "x", priority: "urgent" },
      says: /priority: must be one of high, medium, low; got string "urgent"/,
    },
    { what: "a priority in capitals", input: { name: "x", priority: "HIGH" }, says: /priority/ },
    { what: "a status, which is the worker's", input: { name: "x", status: "complete" }, says: /status/ },
    { what: "one blocker that is no list", input: { name: "x", blocked_by: 7 }, says: /blocked_by/ },
    { what: "a title of two screens", input: { name: "x".repeat(500) }, says: /500 characters; the limit is 200/ },
  ])("and not of $what", async ({ input, says }) => {
    const workspace = await open({}, "memory");
    expect(failed(await onDocument(workspace, "task", "write", input))).toMatchObject({
      type: "invalid_input",
      message: expect.stringMatching(says) as string,
    });
    expect(await workspace.names(".")).toEqual([]);
  });
});

test.each([
  "priority: urgent",
  "status: done",
  "blocked_by: a",
  "created: yesterday",
  "title: ''",
  "tries: many",
  "tries: -1",
  "tries: 1.5",
  "tries: 1000000000",
])("a file that says %s is malformed, and an edit that would say it changes nothing", async (line) => {
  const workspace = await open(
    {
      [PATHS.task("bad")]: line.startsWith("title") ? `---\n${line}\n---\n` : task(line),
      [PATHS.task("a")]: task("priority: low"),
    },
    "memory",
  );
  const { tasks } = result<{ tasks: { name: string; problem: string | null }[] }>(
    await onDocument(workspace, "task", "list", {}),
  ).data;
  const field = line.split(":")[0] ?? "";
  expect(tasks).toMatchObject([
    { name: "a", problem: null },
    { name: "bad", problem: expect.stringMatching(new RegExp(`^${field}`)) as string },
  ]);
  const at = field === "title" ? 2 : 3;
  expect(
    failed(
      await onDocument(workspace, "task", "edit", {
        name: "a",
        patches: [{ start_line: at, end_line: at, content: line }],
      }),
    ).type,
  ).toBe("invalid_input");
  expect(await text(workspace, PATHS.task("a"))).toBe(task("priority: low"));
});

test("a task that is replaced while it is pending keeps what is not given again", async () => {
  const workspace = await open(
    {
      [PATHS.task("a")]: task("priority: high\nblocked_by: [b]\ncreated: 2026-01-01"),
      [PATHS.task("b")]: task("priority: low"),
    },
    "memory",
  );
  result(
    await onDocument(workspace, "task", "write", { name: "A", on_conflict: "overwrite", description: "Do more." }),
  );
  expect(result(await onDocument(workspace, "task", "read", { name: "a" })).data).toMatchObject({
    fields: { title: "A", priority: "high", blocked_by: ["b"], created: "2026-01-01" },
    body: "Do more.",
  });
  result(
    await onDocument(workspace, "task", "write", {
      name: "A",
      on_conflict: "overwrite",
      priority: "low",
      blocked_by: [],
    }),
  );
  expect(result(await onDocument(workspace, "task", "read", { name: "a" })).data).toMatchObject({
    fields: { priority: "low", blocked_by: [] },
    body: "Do more.",
  });
  // Its own name says nothing of its title.
  result(await onDocument(workspace, "task", "write", { name: "a", on_conflict: "overwrite", priority: "high" }));
  expect(result(await onDocument(workspace, "task", "read", { name: "a" })).data).toMatchObject({
    fields: { title: "A", priority: "high" },
  });
});

test("a list has the newest first, filters together, and pages; its total counts all that fit", async () => {
  const files = Array.from(
    { length: 12 },
    (_, day) =>
      [
        PATHS.task(`t${String(day).padStart(2, "0")}`),
        task(
          `created: 2026-01-${String(day + 1).padStart(2, "0")}\nstatus: ${day % 2 === 0 ? "pending" : "failed"}\npriority: ${day < 6 ? "high" : "low"}`,
        ),
      ] as const,
  );
  const workspace = await open(Object.fromEntries(files), "memory");
  const list = async (input: object): Promise<[string[], number]> => {
    const { tasks, total } = result<{ tasks: { name: string }[]; total: number }>(
      await onDocument(workspace, "task", "list", input),
    ).data;
    return [tasks.map(({ name }) => name), total];
  };
  expect(await list({ limit: 3 })).toEqual([["t11", "t10", "t09"], 12]);
  expect(await list({ limit: 3, offset: 10 })).toEqual([["t01", "t00"], 12]);
  expect(await list({ status: "failed", priority: "high" })).toEqual([["t05", "t03", "t01"], 3]);
  expect(await list({ status: "failed", priority: "high", limit: 1, offset: 1 })).toEqual([["t03"], 3]);
  expect(await list({ status: "waiting" })).toEqual([[], 0]);
  expect(failed(await onDocument(workspace, "task", "list", { status: "done" })).message).toMatch(/status/);
});
