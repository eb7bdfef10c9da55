import { describe, expect, test } from "vitest";
import { Approvals } from "../../../../src/features/documents/approvals.js";
import { parseDocument } from "../../../../src/features/documents/document.js";
import { setFields } from "../../../../src/features/documents/frontMatter.js";
import { TASK } from "../../../../src/features/documents/task.js";
import {
  endTask,
  findCycle,
  holdTask,
  isSpent,
  openBlockers,
  releaseTask,
  resumeTask,
  startTask,
  tasksToDo,
  type Task,
  type TaskChanges,
} from "../../../../src/features/documents/tasks.js";
import { openMemoryStore } from "../../../../src/hosts/node/state/store.js";

const NOW = Date.parse("2026-03-01T10:00:00.000Z");

function task(name: string, fields = "", body = ""): Task {
  return read(name, `---\ntitle: ${name}\n${fields}---\n${body}`);
}

function read(name: string, text: string): Task {
  const parsed = parseDocument(TASK, name, text);
  if (!parsed.ok) {
    throw new Error(parsed.problem);
  }
  return parsed.document;
}

describe("the order of what is to be done", () => {
  const tasks = [
    task("low", "priority: low\ncreated: 2026-01-01\n"),
    task("young", "created: 2026-02-02\n"),
    task("old", "created: 2026-02-01\n"),
    task("b", "created: 2026-02-02T00:00:00Z\n"),
    task("high", "priority: high\ncreated: 2026-03-01\n"),
    task("blocked", "priority: high\nblocked_by: [done, low]\n"),
    task("free", "priority: high\ncreated: 2026-03-02\nblocked_by: [done]\n"),
    task("after-failed", "blocked_by: [failed]\n"),
    task("done", "status: complete\n"),
    task("failed", "status: failed\n"),
    task("waits", "status: waiting\n"),
    task("runs", "status: in_progress\npriority: high\ncreated: 2025-01-01\n"),
  ];
  const order = (abandoned: string[] = []): string[] =>
    tasksToDo(tasks, (name) => abandoned.includes(name)).map(({ name }) => name);

  test("is priority, then age, then name; blocked ones wait", () => {
    expect(order()).toEqual(["high", "free", "old", "b", "young", "low"]);
  });

  test("has tasks whose worker is gone", () => {
    expect(order(["runs", "waits"])[0]).toBe("runs");
    expect(order(["waits"])).not.toContain("waits");
  });

  test("knows what keeps one waiting", () => {
    expect(openBlockers(task("x", "blocked_by: [done, low, gone]\n"), tasks)).toEqual(["low", "gone"]);
  });
});

test("a cycle is found, however long, and a web without one is none", () => {
  const chain = new Map(Array.from({ length: 5_000 }, (_, index) => [`t${index}`, [`t${index + 1}`]]));
  expect(findCycle("t0", chain)).toBeUndefined();
  expect(findCycle("t0", chain.set("t5000", ["t0"]))).toHaveLength(5_002);
  // Two by two, every task waits for both of the next pair: 2^50 ways.
  const web = new Map(
    Array.from({ length: 100 }, (_, index) => [
      `${index}`,
      [`${index + 2 - (index % 2)}`, `${index + 3 - (index % 2)}`],
    ]),
  );
  expect(findCycle("0", web)).toBeUndefined();
  // One that does not lead back to the start is another task's.
  expect(
    findCycle(
      "a",
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
      ]),
    ),
  ).toBeUndefined();
});

