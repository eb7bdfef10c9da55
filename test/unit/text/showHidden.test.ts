import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showHidden, visibleLine } from "../../../src/text/showHidden.js";

describe("a hidden character is shown as its code", () => {
  test.each([
    {
      what: "right-to-left override",
      text: "ls \u202etxt.sh",
      shown: "ls \\u202etxt.sh",
      notice: "An invisible character is shown as \\u202e (right-to-left override).",
    },
    {
      what: "zero width space",
      text: "r\u200bm",
      shown: "r\\u200bm",
      notice: "An invisible character is shown as \\u200b (zero width space).",
    },
    {
      what: "escape sequence",
      text: "\u001b[8mrm x",
      shown: "\\u001b[8mrm x",
      notice: "An invisible character is shown as \\u001b (escape).",
    },
    {
      what: "carriage return",
      text: "rm x\rls",
      shown: "rm x\\u000dls",
      notice: "An invisible character is shown as \\u000d (carriage return).",
    },
    {
      what: "no-break space",
      text: "ls\u00a0-l",
      shown: "ls\\u00a0-l",
      notice: "An invisible character is shown as \\u00a0 (no-break space).",
    },
    {
      what: "tag characters",
      text: "a\u{e0041}\u{e0042}",
      shown: "a\\u{e0041}\\u{e0042}",
      notice: "2 invisible characters are shown as escapes, such as \\u{e0041}.",
    },
    {
      what: "Hangul filler",
      text: "x\u3164=1",
      shown: "x\\u3164=1",
      notice: "An invisible character is shown as \\u3164.",
    },
    {
      what: "line separator",
      text: "a\u2028b",
      shown: "a\\u2028b",
      notice: "An invisible character is shown as \\u2028.",
    },
    {
      what: "half a pair",
      text: "a\ud800b",
      shown: "a\\ud800b",
      notice: "An invisible character is shown as \\ud800.",
    },
    {
      what: "joiner between letters",
      text: "a\u200db",
      shown: "a\\u200db",
      notice: "An invisible character is shown as \\u200d.",
    },
    {
      what: "variation selector behind a letter",
      text: "a\ufe0f",
      shown: "a\\ufe0f",
      notice: "An invisible character is shown as \\ufe0f.",
    },
  ])("$what", ({ text, shown, notice }) => {
    expect(showHidden(text, false)).toEqual({ text: shown, notice });
  });
});

describe("what is seen stays", () => {
  test.each(["", "echo 'a b'\n\tls", "Größe 日本語 עברית العربية", "❤️ 👩‍👩‍👧 👩🏽‍💻 🇩🇪", "→ … – “x”", "\\u202e"])(
    "%j",
    (text) => {
      expect(showHidden(text, false)).toEqual({ text, notice: undefined });
    },
  );

  test("a file's line ends are no hidden characters, a lone carriage return is one", () => {
    expect(showHidden("-a\r\n+b\r\n", true)).toEqual({ text: "-a\n+b\n", notice: undefined });
    expect(showHidden("-a\r\n+b\rc", true).text).toBe("-a\n+b\\u000dc");
    expect(showHidden("ls\r\n", false).text).toBe("ls\\u000d\n");
  });
});

test("nothing hidden is left in any text, and a line is a line", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(
          "a",
          " ",
          "\n",
          "\r",
          "\u202e",
          "\u200b",
          "\u200d",
          "\ufe0f",
          "❤",
          "\u2028",
          "\u0007",
          "\u00ad",
          "\ud800",
          "\u{e0041}",
        ),
      }),
      (text) => {
        const { text: shown } = showHidden(text, false);
        expect(shown).not.toMatch(/[\r\u202e\u200b\u2028\u0007\u00ad]|\p{Cs}|a[\u200d\ufe0f]/u);
        expect(visibleLine(text)).not.toMatch(/[\r\n\u2028]/);
      },
    ),
  );
});
