import { describe, expect, test } from "vitest";
import type { TurnFile } from "../../../../src/features/changes/journal/types.js";
import { changeWords, fileNames } from "../../../../src/views/undo/calls.js";
import { undoQuestion } from "../../../../src/views/undo/question.js";
import { stepLines, stepWords, undoSteps, type Direction, type UndoStep } from "../../../../src/views/undo/steps.js";
import { plain } from "../../../../src/text/plainText.js";
import { shownPath, when } from "../../../../src/views/shared/words.js";
import { count } from "../../../../src/text/words.js";

const NOON = new Date(2026, 10, 22, 12, 0).getTime();

describe("when", () => {
  test.each([
    { at: NOON, words: "just now" },
    { at: NOON - 59_000, words: "just now" },
    { at: NOON - 60_000, words: "1 minute ago" },
    { at: NOON - 59 * 60_000, words: "59 minutes ago" },
    { at: NOON - 60 * 60_000, words: "today at 11:00" },
    { at: new Date(2026, 10, 22, 0, 5).getTime(), words: "today at 00:05" },
    { at: new Date(2026, 10, 21, 23, 59).getTime(), words: "yesterday at 23:59" },
    { at: new Date(2026, 10, 20, 9, 7).getTime(), words: "2026-11-20 at 09:07" },
    { at: new Date(2025, 10, 22, 12, 0).getTime(), words: "2025-11-22 at 12:00" },
    // Another process's clock may be ahead.
    { at: NOON + 5_000, words: "today at 12:00" },
  ])("$words", ({ at, words }) => expect(when(at, NOON)).toBe(words));

  test("yesterday is a day of the calendar, also where the clock was changed in between", () => {
    for (let month = 0; month < 12; month++) {
      for (let day = 1; day <= 28; day++) {
        const now = new Date(2026, month, day, 0, 10).getTime();
        expect(when(new Date(2026, month, day - 1, 22, 0).getTime(), now)).toBe("yesterday at 22:00");
      }
    }
  });
});

test("counts", () => {
  expect([0, 1, 2].map((many) => count(many, "change"))).toEqual(["0 changes", "1 change", "2 changes"]);
});

