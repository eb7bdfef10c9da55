// What is left to keep or undo, on a journal that real calls have written.
import { expect, test } from "vitest";
import type { RecordedChange } from "../../../../src/features/changes/journal/types.js";
import { openTurns, undoOf } from "../../../../src/views/undo/openTurns.js";
import { SettledParts } from "../../../../src/views/undo/settledParts.js";
import { Session, World } from "../../features/changes/journal/world.js";

function open(files: Record<string, string>) {
  const world = new World(files);
  const session = new Session(world);
  const kept = new Set<number>();
  const parts = new SettledParts();
  const turns = () => openTurns(session.journal.queries, { isKept: ({ id }) => kept.has(id), parts });
  const listed = () =>
    turns().map(({ turn, files: changed, undone }) => [
      turn.turn,
      undone,
      changed.map(({ file: { path }, isUndone }) => (isUndone ? `${path} undone` : path)),
    ]);
  const keep = (changes: readonly RecordedChange[] = []): void => changes.forEach(({ id }) => kept.add(id));
  return { world, session, turns, listed, keep, parts };
}

test("turns stay, and say what is undone, until their changes are kept", async () => {
  const { world, session, turns, listed, keep } = open({ a: "1", b: "1", c: "1" });
  await session.change("t1", [world.replace("a", "2"), world.replace("b", "2")]);
  await session.change("t2", [world.replace("c", "2")]);
  expect(listed()).toEqual([
    ["t2", "no", ["c"]],
    ["t1", "no", ["a", "b"]],
  ]);
  await session.undo({ session: "s", turn: "t1", files: ["a"] });
  await session.undo({ session: "s", turn: "t2" });
  expect(listed()).toEqual([
    ["t2", "yes", ["c undone"]],
    ["t1", "partly", ["a undone", "b"]],
  ]);
  keep(turns()[0]?.changes);
  keep(turns()[0]?.files[0]?.changes);
  expect(listed()).toEqual([["t1", "no", ["b"]]]);
  // What a turn does after it was kept is new.
  keep(turns()[0]?.changes);
  expect(listed()).toEqual([]);
  await session.change("t1", [world.replace("b", "3")]);
  expect(listed()).toEqual([["t1", "no", ["b"]]]);
});

test("a file that was moved more than once has the changes under all its names", async () => {
  const { world, session, turns, listed, keep } = open({ a: "1", other: "1" });
  await session.change("t", [world.replace("a", "2"), world.replace("other", "2")]);
  for (const [from, to] of [
    ["a", "b"],
    ["b", "c"],
    ["c", "d"],
  ] as const) {
    await session.change("t", [world.move(from, to)]);
  }
  expect(listed()).toEqual([["t", "no", ["d", "other"]]]);
  const [moved] = turns()[0]?.files ?? [];
  expect(moved?.changes).toHaveLength(4);
  keep(moved?.changes);
  expect(listed()).toEqual([["t", "no", ["other"]]]);
});

test("an undo of a row takes back what the row shows, and nothing that was kept", async () => {
  const { world, session, turns, keep } = open({ a: "1", b: "1", c: "1" });
  await session.change("t", [world.replace("a", "2"), world.replace("b", "2")]);
  expect(undoOf(turns()[0] ?? expect.unreachable())).toEqual({ session: "s", turn: "t" });
  keep(turns()[0]?.files[1]?.changes);
  await session.change("t", [world.replace("b", "3"), world.replace("c", "2")]);
  const [turn = expect.unreachable()] = turns();
  const file = turn.files.find((each) => each.file.path === "b");
  await session.undo(undoOf(turn, file));
  expect(world.plain()).toEqual({ a: "2", b: "2", c: "2" });
  // The first call's change of b is kept, but its change of a is not.
  await session.undo(undoOf(turns()[0] ?? expect.unreachable()));
  expect(world.plain()).toEqual({ a: "1", b: "2", c: "1" });
  expect(turns()[0]?.undone).toBe("yes");
});

test("an undo that the agent made itself is no change to keep or undo", async () => {
  const { world, session, turns, listed } = open({ a: "1", b: "1" });
  await session.change("t", [world.replace("a", "2")]);
  await session.undo({ session: "s", turn: "t" }, "t");
  await session.change("t", [world.replace("b", "2")]);
  expect(listed()).toEqual([["t", "no", ["b"]]]);
  await session.change("t", [world.replace("a", "3")]);
  expect(listed()).toEqual([["t", "partly", ["a", "b"]]]);
  await session.undo(undoOf(turns()[0] ?? expect.unreachable()));
  expect(world.plain()).toEqual({ a: "1", b: "1" });
});

test("a turn without a net effect is not listed", async () => {
  const { world, session, listed } = open({ a: "1" });
  await session.change("t", [world.create("new", "1"), world.replace("a", "2")]);
  await session.change("t", [world.remove("new"), world.replace("a", "1")]);
  expect(listed()).toEqual([]);
  await session.change("t", [world.create("new", "1")]);
  expect(listed()).toEqual([["t", "no", ["new"]]]);
  await session.undo({ session: "s", turn: "t" });
  expect(listed()).toEqual([["t", "yes", ["new undone"]]]);
});

test("turns that are not kept stay, however many later ones are", async () => {
  const { world, session, turns, listed, keep } = open({ a: "1", b: "1" });
  await session.change("first", [world.replace("a", "2")]);
  for (let index = 0; index < 60; index++) {
    await session.change(`t${index}`, [world.replace("b", `new ${index}`)]);
  }
  expect(listed()).toHaveLength(50);
  for (const { turn, changes } of turns()) {
    keep(turn.turn === "first" ? [] : changes);
  }
  expect(listed().at(-1)).toEqual(["first", "no", ["a"]]);
});
