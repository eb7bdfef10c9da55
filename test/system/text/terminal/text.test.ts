import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLineFeeds, isInsidePair, splitLines } from "../../../../src/text/splitLines.js";
import { asciiLineEnds, asciiText, Utf8Chunks } from "../../../../src/text/terminal/bytes.js";
import { joinEnds, type Ends } from "../../../../src/text/terminal/ends.js";
import { EscapeStripper } from "../../../../src/text/terminal/escapes.js";
import { LineCollapser, MAX_OPEN_LINE } from "../../../../src/text/terminal/lines.js";
import { plainTerminalText, TerminalText } from "../../../../src/text/terminal/text.js";
import { isWellFormed } from "../../../unit/text/isWellFormed.js";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Decodes bytes that are cut at some places; every other chunk as bytes, where that can be. */
function inChunks(bytes: Uint8Array, cuts: readonly number[]): string {
  const text = new TerminalText();
  let out = "";
  let from = 0;
  let asBytes = false;
  for (const to of [...cuts].sort((a, b) => a - b).concat(bytes.length)) {
    // A copy into a larger buffer: chunks begin at any offset of theirs.
    const buffer = new Uint8Array(to - from + 3);
    buffer.set(bytes.subarray(from, to), to % 4);
    const chunk = buffer.subarray(to % 4, (to % 4) + to - from);
    const ascii = asBytes ? text.pushAscii(chunk) : undefined;
    out += ascii === undefined ? text.push(chunk) : ascii.line + asciiText(ascii.bytes);
    from = to;
    asBytes = !asBytes;
  }
  return out + text.end();
}

describe("escape sequences", () => {
  for (const [title, written, shown] of [
    ["colours", "\x1b[1;31mred\x1b[0m and \x1b[38;2;1;2;3mfar\x1b[m", "red and far"],
    ["colours with colons", "\x1b[38:2::1:2:3mx", "x"],
    ["C1 introducers", "\u009b31mred\u009b0m", "red"],
    ["private modes and intermediates", "\x1b[?25l\x1b[?2004h\x1b[2 qx\x1b[!p", "x"],
    ["a title", "\x1b]0;the title\x07text", "text"],
    ["a link (OSC 8)", "\x1b]8;id=1;https://example.org/a\x1b\\name\x1b]8;;\x1b\\.", "name."],
    ["the clipboard (OSC 52)", `\x1b]52;c;${"A".repeat(10_000)}\x07text`, "text"],
    ["shell integration (OSC 633)", "\x1b]633;A\x07$ \x1b]633;B\x07ls\x1b]633;D;0\x07", "$ ls"],
    ["an OSC of C1 controls", "\u009d0;title\u009ctext", "text"],
    ["a DCS", "\x1bP1$r0m\x1b\\text", "text"],
    ["APC, PM and SOS", "\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\text", "text"],
    ["character sets, keypad modes, resets", "\x1b(B\x0f\x1b=\x1b>\x1b7\x1b8\x1bc\x1b#8text\x07", "text"],
    ["a sequence that cancels a string", "\x1b]0;a\x1b[31mred", "red"],
    ["a string that is cancelled", "\x1b]0;a\x18text", "text"],
    ["a string that its line does not end", "\x1b]0;title\nnext\n", "␛]0;title\nnext\n"],
    ["a long one", `\x1b]0;${"a".repeat(5_000)}\nnext`, `␛]0;${"a".repeat(4_096 - 4)}…\nnext`],
    ["a string at the end", "text\x1b]0;title", "text␛]0;title"],
    ["strings in a string", "\u009d\u009d\u009dx\n", "\uFFFD\uFFFD\uFFFDx\n"],
    ["half a sequence at the end", "text\x1b[3", "text␛[3"],
    ["an escape at the end", "text\x1b", "text␛"],
    ["no sequence", "\x1b[3\x01m", "␛[3␁m"],
    ["too many parameters", `\x1b[${"1;".repeat(40)}m`, `␛[${"1;".repeat(40)}m`],
    ["controls in a row", "\0\0\0\x01\x01\x07\x07\x7f\u0085\u0085", "␀␀␀␁␁␡\uFFFD\uFFFD"],
    ["introducers before what goes on with none", "\x1b\x1b[\x1b\0\u009bü\x1b[ü\x1b[31mx", "␛␛[␛␀\uFFFDü␛[üx"],
    ["controls", "a\0b\x01\x7f\u0085\x0b\x0c", "a␀b␁␡\uFFFD␋␌"],
    ["what the stripper says to itself", "a\u0080b\u0081", "a\uFFFDb\uFFFD"],
  ] as const) {
    it(title, () => {
      expect(plainTerminalText(written)).toBe(shown);
    });
  }

  it("are looked for in binary data as fast as it comes", () => {
    for (const [written, shown] of [
      ["\0", "␀"],
      ["\x1b", "␛"],
      ["\x7f", "\u2421"],
      ["\u0085", "\uFFFD"],
      ["\0\x01", "␀␁"],
      ["\x1b[\0", "␛[␀"],
    ] as const) {
      const stripper = new EscapeStripper();
      let length = 0;
      for (let count = 0; count < 100; count++) {
        length += stripper.push(written.repeat(60_000 / written.length)).length;
      }
      expect(length + stripper.end().length).toBe((shown.length * 100 * 60_000) / written.length);
    }
  });

  it("holds little of a string that never ends", () => {
    const stripper = new EscapeStripper();
    stripper.push("\x1b]0;");
    for (let count = 0; count < 10_000; count++) {
      expect(stripper.push("x".repeat(1_000))).toBe("");
    }
    expect(stripper.end()).toHaveLength(4_097);
  });
});

