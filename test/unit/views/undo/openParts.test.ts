// Parts of changes, kept and undone one by one, on a journal that real calls have written.
import { describe, expect, it } from "vitest";
import { journalChange } from "../../../../src/features/changes/journal/images.js";
import { conflictError } from "../../../../src/features/changes/journal/undo.js";
import { newChangesOf } from "../../../../src/views/undo/newChanges.js";
import {
  partsAt,
  partsIn,
  selectedLines,
  withoutSettled,
  type PlacedPart,
} from "../../../../src/views/undo/openParts.js";
import { openTurns, undoOf, type OpenTurn } from "../../../../src/views/undo/openTurns.js";
import { SettledParts } from "../../../../src/views/undo/settledParts.js";
import { undoSteps } from "../../../../src/views/undo/steps.js";
import { Session, World, type Plain } from "../../features/changes/journal/world.js";

const lines = (...names: string[]): string => names.map((name) => `${name}\n`).join("");
const TEN = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
/** Ten lines, with some of them as others. */
const ten = (changed: Record<string, string> = {}): string => lines(...TEN.map((line) => changed[line] ?? line));

function open(files: Record<string, Plain>) {
  const world = new World(files);
  const session = new Session(world);
  const kept = { isKept: () => false, parts: new SettledParts() };
  const { queries } = session.journal;
  const turns = (): OpenTurn[] => openTurns(queries, kept);
  const parts = (path: string, text = world.text(path)): PlacedPart[] =>
    partsIn(queries, turns(), kept.parts, (file) => file.path === path, text);
  /** Undoes parts of one file of one turn, as the view does. */
  const undo = async ([first = expect.unreachable(), ...more]: readonly PlacedPart[]) => {
    const only = [first, ...more].map(({ key }) => key);
    const { turn, file } = first;
    const done = await session.undo({ ...undoOf(turn, file), parts: { only, undone: file.undone } });
    if (done.id !== undefined) {
      kept.parts.settle(only, done.id);
    }
    return done;
  };
  const keep = (own: readonly PlacedPart[]): void => kept.parts.settle(own.map(({ key }) => key));
  const listed = () =>
    turns().map(({ turn, files: changed, undone }) => [
      turn.turn,
      undone,
      ...changed.map(({ file: { path, added, removed } }) => `${path} +${added} -${removed}`),
    ]);
  const where = (path: string, text?: string): string[] =>
    parts(path, text).map(({ turn, lines: { start, end } }) => `${turn.turn.turn} ${start}-${end}`);
  return { world, session, kept, queries, turns, parts, undo, keep, listed, where };
}

/** A turn with three parts in a file. */
async function three(files: Record<string, Plain> = { f: ten() }) {
  const all = open(files);
  await all.session.change("t", [all.world.replace("f", ten({ b: "B", e: "E\nE2", h: "H" }))]);
  return all;
}

describe("the old text of a part", () => {
  it("is what the lines were, none where they are new, and of a large part the beginning and how much there was", async () => {
    const many = Array.from({ length: 50 }, (_, index) => `line ${index}\n`);
    const { world, session, parts } = open({ f: ten() + many.join("") });
    await session.change("t", [world.replace("f", ten({ b: "B", e: "e\nE2", h: "" }).replace("\n\n", "\n"))]);
    expect(parts("f").map(({ was, removed }) => [removed, was])).toEqual([
      [1, ["b\n"]],
      [0, []],
      [1, ["h\n"]],
      [50, many.slice(0, 20)],
    ]);
  });
});

