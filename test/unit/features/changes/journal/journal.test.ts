import { describe, expect, it } from "vitest";
import { ToolError } from "../../../../../src/core/errors.js";
import { journalChange } from "../../../../../src/features/changes/journal/images.js";
import { Journal } from "../../../../../src/features/changes/journal/journal.js";
import { MAX_IMAGE } from "../../../../../src/features/changes/journal/limits.js";
import type { FileChange } from "../../../../../src/ports/changes.js";
import { memoryStore, references, Session, World } from "./world.js";

const BOUNDS = { bytes: 10_000_000, calls: 5 };

describe("the journal", () => {
  it("tells turns newest first, with their files and lines", async () => {
    const session = new Session(new World({ a: "1\n2\n3\n", b: "x\n", gone: "1\n2\n" }));
    await session.change("first", [session.world.replace("a", "1\ntwo\nmore\n3\n"), session.world.remove("gone")]);
    await session.change("second", [session.world.move("b", "c", "y\n")]);
    await session.change("second", [session.world.create("new", "1\n2\n3\n"), session.world.create("bytes", [0])]);
    const [second, first] = session.journal.queries.turns(10);
    expect(first).toMatchObject({ turn: "first", undone: "no", isUndo: false, dropped: 0 });
    expect(first?.files).toMatchObject([
      { path: "a", kind: "replace", added: 2, removed: 1 },
      { path: "gone", kind: "delete", added: 0, removed: 2 },
    ]);
    expect(second?.calls.map(({ summary }) => summary)).toHaveLength(2);
    expect(second?.files).toMatchObject([
      { path: "c", from: "b", kind: "move", added: 1, removed: 1 },
      { path: "new", kind: "create", added: 3, removed: 0 },
      { path: "bytes", kind: "create", added: undefined },
    ]);
    expect(session.journal.queries.turns(1)).toHaveLength(1);
    await session.undo({ session: "s", turn: "second" });
    expect(session.journal.queries.turns(3).map(({ turn, undone, isUndo }) => [turn, undone, isUndo])).toEqual([
      ["undoing", "no", true],
      ["second", "yes", false],
      ["first", "no", false],
    ]);
    expect(session.journal.queries.lastTurn("s")).toEqual({ session: "s", turn: "first" });
    expect(session.journal.queries.lastTurn("other")).toBeUndefined();
  });

  it("keeps one copy of a content, and none that nothing needs", async () => {
    const session = new Session(new World({ a: "same", b: "same" }));
    await session.change("t", [session.world.remove("a"), session.world.remove("b")]);
    expect(session.store.all("SELECT hash FROM blobs")).toHaveLength(1);
    const pending = await session.journal.begin(session.call("t"), [journalChange(session.world.create("a", "other"))]);
    expect(session.store.all("SELECT hash FROM blobs")).toHaveLength(2);
    pending.drop();
    expect(session.store.all("SELECT hash FROM blobs")).toHaveLength(1);
    expect(session.store.all("SELECT * FROM locks")).toEqual([]);
  });

  it("refuses a file that is too large to keep, before anything is written", async () => {
    const session = new Session(new World());
    const change = session.world.create("big", "x".repeat(MAX_IMAGE + 1));
    await expect(session.journal.begin(session.call("t"), [journalChange(change)])).rejects.toMatchObject({
      type: "too_large",
    });
    expect(session.store.all("SELECT * FROM calls")).toEqual([]);
  });

  it("drops the oldest turns as a whole and tells", async () => {
    const session = new Session(new World({ a: "0" }), {}, BOUNDS);
    for (const [index, turn] of ["t1", "t1", "t2", "t2", "t3", "t4"].entries()) {
      await session.change(turn, [session.world.replace("a", String(index + 1))]);
    }
    expect(session.journal.queries.turns(10).map(({ turn }) => turn)).toEqual(["t4", "t3", "t2"]);
    expect(session.journal.queries.dropped()).toMatchObject({ calls: 2 });
    await expect(session.plan({ calls: [1] })).rejects.toMatchObject({
      type: "unknown_id",
      message: expect.stringContaining("2 older calls") as string,
    });
    const { counted, real } = references(session.store);
    expect(counted).toEqual(real);
  });

  it("drops the oldest calls of a turn that is larger than all room, and tells", async () => {
    const session = new Session(new World({ a: "0" }), {}, BOUNDS);
    for (let index = 1; index <= 8; index++) {
      await session.change("t", [session.world.create(`f${index}`, String(index))]);
    }
    const key = { session: "s", turn: "t" };
    expect(session.journal.queries.turn(key)).toMatchObject({ dropped: 3 });
    expect(await session.undo(key)).toMatchObject({ dropped: 3 });
    expect([...session.world.files.keys()]).toEqual(["a", "f1", "f2", "f3"]);
  });

  it("undoes a long turn to its beginning: of each file the first and the last text are kept", async () => {
    const big = (index: number): string => `${index} ${"x".repeat(100_000)}`;
    const session = new Session(
      new World({ big: big(0), small: "0", "made before": "1" }),
      {},
      { bytes: 1_000_000, calls: 1_000 },
    );
    const key = { session: "s", turn: "t" };
    await session.change("before", [session.world.replace("made before", "2")]);
    for (let index = 1; index <= 400; index++) {
      const others =
        index % 40 === 0
          ? [session.world.replace("small", String(index))]
          : index === 7
            ? [session.world.create("new", big(1_000))]
            : [];
      await session.change("t", [session.world.replace("big", big(index)), ...others]);
      if (index === 30) {
        await session.change("t", [session.world.replace("new", big(1_001))]);
      }
      expect(session.store.get<{ total: number }>("SELECT sum(size) AS total FROM blobs")?.total).toBeLessThanOrEqual(
        1_000_000,
      );
    }
    const { counted, real } = references(session.store);
    expect(counted).toEqual(real);
    const calls = session.journal.queries.calls(key);
    expect(calls.length).toBeLessThan(30);
    expect(calls.some(({ summary }) => summary.endsWith(" (with earlier changes of the turn)"))).toBe(true);
    // What other turns did is still there.
    expect(session.journal.queries.turns(10).map(({ turn }) => turn)).toEqual(["t", "before"]);
    expect(await session.undo(key)).toMatchObject({
      dropped: 0,
      files: expect.arrayContaining([{ path: "big", outcome: "restored" }]) as unknown,
    });
    expect(session.world.text("big")).toBe(big(0));
    expect(session.world.text("small")).toBe("0");
    expect(session.world.files.has("new")).toBe(false);
  });

  it("of a long turn keeps apart what somebody changed between its calls, and what was undone", async () => {
    const session = new Session(new World({ a: "0", b: "0" }), {}, BOUNDS);
    const first = await session.change("t", [session.world.replace("a", "1")]);
    await session.undo({ calls: [first] }, "t");
    await session.change("t", [session.world.replace("a", "2")]);
    session.world.files.set("a", { text: "somebody's", encoding: "utf8" });
    for (const text of ["3", "4", "5", "6"]) {
      await session.change("t", [session.world.replace("a", text)]);
    }
    const kept = session.journal.queries.changes(
      session.journal.queries.calls({ session: "s", turn: "t" }).map(({ id }) => id),
    );
    const textOf = (ref: (typeof kept)[number]["before"]): unknown => ref && session.journal.queries.image(ref);
    expect(kept.map(({ before, after }) => [textOf(before), textOf(after)])).toContainEqual([
      expect.objectContaining({ text: "somebody's" }),
      expect.objectContaining({ text: "5" }),
    ]);
    const { counted, real } = references(session.store);
    expect(counted).toEqual(real);
  });

  it("holds its images to a size", async () => {
    const session = new Session(new World(), {}, { bytes: 1_000_000, calls: 1_000 });
    for (let index = 0; index < 30; index++) {
      await session.change(`t${index}`, [session.world.create(`f${index}`, `${index} ${"x".repeat(100_000)}`)]);
      expect(session.store.get<{ total: number }>("SELECT sum(size) AS total FROM blobs")?.total).toBeLessThanOrEqual(
        1_000_000,
      );
    }
    expect(session.journal.queries.dropped().calls).toBe(21);
    expect(session.journal.queries.turns(100)).toHaveLength(9);
  });
});

