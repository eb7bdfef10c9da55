// Parts of changes of texts in which lines repeat: each comparison could place them elsewhere.
import fc from "fast-check";
import { expect, test } from "vitest";
import { comparedParts, textsOfUndo } from "../../../../src/features/changes/journal/parts.js";
import type { Image, ImageRef } from "../../../../src/features/changes/journal/types.js";
import { merge3 } from "../../../../src/text/diff/merge.js";
import { splitLines } from "../../../../src/text/splitLines.js";
import { partsIn, type PlacedPart } from "../../../../src/views/undo/openParts.js";
import type { OpenTurn } from "../../../../src/views/undo/openTurns.js";
import { SettledParts } from "../../../../src/views/undo/settledParts.js";

/** Id of the call that undoes a part. */
const UNDO = 7;

/** A file that a turn has changed from one text to another. */
function change(before: string, after: string) {
  const images = new Map<string, Image>([
    ["before00", { text: before, encoding: "utf8" }],
    ["after000", { text: after, encoding: "utf8" }],
  ]);
  const ref = (hash: string): ImageRef => ({ hash, form: "utf8", size: 0, encoding: "utf8", unsaved: false });
  const file = {
    ...{ path: "f", from: undefined, kind: "replace" as const, changes: [1], added: 1, removed: 1 },
    ...{ before: ref("before00"), after: ref("after000") },
  };
  const journal = { image: ({ hash }: ImageRef) => images.get(hash), changes: () => [] };
  const turn = { files: [{ file, changes: [], isUndone: false, kept: [], undone: [], parts: 0 }] };
  const parts = (text: string, settled = new SettledParts()): PlacedPart[] =>
    partsIn(journal, [turn as unknown as OpenTurn], settled, () => true, text);
  /** Returns a text without one of the parts; undefined if that is refused. */
  const undone = (text: string, key: string): string | undefined => {
    const texts = textsOfUndo({ only: [key] }, [1], () => comparedParts(file, journal.image));
    if (texts === undefined || texts === "as is") {
      return undefined;
    }
    const merged = merge3(texts.after, text, texts.before);
    return merged.ok ? merged.text : undefined;
  };
  /** Returns the keys of what is offered in a text, after an undo of a part. */
  const offered = (text: string, key: string): string[] => {
    const settled = new SettledParts();
    settled.settle([key], UNDO);
    return parts(text, settled).map((part) => part.key);
  };
  return { parts, undone, offered, keys: () => parts(after).map(({ key }) => key) };
}

const line = fc.constantFrom("}\n", "\n", "a\n", "b\n");
const someLines = fc.array(line, { maxLength: 14 });
/** What is done to lines: from where, how many go, and what comes. */
const edits = fc.array(
  fc.record({
    at: fc.nat(14),
    gone: fc.nat(2),
    added: fc.array(fc.oneof(line, fc.constant("new\n")), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 3 },
);
const edited = (lines: readonly string[], made: readonly { at: number; gone: number; added: string[] }[]): string[] =>
  made.reduce((now, { at, gone, added }) => now.toSpliced(Math.min(at, now.length), gone, ...added), [...lines]);

test("what is offered can be undone, at its lines, and is not offered again at once", () => {
  fc.assert(
    fc.property(someLines, edits, fc.option(edits), (before, made, typed) => {
      const after = edited(before, made);
      const text = (typed === null ? after : edited(after, typed)).join("");
      const { parts, undone, offered } = change(before.join(""), after.join(""));
      for (const { key, lines } of parts(text)) {
        const rest = undone(text, key) ?? expect.unreachable();
        const shown = splitLines(text);
        const above = shown.slice(0, lines.start).join("");
        const below = shown.slice(lines.end).join("");
        expect(rest.startsWith(above) && rest.endsWith(below)).toBe(true);
        expect(offered(rest, key)).not.toContain(key);
      }
    }),
    { numRuns: 600, seed: 1 },
  );
});

const FUNCTIONS = ["one", "two", "three"].map((name) => `function ${name}() {\n  return 1;\n}\n`);
const file = (functions: readonly string[], imports = "import a;\n"): string => [imports, ...functions].join("\n");

test.each([
  [
    "added",
    file(FUNCTIONS),
    file([...FUNCTIONS.slice(0, 2), "function more() {\n  return 1;\n}\n", ...FUNCTIONS.slice(2)]),
  ],
  ["removed", file(FUNCTIONS), file(FUNCTIONS.filter((_, at) => at !== 1))],
])("a function that was %s and undone is not offered when somebody types elsewhere", (_what, before, after) => {
  const { keys, undone, offered } = change(before, after);
  const [key = expect.unreachable()] = keys();
  const rest = undone(after, key);
  expect(rest).toBe(before);
  expect(offered(before.replace("import a", "import A"), key)).toEqual([]);
  // The editor's own undo brings it back.
  expect(offered(after.replace("import a", "import A"), key)).toEqual([key]);
});

test("a part has the same key when its turn changes something above it", () => {
  const more = file([...FUNCTIONS.slice(0, 2), "function more() {\n  return 1;\n}\n", ...FUNCTIONS.slice(2)]);
  const [key] = change(file(FUNCTIONS), more).keys();
  expect(change(file(FUNCTIONS), more.replace("import a;\n", "import a;\nimport b;\n")).keys()).toContain(key);
});