describe("the steps of a task", () => {
  const text = "---\ntitle: T # ours\n---\nDo it.\n";
  const after = (before: string, changes: TaskChanges): string => setFields(before, changes);

  test("leave in its file what they say, and every other line as it was", () => {
    const started = after(text, startTask(read("t", text), "w", NOW));
    expect(started).toBe(
      '---\ntitle: T # ours\nstatus: in_progress\nclaimed_by: w\nclaimed_at: "2026-03-01T10:00:00.000Z"\nupdated: "2026-03-01T10:00:00.000Z"\ntries: 1\n---\nDo it.\n',
    );
    const held = after(started, holdTask(read("t", started), "for: you", NOW));
    expect(read("t", held).fields).toMatchObject({ status: "waiting", waiting_reason: "for: you", claimed_by: "w" });
    const resumed = after(held, resumeTask(read("t", held), NOW));
    expect(read("t", resumed).fields).toEqual({
      title: "T",
      status: "pending",
      priority: "medium",
      blocked_by: [],
      updated: "2026-03-01T10:00:00.000Z",
    });
    const ended = after(started, endTask(read("t", started), "complete", "all\n---\ndone", NOW));
    expect(read("t", ended)).toMatchObject({
      fields: { status: "complete", output: "all\n---\ndone" },
      body: "Do it.",
    });
  });

  test.each<[string, string, (given: Task) => TaskChanges]>([
    ["started", "complete", (given) => startTask(given, "w", NOW)],
    ["started", "waiting", (given) => startTask(given, "w", NOW)],
    ["ended", "pending", (given) => endTask(given, "failed", "x", NOW)],
    ["ended", "complete", (given) => endTask(given, "complete", "x", NOW)],
    ["held", "pending", (given) => holdTask(given, "x", NOW)],
    ["resumed", "complete", (given) => resumeTask(given, NOW)],
    ["resumed", "pending", (given) => resumeTask(given, NOW)],
    ["given back", "pending", (given) => releaseTask(given, NOW, true)],
    ["given back", "waiting", (given) => releaseTask(given, NOW, false)],
  ])("none is %s that is %s", (_step, status, work) => {
    expect(() => work(task("t", `status: ${status}\n`))).toThrow(`task t is ${status}, so it cannot`);
  });

  test.each<[string, number | undefined, (given: Task) => TaskChanges]>([
    ["status: pending\n", 1, (given) => startTask(given, "w", NOW)],
    ["status: pending\ntries: 0\n", 1, (given) => startTask(given, "w", NOW)],
    ["status: pending\ntries: 2\n", 3, (given) => startTask(given, "w", NOW)],
    ["status: in_progress\nclaimed_by: v\ntries: 1\n", 2, (given) => startTask(given, "w", NOW)],
    // No worker leaves a task so: a person made it pending.
    ["status: pending\ntries: 3\n", 1, (given) => startTask(given, "w", NOW)],
    ["status: pending\nclaimed_by: v\ntries: 2\n", 1, (given) => startTask(given, "w", NOW)],
    ["status: in_progress\ntries: 2\n", 2, (given) => releaseTask(given, NOW, true)],
    ["status: in_progress\ntries: 2\n", 1, (given) => releaseTask(given, NOW, false)],
    ["status: in_progress\ntries: 1\n", undefined, (given) => releaseTask(given, NOW, false)],
    ["status: in_progress\n", undefined, (given) => releaseTask(given, NOW, false)],
    ["status: in_progress\ntries: 2\n", undefined, (given) => endTask(given, "complete", "x", NOW)],
    ["status: in_progress\ntries: 2\n", undefined, (given) => endTask(given, "failed", "x", NOW)],
    ["status: in_progress\ntries: 2\n", undefined, (given) => holdTask(given, "x", NOW)],
    ["status: in_progress\ntries: 2\n", undefined, (given) => resumeTask(given, NOW)],
  ])("count tries: %j becomes %s", (fields, tries, step) => {
    const before = `---\ntitle: T\n${fields}---\n`;
    expect(read("t", after(before, step(read("t", before)))).fields.tries).toBe(tries);
  });

  test("are used up when a worker is gone for the third time, and at no other state", () => {
    const spent = [
      "status: in_progress\ntries: 3\n",
      "status: in_progress\ntries: 2\n",
      "status: in_progress\n",
      "status: pending\ntries: 3\n",
    ].map((fields) => isSpent(task("t", fields)));
    expect(spent).toEqual([true, false, false, false]);
  });

  test("keep of a long output its beginning", () => {
    expect(endTask(task("t", "status: in_progress\n"), "complete", "x".repeat(50_000), NOW).output).toHaveLength(
      10_000,
    );
  });
});

test("what the user approved is one path and one text, until they take it back", async () => {
  const store = openMemoryStore();
  if (store === undefined) {
    throw new Error("no store");
  }
  let clock = 0;
  const approvals = new Approvals(store, () => clock++);
  await approvals.approve("a.md", "one");
  expect(
    await Promise.all([
      approvals.isApproved("a.md", "one"),
      approvals.isApproved("a.md", "one "),
      approvals.isApproved("b.md", "one"),
    ]),
  ).toEqual([true, false, false]);
  await approvals.approve("a.md", "two");
  await approvals.approve("b.md", "one");
  expect(await approvals.isApproved("a.md", "one")).toBe(true);
  for (let index = 0; index < 20; index++) {
    await approvals.approve("a.md", `text ${index}`);
  }
  expect(
    await Promise.all([
      approvals.isApproved("a.md", "one"),
      approvals.isApproved("a.md", "text 0"),
      approvals.isApproved("b.md", "one"),
    ]),
  ).toEqual([false, true, true]);
  expect([approvals.revoke("a.md"), approvals.revoke("a.md")]).toEqual([true, false]);
  expect(await approvals.isApproved("a.md", "text 0")).toBe(false);
});