describe("files that a call is changing", () => {
  it("are changed by one call after the other", async () => {
    const session = new Session(new World({ n: "0" }));
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        const pending = await session.journal.begin(session.call("t"), [
          { kind: "replace", path: "n", absolute: "/w/n", before: { text: "" }, after: { text: "" } },
        ]);
        const change = session.world.replace("n", String(Number(session.world.text("n")) + 1));
        await new Promise((resolve) => setTimeout(resolve, 1));
        await pending.settle(session.world.apply([change]));
      }),
    );
    expect(session.world.text("n")).toBe("16");
  });

  it("are a conflict that names the file when another call keeps them, and waiting for them can be cancelled", async () => {
    const session = new Session(new World({ a: "1", b: "1" }));
    const other = new Session(session.world, { store: session.store, owner: { pid: 2, started: "b" } });
    await other.journal.begin(other.call("t"), [journalChange(session.world.move("a", "c"))]);
    const controller = new AbortController();
    const waiting = session.journal.begin(
      session.call("t"),
      [journalChange(session.world.replace("b", "2")), journalChange(session.world.create("c", ""))],
      controller.signal,
    );
    controller.abort();
    await expect(waiting).rejects.toBe(controller.signal.reason);
    await expect(
      session.journal.begin(session.call("t"), [journalChange(session.world.create("c", ""))]),
    ).rejects.toMatchObject({
      type: "conflict",
      message: expect.stringMatching(/^c is being changed by another call \(edit, process 2\)/) as string,
    });
    await (
      await session.journal.begin(session.call("t"), [journalChange(session.world.replace("b", "2"))])
    ).reconcile();
  });

  it("are one file whatever its case, where the file system says so", async () => {
    const session = new Session(new World({ a: "1" }), { foldCase: true });
    const pending = await session.journal.begin(session.call("t"), [journalChange(session.world.create("A", ""))]);
    const signal = AbortSignal.abort();
    await expect(
      session.journal.begin(session.call("t"), [journalChange(session.world.create("a", ""))], signal),
    ).rejects.toBe(signal.reason);
    pending.drop();
  });
});

