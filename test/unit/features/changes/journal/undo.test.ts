import { describe, expect, it } from "vitest";
import { conflictError } from "../../../../../src/features/changes/journal/undo.js";
import { references, Session, World, type Plain } from "./world.js";

const TURN = { session: "s", turn: "t" };

interface Case {
  name: string;
  files: Record<string, Plain>;
  /** The calls of the turn, each made on what the one before left. */
  calls: ((world: World) => ReturnType<World["replace"]>[])[];
  /** What a person does afterwards. */
  then?: (world: World) => void;
  /** What is there after the undo; the files of the beginning when absent. */
  expected?: Record<string, Plain>;
  outcomes: Record<string, string>;
  /** How many changes bring the files back. */
  changes: number;
}

const lines = (...names: string[]): string => names.map((name) => `${name}\n`).join("");
const write = (world: World, path: string, text: string): unknown => world.files.set(path, { text, encoding: "utf8" });

const CASES: Case[] = [
  {
    name: "an edit",
    files: { a: "one\n" },
    calls: [(w) => [w.replace("a", "two\n")]],
    outcomes: { a: "restored" },
    changes: 1,
  },
  {
    name: "three edits of one file, in one change",
    files: { a: "1\n" },
    calls: [(w) => [w.replace("a", "2\n")], (w) => [w.replace("a", "3\n")], (w) => [w.replace("a", "4\n")]],
    outcomes: { a: "restored" },
    changes: 1,
  },
  {
    name: "a new file that was edited",
    files: {},
    calls: [(w) => [w.create("a", "x")], (w) => [w.replace("a", "y")]],
    outcomes: { a: "restored" },
    changes: 1,
  },
  {
    name: "a deleted file",
    files: { a: "x" },
    calls: [(w) => [w.remove("a")]],
    outcomes: { a: "restored" },
    changes: 1,
  },
  {
    name: "a deleted file of bytes",
    files: { a: [0, 1, 255] },
    calls: [(w) => [w.remove("a")]],
    outcomes: { a: "restored" },
    changes: 1,
  },
  {
    name: "a file that came and went",
    files: {},
    calls: [(w) => [w.create("a", "x")], (w) => [w.remove("a")]],
    outcomes: {},
    changes: 0,
  },
  {
    name: "a deleted file of bytes whose name a moved text had meanwhile",
    files: { a: [0, 1, 255] },
    calls: [(w) => [w.remove("a")], (w) => [w.create("a", "x")], (w) => [w.move("a", "b")]],
    outcomes: { a: "restored", b: "restored" },
    changes: 2,
  },
  {
    name: "a deleted text whose name moved bytes had meanwhile",
    files: { a: "x" },
    calls: [(w) => [w.remove("a")], (w) => [w.create("a", [0, 255])], (w) => [w.move("a", "b")]],
    outcomes: { a: "restored", b: "restored" },
    changes: 2,
  },
  {
    name: "deleted bytes whose name other moved bytes had meanwhile",
    files: { a: [1, 255] },
    calls: [(w) => [w.remove("a")], (w) => [w.create("a", [0, 255])], (w) => [w.move("a", "b")]],
    outcomes: { a: "restored", b: "restored" },
    changes: 2,
  },
  {
    name: "a deleted file that was made anew",
    files: { a: "x" },
    calls: [(w) => [w.remove("a")], (w) => [w.create("a", "y")]],
    outcomes: { a: "restored" },
    changes: 1,
  },
  {
    name: "a chain of moves with an edit",
    files: { a: "x" },
    calls: [(w) => [w.move("a", "b")], (w) => [w.replace("b", "y")], (w) => [w.move("b", "c", "z")]],
    outcomes: { a: "restored" },
    changes: 1,
  },
  {
    name: "a moved new file",
    files: {},
    calls: [(w) => [w.create("a", "x")], (w) => [w.move("a", "b")]],
    outcomes: { b: "restored" },
    changes: 1,
  },
  {
    name: "a moved and deleted file",
    files: { a: "x" },
    calls: [(w) => [w.move("a", "b")], (w) => [w.remove("b")]],
    outcomes: { a: "restored" },
    changes: 1,
  },
  {
    name: "two files that changed their names",
    files: { a: "x", b: "y" },
    calls: [(w) => [w.move("a", "t")], (w) => [w.move("b", "a")], (w) => [w.move("t", "b")]],
    outcomes: { a: "restored", b: "restored" },
    changes: 2,
  },
  {
    name: "a moved file whose old name was taken",
    files: { a: "x" },
    calls: [(w) => [w.move("a", "b")], (w) => [w.create("a", "new")]],
    outcomes: { a: "restored", b: "restored" },
    changes: 2,
  },
  {
    name: "beside what a person wrote since",
    files: { a: lines("1", "2", "3", "4", "5") },
    calls: [(w) => [w.replace("a", lines("1", "tool", "3", "4", "5"))]],
    then: (w) => write(w, "a", lines("1", "tool", "3", "4", "5", "mine")),
    expected: { a: lines("1", "2", "3", "4", "5", "mine") },
    outcomes: { a: "merged" },
    changes: 1,
  },
  {
    name: "a moved file that a person wrote in since",
    files: { a: lines("1", "2", "3") },
    calls: [(w) => [w.move("a", "b")]],
    then: (w) => write(w, "b", lines("1", "2", "3", "mine")),
    expected: { a: lines("1", "2", "3", "mine") },
    outcomes: { a: "merged" },
    changes: 1,
  },
  {
    name: "what a person took back by hand",
    files: { a: "x" },
    calls: [(w) => [w.replace("a", "y")]],
    then: (w) => write(w, "a", "x"),
    outcomes: { a: "already" },
    changes: 0,
  },
  {
    name: "a new file that a person deleted",
    files: {},
    calls: [(w) => [w.create("a", "x")]],
    then: (w) => w.files.delete("a"),
    outcomes: { a: "already" },
    changes: 0,
  },
  {
    name: "a move that was killed between the new name and the old one",
    files: { a: "x" },
    calls: [(w) => [w.move("a", "b")]],
    then: (w) => write(w, "a", "x"),
    outcomes: { a: "already", b: "restored" },
    changes: 1,
  },
  {
    name: "what a person wrote between two calls",
    files: { a: lines("1", "2", "3", "4", "5") },
    calls: [
      (w) => [w.replace("a", lines("tool", "2", "3", "4", "5"))],
      (w) => {
        write(w, "a", lines("tool", "2", "mine", "4", "5"));
        return [w.replace("a", lines("tool", "2", "mine", "4", "again"))];
      },
    ],
    expected: { a: lines("1", "2", "mine", "4", "5") },
    outcomes: { a: "merged" },
    changes: 1,
  },
];

