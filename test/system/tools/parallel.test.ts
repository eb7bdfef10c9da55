import { describe, expect, test } from "vitest";
import { NotTakenBack, ToolError } from "../../../src/core/errors.js";
import type { ChangeOutcome } from "../../../src/ports/changes.js";
import { applyPlanned } from "../../../src/tools/fs/applyPlanned.js";
import { failed, hosts, openWorkspace, result, type CallOptions } from "../../unit/tools/workspace.js";

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe.each(hosts)("several changes of one file at the same time, on the %s host", (host) => {
  const SESSIONS: CallOptions[] = [
    { as: "model", session: "window", reads: "ask", mode: "default" },
    { as: "model", session: "chat", reads: "must", mode: "default" },
    { as: "owner", session: "cli" },
  ];
  test.each(SESSIONS)("all are made, session $session", async (session) => {
    const { call, bytes } = await openWorkspace({ "a.ts": "one\ntwo\nthree\n" }, { host });
    result(await call("read", { path: "a.ts" }, session));
    const outcomes = await Promise.all([
      call("edit", { path: "a.ts", old_text: "one", new_text: "1" }, session),
      call("multi_edit", { edits: [{ path: "a.ts", old_text: "three", new_text: "3" }] }, session),
      call("apply_patch", { patch: patch("*** Update File: a.ts", "@@", "-two", "+2") }, session),
    ]);
    outcomes.map(result);
    expect(String(await bytes("a.ts"))).toBe("1\n2\n3\n");
  });

  test("of two that exclude each other, one is made and the other fails on what it left", async () => {
    const { call, bytes } = await openWorkspace({ "a.ts": "one\n" }, { host });
    const outcomes = await Promise.all(
      ["1", "2"].map((new_text) => call("edit", { path: "a.ts", old_text: "one", new_text }, SESSIONS[0])),
    );
    const lost = outcomes.filter(({ ok }) => !ok);
    expect(lost.map((outcome) => failed(outcome).type)).toEqual(["no_match"]);
    expect(["1\n", "2\n"]).toContain(String(await bytes("a.ts")));
  });
});

describe("a change whose file is another by now", () => {
  const stale = new ToolError("stale", "a.ts: has changed.");
  const outcome: ChangeOutcome = { files: [], problems: [] };
  const attempt = async (given: {
    shown?: string;
    failures: number;
    error?: Error;
    mayRepeat?: boolean;
  }): Promise<{ told: string; tries: number }> => {
    const { shown, failures, error = stale, mayRepeat = true } = given;
    let tries = 0;
    const told = await applyPlanned<string>({
      shown,
      plan: async () => `plan ${tries + 1}`,
      apply: () => (++tries > failures ? Promise.resolve(outcome) : Promise.reject(error)),
      mayRepeat: () => mayRepeat,
    }).then(
      ({ plan }) => plan,
      (thrown: Error) => thrown.message,
    );
    return { told, tries };
  };
  test.each([
    { name: "is worked out again", given: { failures: 2 }, told: "plan 3", tries: 3 },
    { name: "fails at the third time", given: { failures: 3 }, told: stale.message, tries: 3 },
    { name: "fails when it was shown", given: { shown: "shown", failures: 1 }, told: stale.message, tries: 1 },
    {
      name: "fails when it deletes the file as it was",
      given: { failures: 1, mayRepeat: false },
      told: stale.message,
      tries: 1,
    },
    {
      name: "fails when it was not taken back",
      given: { failures: 1, error: new NotTakenBack("left", "look") },
      told: "left",
      tries: 1,
    },
  ])("$name", async ({ given, told, tries }) => {
    expect(await attempt(given)).toEqual({ told, tries });
  });
});

test.each([
  ["edit", { path: "big.txt", old_text: "end", new_text: "END" }],
  ["multi_edit", { edits: [{ path: "big.txt", old_text: "end", new_text: "END" }] }],
  ["apply_patch", { patch: patch("*** Delete File: big.txt") }],
  ["apply_patch", { patch: patch("*** Update File: big.txt", "@@", "-end", "+END") }],
])("%s says that a file over 20 MB is not changed by tools: %j", async (tool, input) => {
  const { call } = await openWorkspace({ "big.txt": `${"line\n".repeat(4_000_001)}end` });
  expect(failed(await call(tool, input))).toMatchObject({
    type: "too_large",
    hint: expect.stringContaining("Tools do not change files over 20 MB") as string,
  });
});