describe("changes whose process died", () => {
  const CALL = (world: World): FileChange[] => [
    world.replace("a", "2"),
    world.create("b", "new"),
    world.remove("c"),
    world.move("d", "e"),
  ];
  const FILES = { a: "1", c: "x", d: "y" };

  it.each([0, 1, 2, 3, 4])("are known file by file when %s of 4 were made", async (made) => {
    const world = new World(FILES);
    const dead = new Session(world, { owner: { pid: 2, started: "b" } });
    const changes = CALL(world);
    await dead.journal.begin(dead.call("t"), changes.map(journalChange));
    changes.slice(0, made).forEach((change) => world.apply([change]));
    const { journal } = new Session(world, { store: dead.store, isAlive: ({ pid }) => pid === 1 });
    const [recovered, ...more] = await journal.recover();
    expect(more).toEqual([]);
    expect(recovered?.files.map(({ state }) => state)).toEqual(
      changes.map((_, index) => (index < made ? "applied" : "not_applied")),
    );
    expect(await journal.recover()).toEqual([]);
    if (made > 0) {
      await new Session(world, { store: dead.store }).undo({ session: "s", turn: "t" });
    }
    expect(world.plain()).toEqual(FILES);
  });

  it("are not under way any more, as those of a process that lives are", async () => {
    const world = new World(FILES);
    const other = new Session(world, { owner: { pid: 2, started: "b" } });
    const { id } = await other.journal.begin(other.call("t"), [journalChange(world.replace("a", "2"))]);
    const unfinished = (...alive: number[]): number[] =>
      new Session(world, { store: other.store, isAlive: ({ pid }) => alive.includes(pid) }).journal.unfinished();
    expect(unfinished(1, 2)).toEqual([id]);
    expect(unfinished(1)).toEqual([]);
  });

  it("are said to be unknown where somebody else changed the file since, and are never taken for an undo's base", async () => {
    const world = new World({ a: "1\n2\n3\n" });
    const dead = new Session(world, { owner: { pid: 2, started: "b" } });
    await dead.journal.begin(dead.call("t"), [journalChange(world.replace("a", "1\ntool\n3\n"))]);
    world.files.set("a", { text: "1\n2\n3\nmine\n", encoding: "utf8" });
    const session = new Session(world, { store: dead.store, isAlive: ({ pid }) => pid === 1 });
    expect(await session.journal.recover()).toMatchObject([{ files: [{ path: "a", state: "unknown" }] }]);
    await session.undo({ session: "s", turn: "t" });
    expect(world.text("a")).toBe("1\n2\n3\nmine\n");
  });

  it("are taken back in open documents, too, once the files are", async () => {
    const world = new World({ a: "1", typed: "1" });
    world.files.set("typed", { text: "mine", encoding: "utf8", unsaved: true });
    const dead = new Session(world, { owner: { pid: 2, started: "b" } });
    const pending = await dead.journal.begin(
      dead.call("t"),
      [world.replace("a", "2"), world.create("b", "new"), world.replace("typed", "mine, too")].map(journalChange),
    );
    pending.stage(["a note"]);
    const asked: unknown[] = [];
    const ask = (what: string) => (given: unknown) => Promise.resolve(void asked.push([what, given]));
    const { journal } = new Session(world, {
      store: dead.store,
      isAlive: ({ pid }) => pid === 1,
      rollBack: ask("files"),
      takeBackOpen: ask("documents"),
    });
    await journal.recover();
    expect(asked).toEqual([
      ["files", ["a note"]],
      [
        "documents",
        [
          { absolute: "/w/a", before: "1", after: "2", wasUnsaved: false },
          { absolute: "/w/typed", before: "mine", after: "mine, too", wasUnsaved: true },
        ],
      ],
    ]);
  });

  it("are cleared up by the next call that wants one of the files", async () => {
    const world = new World({ a: "1" });
    const dead = new Session(world, { owner: { pid: 2, started: "b" } });
    const change = world.replace("a", "2");
    await dead.journal.begin(dead.call("t"), [journalChange(change)]);
    world.apply([change]);
    const session = new Session(world, { store: dead.store, isAlive: ({ pid }) => pid === 1 });
    await session.change("t2", [world.replace("a", "3")]);
    expect(session.journal.queries.turns(5).map(({ turn }) => turn)).toEqual(["t2", "t"]);
  });

  it("count as given up after some minutes, even if a process of that number lives", async () => {
    const world = new World({ a: "1" });
    const dead = new Session(world, { owner: { pid: 2, started: "" }, now: () => 0 });
    await dead.journal.begin(dead.call("t"), [journalChange(world.replace("a", "2"))]);
    const later = new Journal({
      store: dead.store,
      owner: { pid: 1, started: "" },
      isAlive: () => true,
      look: world.look,
      now: () => 11 * 60_000,
    });
    expect(await later.recover()).toMatchObject([{ files: [{ state: "not_applied" }] }]);
  });

  it("mark what an undo took back, as far as it came", async () => {
    const world = new World({ a: "1", b: "1" });
    const session = new Session(world);
    await session.change("t", [world.replace("a", "2"), world.replace("b", "2")]);
    const { changes, undoes } = await session.plan({ session: "s", turn: "t" });
    const dead = new Session(world, { store: session.store, owner: { pid: 2, started: "b" } });
    await dead.journal.begin(dead.call("u", "undo"), changes.map(journalChange), undefined, undoes);
    world.apply(changes.slice(0, 1));
    await new Session(world, { store: session.store, isAlive: ({ pid }) => pid === 1 }).journal.recover();
    expect(session.journal.queries.turn({ session: "s", turn: "t" })?.undone).toBe("partly");
    await session.undo({ session: "s", turn: "t" });
    expect(world.plain()).toEqual({ a: "1", b: "1" });
    expect(session.journal.queries.turn({ session: "s", turn: "t" })?.undone).toBe("yes");
  });
});