describe("a part that is undone", () => {
  it("has its lines as before, is not counted any more, and can be redone", async () => {
    const { world, session, parts, undo, listed, where } = await three();
    expect(where("f")).toEqual(["t 1-2", "t 4-6", "t 8-9"]);
    const done = await undo(parts("f").slice(1, 2));
    expect(world.text("f")).toBe(ten({ b: "B", h: "H" }));
    expect(undoSteps(done)).toEqual([{ path: "f", did: "partly", merged: false }]);
    expect(listed()).toEqual([["t", "no", "f +2 -2"]]);
    expect(where("f")).toEqual(["t 1-2", "t 7-8"]);
    // It is a call of its own, which an undo takes back.
    expect(session.journal.queries.call(done.id ?? 0)?.tool).toBe("undo");
    await session.undo({ calls: [done.id ?? 0] });
    expect(world.text("f")).toBe(ten({ b: "B", e: "E\nE2", h: "H" }));
    expect(listed()).toEqual([["t", "no", "f +4 -3"]]);
    expect(where("f")).toHaveLength(3);
  });

  it("is offered again where the editor's own undo has brought it back", async () => {
    const { world, parts, undo, where } = await three();
    await undo(parts("f").slice(0, 1));
    expect(where("f")).toHaveLength(2);
    world.files.set("f", { text: ten({ b: "B", e: "E\nE2", h: "H" }), encoding: "utf8" });
    expect(where("f")).toHaveLength(3);
    await undo(parts("f").slice(0, 1));
    expect(world.text("f")).toBe(ten({ e: "E\nE2", h: "H" }));
  });

  it.each<[string, string, string, string]>([
    ["CRLF", "a\r\nb\r\nc\r\nd\r\ne\r\n", "a\r\nB\r\nc\r\nd\r\nE\r\n", "a\r\nb\r\nc\r\nd\r\nE\r\n"],
    ["no line ending at the end", "a\nb\nc\nd\ne", "a\nB\nc\nd\nE", "a\nb\nc\nd\nE"],
    ["a line ending that was lost", "a\r\nb\r\nc\nd\n", "a\r\nb\nc\nd\nx\n", "a\r\nb\r\nc\nd\nx\n"],
  ])("keeps %s", async (_name, before, after, expected) => {
    const { world, session, parts, undo } = open({ f: before });
    await session.change("t", [world.replace("f", after)]);
    await undo(parts("f").slice(0, 1));
    expect(world.text("f")).toBe(expected);
  });

  it("keeps the file's encoding, and text that nobody has saved", async () => {
    const { world, session, parts, undo } = open({});
    world.files.set("f", { text: ten(), encoding: "utf16le" });
    await session.change("t", [world.replace("f", ten({ b: "B", h: "H" }))]);
    world.files.set("f", { text: `typed\n${ten({ b: "B", h: "H" })}typed\n`, encoding: "utf16le", unsaved: true });
    await undo(parts("f").slice(1));
    expect(world.now("f")).toMatchObject({
      text: `typed\n${ten({ b: "B" })}typed\n`,
      encoding: "utf16le",
      unsaved: true,
    });
  });

  it("is refused where somebody has changed its lines, or lines next to them, and nothing is lost", async () => {
    const { world, parts, undo, where, listed } = await three();
    const stale = parts("f");
    world.files.set("f", { text: ten({ b: "B typed", e: "E\nE2", h: "H", i: "i typed" }), encoding: "utf8" });
    expect(where("f")).toEqual(["t 4-6"]);
    for (const part of [stale[0], stale[2]]) {
      const done = await undo(part === undefined ? [] : [part]);
      expect(conflictError(done)?.message).toMatch(
        /^Nothing was undone\. f has been changed since in the same lines \(lines? /,
      );
    }
    expect(world.text("f")).toContain("B typed");
    expect(listed()).toEqual([["t", "no", "f +4 -3"]]);
  });

  it("is a turn's own: what a later turn made of its lines goes first", async () => {
    const { world, session, parts, undo, where } = await three();
    await session.change("u", [world.replace("f", ten({ b: "B", e: "E\nE3", h: "H", j: "J" }))]);
    expect(where("f")).toEqual(["t 1-2", "u 5-6", "t 8-9", "u 10-11"]);
    await undo(parts("f").slice(1, 2));
    expect(world.text("f")).toBe(ten({ b: "B", e: "E\nE2", h: "H", j: "J" }));
    expect(where("f")).toEqual(["t 1-2", "t 4-6", "t 8-9", "u 10-11"]);
    await undo(parts("f").slice(1, 2));
    expect(world.text("f")).toBe(ten({ b: "B", h: "H", j: "J" }));
  });

  it("is gone from the turn's undo, which then brings back the rest exactly", async () => {
    const { world, session, turns, parts, undo, listed } = await three();
    await undo(parts("f").slice(1, 2));
    const done = await session.undo(undoOf(turns()[0] ?? expect.unreachable()));
    expect(done.files).toEqual([{ path: "f", outcome: "restored" }]);
    expect(world.text("f")).toBe(ten());
    expect(listed()).toEqual([["t", "yes", "f +2 -2"]]);
  });
});

describe("a part that is kept", () => {
  it("is offered no more, also after a reload, and its file leaves the list with the last", async () => {
    const { kept, parts, undo, keep, listed, where } = await three({ f: ten(), g: "1" });
    keep(parts("f").slice(0, 1));
    expect(where("f")).toEqual(["t 4-6", "t 8-9"]);
    expect(listed()).toEqual([["t", "no", "f +3 -2"]]);
    kept.parts = new SettledParts(JSON.parse(JSON.stringify(kept.parts.stored())));
    expect(where("f")).toEqual(["t 4-6", "t 8-9"]);
    await undo(parts("f").slice(0, 1));
    kept.parts = new SettledParts(JSON.parse(JSON.stringify(kept.parts.stored())));
    keep(parts("f"));
    expect(listed()).toEqual([]);
  });

  it("stays when its turn or its file is undone, and comes back to no list with the redo", async () => {
    const { world, session, turns, parts, undo, keep, listed } = await three();
    keep(parts("f").slice(0, 1));
    await undo(parts("f").slice(0, 1));
    const [turn = expect.unreachable()] = turns();
    expect(undoOf(turn)).toMatchObject({ parts: { kept: [expect.any(String)], undone: [expect.any(String)] } });
    const done = await session.undo(undoOf(turn, turn.files[0]));
    expect(world.text("f")).toBe(ten({ b: "B" }));
    await session.undo({ calls: [done.id ?? 0] });
    expect(world.text("f")).toBe(ten({ b: "B", h: "H" }));
    expect(listed()).toEqual([["t", "no", "f +1 -1"]]);
  });

  it("leaves the turn's other files to be undone, and its own where nothing else is left of it", async () => {
    const { world, session, turns, parts, keep } = open({ f: ten(), g: "1" });
    await session.change("t", [world.replace("f", ten({ b: "B" })), world.replace("g", "2")]);
    keep(parts("f"));
    const [turn = expect.unreachable()] = turns();
    expect(turn.files.map(({ file }) => file.path)).toEqual(["g"]);
    await session.undo(undoOf(turn));
    expect(world.plain()).toEqual({ f: ten({ b: "B" }), g: "1" });
  });

  it("stays so while the turn goes on elsewhere; where it changes the lines again, they are new", async () => {
    const { world, session, parts, keep, listed } = await three();
    keep(parts("f").slice(0, 1));
    await session.change("t", [world.replace("f", ten({ b: "B", e: "E\nE2", h: "H", j: "J" }))]);
    expect(listed()).toEqual([["t", "no", "f +4 -3"]]);
    await session.change("t", [world.replace("f", ten({ b: "B2", e: "E\nE2", h: "H", j: "J" }))]);
    expect(listed()).toEqual([["t", "no", "f +5 -4"]]);
  });

  it("is no change to look at in the status bar either, and its undo keeps it", async () => {
    const { world, session, kept, queries, parts, keep } = await three({ f: ten(), g: "1" });
    await session.change("u", [world.replace("g", "2")]);
    keep(parts("f").slice(0, 1));
    const found = newChangesOf(queries, 0, kept) ?? expect.unreachable();
    expect(found.files.map(({ path, added, removed }) => `${path} +${added} -${removed}`)).toEqual([
      "f +3 -2",
      "g +1 -1",
    ]);
    await session.undo({ calls: found.calls, changes: found.changes, ...(found.parts && { parts: found.parts }) });
    expect(world.plain()).toEqual({ f: ten({ b: "B" }), g: "1" });
    keep(parts("f"));
  });

  it.each([false, true])(
    "stays when the status bar's changes are undone, of which some were looked at before (one undone alone: %s)",
    async (isFirstUndone) => {
      const { world, session, kept, queries, parts, keep } = open({ f: ten(), g: "1" });
      const first = await session.change("t", [world.replace("f", ten({ b: "B" })), world.replace("g", "2")]);
      const since = newChangesOf(queries, 0, kept)?.at ?? expect.unreachable();
      await session.change("t", [world.replace("f", ten({ b: "B", h: "H" }))]);
      keep(parts("f").slice(1));
      if (isFirstUndone) {
        await session.undo({ calls: [first] });
      }
      await session.change("u", [world.create("new", "1")]);
      const found = newChangesOf(queries, since, kept) ?? expect.unreachable();
      await session.undo({ calls: found.calls, changes: found.changes, ...(found.parts && { parts: found.parts }) });
      // Of the other file, nothing is new.
      expect(world.plain()).toEqual({ f: ten({ h: "H" }), g: isFirstUndone ? "1" : "2" });
    },
  );

  it("does not go where its turn has made another change of it meanwhile", async () => {
    const { world, session, turns, parts, keep } = await three();
    keep(parts("f").slice(0, 1));
    const [turn = expect.unreachable()] = turns();
    const asked = undoOf(turn);
    await session.change("t", [world.replace("f", ten({ b: "B2", e: "E\nE2", h: "H" }))]);
    const done = await session.undo(asked);
    expect(conflictError(done)?.message).toContain("has been changed by the same turn since");
    expect(world.text("f")).toContain("B2");
  });
});

describe("parts of a file that its turn changed again after somebody else", () => {
  it("stay kept when the file's later change is undone", async () => {
    const { world, session, turns, parts, undo, keep } = open({ f: ten() });
    await session.change("t", [world.replace("f", ten({ b: "B", e: "E" }))]);
    keep(parts("f").slice(0, 1));
    await undo(parts("f"));
    await session.change("t", [world.replace("f", ten({ b: "B", h: "H" }))]);
    const [turn = expect.unreachable()] = turns();
    expect(turn.files).toHaveLength(1);
    await session.undo(undoOf(turn, turn.files[0]));
    expect(world.text("f")).toBe(ten({ b: "B" }));
  });

  it.each(["turn", "row"])("stay kept when the %s is undone", async (which) => {
    const { world, session, turns, parts, keep } = open({ f: ten() });
    await session.change("t", [world.replace("f", ten({ b: "B" }))]);
    keep(parts("f"));
    world.files.set("f", { text: ten({ b: "B", e: "typed" }), encoding: "utf8" });
    await session.change("t", [world.replace("f", ten({ b: "B", e: "typed", h: "H" }))]);
    const [turn = expect.unreachable()] = turns();
    await session.undo(undoOf(turn, which === "turn" ? undefined : turn.files[0]));
    expect(world.text("f")).toBe(ten({ b: "B", e: "typed" }));
  });

  it("stay kept when the earlier change is undone", async () => {
    const { world, session, turns, parts, keep } = open({ f: ten() });
    await session.change("t", [world.replace("f", ten({ b: "B" }))]);
    world.files.set("f", { text: ten({ b: "B", e: "typed" }), encoding: "utf8" });
    await session.change("t", [world.replace("f", ten({ b: "B", e: "typed", h: "H" }))]);
    keep(parts("f").slice(1));
    const [turn = expect.unreachable()] = turns();
    expect(turn.files).toHaveLength(1);
    await session.undo(undoOf(turn, turn.files[0]));
    expect(world.text("f")).toBe(ten({ e: "typed", h: "H" }));
  });
});

describe("parts of a change that is undone in part, or perhaps another's in part, have other names in its undo", () => {
  type All = ReturnType<typeof open>;
  /** A command during which others may have changed the file, too. */
  const command = async ({ world, session }: All, text: string): Promise<void> => {
    const change = world.replace("f", text);
    const call = { ...session.call("t", "command"), perhapsOthers: true as const };
    const pending = await session.journal.begin(call, [journalChange(change)], undefined, []);
    await pending.settle(world.apply([change]));
  };
  const undone = async ({ world, session }: All, by: string): Promise<void> => {
    const first = await session.change("t", [world.replace("f", ten({ b: "B" }))]);
    if (by === "t") {
      await session.undo({ calls: [first] }, by);
      await session.change("t", [world.replace("f", ten({ c: "C", h: "H" }))]);
    } else {
      await session.change("t", [world.replace("f", ten({ b: "B", h: "H" }))]);
      await session.undo({ calls: [first] }, by);
    }
  };

  it.each<[string, (all: All) => Promise<void>, string]>([
    ["its first call was undone alone", (all) => undone(all, "undoing"), ten({ h: "H" })],
    ["the agent undid its own first call", (all) => undone(all, "t"), ten({ h: "H" })],
    [
      "a command came first",
      async (all) => {
        await command(all, ten({ b: "B" }));
        await all.session.change("t", [all.world.replace("f", ten({ b: "B", h: "H" }))]);
      },
      ten({ b: "B", h: "H" }),
    ],
    [
      "a command came last",
      async (all) => {
        await all.session.change("t", [all.world.replace("f", ten({ b: "B" }))]);
        await command(all, ten({ b: "B", h: "H" }));
      },
      ten({ h: "H" }),
    ],
  ])("where %s: one alone is undone, or stays", async (_name, make, expected) => {
    const all = open({ f: ten() });
    await make(all);
    const { world, session, turns, parts, undo, keep } = all;
    const before = world.text("f");
    const { id } = await undo(parts("f").slice(-1));
    expect(world.text("f")).toBe(before.replace("H", "h"));
    await session.undo({ calls: [id ?? 0] });
    expect(world.text("f")).toBe(before);
    keep(parts("f").slice(-1));
    const done = await session.undo(undoOf(turns()[0] ?? expect.unreachable()));
    expect(done.conflicts).toEqual([]);
    expect(world.text("f")).toBe(expected);
  });

  it("where nobody can say which they are, nothing is undone", async () => {
    const { world, session, turns, parts, keep } = open({ f: ten() });
    const first = await session.change("t", [world.replace("f", ten({ b: "B" }))]);
    await session.change("t", [world.replace("f", ten({ b: "B", e: "E", h: "H" }))]);
    const last = await session.change("t", [world.replace("f", ten({ b: "B", e: "E", h: "H", j: "J" }))]);
    await session.undo({ calls: [last] });
    keep(parts("f").slice(1, 2));
    await session.undo({ calls: [first] });
    const done = await session.undo(undoOf(turns()[0] ?? expect.unreachable()));
    expect(conflictError(done)?.message).toBe(
      "Nothing was undone. f: some of its changes were undone separately, so that the parts you kept or undid cannot be told apart.",
    );
    expect(world.text("f")).toBe(ten({ e: "E", h: "H" }));
  });

  it("are not said to stay where their file is undone", async () => {
    const { world, session, turns, parts, keep } = open({ f: ten(), g: "1" });
    await session.change("t", [world.replace("f", ten({ b: "B", h: "H" })), world.replace("g", "2")]);
    keep(parts("f").slice(0, 1));
    const [turn = expect.unreachable()] = turns();
    await session.undo(undoOf(turn, turn.files[0]));
    expect(undoOf(turns()[0] ?? expect.unreachable())).not.toHaveProperty("parts");
    await session.undo(undoOf(turns()[0] ?? expect.unreachable()));
    expect(world.plain()).toEqual({ f: ten({ b: "B" }), g: "1" });
  });
});

describe("files", () => {
  it("have parts where they were moved to, and the move stays a change", async () => {
    const { world, session, parts, undo, keep, listed } = open({ f: ten() });
    await session.change("t", [world.move("f", "g", ten({ b: "B", h: "H" }))]);
    await undo(parts("g").slice(0, 1));
    expect(world.plain()).toEqual({ g: ten({ h: "H" }) });
    keep(parts("g"));
    expect(listed()).toEqual([["t", "no", "g +0 -0"]]);
  });

  it("that are new, gone or no text have none", async () => {
    const { world, session, turns, where, queries } = open({ gone: "1", bytes: [0, 1] });
    await session.change("t", [
      world.create("new", "1\n2\n"),
      world.remove("gone"),
      {
        kind: "overwrite",
        at: world.at("bytes"),
        before: world.snapshot("bytes"),
        content: { bytes: Uint8Array.of(2) },
      },
    ]);
    expect(where("new")).toEqual([]);
    expect(partsIn(queries, turns(), new SettledParts(), () => true, "1\n2\n")).toEqual([]);
  });

  it("are as large as they are", async () => {
    const line = (index: number, word = "is"): string => `line ${index} ${word} one of many\n`;
    const text = (...changed: number[]): string =>
      Array.from({ length: 50_000 }, (_, index) => line(index, changed.includes(index) ? "was" : "is")).join("");
    const { world, session, parts, undo } = open({ f: text() });
    await session.change("t", [world.replace("f", text(100, 20_000, 49_999))]);
    expect(parts("f").map(({ lines: { start } }) => start)).toEqual([100, 20_000, 49_999]);
    await undo(parts("f").slice(1, 2));
    expect(world.text("f") === text(100, 49_999)).toBe(true);
  });
});

it("what is at the cursor are the changed lines, or the neighbours of deleted ones", async () => {
  const { world, session, parts } = open({ f: ten() });
  await session.change("t", [world.replace("f", lines("a", "B", "c", "d", "f", "g", "h", "i", "j", "k", "l"))]);
  const at = (start: number, end = start): number[] =>
    partsAt(parts("f"), [{ start, end }]).map(({ lines: { start: line } }) => line);
  expect([at(0), at(1), at(2), at(3), at(4), at(5), at(0, 3)]).toEqual([[], [1], [], [4], [4], [], [1, 4]]);
  expect([at(8), at(9), at(10), at(11)]).toEqual([[], [9], [9], []]);
});

it.each<[string, Parameters<typeof selectedLines>[0], number[]]>([
  ["within a line", { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } }, [1]],
  ["a cursor at the start of a line", { start: { line: 4, character: 0 }, end: { line: 4, character: 0 } }, [4]],
  ["lines up to the start of the next", { start: { line: 1, character: 0 }, end: { line: 4, character: 0 } }, [1]],
  ["lines and some of the next", { start: { line: 1, character: 0 }, end: { line: 4, character: 1 } }, [1, 4]],
])("what is selected is what has selected characters: %s", async (_name, selection, expected) => {
  const { world, session, parts } = open({ f: ten() });
  await session.change("t", [world.replace("f", ten({ b: "B", e: "E" }))]);
  expect(partsAt(parts("f"), [selectedLines(selection)]).map(({ lines: { start } }) => start)).toEqual(expected);
});

it("a part stays undone by its undo, which brings it back, when a second one finds nothing to do", async () => {
  const { world, session, kept, queries, parts, undo } = await three();
  const [part = expect.unreachable()] = parts("f");
  const { id } = await undo([part]);
  const second = await undo([part]);
  expect(second.changes).toEqual([]);
  // As the editor does.
  kept.parts.settle(kept.parts.openOf([part.key], queries));
  await session.undo({ calls: [id ?? 0] });
  expect(world.text("f")).toBe(ten({ b: "B", e: "E\nE2", h: "H" }));
  expect(parts("f").map(({ key }) => key)).toContain(part.key);
});

it("a review shows neither what was kept nor what was undone", async () => {
  const { kept, queries, turns, parts, undo, keep } = await three();
  const { file } = turns()[0]?.files[0] ?? expect.unreachable();
  keep(parts("f").slice(0, 1));
  await undo(parts("f").slice(0, 1));
  const shown = (side: "before" | "after", text: string): string =>
    withoutSettled(queries, kept.parts, file, text, side);
  expect(shown("before", ten())).toBe(ten({ b: "B" }));
  expect(shown("after", ten({ b: "B", e: "E\nE2", h: "H" }))).toBe(ten({ b: "B", h: "H" }));
});
