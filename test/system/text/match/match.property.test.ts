import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyReplacements, findMatch, type MatchResult } from "../../../../src/text/match/match.js";
import { LOOK_ALIKES } from "../../../../src/text/match/lookAlikes.js";
import { findAll } from "../../../../src/text/match/search.js";
import { alignEqual } from "../../../../src/text/match/diff.js";

const ONE = { replaceAll: false, max: 1000 };
const RUNS = { numRuns: 500 };

const few = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 24 });
const garbage = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom("a", "b", "“", '"', "–", "-", " ", "\u00a0", "\t", "\n", "\r", "\r\n", "\ud83d", "\ude00"),
    maxLength: 40,
  }),
);

function naivePlaces(text: string, needle: string): number[] {
  return Array.from({ length: text.length }, (_, at) => at).filter(
    (at) => needle !== "" && text.startsWith(needle, at),
  );
}

function afterOf(text: string, result: MatchResult): string | undefined {
  return result.kind === "found" ? applyReplacements(text, result.replacements) : undefined;
}

/** What no tier takes into account: the texts of two places of one match are the same in this. */
function essence(text: string): string {
  const typed = new Map(
    LOOK_ALIKES.flatMap((each) =>
      each.codePoints.map((point): [string, string] => [String.fromCharCode(point), each.typed]),
    ),
  );
  return [...text.replace(/\r\n?/g, "\n")]
    .map((character) => typed.get(character) ?? character)
    .join("")
    .replace(/[ \t]+(?=\n|$)/g, "")
    .replace(/(^|\n)[ \t]+/g, "$1");
}

describe("findMatch, whatever the texts", () => {
  test("finds the exact text as anyone would, and replaces it plainly", () => {
    fc.assert(
      fc.property(
        few,
        fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 4 }),
        few,
        (text, old, newText) => {
          fc.pre(old !== newText);
          // The text's last line may lack the line end that the old text has.
          const unended = old.slice(0, -1);
          const isAtEnd =
            old.endsWith("\n") && unended.trim() !== "" && !unended.endsWith("\n") && text.endsWith(unended);
          const places = [...naivePlaces(text, old), ...(isAtEnd ? [text.length - unended.length] : [])];
          fc.pre(!isAtEnd || places.length > 1);
          const result = findMatch(text, old, newText, ONE);
          if (places.length === 1) {
            const [at = 0] = places;
            expect(result).toMatchObject({
              kind: "found",
              tier: "exact",
              replacements: [{ offset: at, length: old.length, text: newText }],
            });
          } else if (places.length > 1) {
            const lines = places.map((at) => text.slice(0, at).split("\n").length);
            expect(result).toEqual({
              kind: "not_unique",
              tier: isAtEnd && places.length === 2 ? "line_endings" : "exact",
              lines: isAtEnd && places.length > 2 ? lines.slice(0, -1) : lines,
              more: false,
            });
          } else {
            expect(result).not.toMatchObject({ tier: "exact" });
          }
        },
      ),
      RUNS,
    );
  });

  test("replaces all as splitting and joining does", () => {
    fc.assert(
      fc.property(
        few,
        fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 3 }),
        few,
        (text, old, newText) => {
          fc.pre(old !== newText && text.includes(old));
          const result = findMatch(`${text}.`, old, newText, { replaceAll: true, max: 1000 });
          expect(afterOf(`${text}.`, result)).toBe(`${text}.`.split(old).join(newText));
        },
      ),
      RUNS,
    );
  });

  test("never fails; a place found says what was looked for; exact is plain", () => {
    fc.assert(
      fc.property(garbage, garbage, garbage, fc.boolean(), (text, old, newText, replaceAll) => {
        const result = findMatch(text, old, newText, { replaceAll, max: 1000 });
        let from = 0;
        for (const { offset, length, text: replacement, startLine, endLine } of result.kind === "found"
          ? result.replacements
          : []) {
          expect(offset).toBeGreaterThanOrEqual(from);
          expect(offset + length).toBeLessThanOrEqual(text.length);
          from = offset + length;
          const place = text.slice(offset, from);
          expect(essence(place)).toBe(
            essence(from === text.length && !/[\r\n]$/.test(place) ? old.replace(/(\r\n|\r|\n)$/, "") : old),
          );
          expect(startLine).toBe(text.slice(0, offset).split(/\r\n|\n|\r(?!\n)/).length);
          expect(endLine).toBeGreaterThanOrEqual(startLine);
          if (result.kind === "found" && result.tier === "exact") {
            expect([place, replacement]).toEqual([old, newText]);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });
});

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "e"), minLength: 4, maxLength: 8 });
const fileLine = fc
  .record({
    indent: fc.constantFrom("", "  ", "    ", "\t"),
    first: word,
    between: fc.constantFrom(" ", " – ", " - ", "“", '"', "’"),
    last: word,
    trailing: fc.constantFrom("", "", " ", "\t"),
    end: fc.constantFrom("\n", "\n", "\r\n", "\r"),
  })
  .map(({ indent, first, between, last, trailing, end }) => ({ indent, body: first + between + last, trailing, end }));