describe("undoing a turn brings back", () => {
  it.each(CASES)("$name", async ({ files, calls, then, expected = files, outcomes, changes }) => {
    const session = new Session(new World(files));
    for (const call of calls) {
      await session.change("t", call(session.world));
    }
    then?.(session.world);
    const plan = await session.undo(TURN);
    expect(plan.conflicts).toEqual([]);
    expect(plan.changes).toHaveLength(changes);
    expect(session.world.plain()).toEqual(expected);
    expect(Object.fromEntries(plan.files.map(({ path, outcome }) => [path, outcome]))).toEqual(outcomes);
    await expect(session.plan(TURN)).rejects.toMatchObject({
      type: "not_found",
      message: expect.stringContaining("undone already") as string,
    });
    const { counted, real } = references(session.store);
    expect(counted).toEqual(real);
  });
});

const CONFLICTS: {
  name: string;
  files: Record<string, Plain>;
  call: Case["calls"][number];
  then: (world: World) => void;
  told: string[];
}[] = [
  {
    name: "a person changed the same line",
    files: { a: lines("1", "2", "3") },
    call: (w) => [w.replace("a", lines("1", "tool", "3"))],
    then: (w) => write(w, "a", lines("1", "mine", "3")),
    told: ["a has been changed since in the same lines (line 2)."],
  },
  {
    name: "a person changed a new file",
    files: {},
    call: (w) => [w.create("a", "x")],
    then: (w) => write(w, "a", "mine"),
    told: ["a was created by the tool"],
  },
  {
    name: "a person deleted it",
    files: { a: "x" },
    call: (w) => [w.replace("a", "y")],
    then: (w) => w.files.delete("a"),
    told: ["a has been deleted since"],
  },
  {
    name: "another file took a deleted one's place",
    files: { a: "x" },
    call: (w) => [w.remove("a")],
    then: (w) => write(w, "a", "mine"),
    told: ["a was deleted by the tool, and another"],
  },
  {
    name: "another file took a moved one's place",
    files: { a: "x" },
    call: (w) => [w.move("a", "b")],
    then: (w) => write(w, "a", "mine"),
    told: ["a was moved to b"],
  },
  {
    name: "a moved file is gone",
    files: { a: "x" },
    call: (w) => [w.move("a", "b")],
    then: (w) => w.files.delete("b"),
    told: ["b has been deleted or moved since"],
  },
  {
    name: "two of three files are in the way",
    files: { a: "1", b: "2", c: "3" },
    call: (w) => [w.replace("a", "x"), w.replace("b", "x"), w.replace("c", "x")],
    then: (w) => {
      write(w, "a", "mine");
      write(w, "c", "mine");
    },
    told: ["a has been changed", "c has been changed"],
  },
];

