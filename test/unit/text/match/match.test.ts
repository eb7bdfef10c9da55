import { describe, expect, test } from "vitest";
import { applyReplacements, findMatch, type MatchTier } from "../../../../src/text/match/match.js";

const ONE = { replaceAll: false, max: 20 };
const ALL = { replaceAll: true, max: 20 };

interface Found {
  what: string;
  text: string;
  old: string;
  new: string;
  tier: MatchTier;
  after: string;
  lines: [number, number];
}

describe("findMatch finds the one place", () => {
  test.each<Found>([
    { what: "exactly", text: "a\nb\nc\n", old: "b", new: "B", tier: "exact", after: "a\nB\nc\n", lines: [2, 2] },
    { what: "a replacement with a dollar is taken as it is", text: "a", old: "a", new: "$&$1", tier: "exact", after: "$&$1", lines: [1, 1] },
    { what: "a line with its end", text: "a\nb\nc", old: "b\n", new: "", tier: "exact", after: "a\nc", lines: [2, 2] },
    { what: "several lines", text: "a\nb\nc\nd", old: "b\nc", new: "x", tier: "exact", after: "a\nx\nd", lines: [2, 3] },
    { what: "in a text of mixed ends that holds it once", text: "a\r\nb\nc\n", old: "b\nc\n", new: "x\n", tier: "exact", after: "a\r\nx\n", lines: [2, 3] },
    { what: "line ends asked for that only they differ in", text: "a\r\nb\na\n", old: "a\r\n", new: "a\n", tier: "exact", after: "a\nb\na\n", lines: [1, 1] },
    { what: "exact before a look-alike", text: "it’s\nit's\n", old: "it's", new: "is", tier: "exact", after: "it’s\nis\n", lines: [2, 2] },
    { what: "only the line ends change, as asked", text: "a\r\nb\r\n", old: "a\r\n", new: "a\n", tier: "exact", after: "a\nb\r\n", lines: [1, 1] },
    { what: "a carriage return asked for", text: "a\r\nb", old: "a\r", new: "a", tier: "exact", after: "a\nb", lines: [1, 1] },

    { what: "LF for CRLF", text: "a\r\nb\r\nc\r\n", old: "a\nb\n", new: "a\nx\ny\n", tier: "line_endings", after: "a\r\nx\r\ny\r\nc\r\n", lines: [1, 2] },
    { what: "CRLF for LF", text: "a\nb\nc\n", old: "b\r\nc", new: "b\r\nx\r\nc", tier: "line_endings", after: "a\nb\nx\nc\n", lines: [2, 3] },
    { what: "LF for CR", text: "a\rb\rc", old: "a\nb", new: "x\nb", tier: "line_endings", after: "x\rb\rc", lines: [1, 2] },
    { what: "mixed ends stay with their lines", text: "a\r\nb\nc\rd", old: "a\nb\nc\nd", new: "a\nB\nc\nd", tier: "line_endings", after: "a\r\nB\nc\rd", lines: [1, 4] },
    { what: "mixed ends beside a removed line", text: "a\r\nb\nc\r\nd", old: "a\nb\nc\n", new: "a\nc\n", tier: "line_endings", after: "a\r\nc\r\nd", lines: [1, 3] },
    { what: "an inserted line ends as the one before", text: "a\r\nb\nc\n", old: "a\nb\n", new: "a\nx\nb\n", tier: "line_endings", after: "a\r\nx\r\nb\nc\n", lines: [1, 2] },
    { what: "pieces of lines on both sides", text: "one two\r\nthree four", old: "two\nthree", new: "2\n3", tier: "line_endings", after: "one 2\r\n3 four", lines: [1, 2] },
    { what: "lines put into a line of CRLF", text: "a\r\nb\r\n", old: "b", new: "b\nc", tier: "line_endings", after: "a\r\nb\r\nc\r\n", lines: [2, 2] },
    { what: "lines put into a last line without an end", text: "a\r\nb", old: "b", new: "b\nc", tier: "line_endings", after: "a\r\nb\r\nc", lines: [2, 2] },
    { what: "CRLF is never parted at the start", text: "a\r\nb\r\n", old: "\nb", new: "", tier: "line_endings", after: "a\r\n", lines: [1, 2] },
    { what: "CRLF is never parted at the end", text: "a\r\nb\r\n", old: "b\n", new: "", tier: "line_endings", after: "a\r\n", lines: [2, 2] },
    { what: "a final end that the file lacks stays lacking", text: "a\nb", old: "a\nb\n", new: "a\nb\nc\n", tier: "line_endings", after: "a\nb\nc", lines: [1, 2] },
    { what: "a final end that the file lacks, last line removed", text: "a\nb", old: "b\n", new: "", tier: "line_endings", after: "a\n", lines: [2, 2] },
    { what: "a carriage return and a line feed do not become one end", text: "a\rb\nc\n", old: "a\nb\nc", new: "a\n\nc", tier: "line_endings", after: "a\r\rc\n", lines: [1, 3] },

    { what: "blanks behind lines of the file stay", text: "a  \nb\t\nc\n", old: "a\nb\nc", new: "a\nb\nC", tier: "trailing_blanks", after: "a  \nb\t\nC\n", lines: [1, 3] },
    { what: "blanks behind a line that is written again without go", text: "if (a) { \n  return false;  \n}\t\n", old: "if (a) {\n  return false;\n}", new: "if (a) {\n  return true;\n}", tier: "trailing_blanks", after: "if (a) { \n  return true;\n}\t\n", lines: [1, 3] },
    { what: "blanks behind a line that is written again with them stay", text: "a \nb\t\n", old: "a\nb  \n", new: "a\nc  \n", tier: "trailing_blanks", after: "a \nc\t\n", lines: [1, 2] },
    { what: "blanks behind lines of the old text", text: "a\nb\nc\n", old: "a  \nb", new: "a  \nB", tier: "trailing_blanks", after: "a\nB\nc\n", lines: [1, 2] },
    { what: "blanks behind a single line", text: "x\n  foo\n", old: "  foo  ", new: "  bar  ", tier: "trailing_blanks", after: "x\n  bar\n", lines: [2, 2] },
    { what: "a blank line with blanks", text: "a\n    \nb\n", old: "a\n\nb\n", new: "a\n\nb\n\nc\n", tier: "trailing_blanks", after: "a\n    \nb\n\nc\n", lines: [1, 3] },
    { what: "with CRLF, too", text: "a \r\nb\r\n", old: "a\nb\n", new: "a\nx\nb\n", tier: "trailing_blanks", after: "a \r\nx\r\nb\r\n", lines: [1, 2] },
    { what: "an old text that starts behind the indentation", text: "  if (a) { \n    b\n  }\n", old: "if (a) {\n    b\n", new: "if (c) {\n    b\n", tier: "trailing_blanks", after: "  if (c) {\n    b\n  }\n", lines: [1, 2] },
    { what: "an old text that starts with a line's end", text: "z\na \nb\n", old: "\na\nb", new: "\na\nB", tier: "trailing_blanks", after: "z\na \nB\n", lines: [1, 3] },
    { what: "no final end in the file", text: "x\na \nb", old: "a\nb\n", new: "a\nB\n", tier: "trailing_blanks", after: "x\na \nB", lines: [2, 3] },
    { what: "a trailing blank asked to go goes", text: "a \nb \n", old: "a\nb \n", new: "a\nb\n", tier: "trailing_blanks", after: "a \nb\n", lines: [1, 2] },

    { what: "less indentation than the file", text: "{\n    if (a) {\n      b\n    }\n}\n", old: "if (a) {\n  b\n}\n", new: "if (a) {\n  b\n  c\n}\n", tier: "indentation", after: "{\n    if (a) {\n      b\n      c\n    }\n}\n", lines: [2, 4] },
    { what: "more indentation than the file", text: "if (a) {\n  b\n}\n", old: "    if (a) {\n      b\n    }", new: "    if (a) {\n      c\n    }", tier: "indentation", after: "if (a) {\n  c\n}\n", lines: [1, 3] },
    { what: "an old text that starts with a line's end and ends in the last line", text: "  // c\n\n  function f() {}", old: "\nfunction f() {}", new: "\nfunction g() {}", tier: "indentation", after: "  // c\n\n  function g() {}", lines: [2, 3] },
    { what: "blank lines have no say", text: "  a\n\n  b\n", old: "a\n   \nb", new: "a\n\nc", tier: "indentation", after: "  a\n\n  c\n", lines: [1, 3] },
    { what: "blank new lines stay blank", text: "  a\n  b\n", old: "a\nb", new: "a\n\nb", tier: "indentation", after: "  a\n\n  b\n", lines: [1, 2] },
    { what: "spaces for tabs", text: "x {\n\ta {\n\t\tb\n\t}\n}\n", old: "    a {\n        b\n    }", new: "    a {\n        b\n        c\n    }", tier: "indentation", after: "x {\n\ta {\n\t\tb\n\t\tc\n\t}\n}\n", lines: [2, 4] },
    { what: "tabs for spaces", text: "a:\n  b:\n    c\n", old: "\tb:\n\t\tc", new: "\tb:\n\t\td", tier: "indentation", after: "a:\n  b:\n    d\n", lines: [2, 3] },
    { what: "with CRLF and blanks behind lines, too", text: "  a \r\n  b\r\n", old: "a\nb\n", new: "a\nc\n", tier: "indentation", after: "  a \r\n  c\r\n", lines: [1, 2] },

    { what: "curly quotes stay where nothing changed", text: "say “hi” to ‘me’\n", old: 'say "hi" to \'me\'', new: 'say "bye" to \'me\'', tier: "look_alikes", after: "say “bye” to ‘me’\n", lines: [1, 1] },
    { what: "curly quotes asked for in vain", text: "say 'hi'\n", old: "say ‘hi’", new: "say ‘bye’", tier: "look_alikes", after: "say 'bye'\n", lines: [1, 1] },
    { what: "a piece of a line", text: "x = a – b; // c\n", old: "a - b", new: "a - c", tier: "look_alikes", after: "x = a – c; // c\n", lines: [1, 1] },
    { what: "a no-break space", text: "10\u00a0km\n", old: "10 km", new: "20 km", tier: "look_alikes", after: "20\u00a0km\n", lines: [1, 1] },
    { what: "a dash that turns up elsewhere is another", text: "x = 1; // a – b\n", old: "x = 1; // a - b", new: "x = 1 - y;", tier: "look_alikes", after: "x = 1 - y;\n", lines: [1, 1] },
    { what: "a pair of quotes is not kept in half", text: "say “hi”\n", old: 'say "hi"', new: 'print("bye"', tier: "look_alikes", after: 'print("bye"\n', lines: [1, 1] },
    { what: "what words stand in stays inside a line", text: "printf(“%s – %s”, a, b);\n", old: 'printf("%s - %s", a, b);', new: 'log("%s - %s", a, c, b);', tier: "look_alikes", after: "log(“%s – %s”, a, c, b);\n", lines: [1, 1] },
    { what: "an edited line is found behind an inserted one", text: "“a” – x y\n", old: '"a" - x y', new: 'new line\n"a" - x z', tier: "look_alikes", after: "new line\n“a” – x z\n", lines: [1, 1] },
    { what: "a blank first line of a no-break space", text: "x\n\n  a\n", old: "\u00a0\na\n", new: "\u00a0\nb\n", tier: "look_alikes", after: "x\n\n  b\n", lines: [2, 3] },
    { what: "with indentation, CRLF and blanks behind lines, too", text: "\tit’s \r\n\tb\r\n", old: "it's\nb\n", new: "it's\nc\n", tier: "look_alikes", after: "\tit’s \r\n\tc\r\n", lines: [1, 2] },
    { what: "indentation of no-break spaces", text: "a:\n\u00a0\u00a0b\n  c\n", old: "  b\n  c\n", new: "  b\n  d\n", tier: "look_alikes", after: "a:\n\u00a0\u00a0b\n  d\n", lines: [2, 3] },

    // Characters that are another one by definition.
    { what: "Å for the Ångström sign, which stays where it was not changed", text: "5 \u212b long\n", old: "5 Å long", new: "6 Å wide", tier: "look_alikes", after: "6 \u212b wide\n", lines: [1, 1] },
    { what: "the Ångström sign for Å", text: "5 Å long\n", old: "5 \u212b long", new: "6 \u212b wide", tier: "look_alikes", after: "6 Å wide\n", lines: [1, 1] },
    { what: "the Ångström sign for A with its ring apart", text: "5 A\u030a long\n", old: "5 \u212b long", new: "6 \u212b long", tier: "unicode_form", after: "6 A\u030a long\n", lines: [1, 1] },
    { what: "A with its ring apart for the Ångström sign", text: "5 \u212b long\n", old: "5 A\u030a long", new: "6 A\u030a long", tier: "unicode_form", after: "6 \u212b long\n", lines: [1, 1] },
    { what: "Ω for the Ohm sign, K for Kelvin", text: "10 \u2126, 3 \u212a\n", old: "10 Ω, 3 K", new: "10 Ω, 4 K", tier: "look_alikes", after: "10 \u2126, 4 \u212a\n", lines: [1, 1] },
    { what: "; for the Greek question mark, and the one that comes is a semicolon", text: "τι\u037e ok\n", old: "τι; ok", new: "τι; no; ok", tier: "look_alikes", after: "τι\u037e no; ok\n", lines: [1, 1] },
    { what: "a Han character for its compatibility form", text: "\uf900 x\n", old: "\u8c48 x", new: "\u8c48 y", tier: "look_alikes", after: "\uf900 y\n", lines: [1, 1] },
    // Letters and their accents: NFD is written with \u0301 and its like, NFC as it is.
    { what: "composed letters for decomposed ones", text: "x\nu\u0308ber cafe\u0301\n", old: "über café", new: "über thé", tier: "unicode_form", after: "x\nu\u0308ber the\u0301\n", lines: [2, 2] },
    { what: "decomposed letters for composed ones", text: "über café\n", old: "u\u0308ber cafe\u0301", new: "u\u0308ber the\u0301", tier: "unicode_form", after: "über thé\n", lines: [1, 1] },
    { what: "a piece of a line", text: "let n = 'cafe\u0301 noir';\n", old: "'café noir'", new: "'café au lait'", tier: "unicode_form", after: "let n = 'cafe\u0301 au lait';\n", lines: [1, 1] },
    { what: "with CRLF, blanks behind lines and another indentation", text: "\tde\u0301ja\u0300 vu \r\n\tb\r\n", old: "déjà vu\nb\n", new: "déjà vu\nà\n", tier: "unicode_form", after: "\tde\u0301ja\u0300 vu \r\n\ta\u0300\r\n", lines: [1, 2] },
    { what: "with quotes that look alike", text: "“cafe\u0301”\n", old: '"café"', new: '"café noir"', tier: "unicode_form", after: "“cafe\u0301 noir”\n", lines: [1, 1] },
    { what: "Hangul", text: "\u1112\u1161\u11ab\u1100\u1173\u11af\n", old: "한글", new: "한국", tier: "unicode_form", after: "\u1112\u1161\u11ab\u1100\u116e\u11a8\n", lines: [1, 1] },
    { what: "several marks on a letter, in another order", text: "q\u0323\u0307 é\n", old: "q\u0307\u0323 e\u0301", new: "q\u0307\u0323 e", tier: "unicode_form", after: "q\u0323\u0307 e\n", lines: [1, 1] },
    { what: "the form of the old text before another", text: "café\ncafe\u0301\n", old: "café", new: "thé", tier: "exact", after: "thé\ncafe\u0301\n", lines: [1, 1] },
    { what: "the form alone, as asked", text: "cafe\u0301\n", old: "cafe\u0301", new: "café", tier: "exact", after: "café\n", lines: [1, 1] },
  ])("$tier: $what", ({ text, old, new: newText, tier, after, lines }) => {
    const result = findMatch(text, old, newText, ONE);
    expect(result).toMatchObject({ kind: "found", tier, replacements: [{ startLine: lines[0], endLine: lines[1] }] });
    expect(result.kind === "found" && applyReplacements(text, result.replacements)).toBe(after);
  });
});