describe("progress lines", () => {
  for (const [title, written, shown] of [
    ["a line end of two characters", "a\r\nb\r\r\nc", "a\nb\nc"],
    ["a progress bar", "10%\r20%\r100%\ndone\n", "100%\ndone\n"],
    ["a shorter text over a longer one", "downloading\rdone", "doneloading"],
    ["blanks over the rest", "downloading\r           \rdone\n", "done\n"],
    ["erased to the right", "downloading\r\x1b[Kdone", "done"],
    ["erased as a whole", "downloading\x1b[2K\x1b[1Gdone", "done"],
    ["erased as a whole, the column kept", "abc\x1b[2Kd\n", "   d\n"],
    ["a return at the end", "100%\r", "100%"],
    ["a backspace", "|\b/\b-\b\\\n", "\\\n"],
    ["a man page's bold", "N\bNA\bAM\bM", "NAM"],
    ["backspaces too many", "a\b\b\bb", "b"],
    ["a character of two code units", "😀😁\rab\bc", "ac"],
    ["over one of them", "😀x\rab", "ab"],
    ["backspace over one of them", "😀\bx", "x"],
    ["blanks nobody overwrote", "a  \r\nb  \n", "a  \nb  \n"],
  ] as const) {
    it(title, () => {
      expect(plainTerminalText(written)).toBe(shown);
    });
  }

  it("keeps the last state of 100,000", () => {
    const text = new TerminalText();
    let out = "";
    for (let count = 1; count <= 100_000; count++) {
      out += text.push(bytesOf(`\rstep ${count} of 100000`));
    }
    expect(out + text.end()).toBe("step 100000 of 100000");
  });

  it("holds little of a line that never ends", () => {
    const lines = new LineCollapser();
    let fixed = 0;
    for (let count = 0; count < 1_000; count++) {
      fixed += lines.push("😀".repeat(500)).length;
      expect(lines.line.length).toBeLessThanOrEqual(MAX_OPEN_LINE);
    }
    expect(fixed + lines.end().length).toBe(1_000_000);
  });
});