const edit = fc.record({
  lines: fc.array(fileLine, { minLength: 3, maxLength: 9 }),
  from: fc.nat(),
  count: fc.integer({ min: 1, max: 4 }),
  changed: fc.nat(),
  ends: fc.constantFrom("as they are", "\n", "\r\n"),
  trailing: fc.constantFrom("as it is", "", "  "),
  indent: fc.constantFrom("", "  ", "\t", "      "),
  typed: fc.boolean(),
});

describe("findMatch in a text that mixes line ends", () => {
  test("names every place that is the old text but for line ends, and replaces none of several", () => {
    const unit = fc.constantFrom("a", "b", "\n", "\r\n", "\r");
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 16 }),
        fc.string({ unit, minLength: 1, maxLength: 4 }),
        fc.constantFrom("x", "x\n"),
        (text, old, newText) => {
          const fold = (given: string): string => given.replace(/\r\n?/g, "\n");
          const places = naivePlaces(fold(text), fold(old));
          fc.pre(places.length > 1 && !old.startsWith("\n") && !old.endsWith("\r"));
          expect(findMatch(text, old, newText, ONE)).toMatchObject({ kind: "not_unique" });
        },
      ),
      RUNS,
    );
  });
});

describe("findMatch, for letters with accents", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "é", "ü", "ọ", "한", "n"), minLength: 3, maxLength: 8 });
  const form = fc.constantFrom("NFC", "NFD");
  test("finds a line whatever the form, and leaves every other character of the file as it is", () => {
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 2, maxLength: 6 }),
        fc.nat(),
        form,
        form,
        fc.constantFrom("\n", "\r\n"),
        (words, at, own, sent, end) => {
          const target = at % words.length;
          const word = words[target] ?? "";
          const write = (lines: string[]): string =>
            lines
              .map((line) => line + end)
              .join("")
              .normalize(own);
          const text = write(words);
          const result = findMatch(text, `${word}\n`.normalize(sent), `${word}é!\n`.normalize(sent), ONE);
          fc.pre(/[^a-z]/.test(word));
          const places = words.filter((other) => other.endsWith(word)).length;
          expect(result.kind).toBe(places === 1 ? "found" : "not_unique");
          if (result.kind === "found") {
            expect(afterOf(text, result)).toBe(
              write(words.map((other, index) => (index === target ? `${other}é!` : other))),
            );
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("never fails on marks without a letter, half letters and mixed forms, and changes what it found alone", () => {
    const marks = fc.string({
      unit: fc.constantFrom("a", "e", "é", "\u0301", "\u0323", "\u1161", "\u1112", "한", "\n", "\r\n", "😀"),
      maxLength: 20,
    });
    fc.assert(
      fc.property(marks, marks, marks, fc.boolean(), (text, old, newText, replaceAll) => {
        const result = findMatch(text, old, newText, { replaceAll, max: 100 });
        for (const { offset, length } of result.kind === "found" ? result.replacements : []) {
          expect(
            text
              .slice(offset, offset + length)
              .normalize("NFC")
              .replace(/\r\n?/g, "\n")
              .replace(/\n$/, ""),
          ).toBe(old.normalize("NFC").replace(/\r\n?/g, "\n").replace(/\n$/, ""));
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("findMatch, for a place looked for with what a tier leaves out of account", () => {
  test("finds it if it is the only one, and leaves every line that is not changed as it is", () => {
    let found = 0;
    fc.assert(
      fc.property(edit, ({ lines, from, count, changed, ends, trailing, indent, typed }) => {
        const start = from % lines.length;
        const place = lines.slice(start, start + count);
        const target = changed % place.length;
        const write = (all: typeof lines): string =>
          all.map((line) => line.indent + line.body + line.trailing + line.end).join("");
        const distort = (all: typeof lines): string =>
          all
            .map((line) => {
              const body = typed ? line.body.replaceAll("–", "-").replaceAll("“", '"').replaceAll("’", "'") : line.body;
              return (
                indent +
                line.indent +
                body +
                (trailing === "as it is" ? line.trailing : trailing) +
                (ends === "as they are" ? line.end : ends)
              );
            })
            .join("");
        const edited = place.map((line, index) => (index === target ? { ...line, body: `${line.body}XYZ` } : line));
        const text = write(lines);
        const result = findMatch(text, distort(place), distort(edited), ONE);
        const places = lines.filter(
          (_, at) => essence(write(lines.slice(at, at + place.length))) === essence(write(place)),
        ).length;
        if (places === 1) {
          expect(result.kind).toBe("found");
        }
        if (result.kind === "found") {
          found++;
          const wanted = lines.map((line, index) =>
            index === start + target
              ? { ...line, body: `${line.body}XYZ`, trailing: trailing === "" ? "" : line.trailing }
              : line,
          );
          expect(afterOf(text, result)).toBe(write(wanted));
        }
      }),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(1000);
  });

  test("gives an inserted line the indentation and the line end of its neighbours", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 2, maxLength: 6 }),
        fc.constantFrom("  ", "\t"),
        fc.constantFrom("\r\n", "\n"),
        (words, indent, end) => {
          const text = words.map((each) => `${indent}${each}${end}`).join("");
          const old = words.join("\n");
          const result = findMatch(text, old, old.replace("\n", "\ninserted\n"), ONE);
          expect(afterOf(text, result)).toBe(text.replace(end, `${end}${indent}inserted${end}`));
        },
      ),
    );
  });
});

describe("findAll", () => {
  // Past 200 characters the search is our own.
  test("finds long repetitive texts as anyone would", () => {
    const piece = fc.constantFrom("a".repeat(150), "b", "ab".repeat(60), "c");
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, fc.nat(300), (given, needle, max) => {
        expect(findAll(given, needle, { max, overlapping: true })).toEqual(naivePlaces(given, needle).slice(0, max));
        const apart: number[] = [];
        for (
          let at = needle === "" ? -1 : given.indexOf(needle);
          at >= 0;
          at = given.indexOf(needle, at + needle.length)
        ) {
          apart.push(at);
        }
        expect(findAll(given, needle, { max, overlapping: false })).toEqual(apart.slice(0, max));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("alignEqual", () => {
  test("keeps as many items as the longest common subsequence, in order", () => {
    const items = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 10 });
    const longest = (one: string[], other: string[]): number => {
      const [x, ...xs] = one;
      const row = other.map(() => 0);
      if (x === undefined) {
        return 0;
      }
      const at = other.indexOf(x);
      return Math.max(longest(xs, other), at < 0 ? 0 : 1 + longest(xs, other.slice(at + 1)), ...row);
    };
    fc.assert(
      fc.property(items, items, (before, after) => {
        const stays = [...(alignEqual(before, after) ?? [])];
        const kept = stays.filter((index) => index >= 0);
        expect(kept).toEqual([...kept].sort((one, other) => one - other));
        expect(new Set(kept).size).toBe(kept.length);
        stays.forEach((index, at) => expect(index < 0 || before[index] === after[at]).toBe(true));
        expect(kept.length).toBe(longest(before, after));
      }),
      RUNS,
    );
  });

  test("is given up where more than a thousand items differ", () => {
    const numbered = (word: string): string[] => Array.from({ length: 600 }, (_, index) => `${word}${index}`);
    expect(alignEqual(numbered("a"), numbered("b"))).toBeUndefined();
  });
});