describe("what outside text becomes", () => {
  test("no link and no icon", () => {
    expect(plain("[a](command:b) $(trash)")).not.toMatch(/\]\(|\$\(/);
    expect(plain("src/[id].ts")).toBe("src/[id].ts");
  });

  test("one line, whose end is kept", () => {
    expect(shownPath("a\nb")).toBe("a b");
    const long = `${"folder/".repeat(30)}name.ts`;
    expect(shownPath(long)).toMatch(/^….{99}$/);
    expect(shownPath(long)).toMatch(/name\.ts$/);
    // No half of a pair is left over.
    expect(shownPath(`${"😀".repeat(80)}a`)).not.toMatch(/\p{Surrogate}/u);
  });
});

describe("what an undo does to a file", () => {
  const at = (path: string): never => ({ path }) as never;
  const before = { text: "", encoding: "utf8", unsaved: false, version: "" };

  test("is read from its plan", () => {
    expect(
      undoSteps({
        files: [
          { path: "made", outcome: "restored" },
          { path: "changed", outcome: "merged" },
          { path: "gone", outcome: "restored" },
          { path: "old", outcome: "restored" },
          { path: "same", outcome: "already" },
        ],
        changes: [
          { kind: "delete", at: at("made"), before },
          { kind: "replace", at: at("changed"), before, text: "" },
          { kind: "create", at: at("gone"), content: { text: "" } },
          { kind: "move", at: at("new"), to: at("old"), before },
        ],
      }),
    ).toEqual([
      { path: "made", did: "deleted", merged: false },
      { path: "changed", did: "restored", merged: true },
      { path: "gone", did: "brought_back", merged: false },
      { path: "old", from: "new", did: "moved", merged: false },
      { path: "same", did: "already", merged: false },
    ]);
  });

  test.each<{ step: Omit<UndoStep, "path">; direction: Direction; words: string }>([
    { step: { did: "restored", merged: false }, direction: "undo", words: "restored" },
    {
      step: { did: "restored", merged: true },
      direction: "undo",
      words: "restored; later changes kept",
    },
    { step: { did: "deleted", merged: false }, direction: "undo", words: "deleted again" },
    { step: { did: "brought_back", merged: false }, direction: "undo", words: "recreated" },
    {
      step: { did: "moved", from: "b", merged: true },
      direction: "undo",
      words: "moved back from b; later changes kept",
    },
    { step: { did: "already", merged: false }, direction: "undo", words: "already as before" },
    { step: { did: "restored", merged: false }, direction: "bring_back", words: "changed again" },
    { step: { did: "moved", from: "b", merged: false }, direction: "bring_back", words: "moved again from b" },
    { step: { did: "already", merged: false }, direction: "bring_back", words: "already has the change" },
  ])("$direction: $words", ({ step, direction, words }) =>
    expect(stepWords({ path: "a", ...step }, direction)).toBe(words),
  );
});

describe("the question", () => {
  const steps = (many: number): UndoStep[] =>
    Array.from({ length: many }, (_, index) => ({ path: `f${index}`, did: "restored", merged: false }));

  test("says what happens to each file", () => {
    expect(
      undoQuestion({
        direction: "undo",
        name: "the last turn",
        changes: 3,
        origins: ["@toolhost, just now"],
        steps: [...steps(1), { path: "n", did: "deleted", merged: false }],
        remarks: ["One stays."],
      }),
    ).toEqual({
      message: "Undo the last turn, 3 changes in 2 files?",
      detail: "@toolhost, just now\n\n• f0: restored\n• n: deleted again\n\nOne stays.",
    });
    expect(
      undoQuestion({ direction: "bring_back", changes: 1, origins: [], steps: steps(1), remarks: [] }).message,
    ).toBe("Redo 1 change in 1 file?");
  });

  test.each([
    { many: 10, last: "f9: restored" },
    { many: 11, last: "and 2 more: 2 restored" },
    { many: 5_000, last: "and 4991 more: 4991 restored" },
  ])("fits a screen with $many files", ({ many, last }) => {
    const lines = stepLines(steps(many), "undo", 10);
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe(last);
  });
});

test("files that are not named are counted by what is done with them, most first", () => {
  const times = (each: UndoStep["did"], number: number) => Array<UndoStep["did"]>(number).fill(each);
  const did = [...times("deleted", 3), ...times("restored", 5), ...times("moved", 1), ...times("already", 1)];
  const all = did.map((each, index) => ({ path: `f${index}`, from: "x", did: each, merged: false }));
  expect(stepLines(all, "undo", 1)).toEqual([
    "and 10 more: 5 restored, 3 deleted again, 1 moved back, 1 already as before",
  ]);
  expect(stepLines(all, "bring_back", 8).at(-1)).toBe(
    "and 3 more: 1 changed again, 1 moved again, 1 already has the change",
  );
});

describe("what a call did", () => {
  const file = (path: string, kind: TurnFile["kind"], added?: number, removed?: number, from?: string): TurnFile => ({
    path,
    from,
    kind,
    before: undefined,
    after: undefined,
    added,
    removed,
    changes: [],
  });

  test.each<{ files: TurnFile[]; words: string }>([
    { files: [], words: "no effect" },
    { files: [file("a", "replace", 3, 1)], words: "+3 −1" },
    { files: [file("a", "replace", 0, 0)], words: "+0 −0" },
    { files: [file("a", "create", 10, 0)], words: "new, +10" },
    { files: [file("a", "create", 0, 0)], words: "new" },
    { files: [file("a", "delete", 0, 7)], words: "deleted, −7" },
    { files: [file("a", "move", 0, 0, "b")], words: "moved from b" },
    { files: [file("a", "move", 1, 2, "b")], words: "moved from b, +1 −2" },
    { files: [file("a", "delete")], words: "deleted, not text" },
    { files: [file("a", "replace", 3, 1), file("b", "create", 2, 0), file("c", "delete")], words: "+5 −1 in 3 files" },
  ])("$words", ({ files, words }) => expect(changeWords(files)).toBe(words));

  test.each([
    { paths: [], names: "no file" },
    { paths: ["a"], names: "a" },
    { paths: ["a", "b"], names: "a, b" },
    { paths: ["a", "b", "c"], names: "a and 2 more" },
  ])("$names", ({ paths, names }) => expect(fileNames(paths.map((path) => ({ path })))).toBe(names));
});