describe("any output", () => {
  const piece = fc.constantFrom(
    ...[
      "a",
      "bc",
      "ü",
      "€",
      "😀",
      " ",
      "\n",
      "\r",
      "\r\n",
      "\b",
      "\t",
      "\0",
      "\x1b",
      "\x1b[31m",
      "\x1b[K",
      "\x1b[2K",
      "\x1b[G",
      "\x1b]0;t\x07",
      "\x1b]8;;u\x1b\\",
      "\x1bP",
    ],
    ...[
      "\u009b",
      "\u009d",
      "\u009c",
      "\x07",
      "[",
      "]",
      "\\",
      "1;2",
      "m",
      "\x18",
      "x".repeat(300),
      "line\n".repeat(5),
      "\x7f",
      "\u0080",
      "\u0081",
      "©",
    ],
    ...["\0\0\0\x01", "\x1b\x1b", "\x1b[\x1b[", "\u009b\u009b", "\x1b[\0", "\x1b[ü", "\x07\x07\0"],
  );
  const raw = fc.uint8Array({ maxLength: 6 }).map((bytes) => bytes);
  const anyBytes = fc
    .array(fc.oneof({ weight: 6, arbitrary: piece.map(bytesOf) }, { weight: 1, arbitrary: raw }), { maxLength: 40 })
    .map((parts) => {
      const all = parts.flatMap((part) => [...part]);
      return Uint8Array.from(all);
    });

  it("gives the same text in any chunks", () => {
    fc.assert(
      fc.property(anyBytes, fc.array(fc.nat({ max: 400 }), { maxLength: 30 }), (bytes, cuts) => {
        const whole = inChunks(bytes, []);
        expect(
          inChunks(
            bytes,
            cuts.map((cut) => cut % (bytes.length + 1)),
          ),
        ).toBe(whole);
        expect(inChunks(bytes, [...bytes.keys()])).toBe(whole);
        expect(isWellFormed(whole)).toBe(true);

        expect(whole).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
      { numRuns: 3_000 },
    );
  });

  it("decodes the same at 10,000 random chunk boundaries", () => {
    const bytes = bytesOf("plain lines\nand more\n€ür 😀 \x1b[31mred\x1b[0m 1%\r2%\r\n".repeat(2_000));
    const whole = inChunks(bytes, []);
    expect(whole).toBe(
      "plain lines\nand more\n€ür 😀 red 1%\n".repeat(2_000).replaceAll("€ür 😀 red 1%", "2%r 😀 red 1%"),
    );
    const random = fc.sample(fc.nat({ max: bytes.length }), { numRuns: 10_000, seed: 1 });
    expect(inChunks(bytes, random)).toBe(whole);
  });

  it("decodes as TextDecoder does", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 30 }),
          anyBytes,
          fc
            .array(fc.constantFrom(0xe0, 0xed, 0xf0, 0xf4, 0xc2, 0x80, 0x9f, 0xa0, 0xbf, 0x41), { maxLength: 12 })
            .map((list) => Uint8Array.from(list)),
        ),
        fc.array(fc.nat({ max: 30 }), { maxLength: 10 }),
        (bytes, cuts) => {
          const chunks = new Utf8Chunks();
          let text = "";
          let from = 0;
          for (const to of cuts
            .filter((cut) => cut < bytes.length)
            .sort((a, b) => a - b)
            .concat(bytes.length)) {
            text += chunks.push(bytes.subarray(from, to));
            from = to;
          }
          expect(text + chunks.end()).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("is called ASCII just when it is, and its line ends are counted", () => {
    const mostlyAscii = fc.array(
      fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(0x0a, 0x09, 0x20, 0x41, 0x7e) },
        { weight: 1, arbitrary: fc.nat({ max: 255 }) },
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(mostlyAscii, fc.nat({ max: 3 }), (list, offset) => {
        const bytes = Uint8Array.from([...Array<number>(offset).fill(0), ...list]).subarray(offset);
        const text = String.fromCharCode(...list);
        expect(asciiLineEnds(bytes)).toBe(/[^\t\n -~]/.test(text) ? undefined : countLineFeeds(text));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("head and tail", () => {
  const endsOf = (text: string): Ends => ({
    head: text.slice(0, 120),
    tail: text.slice(-120),
    characters: text.length,
    lineEnds: countLineFeeds(text),
  });

  it.each<{ what: string; text: string; room: number; shown: string }>([
    {
      what: "whole lines",
      text: `one\ntwo\n${"three\n".repeat(40)}four\n`,
      room: 9,
      shown: "one\ntwo\n[… 240 characters in 40 lines omitted …]\nfour\n",
    },
    {
      what: "parts of a long line",
      text: `abc${"x".repeat(240)}ij`,
      room: 3,
      shown: "abc\n[… 239 characters in 1 line omitted …]\nxij",
    },
    {
      what: "characters of two code units whole",
      text: "😀".repeat(120),
      room: 3,
      shown: "😀\n[… 236 characters in 1 line omitted …]\n😀",
    },
    {
      what: "neither where there is no room",
      text: "x".repeat(240),
      room: 0,
      shown: "[… 240 characters in 1 line omitted …]\n",
    },
    {
      what: "a head without its line ending in the first half",
      text: `a\n${"x".repeat(240)}`,
      room: 6,
      shown: "a\nxxxx\n[… 230 characters in 1 line omitted …]\nxxxxxx",
    },
  ])("keep $what", ({ text, room, shown }) => {
    expect(joinEnds(endsOf(text), 100 + 2 * room).text).toBe(shown);
  });

  it("say exactly what was left out, and cut no pair", () => {
    const unit = fc.constantFrom("a", "b", "\n", "😀", "line\n");
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 200, maxLength: 400 }),
        fc.integer({ min: 100, max: 190 }),
        (text, max) => {
          const room = Math.floor((max - 100) / 2);
          const { text: shown, omitted } = joinEnds(endsOf(text), max);
          const [start = "", tail = ""] = shown.split(/\[….*…\]\n/);
          const headLength = text.length - tail.length - omitted.characters;
          const head = text.slice(0, headLength);
          expect([head, `${head}\n`]).toContain(start);
          expect(text.endsWith(tail)).toBe(true);
          expect([head.length <= room, tail.length <= room]).toEqual([true, true]);
          // A cut takes away half at most, for a line's sake, and one code unit for a pair's.
          expect([head.length >= room / 2 - 1, tail.length >= room / 2 - 1]).toEqual([true, true]);
          expect([isInsidePair(text, headLength), isInsidePair(text, text.length - tail.length)]).toEqual([
            false,
            false,
          ]);
          expect(omitted.lines).toBe(splitLines(text.slice(headLength, text.length - tail.length)).length);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
