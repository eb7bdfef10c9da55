// What nobody has looked at yet, on a journal that real calls have written.
import { expect, test } from "vitest";
import { areShown, newChangesOf, type NewChanges } from "../../../../src/views/undo/newChanges.js";
import { SettledParts } from "../../../../src/views/undo/settledParts.js";
import { Session, World } from "../../features/changes/journal/world.js";

test("it is the changes of agents since a moment that are not undone, by turn", async () => {
  const world = new World({ a: "1", b: "1", c: "1" });
  const session = new Session(world);
  const replace = (path: string, text: string) => world.replace(path, text);
  const journal = session.journal.queries;
  const found = (since: number): unknown => {
    const changes = newChangesOf(journal, since);
    return changes && { calls: changes.calls, turns: changes.turns.map(({ files }) => files.map(({ path }) => path)) };
  };
  expect(found(0)).toBeUndefined();
  const first = await session.change("t1", [replace("a", "2")]);
  const second = await session.change("t2", [replace("b", "2")]);
  const third = await session.change("t1", [replace("c", "2")]);
  expect(found(0)).toEqual({ calls: [first, second, third], turns: [["a", "c"], ["b"]] });
  await session.undo({ session: "s", turn: "t2" });
  expect(found(0)).toEqual({ calls: [first, third], turns: [["a", "c"]] });
  // A file that is as it was again is no change.
  await session.change("t3", [replace("c", "1")]);
  expect(newChangesOf(journal, 0)?.files.map(({ path }) => path)).toEqual(["a"]);
  expect(found(newChangesOf(journal, 0)?.at ?? 0)).toBeUndefined();
});

test("they count as looked at once all of them were shown as they are", async () => {
  const world = new World({ a: "1", b: "1" });
  const session = new Session(world);
  const journal = session.journal.queries;
  await session.change("t1", [world.replace("a", "2")]);
  const shown = newChangesOf(journal, 0)?.files ?? [];
  const now = (): NewChanges => newChangesOf(journal, 0) ?? expect.unreachable();
  expect([areShown(now(), shown), areShown(now(), [])]).toEqual([true, false]);
  await session.change("t2", [world.replace("b", "2")]);
  expect(areShown(now(), shown)).toBe(false);
  await session.undo({ session: "s", turn: "t2" });
  expect(areShown(now(), shown)).toBe(true);
  await session.change("t3", [world.replace("a", "3")]);
  expect(areShown(now(), shown)).toBe(false);
});

test("of a call with a kept change, only the others are new", async () => {
  const world = new World({ a: "1", b: "1" });
  const session = new Session(world);
  const journal = session.journal.queries;
  const call = await session.change("t", [world.replace("a", "2"), world.replace("b", "2")]);
  const [kept] = journal.changes([call]);
  await session.change("t", [world.replace("a", "3")]);
  const { calls = [], changes = [] } =
    newChangesOf(journal, 0, { isKept: ({ id }) => id === kept?.id, parts: new SettledParts() }) ?? {};
  await session.undo({ calls, changes });
  expect(world.plain()).toEqual({ a: "2", b: "1" });
});
