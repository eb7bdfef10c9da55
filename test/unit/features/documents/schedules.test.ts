import { expect, test } from "vitest";
import { failed, result } from "../../tools/workspace.js";
import { open, PATHS, STAMP, text, onDocument } from "./kinds.js";

const write = { schedule: "0 9 * * 1-5", prompt: "Look around." };

test("a schedule is listed with its description, or else with its prompt", async () => {
  const workspace = await open({}, "memory");
  result(await onDocument(workspace, "schedule", "write", { name: "Morning", ...write, description: "What is new" }));
  result(await onDocument(workspace, "schedule", "write", { name: "Noon", ...write, schedule: "0 12 * * *" }));
  const { text: said, data } = result<{ schedules: object[] }>(await onDocument(workspace, "schedule", "list", {}));
  expect(said).toBe("morning  0 9 * * 1-5 What is new\nnoon  0 12 * * * Look around.");
  expect(data.schedules).toMatchObject([
    { name: "morning", description: "What is new", enabled: true },
    { name: "noon", description: null, enabled: true },
  ]);
  expect(await text(workspace, PATHS.schedule("morning"))).toBe(
    `---\nid: morning\nenabled: true\nschedule: 0 9 * * 1-5\ndescription: What is new\ncreated: ${STAMP}\nupdated: ${STAMP}\n---\n\nLook around.\n`,
  );
});

test("a list has those that are on, those that are off, or both", async () => {
  const workspace = await open({}, "memory");
  result(await onDocument(workspace, "schedule", "write", { name: "a", ...write }));
  result(await onDocument(workspace, "schedule", "write", { name: "b", ...write, enabled: false }));
  result(await onDocument(workspace, "schedule", "write", { name: "c", ...write, enabled: true }));
  const names = async (input: object): Promise<string[]> =>
    result<{ schedules: { name: string }[] }>(
      await onDocument(workspace, "schedule", "list", input),
    ).data.schedules.map(({ name }) => name);
  expect([await names({}), await names({ enabled: true }), await names({ enabled: false })]).toEqual([
    ["a", "b", "c"],
    ["a", "c"],
    ["b"],
  ]);
  expect(await names({ enabled: true, limit: 1, offset: 1 })).toEqual(["c"]);
});

test("an edit sets the time of the last change, and leaves that of the first", async () => {
  const file = "---\nschedule: 0 9 * * *\ncreated: 2025-01-01 # long ago\nupdated: 2025-01-02\n---\nLook.\n";
  const workspace = await open({ [PATHS.schedule("a")]: file }, "memory");
  result(
    await onDocument(workspace, "schedule", "edit", {
      name: "a",
      patches: [{ start_line: 2, end_line: 2, content: "schedule: 30 8 * * *" }],
    }),
  );
  expect(await text(workspace, PATHS.schedule("a"))).toBe(
    `---\nschedule: 30 8 * * *\ncreated: 2025-01-01 # long ago\nupdated: ${STAMP}\n---\nLook.\n`,
  );
  expect(result(await onDocument(workspace, "schedule", "list", {})).data).toMatchObject({
    schedules: [{ created: "2025-01-01", updated: "2026-03-01T10:00:00.000Z" }],
  });
});

test.each([
  "schedule: every morning",
  "schedule: 60 * * * *",
  "schedule: '* * *'",
  "enabled: maybe",
  "time_zone: Nowhere",
  "frequency: daily",
  "schedule: 0 9 * * *\nschedule: 0 9 * * *",
])("an edit that would say %j changes nothing", async (lines) => {
  const file = "---\nschedule: 0 9 * * *\n---\nLook.\n";
  const workspace = await open({ [PATHS.schedule("a")]: file }, "memory");
  const [start_line, end_line] = lines.startsWith("schedule") ? [2, 2] : [3, 0];
  expect(
    failed(
      await onDocument(workspace, "schedule", "edit", {
        name: "a",
        patches: [{ start_line, end_line, content: lines }],
      }),
    ),
  ).toMatchObject({
    type: "invalid_input",
    message: expect.stringMatching(/^schedule a would be malformed: .*Nothing was changed\.$/s) as string,
  });
  expect(await text(workspace, PATHS.schedule("a"))).toBe(file);
});