describe("findMatch finds nothing", () => {
  test.each([
    { what: "an empty old text", text: "a", old: "", new: "b" },
    { what: "nothing to change", text: "a", old: "a", new: "a" },
    { what: "an empty text", text: "", old: "a", new: "b" },
    { what: "other case", text: "Foo\n", old: "foo", new: "bar" },
    { what: "other words", text: "return alphaTwo;\n", old: "return alphaTen;", new: "return 1;" },
    { what: "blanks inside a line", text: "a  b\n", old: "a b", new: "c" },
    { what: "indentation that differs by line", text: "  a\n      b\n", old: "a\n  b", new: "c\n  d" },
    { what: "a tab of two widths", text: "\ta\n\t\tb\n", old: "  a\n     b", new: "  c" },
    { what: "a new line without the indentation to remove", text: "a\nb\n", old: "  a\n  b", new: "  a\nc" },
    { what: "a new line with half a tab", text: "\ta\n\tb\n", old: "    a\n    b", new: "    a\n      c" },
    { what: "blank lines alone, with other blanks", text: "a\n\n\n\nb", old: "\n \n", new: "\n" },
    { what: "a blank line of a no-break space", text: "\n", old: "\n\u00a0\n", new: "" },
    { what: "a blank line behind the final line end", text: "a\r\n", old: "a\n\n", new: "" },
    { what: "a blank line behind the final line end and blanks", text: "a \n", old: "a\n\n", new: "" },
    { what: "an ellipsis", text: "wait…\n", old: "wait...", new: "go" },
    { what: "a zero-width space", text: "a\u200bb\n", old: "ab", new: "c" },
    { what: "half a surrogate pair", text: "a😀b", old: "\ud83d", new: "x" },
    { what: "the other half", text: "a😀b", old: "\ude00b", new: "x" },
    { what: "line ends that the file does not have, asked for alone", text: "a\nb\n", old: "a\r\n", new: "a\n" },
    { what: "a change the file has", text: "a\nb\n", old: "a \nb", new: "a\nb" },
    { what: "a change of quotes the file has", text: "“a”\n", old: '"a"', new: "“a”" },
    { what: "a place that mixes forms", text: "café cafe\u0301\n", old: "café café", new: "thé" },
    { what: "a letter without its accent", text: "cafe\u0301\n", old: "cafe\n", new: "the\n" },
    { what: "the form alone, of a text in the other", text: "cafe\u0301\n", old: "café", new: "cafe\u0301" },
    { what: "letters that are only compatible", text: "ﬁn ２\n", old: "fin 2", new: "x" },
    { what: "a line's end before the first line", text: "a \nb\n", old: "\na\nb", new: "\nc" },
  ])("$what", ({ text, old, new: newText }) => {
    expect(findMatch(text, old, newText, ONE)).toEqual({ kind: "none" });
  });
});

