import { execFileSync } from "node:child_process";
import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import {
  asOrdinaryUser,
  failed,
  hosts,
  NO_MATCH,
  openRipgrep,
  openWorkspace,
  result,
  tempFolder,
  type FileTree,
} from "../../unit/tools/workspace.js";

interface GrepData {
  matches: { path: string; line: number; column: number; text: string }[];
  files: { path: string; matches: number }[];
  total_matches: number;
  total_files: number;
  next_offset: number | null;
  partial: boolean;
}

/** Milliseconds for many searches where each file is a process of its own. */
const PATIENCE = 60_000;

const tree: FileTree = {
  "src/a.ts": "one\nneedle two\nthree\nfour\nfive\nsix\nNeedle needle\n",
  "src/deep/b.js": "needle\r\n",
  "docs/c.md": "a (needle) [b]\n",
  ".hidden/d.txt": "needle\n",
};

describe.each(hosts)("what a reader sees, on the %s host", (host) => {
  const cases: { name: string; input: object; text: string; files?: FileTree }[] = [
    {
      name: "files in order, each with its lines",
      input: { pattern: "needle" },
      text: ".hidden/d.txt\n  1: needle\ndocs/c.md\n  1: a (needle) [b]\nsrc/a.ts\n  2: needle two\n  7: Needle needle\nsrc/deep/b.js\n  1: needle\n[5 matches in 4 files.]",
    },
    {
      name: "how many matches there are, if a line has several",
      input: { pattern: "needle", ignore_case: true, path: "src" },
      text: "src/a.ts\n  2: needle two\n  7: Needle needle\nsrc/deep/b.js\n  1: needle\n[4 matches on 3 lines in 2 files.]",
    },
    {
      name: "how many matches there are, on a page",
      input: { pattern: "needle", ignore_case: true, path: "src", max_results: 1 },
      text: "src/a.ts\n  2: needle two\n[Matching lines 1-1 of 3 in 2 files, with 4 matches. Continue with offset=1.]",
    },
    {
      name: "one match a line of a pattern that may match nothing",
      input: { pattern: "q*", path: "docs" },
      text: "docs/c.md\n  1: a (needle) [b]\n[1 match in 1 file.]",
    },
    {
      name: "matches over several lines next to each other, each for itself",
      files: { "f.txt": "a\nb\na\nb\nx é a\nb a\nb\n" },
      input: { pattern: "a\nb", multiline: true },
      text: "f.txt\n  1: a\n  2- b\n  3: a\n  4- b\n  5: x é a\n  6: b a\n  7- b\n[4 matches in 1 file.]",
    },
    {
      name: "several matches over several lines that begin on one",
      files: { "f.txt": "ab ab\nc\n" },
      input: { pattern: "ab(?s:.c)?", multiline: true },
      text: "f.txt\n  1: ab ab\n  2- c\n[2 matches on 1 line in 1 file.]",
    },
    {
      name: "where a match is in a long line",
      files: { "f.txt": `${"-".repeat(900)}needle${"-".repeat(500)}needle\n` },
      input: { pattern: "needle" },
      text: `f.txt\n  1: …${"-".repeat(100)}needle${"-".repeat(294)}… [line of 1412 characters, 2 matches, the first at column 901]\n[2 matches on 1 line in 1 file.]`,
    },
    {
      name: "paths",
      input: { pattern: "needle", output: "files", path: "src" },
      text: "src/a.ts\nsrc/deep/b.js\n[3 matches in 2 files.]",
    },
    {
      name: "matching lines a file",
      input: { pattern: "needle", output: "count", path: "src" },
      text: "src/a.ts: 2\nsrc/deep/b.js: 1\n[3 matches in 2 files.]",
    },
    {
      name: "context, and -- where lines are left out",
      input: { pattern: "needle", path: "src/a.ts", context: 1 },
      text: "src/a.ts\n  1- one\n  2: needle two\n  3- three\n  --\n  6- six\n  7: Needle needle\n[2 matches in 1 file.]",
    },
    {
      name: "context of neighbours runs together",
      input: { pattern: "o", path: "f.txt", context: 1 },
      files: { "f.txt": "o\na\no\nb\n" },
      text: "f.txt\n  1: o\n  2- a\n  3: o\n  4- b\n[2 matches in 1 file.]",
    },
    { name: "no match", input: { pattern: "nothing like it" }, text: NO_MATCH },
    {
      name: "a page",
      input: { pattern: "needle", offset: 1, max_results: 2 },
      text: "docs/c.md\n  1: a (needle) [b]\nsrc/a.ts\n  2: needle two\n[Matches 2-3 of 5 in 4 files. Continue with offset=3.]",
    },
    {
      name: "the last page",
      input: { pattern: "needle", offset: 3, max_results: 2 },
      text: "src/a.ts\n  7: Needle needle\nsrc/deep/b.js\n  1: needle\n[Matches 4-5 of 5 in 4 files: the end.]",
    },
    {
      name: "a page of paths",
      input: { pattern: "needle", output: "files", max_results: 1 },
      text: ".hidden/d.txt\n[Files 1-1 of 4. Continue with offset=1.]",
    },
    {
      name: "past the end",
      input: { pattern: "needle", offset: 9 },
      text: "[offset=9 is past the end: 5 matching lines in 4 files.]",
    },
    {
      name: "counts of lines and of all matches",
      input: { pattern: "foo", path: "big.txt", output: "count" },
      files: { "big.txt": `${"x foo z ".repeat(60_000)}\nshort foo\n` },
      text: "big.txt: 2 (60001 matches)\n[60001 matches on 2 lines in 1 file.]",
    },
    {
      name: "a match over lines, its further lines as context",
      input: { pattern: "two.three", multiline: true },
      text: "src/a.ts\n  2: needle two\n  3- three\n[1 match in 1 file.]",
    },
    {
      name: "an empty file matches nothing",
      input: { pattern: "^", path: "f.txt" },
      files: { "f.txt": "" },
      text: "[No match.]",
    },
  ];
  test.each(cases)("$name", async ({ input, text, files = tree }) => {
    const { call } = await openWorkspace(files, { host });
    expect(result(await call("grep", input)).text).toBe(text);
  });

  test("shows an excerpt around the first match of a line of a megabyte, and counts all of them", async () => {
    const { call } = await openWorkspace(
      { "big.txt": `${"é ".repeat(300)}${"x foo z ".repeat(60_000)}\nshort foo\n` },
      { host },
    );
    expect(result(await call("grep", { pattern: "foo", path: "big.txt" })).text).toMatch(
      /^big\.txt\n {2}1: …[^\n]{0,200}x foo z [^\n]{100,400}… \[line of 480600 characters, the first match at column 603: call read with offset=1 and column=603\]\n {2}2: short foo\n\[60001 matches on 2 lines in 1 file\.\]$/,
    );
  });

  test.each([
    ["é and a space", "é ".repeat(300), 601, 1],
    ["hundreds of thousands of CJK characters", "漢".repeat(600_000), 600_001, 1],
    ["pairs of surrogates", "😀".repeat(100_000), 200_001, 1],
    ["lines that end at a lone CR", `${"é\r".repeat(10_000)}ab`, 3, 10_001],
    ["bytes that are not UTF-8", Buffer.from("\xe9 ".repeat(200_000), "latin1"), 400_001, 1],
  ])("shows the match of a line of megabytes, and its column, behind %s", async (_what, before, column, line) => {
    const content = Buffer.concat([
      Buffer.from("first\r\n"),
      Buffer.from(before),
      Buffer.from(`NEEDLE ${"x".repeat(2_000_000)}\nlast\n`),
    ]);
    const { call } = await openWorkspace({ "big.txt": content }, { host });
    const { text, data } = result(await call("grep", { pattern: "NEEDLE", path: "big.txt" }));
    const place = `offset=${line + 1} and column=${column}`;
    expect(text).toMatch(/^big\.txt\n {2}2: [^\n]{1,110}NEEDLE x{100,}… \[line of \d+ characters, the first match at/);
    expect(text).toContain(`the first match at column ${column}: call read with ${place}]\n[1 match in 1 file.]`);
    expect((data as GrepData).matches).toMatchObject([{ line: 2, column }]);
    const read = await call("read", { path: "big.txt", offset: line + 1, column, limit: 1 });
    expect(result(read).text).toMatch(column === 3 ? /^10002\t/ : /^2\tNEEDLE x/);
  });

  test("gives excerpts to the lines of a page alone, and says how to get more of them", async () => {
    const { call } = await openWorkspace(
      { "big.txt": Array.from({ length: 8 }, (_, at) => `${"é".repeat(1_100_000)}NEEDLE${at}\n`).join("") },
      { host },
    );
    const shown = async (input: object): Promise<string> =>
      result(await call("grep", { pattern: "NEEDLE", ...input })).text;
    const excerpt = (at: number): string =>
      `  ${at + 1}: …${"é".repeat(100)}NEEDLE${at} [line of 1100007 characters, the first match at column 1100001: call read with offset=${at + 1} and column=1100001]`;
    expect(await shown({ offset: 5, max_results: 2 })).toBe(
      ["big.txt", excerpt(5), excerpt(6), "[Matches 6-7 of 8 in 1 file. Continue with offset=7.]"].join("\n"),
    );
    expect(await shown({})).toBe(
      [
        "big.txt",
        ...[0, 1, 2, 3, 4].map(excerpt),
        "  6: [a match 2200000 bytes into a line too long to show: call grep with offset=5 for excerpts from here on]",
        "  7: [a match 2200000 bytes into a line too long to show]",
        "  8: [a match 2200000 bytes into a line too long to show]",
        "[8 matches in 1 file.]",
      ].join("\n"),
    );
  });
});

describe.each(hosts)("patterns, on the %s host", (host) => {
  const cases: {
    name: string;
    input: object;
    file: string | Uint8Array;
    found: [line: number, column: number, text: string][];
  }[] = [
    { name: "case matters", input: { pattern: "ab" }, file: "AB\nab\n", found: [[2, 1, "ab"]] },
    {
      name: "unless ignore_case",
      input: { pattern: "äb", ignore_case: true },
      file: "ÄB\näb\n",
      found: [
        [1, 1, "ÄB"],
        [2, 1, "äb"],
      ],
    },
    { name: "literal", input: { pattern: "a.b(", literal: true }, file: "axb(\na.b(\n", found: [[2, 1, "a.b("]] },
    {
      name: "literal over lines",
      input: { pattern: "a.\nb", literal: true, multiline: true },
      file: "ax\nb\na.\nb\n",
      found: [[3, 1, "a."]],
    },
    {
      name: "a line end in the regex matches CRLF too",
      input: { pattern: "a$" },
      file: "a\r\nab\r\n",
      found: [[1, 1, "a"]],
    },
    { name: "column counts code units", input: { pattern: "x" }, file: "😀é x\n", found: [[1, 5, "😀é x"]] },
    { name: "column counts no byte order mark", input: { pattern: "x" }, file: "\uFEFFx\n", found: [[1, 1, "x"]] },
    {
      name: "UTF-16 with a byte order mark",
      input: { pattern: "é" },
      file: Buffer.from("\uFEFFaé\r\n", "utf16le"),
      found: [[1, 2, "aé"]],
    },
    {
      name: "lines that are no UTF-8",
      input: { pattern: "needle" },
      file: Buffer.from([0xe9, 0xff, ...Buffer.from(" needle \xe9\n", "latin1")]),
      found: [[1, 4, "\uFFFD\uFFFD needle \uFFFD"]],
    },
    {
      name: "a pattern that begins with -",
      input: { pattern: "-needle" },
      file: "-needle\n",
      found: [[1, 1, "-needle"]],
    },
    {
      name: "one that reads as a flag",
      input: { pattern: "--version" },
      file: "rg --version\n",
      found: [[1, 4, "rg --version"]],
    },
    {
      name: "one that would run a program",
      input: { pattern: "--pre=id" },
      file: "--pre=id\n",
      found: [[1, 1, "--pre=id"]],
    },
    { name: "-e", input: { pattern: "-e" }, file: "a -e b\n", found: [[1, 3, "a -e b"]] },
    { name: "one that begins with !", input: { pattern: "!x" }, file: "!x\n", found: [[1, 1, "!x"]] },
    {
      name: "brackets, quotes, dollars and blanks",
      input: { pattern: " [\"'$`] ", literal: true },
      file: "a [\"'$`] b\n",
      found: [[1, 2, "a [\"'$`] b"]],
    },
    { name: "emoji", input: { pattern: "😀" }, file: "a😀\n", found: [[1, 2, "a😀"]] },
    {
      name: "NUL behind the probe is text",
      input: { pattern: "needle" },
      file: `${"a\n".repeat(4500)}\0needle\n`,
      found: [[4501, 2, "\0needle"]],
    },
  ];
  test.each(cases)("$name", async ({ input, file, found }) => {
    const { call } = await openWorkspace({ "f.txt": file }, { host });
    const { data } = result<GrepData>(await call("grep", { path: "f.txt", ...input }));
    expect(data.matches.map(({ line, column, text }) => [line, column, text])).toEqual(found);
  });

  const refused: { name: string; input: object; message: RegExp; hint?: string }[] = [
    {
      name: "a broken regex",
      input: { pattern: "(needle|other" },
      message: /^Invalid regular expression: regex parse error:[^]*unclosed group$/,
      hint: "Escape special characters, or set literal to search for plain text.",
    },
    {
      name: "\\n without multiline",
      input: { pattern: "a\\nb", multiline: false },
      message: /^Invalid regular expression: the literal "\\n" is not allowed in a regex$/,
      hint: "Set multiline to match across lines.",
    },
    {
      name: "a line end in a plain text",
      input: { pattern: "a\nb", literal: true, multiline: false },
      message: /not allowed/,
      hint: "Set multiline to match across lines.",
    },
    {
      name: "a regex too big to compile",
      input: { pattern: "\\w{5000}{500}" },
      message: /^Invalid regular expression: /,
    },
    { name: "a broken include", input: { pattern: "x", include: "{a" }, message: /^Invalid glob: .*\{a/ },
    {
      name: "a broken include with a folder",
      input: { pattern: "x", include: "src/{a" },
      message: /^Invalid glob: .*src\/\{a/,
    },
    { name: "a broken exclude", input: { pattern: "x", exclude: "[z" }, message: /^Invalid glob: .*\[z/ },
    { name: "NUL", input: { pattern: "a\0b" }, message: /^grep: pattern contains a NUL character\.$/ },
    {
      name: "an empty pattern",
      input: { pattern: "" },
      message: /^grep: pattern: must be at least 1 character long\.$/,
    },
  ];
  test.each(refused)("$name is refused", async ({ input, message, hint }) => {
    const { call } = await openWorkspace(tree, { host });
    const error = failed(await call("grep", input));
    expect(error.type).toBe("invalid_input");
    expect(error.message).toMatch(message);
    if (hint !== undefined) {
      expect(error.hint).toBe(hint);
    }
  });
});

describe.each(hosts)("a pattern that another engine or another reading takes, on the %s host", (host) => {
  const files = { "a.ts": "needle tsx\nneedle ts\ngetPath(req)\ninterface{ a }\nabab\n", "src/b.ts": "other\n" };
  const cases: { input: object; text: string }[] = [
    {
      input: { pattern: "needle(?= tsx)" },
      text: "a.ts\n  1: needle tsx\n[1 match in 1 file.]\n[Matched with PCRE2, because the default engine rejects the pattern: look-around, including look-ahead and look-behind, is not supported.]",
    },
    {
      input: { pattern: "^(ab)\\1$" },
      text: "a.ts\n  5: abab\n[1 match in 1 file.]\n[Matched with PCRE2, because the default engine rejects the pattern: backreferences are not supported.]",
    },
    {
      input: { pattern: "interface{" },
      text: "a.ts\n  4: interface{ a }\n[1 match in 1 file.]\n[Read as interface\\{: brackets that can only be text are taken as text.]",
    },
    {
      input: { pattern: "getPath(" },
      text: "a.ts\n  3: getPath(req)\n[1 match in 1 file.]\n[Read as getPath\\(: brackets that can only be text are taken as text.]",
    },
    {
      input: { pattern: "getPath(?=.r)(" },
      text: `a.ts\n  3: getPath(req)\n[1 match in 1 file.]\n[Read as getPath(?=.r)\\(: brackets that can only be text are taken as text.]\n[Matched with PCRE2, because the default engine rejects the pattern: look-around, including look-ahead and look-behind, is not supported.]`,
    },
    { input: { pattern: "getpath" }, text: `${NO_MATCH}\n[With other case it matches 1 line: set ignore_case.]` },
    { input: { pattern: "getPath(req)" }, text: `${NO_MATCH}\n[As plain text it matches 1 line: set literal.]` },
    {
      input: { pattern: "\\\\bgetPath\\\\b" },
      text: `${NO_MATCH}\n[It is escaped twice: \\bgetPath\\b matches 1 line.]`,
    },
    {
      input: { pattern: "needle|abab", literal: true },
      text: `${NO_MATCH}\n[As a regular expression it matches 3 lines: omit literal.]`,
    },
    {
      input: { pattern: "other", path: "src", include: "src/*.ts" },
      text: `${NO_MATCH}\n[No searched file matches include src/*.ts.]\n[Globs are relative to path: *.ts would find 1 file, such as src/b.ts.]`,
    },
    {
      input: { pattern: "needle\\|abab" },
      text: `${NO_MATCH}\n[\\| is a literal |: with | for alternatives it matches 3 lines.]`,
    },
    {
      input: { pattern: "/NEEDLE|abab/i" },
      text: `${NO_MATCH}\n[/…/i is searched as it is: NEEDLE|abab matches 3 lines with ignore_case.]`,
    },
    {
      input: { pattern: '"abab"' },
      text: `${NO_MATCH}\n["…" is searched as it is: abab matches 1 line.]`,
    },
    {
      input: { pattern: "other", include: "src/b**.ts" },
      text: "src/b.ts\n  1: other\n[1 match in 1 file.]\n[** inside a name means the same as *: src/b**/*.ts also searches folders.]",
    },
    {
      input: { pattern: "other", include: "ts" },
      text: `${NO_MATCH}\n[No searched file matches include ts.]\n[A glob must match the whole name: *.ts would find 2 files, such as a.ts, src/b.ts.]`,
    },
    { input: { pattern: "stands nowhere" }, text: NO_MATCH },
  ];
  test.each(cases)("$input", async ({ input, text }) => {
    const { call } = await openWorkspace(files, { host });
    expect(result(await call("grep", input)).text).toBe(text);
  });

  test("PCRE2 that gives up on a line says which file it did not search", async () => {
    const { call } = await openWorkspace({ "a.txt": `${"a".repeat(100_000)}b\n` }, { host: "node" });
    expect(result(await call("grep", { pattern: "(?=a)(a+)+(a+)+(a+)+$" })).text).toContain(
      "[Not searched: a.txt: PCRE2: error matching: match limit exceeded]",
    );
  });
});

describe.each(hosts)("which files, on the %s host", (host) => {
  const files: FileTree = Object.fromEntries(
    [
      "a.ts",
      "b.js",
      "src/a.ts",
      "src/b.js",
      "src/deep/a.ts",
      "src/deep/a.test.ts",
      "other/src/a.ts",
      "!bang.ts",
      "#hash.ts",
      "-dash.ts",
      "[id].ts",
      "sp ace.ts",
      "trailing ",
    ].map((path) => [path, "needle\n"]),
  );
  const all = Object.keys(files).sort();
  const cases: { name: string; input: object; found: string[] }[] = [
    { name: "all", input: {}, found: all },
    { name: "an empty glob is none", input: { include: "", exclude: "" }, found: all },
    {
      name: "a name at any depth",
      input: { include: "a.ts" },
      found: ["a.ts", "other/src/a.ts", "src/a.ts", "src/deep/a.ts"],
    },
    { name: "names by glob at any depth", input: { include: "*.js" }, found: ["b.js", "src/b.js"] },
    { name: "braces", input: { include: "{b,sp ace}.{js,ts}" }, found: ["b.js", "sp ace.ts", "src/b.js"] },
    { name: "a path from the start", input: { include: "src/*.ts" }, found: ["src/a.ts"] },
    {
      name: "a path with **",
      input: { include: "src/**/*.ts" },
      found: ["src/a.ts", "src/deep/a.test.ts", "src/deep/a.ts"],
    },
    { name: "a path at any depth", input: { include: "**/src/*.ts" }, found: ["other/src/a.ts", "src/a.ts"] },
    { name: "./ in front", input: { include: "./src/*.js" }, found: ["src/b.js"] },
    { name: "./ in front of a name, which is then one path", input: { include: "./a.ts" }, found: ["a.ts"] },
    {
      name: "./ in front, excluded",
      input: { include: "*.js", exclude: "./b.js" },
      found: ["src/b.js"],
    },
    {
      name: "a folder with its /",
      input: { include: "src/" },
      found: ["src/a.ts", "src/b.js", "src/deep/a.test.ts", "src/deep/a.ts"],
    },
    {
      name: "globs count from path",
      input: { path: "src", include: "deep/*.ts" },
      found: ["src/deep/a.test.ts", "src/deep/a.ts"],
    },
    {
      name: "exclude",
      input: { include: "*.ts", exclude: "*.test.ts", path: "src" },
      found: ["src/a.ts", "src/deep/a.ts"],
    },
    { name: "exclude a folder by name", input: { exclude: "src", include: "*.js" }, found: ["b.js"] },
    { name: "exclude a folder with its /", input: { exclude: "src/", include: "*.js" }, found: ["b.js"] },
    { name: "exclude wins over include", input: { include: "*.js", exclude: "*.js" }, found: [] },
    { name: "a leading ! is a !", input: { include: "!bang*" }, found: ["!bang.ts"] },
    { name: "a leading ! in exclude, too", input: { include: "*bang*", exclude: "!bang*" }, found: [] },
    {
      name: "a leading ! that no file has, as an exclude",
      input: { include: "!**/*.ts" },
      found: ["b.js", "src/b.js", "trailing "],
    },
    { name: "a leading # is a #", input: { include: "#*" }, found: ["#hash.ts"] },
    { name: "a leading # in a path", input: { include: "#x/**" }, found: [] },
    { name: "a leading #, excluded", input: { include: "*hash.ts", exclude: "#*" }, found: [] },
    { name: "a leading -", input: { include: "-*" }, found: ["-dash.ts"] },
    { name: "one that reads as a flag", input: { include: "--pre=id" }, found: [] },
    { name: "brackets taken literally", input: { include: "[[]id].ts" }, found: ["[id].ts"] },
    { name: "a trailing blank", input: { include: "trailing " }, found: ["trailing "] },
    { name: "a trailing blank, excluded", input: { include: "tr*", exclude: "trailing " }, found: [] },
    { name: "ripgrep's own word include:", input: { include: "include:all" }, found: [] },
    { name: "a colon", input: { include: "{*:*,a.ts}", path: "src" }, found: ["src/a.ts", "src/deep/a.ts"] },
    {
      name: "braces with an empty part",
      input: { include: "a{,.test}.ts", path: "src" },
      found: ["src/a.ts", "src/deep/a.test.ts", "src/deep/a.ts"],
    },
    { name: "one of several", input: { include: "@(b|sp ace).@(js|ts)" }, found: ["b.js", "sp ace.ts", "src/b.js"] },
    {
      name: "one of several, with folders",
      input: { include: "@(src/b|sp ace).@(js|ts)" },
      found: ["sp ace.ts", "src/b.js"],
    },
    { name: "one or none", input: { include: "src/?(deep/)a.ts" }, found: ["src/a.ts", "src/deep/a.ts"] },
    {
      name: "one of several, excluded",
      input: { path: "src", exclude: "*.@(js|test.ts)" },
      found: ["src/a.ts", "src/deep/a.ts"],
    },
    { name: "a file named by path", input: { path: "src/a.ts" }, found: ["src/a.ts"] },
    { name: "a file with brackets, by path", input: { path: "[id].ts" }, found: ["[id].ts"] },
    { name: "a file with a dash, by path", input: { path: "-dash.ts" }, found: ["-dash.ts"] },
    { name: "a file with !, by path", input: { path: "!bang.ts" }, found: ["!bang.ts"] },
  ];
  test.each(cases)("$name", async ({ input, found }) => {
    const { call } = await openWorkspace(files, { host });
    const { data } = result<GrepData>(await call("grep", { pattern: "needle", ...input }));
    expect(data.files.map(({ path }) => path)).toEqual(found);
  });

  test("an include that fits no file is told from no match", async () => {
    const { call } = await openWorkspace(files, { host });
    expect(result(await call("grep", { pattern: "needle", include: "src" })).text).toBe(
      `${NO_MATCH}\n[No searched file matches include src.]\n[src is a folder: src/** finds the 4 files below it.]`,
    );
    expect(result(await call("grep", { pattern: "no such text", include: "*.ts" })).text).toBe(NO_MATCH);
  });

  const ignoring: FileTree = {
    ".gitignore": "*.log\ndist/\ngen/*\n!gen/keep.ts\n",
    "a.ts": "needle\n",
    "a.log": "needle\n",
    "dist/a.ts": "needle\n",
    "gen/a.ts": "needle\n",
    "gen/keep.ts": "needle\n",
    "sub/.gitignore": "own.ts\n",
    "sub/own.ts": "needle\n",
    "sub/x.ts": "needle\n",
    ".git/config": "needle\n",
    ".toolhost/context/c.md": "needle\n",
    ".toolhost/MEMORY.md": "needle\n",
  };
  const ignores: { name: string; input: object; found: string[] }[] = [
    { name: "outside git repositories", input: {}, found: [".toolhost/MEMORY.md", "a.ts", "gen/keep.ts", "sub/x.ts"] },
    {
      name: "include does not bring ignored files back",
      input: { include: "*.{log,ts}" },
      found: ["a.ts", "gen/keep.ts", "sub/x.ts"],
    },
    {
      name: "nor does include **",
      input: { include: "**" },
      found: [".toolhost/MEMORY.md", "a.ts", "gen/keep.ts", "sub/x.ts"],
    },
    { name: "nor one with folders", input: { include: "{gen,dist,sub}/**" }, found: ["gen/keep.ts", "sub/x.ts"] },
    { name: "from a folder below, too", input: { path: "gen", include: "**/*.ts" }, found: ["gen/keep.ts"] },
    {
      name: "include_ignored",
      input: { include_ignored: true, include: "*.{log,ts}" },
      found: ["a.log", "a.ts", "dist/a.ts", "gen/a.ts", "gen/keep.ts", "sub/own.ts", "sub/x.ts"],
    },
    {
      name: "include_ignored with folders",
      input: { include_ignored: true, include: "gen/**" },
      found: ["gen/a.ts", "gen/keep.ts"],
    },
    {
      name: ".git and the context cache are never searched",
      input: { include_ignored: true, include: "{.git,.toolhost}/**" },
      found: [".toolhost/MEMORY.md"],
    },
    { name: "nor from .toolhost", input: { include_ignored: true, path: ".toolhost" }, found: [".toolhost/MEMORY.md"] },
    { name: "an ignored folder by its own path", input: { path: "dist" }, found: ["dist/a.ts"] },
    {
      name: "an ignored folder by its own path, with an include",
      input: { path: "dist", include: "**/*.ts" },
      found: ["dist/a.ts"],
    },
    { name: "a folder whose files are ignored, by its own path", input: { path: "sub" }, found: ["sub/x.ts"] },
    { name: "an ignored file by its own path", input: { path: "a.log" }, found: ["a.log"] },
  ];
  test.each(ignores)(".gitignore: $name", async ({ input, found }) => {
    const { call } = await openWorkspace(ignoring, { host });
    const { data } = result<GrepData>(await call("grep", { pattern: "needle", ...input }));
    expect(data.files.map(({ path }) => path)).toEqual(found);
  });

  const unsearched: { name: string; input: object; text: string }[] = [
    { name: "in a folder", input: {}, text: NO_MATCH },
    { name: "with other output", input: { output: "count" }, text: NO_MATCH },
    {
      name: "with an include that only ignored files fit",
      input: { include: "*.log" },
      text: `${NO_MATCH}\n[No searched file matches include *.log.]`,
    },
    {
      name: "with include_ignored",
      input: { include_ignored: true, pattern: "nowhere" },
      text: "[No match.]\n[Files that may hold secrets are not searched.]",
    },
    { name: "in a file that was named", input: { path: "b.txt" }, text: "[No match.]" },
    { name: "in an ignored folder that was named", input: { path: "out", pattern: "nowhere" }, text: NO_MATCH },
  ];
  test.each(unsearched)("no match says what was not searched: $name", async ({ input, text }) => {
    const { call } = await openWorkspace(
      {
        ".gitignore": "*.log\nout/\n",
        "a.log": "needle\nneedle\n",
        "b.txt": "x\n",
        "out/c.txt": "x\n",
        ".env": "needle\n",
      },
      { host },
    );
    expect(result(await call("grep", { pattern: "needle", ...input })).text).toBe(text);
  });

  test("binary files are skipped in a folder, and named when asked for", async () => {
    const { call } = await openWorkspace(
      { "a.txt": "needle\n", "a.bin": Buffer.from("needle\n\0\0needle\n") },
      { host },
    );
    expect(result<GrepData>(await call("grep", { pattern: "needle" })).data.files).toEqual([
      { path: "a.txt", matches: 1 },
    ]);
    expect(result(await call("grep", { pattern: "needle", path: "a.bin" })).text).toBe(
      "[No match.]\n[Not searched: a.bin is a binary file, not text.]",
    );
  });

  // Memory holds texts as texts: there is no reading on past a NUL.
  if (host === "node") {
    test("a text that turns binary late is told to be searched in part", async () => {
      const { call } = await openWorkspace(
        { "late.txt": `needle\n${"x".repeat(99)}\n`.repeat(5000) + "\0\nneedle\n" },
        { host },
      );
      const { text } = result(await call("grep", { pattern: "needle", output: "count" }));
      expect(text).toContain("[Searched in part: late.txt contains NUL characters. Search it by its own path.]");
      expect(
        result<GrepData>(await call("grep", { pattern: "needle", path: "late.txt", output: "count" })).data
          .total_matches,
      ).toBe(5001);
    });
  }
});

describe.each(hosts)("pages, on the %s host", (host) => {
  const many: FileTree = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `d${index % 7}/f${index}.txt`,
      `needle ${index}\nx\ny\nneedle ${index}\nz\n`.repeat((index % 5) + 1),
    ]),
  );
  test.each([{}, { context: 1 }, { context: 3 }, { output: "files" }, { output: "count" }])(
    "concatenated are the whole: %o",
    async (options) => {
      const { call } = await openWorkspace(many, { host });
      const lines = (text: string): string[] =>
        text.split("\n").filter((line) => !/^\[|^d\d\/f\d+\.txt$|^ {2}--$/.test(line) || options.output === "files");
      const whole = result<GrepData>(await call("grep", { pattern: "needle", max_results: 1000, ...options }));
      const pages: GrepData[] = [];
      const text: string[] = [];
      for (let offset: number | null = 0; offset !== null;) {
        const page: { text: string; data: GrepData } = result<GrepData>(
          await call("grep", { pattern: "needle", max_results: 7, offset, ...options }),
        );
        pages.push(page.data);
        text.push(...lines(page.text).filter((line) => !line.startsWith("[")));
        offset = page.data.next_offset;
      }
      expect(pages.flatMap(({ matches }) => matches)).toEqual(whole.data.matches);
      expect(text).toEqual(lines(whole.text).filter((line) => !line.startsWith("[")));
      expect(new Set(pages.map(({ total_matches }) => total_matches))).toEqual(new Set([whole.data.total_matches]));
    },
    PATIENCE,
  );

  test(
    "the same search gives the same answer",
    async () => {
      const { call } = await openWorkspace(many, { host });
      const answers = await Promise.all(
        Array.from({ length: 8 }, async () => result(await call("grep", { pattern: "needle", max_results: 30 })).text),
      );
      expect(new Set(answers).size).toBe(1);
    },
    PATIENCE,
  );
});

describe("the size of an answer", () => {
  test.each([{}, { context: 2 }])(
    "pages of long lines end where a model would lose them, and go on from there: %o",
    async (options) => {
      const { call } = await openWorkspace(
        Object.fromEntries(
          Array.from({ length: 4 }, (_, file) => [
            `f${file}.txt`,
            Array.from({ length: 500 }, (_, line) => `needle ${line} ${"é".repeat(380)}\n`).join(""),
          ]),
        ),
      );
      const seen: string[] = [];
      let pages = 0;
      for (let offset: number | null = 0; offset !== null; pages++) {
        const page: { text: string; data: GrepData } = result<GrepData>(
          await call("grep", { pattern: "needle .*[02468] é", max_results: 1000, offset, ...options }),
        );
        expect(page.text.length).toBeLessThanOrEqual(20_000);
        expect(page.data.matches.length).toBeGreaterThan(0);
        seen.push(...page.data.matches.map(({ path, line }) => `${path}:${line}`));
        offset = page.data.next_offset;
        expect(page.text.split("\n").at(-1)).toMatch(
          offset === null ? /: the end\.\]$/ : new RegExp(`Continue with offset=${offset}\\.\\]$`),
        );
      }
      expect(pages).toBeGreaterThan(1);
      expect(seen).toEqual(
        [0, 1, 2, 3].flatMap((file) => Array.from({ length: 250 }, (_, index) => `f${file}.txt:${2 * index + 1}`)),
      );
    },
  );

  test("a single match with much context is cut to fit, line by line", async () => {
    const { call } = await openWorkspace({
      "f.txt": `${"x".repeat(900)}\n`.repeat(20) + "needle\n" + `${"y".repeat(900)}\n`.repeat(20),
    });
    const { text } = result<GrepData>(await call("grep", { pattern: "needle", context: 20 }));
    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(text.split("\n").filter((line) => /^ {2}\d+-/.test(line))).toHaveLength(40);
    expect(text).toContain("  21: needle\n");
  });

  test("so do pages of long paths", async () => {
    const folders = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(250)).join("/");
    const { call } = await openWorkspace(
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${folders}/f${index}`, "needle\n"])),
    );
    for (const output of ["files", "count", "content"]) {
      const first = result<GrepData>(await call("grep", { pattern: "needle", output, max_results: 1000 }));
      expect(first.text.length).toBeLessThanOrEqual(20_000);
      const offset = first.data.next_offset;
      expect(offset).toBe(first.data.files.length);
      const rest = result<GrepData>(await call("grep", { pattern: "needle", output, max_results: 1000, offset }));
      expect(rest.data.files[0]).not.toEqual(first.data.files.at(-1));
    }
  });
});

describe("rules of .gitignore from above the workspace", () => {
  const files: FileTree = {
    ".gitignore": "*\n",
    "ws/.gitignore": "*.log\n",
    "ws/a.txt": "needle\n",
    "ws/a.log": "needle\n",
    "ws/sub/.gitignore": "/tmp\n",
    "ws/sub/tmp/a.txt": "needle\n",
    "ws/sub/deep/a.txt": "needle\n",
    "ws/sub/deep/a.log": "needle\n",
    "ws/sub/deep/tmp": "needle\n",
  };
  const cases: { name: string; more: FileTree; path?: string; found: string[] }[] = [
    { name: "do not count without a repository", more: {}, found: ["a.txt", "sub/deep/a.txt", "sub/deep/tmp"] },
    {
      name: "nor in a folder of the workspace, where those of the workspace do",
      more: {},
      path: "sub/deep",
      found: ["sub/deep/a.txt", "sub/deep/tmp"],
    },
    { name: "nor one level down", more: {}, path: "sub", found: ["sub/deep/a.txt", "sub/deep/tmp"] },
    { name: "nor in a file by its own path", more: {}, path: "a.log", found: ["a.log"] },
    {
      name: "nor above the repository that the workspace is",
      more: { "ws/.git/HEAD": "" },
      found: ["a.txt", "sub/deep/a.txt", "sub/deep/tmp"],
    },
    {
      name: "nor below, in such a repository",
      more: { "ws/.git/HEAD": "" },
      path: "sub/deep",
      found: ["sub/deep/a.txt", "sub/deep/tmp"],
    },
    {
      name: "count in the repository that holds the workspace",
      more: { ".git/HEAD": "", ".gitignore": "a.*\n" },
      found: ["sub/deep/tmp"],
    },
    {
      name: "and so in a worktree or submodule, whose .git is a file",
      more: { ".git": "gitdir: elsewhere", ".gitignore": "a.*\n" },
      found: ["sub/deep/tmp"],
    },
  ];
  test.each(cases)("$name", async ({ more, path = ".", found }) => {
    const top = await tempFolder({ ...files, ...more });
    const { call } = await openWorkspace({}, { roots: [{ name: "x", path: join(top, "ws"), beside: true }] });
    const inTop = found.map((name) => join(top, "ws", name));
    const at = { path: join(top, "ws", path) };
    expect(
      result<GrepData>(await call("grep", { pattern: "needle", ...at })).data.files.map((file) => file.path),
    ).toEqual(inTop);
    expect(
      result<GrepData>(await call("grep", { pattern: "needle", include: "**/*", ...at })).data.files.map(
        (file) => file.path,
      ),
    ).toEqual(inTop);
    if (!path.endsWith(".log")) {
      const { data } = result<{ files: { path: string }[] }>(
        await call("glob", { pattern: "{a.txt,a.log,tmp}", ...at }),
      );
      expect(data.files.map((file) => file.path)).toEqual(inTop);
    }
  });
});

describe("odd files", () => {
  test("names with blanks, emoji, quotes and brackets", async () => {
    const names = ["a b.txt", "😀.txt", 'it\'s "q".txt', "(x) [y] {z}.txt", "back\\slash.txt", "äöü.txt"];
    const { call } = await openWorkspace(Object.fromEntries(names.map((name) => [`${name}/${name}`, "needle\n"])));
    const { data, text } = result<GrepData>(await call("grep", { pattern: "needle" }));
    expect(data.files.map(({ path }) => path).sort()).toEqual(names.map((name) => `${name}/${name}`).sort());
    for (const name of names) {
      expect(text.split("\n")).toContain(`${name}/${name}`);
      expect(
        result<GrepData>(await call("grep", { pattern: "needle", path: `${name}/${name}` })).data.total_matches,
      ).toBe(1);
    }
  });

  test("a name cannot pretend to be a line, another file or a remark", async () => {
    const names = ["a\n  1: fake", "  7: fake", "[No match.]", "bell\x07", "esc\x1b[2J"];
    const { call } = await openWorkspace(Object.fromEntries(names.map((name) => [name, "needle\n"])));
    const { data, text } = result<GrepData>(await call("grep", { pattern: "needle" }));
    expect(data.files.map(({ path }) => path).sort()).toEqual([...names].sort());
    expect(text).toBe(
      [...names]
        .sort()
        .map((name) => `${JSON.stringify(name)}\n  1: needle`)
        .join("\n") + "\n[5 matches in 5 files.]",
    );
    expect(
      result(await call("grep", { pattern: "needle", output: "files" }))
        .text.split("\n")
        .slice(0, -1),
    ).toEqual([...names].sort().map((name) => JSON.stringify(name)));
  });

  test("a match in a line of megabytes keeps its line number and column", async () => {
    const { call } = await openWorkspace({
      "min.js": `first\n${"x".repeat(1_500_000)}needle${"x".repeat(700_000)}\n`,
      "many.js": `a\nb\n${"needle ".repeat(400_000)}\n`,
    });
    const { data } = result<GrepData>(await call("grep", { pattern: "needle" }));
    expect(data.matches).toMatchObject([
      { path: "many.js", line: 3, column: 1 },
      { path: "min.js", line: 2, column: 1_500_001 },
    ]);
  });

  test("a long line is a window around the match", async () => {
    const { call } = await openWorkspace({ "f.js": `${"😀".repeat(500)}needle${"y".repeat(1000)}\n` });
    const { data } = result<GrepData>(await call("grep", { pattern: "needle" }));
    const [match] = data.matches;
    expect(match).toMatchObject({ line: 1, column: 1001 });
    expect(match?.text).toMatch(/^…(😀){50}needley+… \[line of 2006 characters at column 1001\]$/u);
  });

  test("long lines that match are not held for the part that is shown", async () => {
    const { call } = await openWorkspace({ "f.js": `needle${"x".repeat(900_000)}\n`.repeat(60) });
    const before = heapInUse();
    const { data } = result<GrepData>(await call("grep", { pattern: "needle" }));
    expect(heapInUse() - before).toBeLessThan(20_000_000);
    expect(data.total_matches).toBe(60);
  });

  test("nothing outside shows through a link", async () => {
    const outside = await tempFolder({ "secret.txt": "needle\n" });
    const { folder, call } = await openWorkspace({ "a.txt": "needle\n" });
    await symlink(outside, join(folder, "folder"));
    await symlink(join(outside, "secret.txt"), join(folder, "file.txt"));
    await symlink(".", join(folder, "circle"));
    for (const options of [{}, { include_ignored: true }, { include: "**" }]) {
      expect(result<GrepData>(await call("grep", { pattern: "needle", ...options })).data.files).toEqual([
        { path: "a.txt", matches: 1 },
      ]);
    }
    expect(failed(await call("grep", { pattern: "needle", path: "folder" })).type).toBe("outside_workspace");
    expect(failed(await call("grep", { pattern: "needle", path: "file.txt" })).type).toBe("outside_workspace");
  });

  test("a folder searched through a link inside keeps the name it was asked by", async () => {
    const { folder, call } = await openWorkspace({ "real/a.txt": "needle\n" });
    await symlink("real", join(folder, "link"));
    expect(result<GrepData>(await call("grep", { pattern: "needle", path: "link" })).data.files).toEqual([
      { path: "link/a.txt", matches: 1 },
    ]);
  });

  test("what is not there, and what is no file", async () => {
    const { folder, call } = await openWorkspace(tree);
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(failed(await call("grep", { pattern: "x", path: "scr" }))).toEqual({
      type: "not_found",
      message: "scr: there is no such file or folder.",
      hint: "Did you mean src?",
    });
    expect(failed(await call("grep", { pattern: "x", path: "pipe" })).type).toBe("unsupported");
    expect(result<GrepData>(await call("grep", { pattern: "needle" })).data.total_matches).toBe(5);
  });

  test("what may not be read is told", async () => {
    const { folder, call } = await openWorkspace(
      { "ok/a.txt": "needle\n", "locked/b.txt": "needle\n" },
      { ripgrep: await openRipgrep() },
    );
    await chmod(join(folder, "locked"), 0);
    const { text } = await asOrdinaryUser(async () => result(await call("grep", { pattern: "needle" })));
    expect(text).toBe(
      "ok/a.txt\n  1: needle\n[1 match in 1 file.]\n[Not searched: locked: Permission denied (os error 13)]",
    );
    await chmod(join(folder, "locked"), 0o755);
  });

  test("a folder that may not be opened fails by its own path, whatever ripgrep makes of it", async () => {
    const { folder, call } = await openWorkspace({ "locked/b.ts": "needle\n" }, { ripgrep: await openRipgrep() });
    for (const mode of [0, 0o444]) {
      await chmod(join(folder, "locked"), mode);
      const outcome = await asOrdinaryUser(() => call("grep", { pattern: "needle", path: "locked" }));
      await chmod(join(folder, "locked"), 0o755);
      expect(failed(outcome)).toEqual({
        type: "io_error",
        message: "The folder to search may not be opened: the system does not permit it.",
        hint: "Check the permissions of the folder.",
      });
    }
  });

  test("without ripgrep the answer says so", async () => {
    const { call } = await openWorkspace(tree, { ripgrep: "/nonexistent/rg" });
    expect(failed(await call("grep", { pattern: "x" })).message).toMatch(/^ripgrep could not be started: /);
  });
});

describe("secrets", () => {
  const files: FileTree = {
    "a.txt": "needle\n",
    ".env": "K=needle\n",
    id_rsa: "needle\n",
    "certs/x.pem": "needle\nneedle\n",
    ".env.example": "needle\n",
    "id_rsa.pub": "needle\n",
  };

  test.each(["content", "files", "count"])("are left out of a folder: output %s", async (output) => {
    const { call } = await openWorkspace(files);
    const { text, data } = result<GrepData>(await call("grep", { pattern: "needle", output }, { as: "model" }));
    expect(data.files.map(({ path }) => path)).toEqual([".env.example", "a.txt", "id_rsa.pub"]);
    expect(text).not.toContain("K=");
    expect(text).not.toContain("secrets");
  });

  test.each([".env", "id_rsa", "certs/x.pem", "link"])("%s by name asks", async (path) => {
    const { folder, call, asked } = await openWorkspace(files);
    await symlink(".env", join(folder, "link"));
    expect(failed(await call("grep", { pattern: "needle", path }, { as: "model" })).type).toBe("denied");
    expect(failed(await call("grep", { pattern: "needle", path }, { as: "model", answer: false })).type).toBe("denied");
    expect(
      result<GrepData>(await call("grep", { pattern: "needle", path }, { as: "model", answer: true })).data.total_files,
    ).toBe(1);
    expect(asked.length).toBe(2);
  });

  test("nothing told depends on what stands in them", async () => {
    const { call } = await openWorkspace({
      ...files,
      "out/.env": "K=ignored\n",
      ".gitignore": "out/\n",
      "key.p12": "needle\0\n",
    });
    const inputs = [
      { include: ".env" },
      { include: "*.p12" },
      { path: "certs" },
      { include: ".env", include_ignored: true },
      { include: ".env", output: "count" },
    ];
    for (const input of inputs) {
      const answers = await Promise.all(
        ["needle", "K=", "^K=n", "stands nowhere"].map(
          async (pattern) => result(await call("grep", { pattern, ...input }, { as: "model" })).text,
        ),
      );
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toMatch(/^\[No match\.\]\n\[.*files that may hold secrets are not searched/i);
    }
  });

  test("fill no search: more matches in one than are held make nothing partial", async () => {
    const { call } = await openWorkspace({ ".env": "needle\n".repeat(100_001), "a.txt": "needle\n" });
    expect(result<GrepData>(await call("grep", { pattern: "needle" }, { as: "model" })).data).toMatchObject({
      partial: false,
      files: [{ path: "a.txt", matches: 1 }],
    });
  });

  test("a linked folder of them gives nothing away", async () => {
    const { folder, call, asked } = await openWorkspace({ ".aws/credentials": "aws_secret = needle\n" });
    await symlink(".aws", join(folder, "docs"));
    expect(failed(await call("grep", { pattern: "needle", path: "docs" }, { as: "model" })).type).toBe("denied");
    expect(
      result<GrepData>(await call("grep", { pattern: "needle", path: "docs" }, { as: "model", answer: true })).data
        .total_matches,
    ).toBe(0);
    expect(failed(await call("read", { path: "docs/credentials" }, { as: "model" })).type).toBe("denied");
    expect(asked).toHaveLength(1);
  });
});

describe.each(hosts)("lines that end in CR alone, on the %s host", (host) => {
  const told = (path: string): string =>
    `[Some lines contain CRs, where read starts a new line but this search does not, so these line numbers are lower: ${path}.]`;

  test.each([
    {
      name: "all of them",
      content: "one\rneedle\rthree",
      text: `a.txt\n  1: one\rneedle\rthree\n[1 match in 1 file.]\n${told("a.txt")}`,
    },
    {
      name: "some of them",
      content: "zero\none\rneedle\r\n",
      text: `a.txt\n  2: one\rneedle\n[1 match in 1 file.]\n${told("a.txt")}`,
    },
    { name: "none of them", content: "one\r\nneedle\r\n", text: "a.txt\n  2: needle\n[1 match in 1 file.]" },
  ])("$name", async ({ content, text }) => {
    const { call } = await openWorkspace({ "a.txt": content }, { host });
    expect(result(await call("grep", { pattern: "needle" })).text).toBe(text);
  });
});

describe("several folders", () => {
  test("a workspace of two is searched whole, each path with its folder", async () => {
    const second = await tempFolder({ "b.txt": "needle\n" });
    const { call } = await openWorkspace(
      { "a.txt": "needle\n" },
      { name: "first", roots: [{ name: "second", path: second }] },
    );
    expect(result(await call("grep", { pattern: "needle" })).text).toBe(
      "first/a.txt\n  1: needle\nsecond/b.txt\n  1: needle\n[2 matches in 2 files.]",
    );
    expect(result<GrepData>(await call("grep", { pattern: "needle", path: "second" })).data.files).toEqual([
      { path: "second/b.txt", matches: 1 },
    ]);
    expect(result<GrepData>(await call("grep", { pattern: "needle", path: "second/b.txt" })).data.files).toEqual([
      { path: "second/b.txt", matches: 1 },
    ]);
    expect(failed(await call("grep", { pattern: "needle", path: "b.txt" })).type).toBe("not_found");
  });

  test("a folder let in beside is searched by its absolute path alone", async () => {
    const beside = await tempFolder({ "b.txt": "needle\n" });
    const { call } = await openWorkspace(
      { "a.txt": "needle\n" },
      { roots: [{ name: "beside", path: beside, beside: true }] },
    );
    expect(result<GrepData>(await call("grep", { pattern: "needle" })).data.files).toEqual([
      { path: "a.txt", matches: 1 },
    ]);
    expect(result<GrepData>(await call("grep", { pattern: "needle", path: beside })).data.files).toEqual([
      { path: join(beside, "b.txt"), matches: 1 },
    ]);
  });
});

test("globs of absolute paths in the searched folder are ones relative to it", async () => {
  const { call, folder } = await openWorkspace({ "a.ts": "needle\n", "src/b.ts": "needle\n", "src/c.ts": "needle\n" });
  const input = { pattern: "needle", include: `${folder}/src/*.ts`, exclude: `${folder}/src/c.ts` };
  expect(result<GrepData>(await call("grep", input)).data.files).toEqual([{ path: "src/b.ts", matches: 1 }]);
});

describe("cancellation", () => {
  test("before and while searching ends the call", async () => {
    const { call } = await openWorkspace({ "f.txt": "needle needle needle\n".repeat(500_000) });
    await expect(call("grep", { pattern: "needle" }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      type: "cancelled",
    });
    const controller = new AbortController();
    const running = call("grep", { pattern: "needle" }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(running).rejects.toMatchObject({ type: "cancelled" });
  });
});

/** Bytes on the heap that something still refers to. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  return process.memoryUsage().heapUsed;
}
