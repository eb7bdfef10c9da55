import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diagnoseMiss } from "../../../../src/text/miss/miss.js";
import { distanceWithin, similarPart } from "../../../../src/text/distance.js";

const FILE = [
  "import a;",
  "",
  "function one() {",
  "  return alpha(1);",
  "}",
  "",
  "function two() {",
  "  return beta(2);",
  "}",
  "",
].join("\n");

describe("diagnoseMiss says what went wrong", () => {
  test.each([
    {
      what: "line numbers of read",
      old: "     3\tfunction one() {\n     4\t  return alpha(1);",
      new: "x",
      hint: { kind: "line_numbers_copied", line: 3 },
    },
    {
      what: "line numbers of read before another text",
      old: "     3\tfunction six() {",
      new: "x",
      hint: { kind: "line_numbers_copied", line: undefined },
    },
    {
      what: "line numbers with a bar",
      old: "3 | function one() {",
      new: "x",
      hint: { kind: "line_numbers_copied", line: 3 },
    },
    {
      what: "line ends escaped twice",
      old: "function one() {\\n  return alpha(1);\\n}",
      new: "x",
      hint: { kind: "escaped_twice", line: 3 },
    },
    {
      what: "quotes escaped twice",
      text: 'say("hi");\n',
      old: 'say(\\"hi\\");',
      new: "x",
      hint: { kind: "escaped_twice", line: 1 },
    },
    {
      what: "the new text is there",
      old: "  return gamma(2);",
      new: "  return beta(2);",
      hint: { kind: "already_replaced", line: 8 },
    },
    {
      what: "a short new text is there by chance",
      old: "  return alpha(3);",
      new: "}",
      hint: { kind: "read_again", line: 4 },
    },
    { what: "another case", old: "function Two() {", new: "x", hint: { kind: "case_differs", line: 7 } },
    {
      what: "blanks inside a line",
      old: "function two()  {\n  return beta(2);",
      new: "x",
      hint: { kind: "blanks_differ", line: 7 },
    },
    {
      what: "indentation that is not uniform",
      old: "function two() {\nreturn beta(2);",
      new: "x",
      hint: { kind: "blanks_differ", line: 8 },
    },
    {
      what: "blanks in the third line",
      old: "function two() {\n  return beta(2);\n  }",
      new: "x",
      hint: { kind: "blanks_differ", line: 9 },
    },
    {
      what: "empty lines behind",
      old: "  return beta(2);\n\n\n",
      new: "x",
      hint: { kind: "empty_lines_around", line: 8 },
    },
    {
      what: "empty lines in front",
      old: "\n\n  return beta(2);",
      new: "x",
      hint: { kind: "empty_lines_around", line: 8 },
    },
    {
      what: "empty lines in front, in a text of capitals",
      text: "ALPHA BETA\nx\n",
      old: "\n\nALPHA BETA",
      new: "y",
      hint: { kind: "empty_lines_around", line: 1 },
    },
    {
      what: "full-width punctuation",
      text: "你好，世界\n",
      old: "你好,世界",
      new: "x",
      hint: { kind: "read_again", line: 1 },
    },
    {
      what: "a zero-width space in the second line",
      text: "one two three\nalpha\u200bbeta gamma\n",
      old: "one two three\nalphabeta gamma",
      new: "x",
      hint: { kind: "invisible_characters", line: 2 },
    },
    {
      what: "a zero-width space",
      text: "alpha\u200bbeta gamma\n",
      old: "alphabeta gamma",
      new: "x",
      hint: { kind: "invisible_characters", line: 1 },
    },
    { what: "a typing error", old: "  retrun beta(2);", new: "x", hint: { kind: "read_again", line: 8 } },
    { what: "nothing like it", old: "SELECT * FROM users;", new: "x", hint: { kind: "nothing_near" } },
    { what: "an empty file", text: "", old: "a", new: "x", hint: { kind: "nothing_near" } },
    { what: "an empty old text", old: "", new: "x", hint: { kind: "nothing_near" } },
  ])("$what", ({ text = FILE, old, new: newText, hint }) => {
    expect(diagnoseMiss(text, old, newText).hint).toEqual(hint);
  });
});