describe("a call whose end could not be written down", () => {
  it("is looked at when its files are next wanted", async () => {
    const store = memoryStore();
    let isFull = false;
    const session = new Session(new World({ a: "1" }), {
      store: {
        ...{
          run: store.run.bind(store),
          all: store.all.bind(store),
          get: store.get.bind(store),
          close: store.close.bind(store),
        },
        transaction: (work) => {
          if (isFull) {
            throw new ToolError("io_error", "no space is left");
          }
          return store.transaction(work);
        },
      },
    });
    const change = session.world.replace("a", "2");
    const pending = await session.journal.begin(session.call("t"), [journalChange(change)]);
    isFull = true;
    await expect(pending.settle(session.world.apply([change]))).rejects.toMatchObject({ type: "io_error" });
    isFull = false;
    await session.change("t", [session.world.replace("a", "3")]);
    await session.undo({ session: "s", turn: "t" });
    expect(session.world.text("a")).toBe("1");
  });

  it("keeps nothing of a call that was rolled back", async () => {
    const session = new Session(new World({ a: "1" }));
    const pending = await session.journal.begin(session.call("t"), [journalChange(session.world.replace("a", "2"))]);
    expect((await pending.reconcile()).files).toEqual([{ path: "a", to: undefined, state: "not_applied" }]);
    expect(session.store.all("SELECT * FROM calls")).toEqual([]);
    expect(session.store.all("SELECT * FROM blobs")).toEqual([]);
  });
});
