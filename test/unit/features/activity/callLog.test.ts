import { describe, expect, it, onTestFinished } from "vitest";
import type { ActivityEntry, CallStart } from "../../../../src/core/pipeline/activity.js";
import { CallLog } from "../../../../src/features/activity/callLog.js";
import { ACTIVITY_SCHEMA } from "../../../../src/features/activity/schema.js";
import type { Liveness } from "../../../../src/ports/owner.js";
import { SqliteStore } from "../../../../src/hosts/node/state/sqliteStore.js";
import { loadSqlite } from "../../../../src/hosts/node/state/sqlite.js";

const DAY = 86_400_000;

function rig(liveness: () => Liveness = () => "alive"): { log: CallLog; clock: { now: number } } {
  const { DatabaseSync } = loadSqlite() ?? {};
  if (DatabaseSync === undefined) {
    throw new Error("This Node has no SQLite.");
  }
  const database = new DatabaseSync(":memory:");
  database.exec(ACTIVITY_SCHEMA);
  onTestFinished(() => database.close());
  const clock = { now: 0 };
  const store = new SqliteStore(database, ":memory:");
  return { log: new CallLog({ store, owner: { pid: 1, started: "a" }, liveness, now: () => clock.now }), clock };
}

const started = (callId: string, more: Partial<CallStart> = {}): CallStart => ({
  ...{ callId, parentId: undefined, session: "s", root: { session: "s", turn: "t" }, door: "chat", tool: "read" },
  ...{ input: { path: "a" }, started: 10, ...more },
});
const ended = (callId: string, more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  ...started(callId),
  ...{ duration: 5, outcome: "ok", bytes: 4, result: "text", ...more },
});

describe("the log of calls", () => {
  it("has a call while it runs, and once how it ended", () => {
    const { log } = rig();
    log.write([started("1")]);
    const [running] = log.calls("s", 10).calls;
    expect(running).toMatchObject({
      id: "1",
      tool: "read",
      state: "running",
      duration: undefined,
      input: '{"path":"a"}',
    });
    log.write([ended("1", { outcome: "no_match", failed: "no match" })]);
    expect(log.calls("s", 10).calls).toMatchObject([
      { seq: running?.seq, state: "no_match", failed: "no match", duration: 5 },
    ]);
    expect(log.texts(running?.seq ?? 0)).toEqual({ input: '{"path":"a"}', result: "text" });
    expect(log.texts(99)).toBeUndefined();
  });

  it.each(["gone", "unknown"] as const)("does not know how a call ended whose process is %s", (liveness) => {
    const { log } = rig(() => liveness);
    log.write([started("1"), ended("2")]);
    expect(log.calls("s", 10).calls.map(({ state }) => state)).toEqual(["unknown", "ok"]);
  });

  it("keeps the beginning of an id and of an input that are long without measure, and finds the call's end", () => {
    const { log } = rig();
    const [long, input] = ["x".repeat(1_000_000), { paths: Array.from({ length: 10_000 }, () => "a long path") }];
    log.write([started(long, { parentId: long, input }), ended(long, { parentId: long, input })]);
    const { calls } = log.calls("s", 10);
    expect(calls.map(({ id, parent, state }) => [id.length, parent?.length, state])).toEqual([[200, 200, "ok"]]);
    expect(log.texts(calls[0]?.seq ?? 0)?.input).toHaveLength(8_000);
  });

  it("forgets the oldest calls past 50 million characters", () => {
    const { log } = rig();
    const result = "x".repeat(1_000_000);
    log.write(Array.from({ length: 60 }, (_, index) => ended(String(index), { result })));
    expect(log.calls("s", 1_000).calls.map(({ id }) => id)).toEqual(
      Array.from({ length: 49 }, (_, index) => String(11 + index)),
    );
  });

  it("keeps calls apart that a model gave one id", () => {
    const { log } = rig();
    log.write([ended("call_0"), ended("call_0", { root: { session: "s", turn: "u" }, started: 20 })]);
    expect(log.calls("s", 10).calls.map(({ turn }) => turn)).toEqual(["t", "u"]);
  });

  it("counts a subagent's calls for the session that spawned it", () => {
    const { log } = rig();
    log.write([
      ended("1"),
      ended("2", { session: "sub" }),
      ended("3", { session: "x", root: { session: "x", turn: "t" } }),
    ]);
    expect(log.calls("s", 10).calls.map(({ session }) => session)).toEqual(["s", "sub"]);
    expect(log.sessions(10)).toMatchObject([
      { id: "x", calls: 1 },
      { id: "s", calls: 2 },
    ]);
    expect(log.calls(undefined, 2)).toMatchObject({ calls: [{ id: "2" }, { id: "3" }], earlier: 1 });
  });

  it("keeps no result that is for its caller's eyes alone", () => {
    const { log } = rig();
    const { result: _, ...unkept } = ended("1");
    log.write([unkept]);
    expect(log.texts(log.calls("s", 1).calls[0]?.seq ?? 0)?.result).toBeUndefined();
  });

  it("forgets what is a month old, and more than 10,000 calls", () => {
    const { log, clock } = rig();
    log.write([ended("old"), ended("new", { started: 30 * DAY })]);
    clock.now = 31 * DAY;
    log.write(Array.from({ length: 500 }, (_, index) => ended(`a${index}`, { started: clock.now })));
    expect(log.calls("s", 1_000).calls.map(({ id }) => id)).not.toContain("old");
    expect(log.calls("s", 1_000).calls.map(({ id }) => id)).toContain("new");
    for (let round = 0; round < 21; round++) {
      log.write(Array.from({ length: 500 }, (_, index) => ended(`b${round}-${index}`, { started: clock.now })));
    }
    const { calls, earlier } = log.calls("s", 1);
    expect(calls.length + earlier).toBe(10_000);
  });
});