describe("undoing a turn changes nothing when", () => {
  it.each(CONFLICTS)("$name", async ({ files, call, then, told }) => {
    const session = new Session(new World(files));
    await session.change("t", call(session.world));
    then(session.world);
    const plan = await session.plan(TURN);
    expect(plan.changes).toEqual([]);
    const error = conflictError(plan);
    expect(error?.type).toBe("conflict");
    for (const part of told) {
      expect(error?.message).toContain(part);
    }
  });

  it("its path no longer passes the gate", async () => {
    const session = new Session(new World({ a: "x" }));
    await session.change("t", [session.world.replace("a", "y")]);
    session.store.run("UPDATE changes SET path = '../a', absolute = '../a'");
    expect(conflictError(await session.plan(TURN))?.message).toContain("leads out of the workspace");
  });
});

describe("undo", () => {
  it("leaves files that were not asked for", async () => {
    const session = new Session(new World({ a: "1", b: "2" }));
    await session.change("t", [session.world.replace("a", "x"), session.world.replace("b", "x")]);
    await session.undo({ ...TURN, files: ["a"] });
    expect(session.world.plain()).toEqual({ a: "1", b: "x" });
    expect(session.journal.queries.turn(TURN)?.undone).toBe("partly");
    await expect(session.plan({ ...TURN, files: ["c"] })).rejects.toMatchObject({ type: "not_found" });
    await session.undo(TURN);
    expect(session.world.plain()).toEqual({ a: "1", b: "2" });
  });

  it("takes single calls back around later ones", async () => {
    const world = new World({ a: lines("1", "2", "3", "4", "5") });
    const session = new Session(world);
    const first = await session.change("t", [world.replace("a", lines("one", "2", "3", "4", "5"))]);
    await session.change("t", [world.replace("a", lines("one", "2", "three", "4", "5"))]);
    const third = await session.change("t", [world.replace("a", lines("one", "2", "three", "4", "five"))]);
    await session.undo({ calls: [first, third] });
    expect(world.text("a")).toBe(lines("1", "2", "three", "4", "5"));
  });

  it("is a call that can be undone, again and again", async () => {
    const session = new Session(new World({ a: "1", b: "gone" }));
    await session.change("t", [
      session.world.replace("a", "2"),
      session.world.remove("b"),
      session.world.create("c", "new", "utf16le"),
    ]);
    const done = session.world.plain();
    const undo = await session.undo(TURN);
    expect(session.world.plain()).toEqual({ a: "1", b: "gone" });
    expect(session.journal.queries.lastTurn()).toBeUndefined();
    const redo = await session.undo({ calls: [undo.id ?? 0] });
    expect(session.world.plain()).toEqual(done);
    expect(session.world.now("c")).toMatchObject({ encoding: "utf16le" });
    expect(session.journal.queries.lastTurn()).toEqual(TURN);
    await session.undo({ calls: [redo.id ?? 0] });
    expect(session.world.plain()).toEqual({ a: "1", b: "gone" });
    expect(session.journal.queries.lastTurn()).toBeUndefined();
  });

  it("undoes a turn that undid one of its own calls", async () => {
    const session = new Session(new World({ a: "1" }));
    const first = await session.change("t", [session.world.replace("a", "2")]);
    await session.undo({ calls: [first] }, "t");
    await session.change("t", [session.world.replace("a", "3")]);
    await session.undo(TURN);
    expect(session.world.plain()).toEqual({ a: "1" });
    expect(session.journal.queries.lastTurn()).toBeUndefined();
  });

  it("brings unsaved text back as text and keeps the encoding that a person chose since", async () => {
    const session = new Session(new World());
    session.world.files.set("draft", { text: "mine", encoding: "utf8", unsaved: true });
    session.world.files.set("old", { text: "x", encoding: "utf8" });
    await session.change("t", [session.world.replace("draft", "tool"), session.world.replace("old", "y")]);
    session.world.files.set("old", { text: "y", encoding: "utf16le" });
    await session.undo(TURN);
    expect(session.world.now("draft")).toMatchObject({ text: "mine", unsaved: true });
    expect(session.world.now("old")).toMatchObject({ text: "x", encoding: "utf16le" });
  });

  it("knows what saving made of a text", async () => {
    const session = new Session(new World({ a: "1" }));
    session.world.format = (text) => `${text};`;
    await session.change("t", [session.world.replace("a", "2")]);
    session.world.format = (text) => text;
    expect((await session.undo(TURN)).files).toEqual([{ path: "a", outcome: "restored" }]);
    expect(session.world.text("a")).toBe("1");
  });

  it("keeps every text exactly", async () => {
    const texts = ["", "\uFEFFbom", "half \uD83D", "\r\nmixed\n\r", "\0nul", "é🙂"];
    const session = new Session(new World(Object.fromEntries(texts.map((text, index) => [`f${index}`, text]))));
    const before = session.world.plain();
    await session.change(
      "t",
      texts.map((_, index) => session.world.remove(`f${index}`)),
    );
    await session.undo(TURN);
    expect(session.world.plain()).toEqual(before);
  });

  it("takes the folders that were made for new files away with them, whichever goes last", async () => {
    const session = new Session(new World());
    for (const [path, foldersMade] of [
      ["old/d/1", 1],
      ["old/d/2", 0],
      ["old/3", 0],
    ] as const) {
      const change = session.world.create(path, "x");
      const pending = await session.journal.begin(session.call("t"), [
        { kind: "create", path, absolute: `/w/${path}`, after: { text: "x" } },
      ]);
      session.world.apply([change]);
      await pending.settle([{ saved: true, text: "x", foldersMade }]);
    }
    expect((await session.plan(TURN)).changes).toMatchObject([
      { at: { path: "old/d/1" }, folders: 1 },
      { at: { path: "old/d/2" }, folders: 1 },
      { at: { path: "old/3" } },
    ]);
    expect((await session.plan(TURN)).changes[2]).not.toHaveProperty("folders");
  });
});
