// What the lists of undo know of the journal, on a journal that real calls have written.
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import {
  bringBack,
  countChanges,
  directionOf,
  lastTurn,
  listCalls,
  listTurns,
} from "../../../../src/views/undo/calls.js";
import { planUndo } from "../../../../src/features/changes/journal/undo.js";
import { filesOf } from "../../../../src/views/undo/given.js";
import { undoFromCommandLine } from "../../../../src/doors/cli/undo.js";
import type { UndoHost } from "../../../../src/views/undo/undo.js";
import { Session, World } from "../../features/changes/journal/world.js";

function open(files: Record<string, string>) {
  const world = new World(files);
  const session = new Session(world);
  const replace = (path: string, text: string) => world.replace(path, text);
  const calls = () => listCalls(session.journal.queries).map(({ call: { id, tool }, undone }) => [id, tool, undone]);
  return { world, session, replace, calls, journal: session.journal.queries };
}

describe("the files of a review", () => {
  test("are those of the question: neither what was changed back nor what is undone", async () => {
    const { session, replace, journal } = open({ a: "1", b: "1", c: "1", d: "1" });
    const calls = [
      await session.change("t1", [replace("a", "2"), replace("b", "2"), replace("c", "2")]),
      await session.change("t1", [replace("c", "1"), session.world.create("e", "")]),
    ];
    expect(journal.turn({ session: "s", turn: "t1" })?.files.map(({ path }) => path)).toEqual(["a", "b", "e"]);
    await session.undo({ session: "s", turn: "t1", files: ["a"] });
    const files = filesOf(journal, calls).map(({ path }) => path);
    expect(files).toEqual(["b", "e"]);
    const { files: asked } = await planUndo(journal, { calls }, session.world);
    expect(asked.map(({ path }) => path).filter((path) => path !== "c")).toEqual(files);
    // Of a call that is undone as a whole, what it did.
    await session.undo({ session: "s", turn: "t1" });
    expect(filesOf(journal, calls).map(({ path }) => path)).toEqual(["a", "b", "e"]);
  });
});

describe("the list of calls", () => {
  test("has the newest first, without undos, and says what is undone", async () => {
    const { session, replace, calls, journal } = open({ a: "1", b: "1" });
    const first = await session.change("t1", [replace("a", "2")]);
    const second = await session.change("t2", [replace("b", "2")], "write");
    const third = await session.change("t2", [replace("a", "3")]);
    expect(calls()).toEqual([
      [third, "edit", "no"],
      [second, "write", "no"],
      [first, "edit", "no"],
    ]);
    await session.undo({ session: "s", turn: "t2", files: ["b"] });
    expect(calls()).toEqual([
      [third, "edit", "no"],
      [second, "write", "yes"],
      [first, "edit", "no"],
    ]);
    expect(listTurns(journal).map(({ turn, undone }) => [turn, undone])).toEqual([
      ["t2", "partly"],
      ["t1", "no"],
    ]);
    expect(lastTurn(journal, 0)).toEqual({ session: "s", turn: "t2" });
  });

  test("is empty where nothing was changed, and there is no last turn", () => {
    const { calls, journal } = open({});
    expect(calls()).toEqual([]);
    expect(() => lastTurn(journal, 0, "s")).toThrow(
      new ToolError("not_found", "Nothing to undo: no change that Toolhost's tools made in this chat is left to undo."),
    );
  });

  test("says what was dropped for want of room", async () => {
    const world = new World({ a: "0" });
    const session = new Session(world, {}, { bytes: 1_000_000, calls: 2 });
    for (let turn = 1; turn <= 5; turn++) {
      await session.change(`t${turn}`, [
        { kind: "replace", at: world.at("a"), before: world.snapshot("a") as never, text: String(turn) },
      ]);
    }
    await session.undo({ session: "s", turn: "t5" });
    await session.undo({ session: "s", turn: "t4" }).catch(() => undefined);
    expect(() => lastTurn(session.journal.queries, 60_000)).toThrow(
      /^Nothing to undo: .* [34] older calls, until just now, were dropped from the undo journal to make room\.$/,
    );
  });
});

test("the command line lists the latest calls of a long turn, and says how many come before", async () => {
  const { session, replace } = open({ a: "0" });
  for (let number = 1; number <= 32; number++) {
    await session.change("t1", [replace("a", String(number))]);
  }
  const host = {
    changes: { journal: () => Promise.resolve(session.journal.queries) },
    now: () => 1_000,
  } as unknown as UndoHost;
  const outcome = await undoFromCommandLine(host, { kind: "list" }, "toolhost undo", new AbortController().signal);
  const { text, data } = outcome.ok ? outcome : { text: "", data: {} };
  const lines = text.split("\n");
  expect(lines.filter((line) => / edit {2}a /.test(line))).toHaveLength(30);
  expect(lines[1]).toMatch(/^ {4}32 {2}edit {2}a {2}\+1 −1$/);
  expect(lines[31]).toBe("        [and 2 earlier calls of this turn]");
  expect(data).toMatchObject({ turns: [{ earlier_calls: 2 }] });
});

describe("bringing undone calls back", () => {
  test("touches the files of these calls alone, though one undo took more back", async () => {
    const { world, session, replace, journal, calls } = open({ a: "1", b: "1", c: "1" });
    const first = await session.change("t", [replace("a", "2")]);
    const second = await session.change("t", [replace("b", "2"), replace("c", "2")]);
    await session.undo({ session: "s", turn: "t" });
    expect(world.plain()).toEqual({ a: "1", b: "1", c: "1" });
    await session.undo(bringBack(journal, [second]), "back");
    expect(world.plain()).toEqual({ a: "1", b: "2", c: "2" });
    expect(calls()).toEqual([
      [second, "edit", "no"],
      [first, "edit", "yes"],
    ]);
    await session.undo(bringBack(journal, [first]), "back");
    expect(world.plain()).toEqual({ a: "2", b: "2", c: "2" });
  });

  test("is told from undoing, however often it goes back and forth, and counts the changes that tools made", async () => {
    const { session, replace, journal } = open({ a: "1" });
    const first = await session.change("t", [replace("a", "2")]);
    await session.change("t", [replace("a", "3")]);
    expect(directionOf(journal, first)).toBe("undo");
    let plan = await session.undo({ session: "s", turn: "t" });
    for (const direction of ["bring_back", "undo", "bring_back"]) {
      const id = plan.id ?? -1;
      expect(directionOf(journal, id)).toBe(direction);
      plan = await session.undo({ calls: [id] }, `again ${id}`);
      expect(
        countChanges(
          journal,
          plan.undoes.flatMap(({ targets }) => targets),
        ),
      ).toBe(2);
    }
  });
});
