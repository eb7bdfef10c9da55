import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyHunks } from "../../../../src/text/patch/applyHunks.js";
import { parsePatch } from "../../../../src/text/patch/parsePatch.js";
import { resultOf } from "./applyPatchText.js";

interface RandomEdit {
  /** Lines kept before the edit, lines dropped, lines added. */
  skip: number;
  drop: number;
  add: string[];
}

interface Change {
  before: string[];
  after: string[];
  /** The lines of each hunk, with their marks. */
  hunks: string[][];
  /** How many places of `before` have the old side of each. */
  places: number[];
}

function countPlaces(lines: readonly string[], run: readonly string[]): number {
  return lines.filter(
    (_, at) => at + run.length <= lines.length && run.every((text, offset) => lines[at + offset] === text),
  ).length;
}

/** Edits lines from the top down, and writes down each edit as a hunk with up to `context` lines around it. */
function change(before: string[], edits: readonly RandomEdit[], context: number): Change {
  const after: string[] = [];
  const hunks: string[][] = [];
  const places: number[] = [];
  let at = 0;
  for (const { skip, drop, add } of edits) {
    const from = at + skip + 1;
    if (from > before.length) {
      break;
    }
    const to = Math.min(before.length, from + drop);
    after.push(...before.slice(at, from), ...add);
    const head = before.slice(Math.max(0, from - context), from);
    const gone = before.slice(from, to);
    const tail = before.slice(to, to + context);
    const old = [...head, ...gone, ...tail];
    if (gone.length + add.length > 0 && old.length > 0) {
      hunks.push([
        ...head.map((line) => ` ${line}`),
        ...gone.map((line) => `-${line}`),
        ...add.map((line) => `+${line}`),
        ...tail.map((line) => ` ${line}`),
      ]);
      places.push(countPlaces(before, old));
    }
    at = to;
  }
  after.push(...before.slice(at));
  return { before, after, hunks, places };
}

const line = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 60 }).map((value) => `  statement ${value};`) },
  { weight: 2, arbitrary: fc.constantFrom("}", "", "  }", "\treturn;") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "*** End Patch",
      "@@ -1 +1 @@",
      "*** Update File: x",
      "---",
      "+++ b",
      "***",
      "\\ No newline",
    ),
  },
);
const edit = fc.record({ skip: fc.nat(6), drop: fc.nat(3), add: fc.array(line, { maxLength: 3 }) });
const changes = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 60 }),
    fc.array(edit, { minLength: 1, maxLength: 5 }),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([before, edits, context]) => change(before, edits, context))
  .filter(({ hunks }) => hunks.length > 0);

function render(hunks: readonly string[][], header = "@@"): string[] {
  return [
    "*** Begin Patch",
    "*** Update File: src/file.ts",
    ...hunks.flatMap((hunk) => [header, ...hunk]),
    "*** End Patch",
  ];
}

/** Whether a line of a patch is a line of the file that says something: empty lines next to it are not spacing. */
function isFilled(text = ""): boolean {
  return /^[ +-]./.test(text);
}

/** Ways to write the same patch with worse manners. */
const distortions: { what: string; distort: (lines: string[]) => string[] }[] = [
  { what: "as it is", distort: (lines) => lines },
  { what: "without its start", distort: (lines) => lines.slice(1) },
  { what: "without its start and end", distort: (lines) => lines.slice(1, -1) },
  { what: "with CRLF", distort: (lines) => lines.map((text) => `${text}\r`) },
  {
    what: "in a fence and prose",
    distort: (lines) => ["Here it is:", "", "```diff", ...lines, "```", "- done", "Anything else?"],
  },
  { what: "in a fence without its end", distort: (lines) => ["````", ...lines.slice(0, -1), "````", "That is all."] },
  { what: "in a here-document", distort: (lines) => ["apply_patch <<'EOF'", ...lines, "EOF"] },
  {
    what: "in a here-document without its end",
    distort: (lines) => ["apply_patch <<-PATCH", ...lines.slice(0, -1), "PATCH", "echo done"],
  },
  { what: "indented", distort: (lines) => ["1. Apply:", "   ```", ...lines.map((text) => `   ${text}`), "   ```"] },
  {
    what: "with padded markers",
    distort: (lines) => lines.map((text) => (/^(\*\*\*|@@)/.test(text) ? `${text}  \t` : text)),
  },
  {
    what: "with blank context lines left empty",
    distort: (lines) =>
      lines.map((text, at) => (text === " " && isFilled(lines[at - 1]) && isFilled(lines[at + 1]) ? "" : text)),
  },
  {
    what: "with context at the first column unmarked",
    distort: (lines) => lines.map((text) => (/^ [a-z}]/.test(text) ? text.slice(1) : text)),
  },
  {
    what: "with a section for every hunk",
    distort: (lines) =>
      lines
        .flatMap((text) => (text === "@@" ? ["*** Update File: ./src/file.ts", "@@"] : [text]))
        .filter((text, at) => at !== 1 || text !== "*** Update File: src/file.ts"),
  },
];

