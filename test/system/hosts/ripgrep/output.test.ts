import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { badRequest, KEPT_OF_LONG_LINE, LineSplitter, MAX_OUTPUT_LINE } from "../../../../src/hosts/ripgrep/ripgrep.js";
import { MatchCollector } from "../../../../src/hosts/ripgrep/events.js";

const { signal } = new AbortController();

function split(chunks: readonly string[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) {
    splitter.push(chunk, signal);
  }
  return lines;
}

/** Cuts a text at the given places, in any order. */
function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)), text.length].sort((a, b) => a - b);
  return cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
}

const match = (line: number, text: string, start: number, path = "./a.txt"): string =>
  JSON.stringify({
    type: "match",
    data: {
      path: { text: path },
      lines: { text },
      line_number: line,
      absolute_offset: 0,
      submatches: [{ match: { text: "x" }, start, end: start + 1 }],
    },
  });
const begin = (path: string): string => JSON.stringify({ type: "begin", data: { path: { text: path } } });

describe("LineSplitter", () => {
  test("gives the same lines wherever the chunks are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 20 }).map((line) => line.replaceAll("\n", ""))),
        fc.array(fc.nat()),
        (lines, places) => {
          expect(split(cutAt(lines.map((line) => `${line}\n`).join(""), places))).toEqual(lines);
        },
      ),
    );
  });

  test("a line under way is not given", () => {
    expect(split(["a\nb"])).toEqual(["a"]);
  });

  test("of a line too long to hold it keeps the start and the line number, wherever the chunks are cut", () => {
    const long = match(7, `\\"line_number\\":99,${"x".repeat(MAX_OUTPUT_LINE)}`, 3);
    const place = long.indexOf('"line_number":7');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(), fc.integer({ min: place - 20, max: place + 20 })), { maxLength: 8 }),
        (places) => {
          const [first = "", kept = "", last = "", ...more] = split(
            cutAt(
              `short\n${long}\nshort\n`,
              places.map((at) => at + 6),
            ),
          );
          expect([first, last, more]).toEqual(["short", "short", []]);
          expect(kept.length).toBeLessThanOrEqual(2 * KEPT_OF_LONG_LINE);
          expect(kept.slice(0, KEPT_OF_LONG_LINE)).toBe(long.slice(0, KEPT_OF_LONG_LINE));
          expect(kept.slice(KEPT_OF_LONG_LINE)).toBe(long.slice(place));
        },
      ),
      { numRuns: 30 },
    );
  });

  test("a reader that has enough gets no more lines of the same chunk", () => {
    const enough = new AbortController();
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => {
      lines.push(line);
      enough.abort();
    });
    splitter.push("a\nb\nc\n", enough.signal);
    expect(lines).toEqual(["a"]);
  });

  test("a line of any length is held in bounds", () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    for (let index = 0; index < 400; index++) {
      splitter.push("y".repeat(250_000), signal);
    }
    splitter.push("\n", signal);
    expect(lines[0]?.length).toBeLessThanOrEqual(2 * KEPT_OF_LONG_LINE);
  });
});

describe("MatchCollector", () => {
  const collect = (lines: readonly string[]): MatchCollector => {
    const matches = new MatchCollector();
    lines.forEach((line) => matches.take(line));
    return matches;
  };

  test("a column counts code units, in text and in bytes that are no UTF-8", () => {
    const bytes = Buffer.from([0xff, 0x20, 0x78, 0x0a]).toString("base64");
    const event = JSON.stringify({
      type: "match",
      data: {
        path: { text: "./b" },
        lines: { bytes },
        line_number: 1,
        absolute_offset: 0,
        submatches: [{ match: { text: "x" }, start: 2, end: 3 }],
      },
    });
    const { files } = collect([begin("./a"), match(1, "é😀x\n", 6), begin("./b"), event]);
    expect(files.get("./a")?.lines).toEqual([{ line: 1, column: 4, text: "é😀x" }]);
    expect(files.get("./b")?.lines).toEqual([{ line: 1, column: 3, text: "\uFFFD x" }]);
  });

  test("each match of an event over several lines has its line and column", () => {
    const event = JSON.stringify({
      type: "match",
      data: {
        path: { text: "./a" },
        lines: { text: "x é a\nb é a a\nb\n" },
        line_number: 3,
        absolute_offset: 0,
        submatches: [5, 12, 14].map((start) => ({ match: { text: "a" }, start, end: start + 1 })),
      },
    });
    const { files } = collect([begin("./a"), event]);
    expect(files.get("./a")).toEqual({
      path: "./a",
      matchCount: 2,
      occurrences: 3,
      unsaved: false,
      lines: [
        { line: 3, column: 5, text: "x é a" },
        { line: 4, column: 5, text: "b é a a" },
        { line: 5, column: undefined, text: "b" },
      ],
    });
  });

  test("a line of megabytes keeps its place though most of it is cut out", () => {
    const [long = ""] = split([`${match(12, "y".repeat(MAX_OUTPUT_LINE), 4711)}\n`]);
    const { files } = collect([begin("./a"), long]);
    expect(files.get("./a")).toMatchObject({
      matchCount: 1,
      lines: [{ line: 12, column: 4712, text: "[a match 4711 bytes into a line too long to show]" }],
    });
  });

  test("noise is passed over", () => {
    expect(collect(["", "{", "null", "[]", '{"type":1}', '{"type":"match"}', "rg: warning"]).files.size).toBe(0);
  });
});

describe("what ripgrep says about a bad request", () => {
  test.each([
    [
      "rg: regex parse error:\n    (a\n    ^\nerror: unclosed group",
      "Invalid regular expression: regex parse error:\n    (a\n    ^\nerror: unclosed group",
    ],
    [
      'rg: the literal "\\n" is not allowed in a regex\n\nConsider enabling multiline mode with the --multiline flag (or -U for short).',
      'Invalid regular expression: the literal "\\n" is not allowed in a regex',
    ],
    [
      "rg: error parsing glob '{a': unclosed alternate group",
      "Invalid glob: error parsing glob '{a': unclosed alternate group.",
    ],
    ["rg: ./x: Permission denied (os error 13)", undefined],
    ["", undefined],
  ])("%s", (errors, message) => {
    expect(badRequest(errors)?.message).toBe(message);
  });
});