describe("findMatch names every line of several places", () => {
  test.each([
    { what: "exact", text: "a\nb\na\n", old: "a", new: "c", tier: "exact", lines: [1, 3] },
    { what: "places that overlap", text: "x\naaa\n", old: "aa", new: "b", tier: "exact", lines: [2, 2] },
    { what: "no looser tier decides between them", text: "it's\nit's\nit’s\n", old: "it's", new: "x", tier: "exact", lines: [1, 2] },
    { what: "line endings", text: "a\r\nb\r\na\r\nb\r\n", old: "a\nb", new: "c", tier: "line_endings", lines: [1, 3] },
    { what: "line endings, of which one place has those of the old text", text: "a\r\nb\r\n-\na\nb\n", old: "a\nb\n", new: "c\n", tier: "line_endings", lines: [1, 4] },
    { what: "line endings of the old text at the first place", text: "a\nb\n-\ra\rb\r", old: "a\nb", new: "c", tier: "line_endings", lines: [1, 4] },
    { what: "line endings, CRLF asked for", text: "a\r\nb\n-\na\nb\n", old: "a\r\nb", new: "c", tier: "line_endings", lines: [1, 4] },
    { what: "line endings, a CRLF at the edge of a piece", text: "xa\r\nb\nya\nb\n", old: "a\nb", new: "c", tier: "line_endings", lines: [1, 3] },
    { what: "line endings, and blanks behind lines", text: "a \r\nb\n-\na \nb\n", old: "a \nb", new: "c", tier: "line_endings", lines: [1, 4] },
    { what: "line endings, and a last line without an end", text: "a\nb\n-\na\nb", old: "a\nb\n", new: "c\n", tier: "line_endings", lines: [1, 4] },
    { what: "line endings, CRLF, and a last line without an end", text: "a\r\nb\r\n-\r\na\r\nb", old: "a\r\nb\r\n", new: "c\r\n", tier: "line_endings", lines: [1, 4] },
    { what: "blanks behind lines, with mixed ends", text: "a \r\nb\n-\na \nb\n", old: "a\nb", new: "c", tier: "trailing_blanks", lines: [1, 4] },
    { what: "indentation, with mixed ends", text: "  a\r\n  b\r\n-\n  a\n  b\n", old: "a\nb", new: "c\nb", tier: "indentation", lines: [1, 4] },
    { what: "look-alikes, with mixed ends", text: "“a”\r\nb\r\n-\n“a”\nb\n", old: '"a"\nb', new: "c", tier: "look_alikes", lines: [1, 4] },
    { what: "blanks behind lines", text: "a \nb\na  \nb\n", old: "a\nb", new: "c", tier: "trailing_blanks", lines: [1, 3] },
    { what: "indentation", text: "  a\n  b\n\ta\n\tb\n", old: "a\nb", new: "c", tier: "indentation", lines: [1, 3] },
    { what: "look-alikes", text: "a – b\na — b\n", old: "a - b", new: "c", tier: "look_alikes", lines: [1, 2] },
    { what: "look-alikes, a piece of a line and whole lines", text: "  a – b\na — b\n", old: "  a - b", new: "c", tier: "look_alikes", lines: [1, 2] },
  ])("$what", ({ text, old, new: newText, tier, lines }) => {
    expect(findMatch(text, old, newText, ONE)).toEqual({ kind: "not_unique", tier, lines, more: false });
  });

  test("letters in another form, or in several", () => {
    expect(findMatch("cafe\u0301\n-\ncafe\u0301\n", "café", "thé", ONE)).toEqual({ kind: "not_unique", tier: "unicode_form", lines: [1, 3], more: false });
    expect(findMatch("e\u0323\u0301\n-\ne\u0301\u0323\n", "ẹ́", "x", ONE)).toMatchObject({ kind: "not_unique", lines: [1, 3] });
  });

  test("up to a number, and says that there are more", () => {
    expect(findMatch("a\n".repeat(30), "a", "b", ONE)).toMatchObject({ kind: "not_unique", lines: { length: 20 }, more: true });
  });

  test("rather than compare a repeated text with itself for ever", () => {
    const text = "} \n".repeat(50_000);
    expect(findMatch(text, "}\n".repeat(20_000), "x", ONE)).toMatchObject({ kind: "not_unique", tier: "trailing_blanks", more: true });
  });
});

