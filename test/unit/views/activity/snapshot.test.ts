import { describe, expect, it, test } from "vitest";
import type { LoggedCall } from "../../../../src/features/activity/callLog.js";
import { arrange, type Names } from "../../../../src/views/activity/snapshot.js";
import { loggedSubject } from "../../../../src/views/shared/callSubject.js";

const NAMES: Names = {
  titleOf: (session) => (session === "sub" ? "Look for greetings" : undefined),
  requestOf: (_session, turn) => (turn === "asked" ? "Fix it,\nplease" : undefined),
};

const call = (seq: number, more: Partial<LoggedCall> = {}): LoggedCall => ({
  ...{ seq, root: "s", turn: "t", session: "s", id: String(seq), parent: undefined, door: "lm", tool: "read" },
  ...{ input: '{"path":"a.ts"}', started: seq * 10, duration: 5, state: "ok", failed: undefined, bytes: 1, ...more },
});

describe("an activity is arranged", () => {
  it("by turn, in the order in which calls began, whatever the order in which they ended", () => {
    const { turns, calls } = arrange(
      [call(1, { started: 30 }), call(2, { started: 20 }), call(3, { turn: "asked", door: "chat", started: 10 })],
      NAMES,
      0,
    );
    expect(turns.map(({ title }) => title)).toEqual(["Fix it, please", "Copilot or another agent"]);
    expect(turns[0]?.detail).toMatch(/^@toolhost, /);
    expect(calls.map(({ seq, turn }) => [seq, turn])).toEqual([
      [3, 0],
      [2, 1],
      [1, 1],
    ]);
  });

  it("with calls within calls, however their ids are tangled", () => {
    const { calls } = arrange(
      [call(1, { id: "a", parent: "t" }), call(2, { id: "b", parent: "a" }), call(3, { id: "c", parent: "c" })],
      NAMES,
      0,
    );
    expect(calls.map(({ depth }) => depth)).toEqual([0, 1, 1]);
  });

  it("with the name of the subagent that made a call", () => {
    expect(arrange([call(1, { session: "sub" })], NAMES, 0).calls).toMatchObject([{ agent: "Look for greetings" }]);
    expect(arrange([call(1)], NAMES, 0).calls[0]).not.toHaveProperty("agent");
  });

  test.each<[Partial<LoggedCall>, string, string]>([
    [{}, "ok", "done"],
    [{ failed: "exit 3" }, "failed", "exit 3"],
    [{ state: "no_match", failed: "no match" }, "failed", "no match"],
    [{ state: "denied", failed: "not run: you said no" }, "refused", "not run: you said no"],
    [{ state: "cancelled", failed: "stopped" }, "stopped", "stopped"],
    [{ state: "running" }, "running", "running"],
    [{ state: "unknown" }, "unknown", "not known: its process ended first, or runs elsewhere"],
  ])("with how each ended: %j", (more, look, words) => {
    expect(arrange([call(1, more)], NAMES, 0).calls).toMatchObject([{ look, words }]);
  });
});

test.each([
  ['{"path":"src/a.ts","content":"x"}', "src/a.ts"],
  ['{"max":3,"command":"npm \\"test\\"\\nls"}', 'npm "test" ls'],
  ['{"edits":[{"path":"b.ts"}]}', "b.ts"],
  ['["one"]', "one"],
  ['{"path":"cut off he', ""],
  ['{"path":"a\\u202eb"}', "a\\u202eb".replace("\\u202e", " ")],
  ['{"patch":"*** Begin Patch\\n*** Add File: a.ts\\n+x\\n*** End Patch"}', "a.ts"],
  [
    '{"patch":"*** Begin Patch\\n*** Update File: a.ts\\n@@\\n-x\\n*** Delete File: b.ts\\n*** End Patch"}',
    "a.ts, b.ts",
  ],
  // As the log keeps a long text.
  [
    JSON.stringify({ patch: `${JSON.stringify("*** Begin Patch\n*** Add File: a.ts\n+x")} (and 9 more characters)` }),
    "a.ts, …",
  ],
  [JSON.stringify({ command: '"npm \\"te" (and 9 more characters)' }), 'npm "te'],
  ["{}", ""],
  ["", ""],
])("the subject of %s is %s", (json, subject) => {
  expect(loggedSubject(json)).toBe(subject);
});