describe("diagnoseMiss names code points where a difference may not be seen", () => {
  test.each([
    {
      what: "full-width punctuation",
      text: "你好，世界\n",
      old: "你好,世界",
      codePoints: { expected: "U+002C", found: "U+FF0C" },
    },
    {
      what: "a letter of another alphabet",
      text: "const p\u0430th = 1;\n",
      old: "const path = 1;",
      codePoints: { expected: "U+0061", found: "U+0430" },
    },
    {
      what: "a line in two forms",
      text: "café cafe\u0301 noir\n",
      old: "café café noir",
      codePoints: { expected: "U+00E9", found: "U+0065 U+0301" },
    },
    {
      what: "a double of another character",
      text: "10 \u212b long\n",
      old: "10 Å long",
      codePoints: { expected: "U+00C5", found: "U+212B" },
    },
    {
      what: "a character that is missing",
      text: "wait for it…\n",
      old: "wait for it",
      codePoints: { expected: "nothing", found: "U+2026" },
    },
    { what: "words", text: "return alpha;\n", old: "return alphb;", codePoints: undefined },
    { what: "many characters", text: "你好世界今天天气很好\n", old: "你好世界明日也是好天", codePoints: undefined },
  ])("$what", ({ text, old, codePoints }) => {
    expect(diagnoseMiss(text, old).firstDifference?.codePoints).toEqual(codePoints);
  });

  test("no two lines that differ are shown as the same without them", () => {
    const unit = fc.constantFrom(
      "a",
      "é",
      "e\u0301",
      "\u0301",
      "Å",
      "\u212b",
      "\u200b",
      "\u00a0",
      " ",
      "\t",
      "b",
      "，",
      ",",
    );
    const line = fc.string({ unit, minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(line, fc.nat(), unit, (middle, at, changed) => {
        const [text, old] = [
          `let abc = ${middle};`,
          `let abc = ${[...middle].with(at % [...middle].length, changed).join("")};`,
        ];
        const first = text === old ? undefined : diagnoseMiss(text, old).firstDifference;
        const isSeen = first?.expected.normalize("NFC") !== first?.found?.normalize("NFC");
        expect(first === undefined || isSeen || first.codePoints !== undefined).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("diagnoseMiss shows the first difference", () => {
  test.each([
    {
      what: "a word",
      old: "function two() {\n  return betas(2);\n}",
      line: 8,
      oldLine: 2,
      expected: "  return betas(2);",
      found: "  return beta(2);",
    },
    {
      what: "indentation",
      old: "function two() {\n\treturn beta(2);\n}",
      line: 8,
      oldLine: 2,
      expected: "→return beta(2);",
      found: "··return beta(2);",
    },
    {
      what: "a line too many",
      old: "function two() {\n  let x;\n  return beta(2);\n}",
      line: 8,
      oldLine: 2,
      expected: "  let·x;",
      found: "  return·beta(2);",
    },
    {
      what: "lines of which the first is missing",
      old: "function six() {\n  return beta(2);\n}",
      line: 7,
      oldLine: 1,
      expected: "function six() {",
      found: "function two() {",
    },
    {
      what: "behind the file's end",
      text: "one line\ntwo lines",
      old: "one line\ntwo lines\nthree lines",
      line: 3,
      oldLine: 3,
      expected: "three·lines",
      found: undefined,
    },
    {
      what: "a no-break space beside a word",
      text: "alpha\u00a0beta gamma\n",
      old: "alpha beta delta",
      line: 1,
      oldLine: 1,
      expected: "alpha·beta·delta",
      found: "alpha‹U+00A0›beta·gamma",
    },
    {
      what: "blanks at the end",
      text: "alpha beta  \n",
      old: "alpha beto ",
      line: 1,
      oldLine: 1,
      expected: "alpha beto·",
      found: "alpha beta··",
    },
    {
      what: "a part of a longer line with a wrong letter",
      text: `${FILE}// If the compiler refuses a schema, the shim permanently restores the runtime, and the schema goes on.`,
      old: "permanently restors the runtime",
      line: 10,
      oldLine: 1,
      expected: "permanently restors the runtime",
      found: "permanently restores the runtime",
    },
    {
      what: "a part of a longer line in the second of two lines",
      text: `${FILE}let gamma = delta;\nlet epsilon = await computeAll(zeta, eta, theta).then((each) => each.value);`,
      old: "let gamma = delta;\nlet epsilon = await computeAny(zeta,",
      line: 11,
      oldLine: 2,
      expected: "let epsilon = await computeAny(zeta,",
      found: "let epsilon = await computeAll(zeta,",
    },
  ])("$what", ({ text = FILE, old, line, oldLine, expected, found }) => {
    expect(diagnoseMiss(text, old).firstDifference).toEqual({ oldLine, line, expected, found });
  });

  test("but not by a few letters that a longer line shares", () => {
    const text = "const total = prices.reduce((sum, price) => sum + price, 0);\n";
    expect(diagnoseMiss(text, "return presses")).toEqual({ hint: { kind: "nothing_near" } });
    expect(diagnoseMiss(text, "price of it")).toEqual({ hint: { kind: "nothing_near" } });
  });

  test("of long lines the part around it, of many lines some", () => {
    const row = (count: number): string => "word ".repeat(count);
    const lines = Array.from({ length: 900 }, (_, index) => `${index} ${row(600)} end ${index}`);
    const old = lines.slice(100, 200).map((line, index) => (index === 50 ? line.replace("end", "and") : line));
    const miss = diagnoseMiss(lines.join("\n"), old.join("\n"));
    expect(miss).toMatchObject({
      hint: { kind: "read_again", line: 101 },
      nearest: { startLine: 101, endLine: 200 },
      firstDifference: { oldLine: 51, line: 151 },
    });
    expect(miss.firstDifference?.expected).toContain("and 150");
    expect(miss.firstDifference?.found).toContain("end 150");
    expect(miss.nearest?.shown.map(({ line }) => line)).toContain(151);
    expect(miss.nearest?.shown.length).toBeLessThanOrEqual(12);
    expect(JSON.stringify(miss).length).toBeLessThan(3000);
  });
});

describe("whatever the texts hold", () => {
  const garbage = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom("a", "b", "“", '"', " ", "\t", "\n", "\r", "\\", "n", "1", "\ud83d", "\ude00", "\0"),
      maxLength: 60,
    }),
  );

  test("a miss is told in few lines of the text", () => {
    fc.assert(
      fc.property(garbage, garbage, garbage, (text, old, newText) => {
        const { nearest } = diagnoseMiss(text, old, newText);
        const count = text.split(/\r\n|\n|\r/).length;
        expect(nearest?.shown.length ?? 0).toBeLessThanOrEqual(12);
        for (const { line } of nearest?.shown ?? []) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(count);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("the line that was changed is the one named", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"), minLength: 12, maxLength: 20 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 6, maxLength: 20 }), fc.nat(), fc.nat(), (lines, start, at) => {
        const from = start % (lines.length - 4);
        const old = lines.slice(from, from + 4);
        old[at % 4] = `${old[at % 4]?.slice(0, 8)}ZZ${old[at % 4]?.slice(8)}`;
        const miss = diagnoseMiss(lines.join("\n"), old.join("\n"));
        expect(miss).toMatchObject({
          hint: { kind: "read_again", line: from + 1 },
          firstDifference: { line: from + 1 + (at % 4), oldLine: (at % 4) + 1 },
        });
      }),
    );
  });
});

function naive(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, y) =>
    Array.from({ length: other.length + 1 }, (_, x) => (y === 0 ? x : x === 0 ? y : 0)),
  );
  for (let y = 1; y <= one.length; y++) {
    for (let x = 1; x <= other.length; x++) {
      const cost = one[y - 1] === other[x - 1] ? 0 : 1;
      rows[y]?.splice(
        x,
        1,
        Math.min((rows[y - 1]?.[x] ?? 0) + 1, (rows[y]?.[x - 1] ?? 0) + 1, (rows[y - 1]?.[x - 1] ?? 0) + cost),
      );
    }
  }
  return rows[one.length]?.[other.length] ?? 0;
}

describe("distanceWithin", () => {
  test("is the edit distance, up to a most", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
    fc.assert(
      fc.property(text, text, fc.nat(12), (one, other, most) => {
        const distance = naive(one, other);
        expect(distanceWithin(one, other, most, { cells: 10_000 })).toBe(distance <= most ? distance : undefined);
      }),
      { numRuns: 500 },
    );
  });

  test("is not looked for past the budget", () => {
    expect(distanceWithin("abc", "abd", 2, { cells: 19 })).toBeUndefined();
    expect(distanceWithin("abc", "abd", 2, { cells: 20 })).toBe(1);
  });
});

describe("similarPart", () => {
  test("is a part with the smallest edit distance, up to a most", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 });
    fc.assert(
      fc.property(text, text, fc.nat(9), (wanted, whole, most) => {
        const starts = [...whole, ""].map((_, start) => start);
        const parts = starts.flatMap((start) => starts.slice(start).map((end) => whole.slice(start, end)));
        const smallest = Math.min(...parts.map((part) => naive(wanted, part)));
        const found = similarPart(wanted, whole, most);
        expect(found?.distance).toBe(smallest <= most ? smallest : undefined);
        expect(found && naive(wanted, whole.slice(found.start, found.end))).toBe(found?.distance);
      }),
      { numRuns: 500 },
    );
  });

  test("is not looked for past the budget", () => {
    expect(similarPart("abc", "abd", 2, { cells: 15 })).toBeUndefined();
    expect(similarPart("abc", "abd", 2, { cells: 16 })).toEqual({ distance: 1, start: 0, end: 2 });
  });
});
