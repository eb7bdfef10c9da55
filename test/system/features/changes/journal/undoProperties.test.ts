import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { FileChange } from "../../../../../src/ports/changes.js";
import { references, Session, World, type Plain } from "../../../../unit/features/changes/journal/world.js";

const PATHS = ["a", "b", "c", "d"];
const TURNS = ["t1", "t2", "t3"];

/** One step: a call with some changes, or something that a person does. */
const step = fc.record({
  who: fc.constantFrom("tool", "tool", "tool", "person"),
  turn: fc.nat(TURNS.length - 1),
  changes: fc.array(
    fc.record({
      kind: fc.constantFrom("edit", "edit", "edit", "create", "delete", "move"),
      path: fc.nat(3),
      to: fc.nat(3),
      line: fc.nat(20),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const START: Record<string, Plain> = {
  a: Array.from({ length: 12 }, (_, line) => `a ${line}\n`).join(""),
  b: "b 0\nb 1\nb 2\n",
  c: [0, 255, 1],
};

/** Lines that a person wrote, wherever they are. */
function personsLines(world: World): string[] {
  return Object.values(world.plain()).flatMap((content) =>
    typeof content === "string" ? (content.match(/mine \d+/g) ?? []) : [],
  );
}

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Plays steps; whether a person did anything, and what there was before each turn's first call and after its last one.
 */
async function play(
  session: Session,
  steps: readonly Step[],
  turnsInOrder: boolean,
): Promise<{ personDid: boolean; before: Map<string, Record<string, Plain>> }> {
  const { world } = session;
  const before = new Map<string, Record<string, Plain>>();
  let personDid = false;
  for (const [number, { who, turn, changes }] of steps.entries()) {
    const made: FileChange[] = [];
    const taken = new Set<string>();
    for (const { kind, path: index, to: toIndex, line } of changes) {
      const path = PATHS[index] ?? "a";
      const to = PATHS[toIndex] ?? "a";
      const isThere = world.files.has(path);
      if (taken.has(path) || (kind === "move" && (taken.has(to) || world.files.has(to)))) {
        continue;
      }
      const image = world.files.get(path);
      const change =
        kind === "create" && !isThere
          ? world.create(path, `new ${number}\nnext\n`)
          : kind === "delete" && isThere
            ? world.remove(path)
            : kind === "move" && isThere && path !== to
              ? world.move(path, to)
              : kind === "edit" && image !== undefined && "text" in image
                ? world.replace(path, edited(image.text, line, who === "person" ? `mine ${number}` : `tool ${number}`))
                : undefined;
      if (change !== undefined) {
        made.push(change);
        [path, to].forEach((name) => taken.add(name));
      }
    }
    if (made.length === 0) {
      continue;
    }
    if (who === "person") {
      personDid = true;
      world.apply(made);
      continue;
    }
    const name = TURNS[turnsInOrder ? Math.floor((number * TURNS.length) / steps.length) : turn] ?? "t1";
    if (!before.has(name)) {
      before.set(name, world.plain());
    }
    await session.change(name, made);
  }
  return { personDid, before };
}

/** A line is put in, or (by a tool) takes another one's place; a person's line stays. */
function edited(text: string, line: number, words: string): string {
  const lines = text.split("\n");
  const at = line % lines.length;
  const replaces = line % 2 === 0 && !lines[at]?.startsWith("mine") && at < lines.length - 1;
  return lines.toSpliced(at, replaces ? 1 : 0, words).join("\n");
}

it("undoing turns from the last to the first restores exactly what was there when nobody else changed anything", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const session = new Session(new World(START));
      const { before } = await play(
        session,
        steps.map((one) => ({ ...one, who: "tool" as const })),
        true,
      );
      for (
        let last = session.journal.queries.lastTurn();
        last !== undefined;
        last = session.journal.queries.lastTurn()
      ) {
        const plan = await session.plan(last);
        if (plan.conflicts.some(({ reason }) => reason.includes("is not text"))) {
          // Bytes that a text has replaced: the undo is refused, and nothing is lost.
          return;
        }
        expect(plan.conflicts).toEqual([]);
        await session.undo(last);
        expect(session.world.plain()).toEqual(before.get(last.turn));
      }
    }),
    { numRuns: 200 },
  );
});

it("undoing any turn after anything loses no line of a person, and undoing the undo brings all back", async () => {
  let undone = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 15 }), fc.nat(2), async (steps, which) => {
      const session = new Session(new World(START));
      await play(session, steps, false);
      const turn = TURNS[which] ?? "t1";
      const before = session.world.plain();
      const mine = personsLines(session.world);
      const plan = await session.undo({ session: "s", turn }).catch(() => undefined);
      if (plan?.id === undefined) {
        expect(session.world.plain()).toEqual(before);
        return;
      }
      undone += 1;
      expect(personsLines(session.world)).toEqual(expect.arrayContaining(mine));
      if (plan.changes.length > 0) {
        const redo = await session.undo({ calls: [plan.id] });
        expect(redo.conflicts).toEqual([]);
        expect(session.world.plain()).toEqual(before);
        expect(session.journal.queries.turn({ session: "s", turn })?.undone).not.toBe("yes");
      }
      const { counted, real } = references(session.store);
      expect(counted).toEqual(real);
    }),
    { numRuns: 300 },
  );
  expect(undone).toBeGreaterThan(50);
});
