import { describe, expect, it } from "vitest";
import { SESSION_BOUNDS } from "../../../../src/features/sessions/limits.js";
import type { StoredSessions } from "../../../../src/features/sessions/storedSessions.js";
import type { Store } from "../../../../src/ports/store.js";
import { call, logOn, model, openTestStore, result, start, stores, text, told, turn, unended, user } from "./rig.js";

const DAY = 86_400_000;
const A = "aaaaaa11-1111-4111-8111-111111111111";
const B = "aaaaaa22-2222-4222-8222-222222222222";

describe.each(stores)("sessions in a %s store", (kind) => {
  const open = async (): Promise<{ store: Store; log: StoredSessions }> => {
    const store = await openTestStore(kind);
    return { store, log: logOn(store) };
  };

  it("keeps what was said, and tells how the session is", async () => {
    let now = 1_000;
    const store = await openTestStore(kind);
    const log = logOn(store, { now: () => now });
    expect(await log.beginTurn(start(A, "t1", { title: "Fix\n the   test" }))).toEqual({ depth: 0 });
    await log.append(A, "t1", user("Fix the test \ud800 \0 🙂"));
    await log.append(A, "t1", model("I look.", call("1")));
    await log.append(A, "t1", user(result("1")));
    now = 2_000;
    await log.addTokens(A, { input: 10, output: 5, estimated: false }, 0.25);
    expect(await log.status(A)).toMatchObject({ state: "active", messages: 2 });
    await log.endTurn(A, "t1");
    expect(await log.status(A)).toEqual({
      ...{
        id: A,
        title: "Fix the test",
        kind: "chat",
        state: "idle",
        parent: undefined,
        model: "test/model",
        created: 1_000,
        updated: 2_000,
        messages: 2,
      },
      ...{ tokens: { input: 10, output: 5, estimated: false }, cost: 0.25 },
    });
    await log.addTokens(A, { input: 1, output: 1, estimated: true }, undefined);
    expect(await log.status(A)).toMatchObject({ tokens: { input: 11, output: 6, estimated: true }, cost: undefined });
    expect(await log.problem()).toBeUndefined();
    const later = logOn(store);
    expect(await told(later, A)).toEqual([
      user("Fix the test \ud800 \0 🙂"),
      model("I look.", call("1")),
      user(result("1")),
    ]);
    const { entries, total, earlier } = await later.history(A, 2);
    expect({ total, earlier, said: entries.map(({ turn: of, at, message }) => ({ of, at, message })) }).toEqual({
      ...{ total: 3, earlier: 1 },
      said: [
        { of: "t1", at: 1_000, message: model("I look.", call("1")) },
        { of: "t1", at: 1_000, message: user(result("1")) },
      ],
    });
    expect(await later.history(A, 2, entries[0]?.seq)).toMatchObject({
      entries: [{ message: user("Fix the test \ud800 \0 🙂") }],
      total: 3,
      earlier: 0,
    });
  });

  it("counts how deep a session lies, and lists those used last first", async () => {
    let now = 0;
    const log = logOn(await openTestStore(kind), { now: () => ++now });
    await turn(log, "root", "t1", [user("a")]);
    expect(await log.beginTurn(start("child", "t2", { kind: "subagent", parent: "root" }))).toEqual({ depth: 1 });
    expect(await log.beginTurn(start("grandchild", "t3", { kind: "subagent", parent: "child" }))).toEqual({ depth: 2 });
    await turn(log, "root", "t4", [user("b")], { title: "Not this" });
    const { sessions, total } = await log.list(2);
    expect({ total, ids: sessions.map(({ id, title, parent, state }) => ({ id, title, parent, state })) }).toEqual({
      total: 3,
      ids: [
        { id: "root", title: "About root", parent: undefined, state: "idle" },
        { id: "grandchild", title: "About grandchild", parent: "child", state: "active" },
      ],
    });
  });

  it("lets one turn of a session run at a time, and goes on with one whose process is gone", async () => {
    const { store, log } = await open();
    await log.beginTurn(start(A, "t1"));
    await log.append(A, "t1", user("first"));
    await log.append(A, "t1", model(call("1")));
    await expect(log.beginTurn(start(A, "t2"))).rejects.toMatchObject({
      type: "conflict",
      message: expect.stringContaining("one of its turns is in progress here") as string,
    });
    const elsewhere = { owner: { pid: 2, started: "later" }, place: "a command line" };
    const other = logOn(store, elsewhere);
    await expect(other.beginTurn(start(A, "t2"))).rejects.toMatchObject({
      ...{
        type: "conflict",
        message: `Session ${A} (About ${A}): one of its turns is in progress in a window (process 1).`,
      },
      hint: "Wait until it ends, stop it there, or start a new session.",
    });
    const survivor = logOn(store, { ...elsewhere, liveness: ({ pid }) => (pid === 1 ? "gone" : "alive") });
    expect((await survivor.status(A)).state).toBe("interrupted");
    expect(await survivor.findInterrupted(" first")).toBe(A);
    expect(await survivor.findInterrupted("firs")).toBeUndefined();
    expect(await other.findInterrupted("first")).toBeUndefined();
    await survivor.beginTurn(start(A, "t2"));
    await survivor.append(A, "t2", user("go on"));
    // The late end of the turn that was given up ends nothing.
    await log.endTurn(A, "t1");
    expect((await survivor.status(A)).state).toBe("active");
    expect(await told(survivor, A)).toEqual([user("first"), model(call("1")), user(unended("1"), "go on")]);
    await survivor.endTurn(A, "t2");
    expect((await log.status(A)).state).toBe("idle");
  });

  it("gives up a silent turn where processes cannot be told from later ones", async () => {
    let now = 0;
    const store = await openTestStore(kind);
    const owner = { pid: 1, started: "" };
    await logOn(store, { owner, now: () => now }).beginTurn(start(A, "t1"));
    const other = logOn(store, { now: () => now, owner: { pid: 2, started: "" } });
    now = 3_600_000;
    expect((await other.status(A)).state).toBe("active");
    now = 3 * 3_600_000;
    expect((await other.status(A)).state).toBe("interrupted");
  });

  it("leaves a turn of a process that cannot be seen from here alone, until it has been silent for long", async () => {
    let now = 0;
    const store = await openTestStore(kind);
    await logOn(store, { owner: { pid: 1, started: "elsewhere" }, now: () => now }).beginTurn(start(A, "t1"));
    const other = logOn(store, { now: () => now, owner: { pid: 2, started: "here" }, liveness: () => "unknown" });
    now = 3_600_000;
    expect((await other.status(A)).state).toBe("active");
    await expect(other.beginTurn(start(A, "t2"))).rejects.toMatchObject({ type: "conflict" });
    now = 3 * 3_600_000;
    expect((await other.status(A)).state).toBe("interrupted");
  });

  it("tells a summary in place of what it stands for, and history keeps all", async () => {
    const { log } = await open();
    const places = await turn(log, A, "t1", [user("a"), model("b"), user("c"), model("d")]);
    await log.beginTurn(start(A, "t2"));
    await log.compact(A, "t2", user("so far: a, b"), places[1] ?? 0);
    await log.append(A, "t2", user("e"));
    expect(await told(log, A)).toEqual([user("so far: a, b", "c"), model("d"), user("e")]);
    const [, answer] = await log.context(A);
    await log.compact(A, "t2", user("so far: a to d"), answer?.seq ?? 0);
    expect(await told(log, A)).toEqual([user("so far: a to d", "e")]);
    const { entries } = await log.history(A, 50);
    expect(
      entries.map(({ message: { content }, isSummary = false }) => [
        content[0]?.type === "text" && content[0].text,
        isSummary,
      ]),
    ).toEqual([
      ["a", false],
      ["b", false],
      ["c", false],
      ["d", false],
      ["so far: a, b", true],
      ["e", false],
      ["so far: a to d", true],
    ]);
    expect((await log.status(A)).messages).toBe(5);
  });

  it("takes back what the chat said later, not what another door did", async () => {
    const { log } = await open();
    const [, kept = 0] = await turn(log, A, "t1", [user("a"), model("b")]);
    await turn(log, A, "t2", [user("wrong"), model("worse", call("1")), user(result("1"))]);
    await turn(log, A, "t3", [user("from the command line"), model("yes")], { kind: "agent" });
    await turn(log, A, "t4", [user("again")], { keepUpTo: kept });
    expect(await told(log, A)).toEqual([
      user("a"),
      model("b"),
      user("from the command line"),
      model("yes"),
      user("again"),
    ]);
    expect(await log.history(A, 50)).toMatchObject({
      total: 5,
      entries: [{ turn: "t1" }, { turn: "t1" }, { turn: "t3" }, { turn: "t3" }, { turn: "t4" }],
    });
    expect((await log.status(A)).messages).toBe(5);
  });

  it("brings back what a summary stood for when part of that is taken back", async () => {
    const { log } = await open();
    const [first = 0, last = 0] = await turn(log, A, "t1", [user("a"), model("b")]);
    await log.compact(A, "t1", user("all of it"), last);
    await turn(log, A, "t2", [user("c")], { keepUpTo: last });
    expect(await told(log, A)).toEqual([user("all of it", "c")]);
    await turn(log, A, "t3", [user("d")], { keepUpTo: first });
    expect(await told(log, A)).toEqual([user("a", "d")]);
  });

  it("hands on messages that were left, once and in order", async () => {
    const { log } = await open();
    await log.beginTurn(start(A, "t1"));
    expect(await log.leave(A, { content: "one", from: "the user" })).toEqual({ active: true });
    await log.endTurn(A, "t1");
    expect(await log.leave(A.slice(0, 8), { content: "two", from: "session x" })).toEqual({ active: false });
    expect(await log.takeLeft(A)).toEqual([
      { content: "one", from: "the user" },
      { content: "two", from: "session x" },
    ]);
    expect(await log.takeLeft(A)).toEqual([]);
    await Promise.all(Array.from({ length: 100 }, () => log.leave(A, { content: "again", from: "session x" })));
    await expect(log.leave(A, { content: "one too many", from: "session x" })).rejects.toMatchObject({
      type: "too_large",
    });
  });

  it("finds a session by the beginning of its id, and says what else it may be", async () => {
    const { log } = await open();
    await expect(log.status(A)).rejects.toMatchObject({
      type: "unknown_id",
      hint: "There are none in this workspace yet.",
    });
    await turn(log, A, "t1", [user("a")]);
    await turn(log, B, "t2", [user("b")]);
    expect((await log.status(` ${A.slice(0, 8).toUpperCase()}`)).id).toBe(A);
    await expect(log.history("aaaaaa", 1)).rejects.toMatchObject({
      type: "not_unique",
      hint: expect.stringContaining(B) as string,
    });
    for (const id of ["aaaaa", "", "%", "zzzzzzzz"]) {
      await expect(log.status(id)).rejects.toMatchObject({
        type: "unknown_id",
        hint: expect.stringContaining(A) as string,
      });
    }
    await expect(log.status(`${A.slice(0, -1)}2`)).rejects.toMatchObject({ hint: `Did you mean ${A} (About ${A})?` });
    await expect(log.append("never", "t", user("x"))).rejects.toMatchObject({ type: "unknown_id" });
  });

  it("keeps images, the latest ones, and says where one was", async () => {
    const log = logOn(await openTestStore(kind), { bounds: { ...SESSION_BOUNDS, media: 10 } });
    const image = (size: number) => ({ mimeType: "image/png", bytes: new Uint8Array(size).fill(size) });
    const seen = { type: "result" as const, id: "1", text: "seen" };
    await log.beginTurn(start(A, "t1"));
    await log.append(A, "t1", user(text("look"), { type: "media", ...image(4) }));
    await log.append(A, "t1", model(call("1")));
    await log.append(A, "t1", user({ ...seen, media: [image(3), image(2)] }));
    expect(await told(log, A)).toEqual([
      user(text("look"), { type: "media", ...image(4) }),
      model(call("1")),
      user({ ...seen, media: [image(3), image(2)] }),
    ]);
    await log.append(A, "t1", user({ type: "media", ...image(5 * 1024 * 1024 + 1) }, { type: "media", ...image(5) }));
    const gone = (size: number): string => `[image/png, ${size} bytes, was here; it is no longer kept.]`;
    expect(await told(log, A)).toEqual([
      user(text("look"), text(gone(4))),
      model(call("1")),
      user({ ...seen, media: [image(3), image(2)] }, text(gone(5 * 1024 * 1024 + 1)), { type: "media", ...image(5) }),
    ]);
    await log.append(A, "t1", user({ type: "media", ...image(8) }));
    expect((await told(log, A)).at(-1)).toEqual(
      user({ ...seen, text: `seen\n${gone(3)}\n${gone(2)}` }, text(gone(5 * 1024 * 1024 + 1)), text(gone(5)), {
        type: "media",
        ...image(8),
      }),
    );
  });

  it("forgets the oldest sessions past an age, a number or a size, and none that runs", async () => {
    let now = 0;
    const store = await openTestStore(kind);
    const log = logOn(store, { now: () => now, bounds: { age: 90 * DAY, sessions: 4, bytes: 5_000, media: 10_000 } });
    const ids = async (): Promise<string[]> => (await log.list(50)).sessions.map(({ id }) => id).sort();
    const big = user("x".repeat(2_000), { type: "media", mimeType: "image/png", bytes: new Uint8Array(1_000) });
    await log.beginTurn(start("running", "r"));
    await log.append("running", "r", big);
    await turn(log, "old", "t1", [user("a")]);
    await log.leave("old", { content: "x", from: "y" });
    now = 91 * DAY;
    await turn(log, "b", "t2", [user("b")]);
    expect(await ids()).toEqual(["b", "running"]);
    expect(store.get("SELECT count(*) AS n FROM left_messages")).toMatchObject({ n: 0 });
    now += 1;
    await log.endTurn("running", "r");
    for (const id of ["c", "d", "e"]) {
      now += 1;
      await turn(log, id, `t${id}`, [user(id)]);
    }
    // The fifth: the one that was used least lately goes.
    expect(await ids()).toEqual(["c", "d", "e", "running"]);
    now += 1;
    await turn(log, "large", "t3", [big]);
    now += 1;
    await turn(log, "f", "t4", [user("f")]);
    expect(await ids()).toEqual(["d", "e", "f", "large"]);
    now += 1;
    await turn(log, "large2", "t5", [big]);
    now += 1;
    await turn(log, "g", "t6", [user("g")]);
    expect(await ids()).toEqual(["f", "g", "large2"]);
    expect(store.all("SELECT DISTINCT session FROM messages ORDER BY session").length).toBe(3);
    expect(store.all("SELECT DISTINCT session FROM message_media")).toMatchObject([{ session: "large2" }]);
  });
});