describe("findMatch replaces all places", () => {
  test.each([
    { what: "one beside the other", text: "aaaa", old: "aa", new: "b", tier: "exact", after: "bb" },
    { what: "also where the text's own line ends are those of one place alone", text: "a\nb\n-\na\r\nb", old: "a\nb\n", new: "c\n", tier: "line_endings", after: "c\n-\nc" },
    { what: "each with its own line ends", text: "a\nb\na\r\nb\r\n", old: "a\nb\n", new: "a\nx\nb\n", tier: "line_endings", after: "a\nx\nb\na\r\nx\r\nb\r\n" },
    { what: "with line ends of their own", text: "a;\r\na;\r\n", old: "a;", new: "a;\nb;", tier: "line_endings", after: "a;\r\nb;\r\na;\r\nb;\r\n" },
    { what: "letters in another form, too", text: "cafe\u0301, café\n", old: "café", new: "thé", tier: "unicode_form", after: "the\u0301, thé\n" },
    { what: "line ends alone, as asked", text: "a\r\nb\nc\r\n", old: "\r\n", new: "\n", tier: "exact", after: "a\nb\nc\n" },
  ])("$what", ({ text, old, new: newText, tier, after }) => {
    const result = findMatch(text, old, newText, ALL);
    expect(result).toMatchObject({ kind: "found", tier });
    expect(result.kind === "found" && applyReplacements(text, result.replacements)).toBe(after);
  });

  test("but none that is not the text or its line ends", () => {
    expect(findMatch("a \nb\n", "a\nb", "c", ALL)).toEqual({ kind: "none" });
    expect(findMatch("it’s", "it's", "c", ALL)).toEqual({ kind: "none" });
  });

  test("but no more than asked for", () => {
    expect(findMatch("a".repeat(21), "a", "b", ALL)).toEqual({ kind: "too_many" });
  });
});