describe("a patch of edits", () => {
  test.each(distortions)("written $what makes them, or says which hunk has several places", ({ distort }) => {
    fc.assert(
      fc.property(changes, ({ before, after, hunks, places }) => {
        const patch = `${distort(render(hunks)).join("\n")}\n`;
        const expected = places.some((count) => count > 1) ? "error: not_unique" : `${after.join("\n")}\n`;
        const result = resultOf(`${before.join("\n")}\n`, patch);
        // Without an end behind it, a last line of the file that reads like one is one: its hunk has a line less to be
        // told apart by.
        const isEndTaken =
          !distort(["begin", "name", "end"]).some((text) => text.trim() === "end") &&
          hunks.at(-1)?.at(-1) === " *** End Patch";
        expect(isEndTaken && result === "error: not_unique" ? expected : result).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  test("is refused wherever it is cut off", () => {
    fc.assert(
      fc.property(changes, fc.nat(), ({ hunks }, at) => {
        const patch = render(hunks).join("\n");
        const isEndInside = hunks.flat().some((text) => text.trim() === "*** End Patch");
        const cut = patch.slice(0, 16 + (at % (patch.length - 16)));
        fc.pre(!isEndInside);
        const parsed = parsePatch(cut);
        expect(parsed.ok ? "" : parsed.error.message).toBe("The patch is cut off: *** End Patch is missing.");
      }),
      { numRuns: 300 },
    );
  });

  test("makes them in a file that is indented otherwise, in the file's way, or is refused", () => {
    let made = 0;
    fc.assert(
      fc.property(changes, ({ before, after, hunks, places }) => {
        // Blank lines have no indentation to go by.
        fc.pre(hunks.every((hunk) => hunk.some((text) => !text.startsWith("+") && text.slice(1).trim() !== "")));
        const indent = (lines: string[]): string =>
          lines.map((text) => `${text.trim() === "" ? text : `    ${text}`}\n`).join("");
        const result = resultOf(indent(before), render(hunks).join("\n"));
        made += result.startsWith("error: ") ? 0 : 1;
        const isUnique = places.every((count) => count === 1);
        expect(isUnique && !result.startsWith("error: ") ? result : indent(after)).toBe(indent(after));
        expect(result.startsWith("error: ") || isUnique).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(made).toBeGreaterThan(100);
  });

  test("keeps the text's line ends, final newline and byte order mark", () => {
    fc.assert(
      fc.property(
        changes,
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.boolean(),
        fc.boolean(),
        ({ before, after, hunks, places }, eol, isEnded, isMarked) => {
          // A last line that is empty and has no line ending is not a line.
          fc.pre(
            places.every((count) => count === 1) &&
              before.length > 1 &&
              (isEnded || (before.at(-1) !== "" && after.at(-1) !== "")),
          );
          const textOf = (lines: string[]): string =>
            (isMarked ? "\uFEFF" : "") + lines.join(eol) + (isEnded && lines.length > 0 ? eol : "");
          expect(resultOf(textOf(before), render(hunks).join("\n"))).toBe(textOf(after));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("leaves every line that stays with its own end and blanks", () => {
    const ends = fc.array(fc.constantFrom("\n", "\r\n", " \n", "\t\r\n"), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(changes, ends, ({ before, hunks, places }, chosen) => {
        fc.pre(places.every((count) => count === 1) && new Set(before).size === before.length);
        const kept = before.map((text, at) => text + (chosen[at] ?? ""));
        const result = resultOf(kept.join(""), render(hunks).join("\n"));
        const removed = new Set(
          hunks
            .flat()
            .filter((text) => text.startsWith("-"))
            .map((text) => text.slice(1)),
        );
        let from = 0;
        for (const [at, text] of kept.entries()) {
          if (!removed.has(before[at] ?? "")) {
            const found = result.indexOf(text, from);
            expect(found).toBeGreaterThanOrEqual(from);
            from = found + text.length;
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("anything at all", () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      ..."*** Begin Patch|*** End Patch|*** Update File: a|*** Add File: b|*** Delete File: c|*** Move to: d|*** End of File|@@|@@ x|@@ -1,2 +1,2 @@|@@ -9 +9 @@|--- a/a|+++ b/a|--- /dev/null|+++ /dev/null|diff --git a/a b/a|diff --cc a|rename from a|rename to b|new file mode 100644|deleted file mode 100644|GIT binary patch|\\ No newline at end of file|```|EOF|cat <<EOF|***|".split(
        "|",
      ),
    ),
    fc.constantFrom("+x", "-x", " x", "x", "+", "-", " ", "", "\t", "\r"),
  );
  const garbage = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("\n"));

  test("is read without an exception, and what can be read can be applied without one", () => {
    fc.assert(
      fc.property(
        garbage,
        fc.string({ unit: fc.constantFrom("x", "\n", "\r", " "), maxLength: 12 }),
        (patch, original) => {
          const parsed = parsePatch(patch);
          if (!parsed.ok) {
            expect(parsed.error.line).toBeGreaterThan(0);
            expect(parsed.error.line).toBeLessThanOrEqual(patch.split("\n").length + 1);
            expect(parsed.error.message).not.toBe("");
            return;
          }
          expect(parsed.files.length).toBeGreaterThan(0);
          for (const file of parsed.files) {
            const applied = file.kind === "add" ? undefined : applyHunks(original, file.hunks);
            expect(applied?.ok === false ? applied.errors.length : 1).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 5000 },
    );
  });

  test("also bytes of no text are only an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(parsePatch(new TextDecoder("latin1").decode(bytes)).ok).toBe(false);
      }),
    );
  });
});
