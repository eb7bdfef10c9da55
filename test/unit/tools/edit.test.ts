import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Step } from "../../../src/hosts/shared/disk.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { asOrdinaryUser, contentOf, failed, hosts, openWorkspace, result, tempFolder } from "./workspace.js";

interface EditData {
  path: string;
  replacements: number;
  start_line: number;
  saved: boolean;
}

describe.each(hosts)("what is changed, on the %s host", (host) => {
  const cases: {
    name: string;
    before: string;
    input: { old_text: string; new_text: string; replace_all?: boolean; expected_count?: number };
    after: string;
    text: string;
  }[] = [
    {
      name: "the one place",
      before: "a\nb\nc\n",
      input: { old_text: "b", new_text: "B" },
      after: "a\nB\nc\n",
      text: "Edited f.txt: 1 replacement at line 2.",
    },
    {
      name: "over lines",
      before: "a\nb\nc\n",
      input: { old_text: "a\nb\n", new_text: "x\n" },
      after: "x\nc\n",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "every place",
      before: "a b a\na",
      input: { old_text: "a", new_text: "aa", replace_all: true },
      after: "aa b aa\naa",
      text: "Edited f.txt: 3 replacements (lines 1, 2).",
    },
    {
      name: "one place with replace_all",
      before: "a",
      input: { old_text: "a", new_text: "b", replace_all: true },
      after: "b",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "the expected number of places",
      before: "a\na\n",
      input: { old_text: "a", new_text: "b", replace_all: true, expected_count: 2 },
      after: "b\nb\n",
      text: "Edited f.txt: 2 replacements (lines 1, 2).",
    },
    {
      name: "overlapping places from the left",
      before: "aaa",
      input: { old_text: "aa", new_text: "b", replace_all: true },
      after: "ba",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "replacement patterns are text",
      before: "x(a)y",
      input: { old_text: "a", new_text: "$& $1 $$ $` $' \\1 \\n" },
      after: "x($& $1 $$ $` $' \\1 \\n)y",
      text: "Edited f.txt: 1 replacement at line 1.\nnew_text has \\n as two characters and was written that way; if you meant line breaks, edit it again with real ones.",
    },
    {
      name: "regular expressions are text",
      before: "a.*\nab\n",
      input: { old_text: "a.*", new_text: "x" },
      after: "x\nab\n",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "an empty new text deletes",
      before: "a\nb\nc\n",
      input: { old_text: "b\n", new_text: "" },
      after: "a\nc\n",
      text: "Edited f.txt: 1 replacement at line 2.",
    },
    {
      name: "all of a file",
      before: "a\n",
      input: { old_text: "a\n", new_text: "" },
      after: "",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "a missing final newline stays missing",
      before: "a\nb",
      input: { old_text: "b", new_text: "c" },
      after: "a\nc",
      text: "Edited f.txt: 1 replacement at line 2.",
    },
    {
      name: "CRLF: both texts take the file's line ends",
      before: "a\r\nb\r\nc\r\n",
      input: { old_text: "a\nb", new_text: "x\ny\nz" },
      after: "x\r\ny\r\nz\r\nc\r\n",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "CRLF given as CRLF",
      before: "a\r\nb\r\n",
      input: { old_text: "a\r\nb", new_text: "x\r\ny" },
      after: "x\r\ny\r\n",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "LF with CRLF texts",
      before: "a\nb\n",
      input: { old_text: "a\r\nb", new_text: "x\r\ny" },
      after: "x\ny\n",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "CR",
      before: "a\rb\r",
      input: { old_text: "a\nb", new_text: "x\ny" },
      after: "x\ry\r",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "mixed line ends stay as they are",
      before: "a\r\nb\nc\rd",
      input: { old_text: "c", new_text: "C" },
      after: "a\r\nb\nC\rd",
      text: "Edited f.txt: 1 replacement at line 3.",
    },
    {
      name: "characters outside the BMP",
      before: "a😀b",
      input: { old_text: "😀", new_text: "👍🏽" },
      after: "a👍🏽b",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
    {
      name: "tabs and trailing blanks count",
      before: "\ta \n a\n",
      input: { old_text: "\ta \n", new_text: "b\n" },
      after: "b\n a\n",
      text: "Edited f.txt: 1 replacement at line 1.",
    },
  ];
  test.each(cases)("$name", async ({ before, input, after, text }) => {
    const { call, bytes, names } = await openWorkspace({ "f.txt": before }, { host });
    const answer = result<EditData>(await call("edit", { path: "f.txt", ...input }));
    expect(String(await bytes("f.txt"))).toBe(after);
    expect(answer.text).toBe(text);
    expect(answer.data.saved).toBe(true);
    expect(await names()).toEqual(["f.txt"]);
  });

  test("every byte outside the edit stays, in every encoding", async () => {
    const encode = {
      utf8: (text: string) => Buffer.from(text),
      utf8bom: (text: string) => Buffer.from(`\uFEFF${text}`),
      utf16le: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le"),
      utf16be: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
    };
    const { call, put, bytes } = await openWorkspace({}, { host });
    const part = fc
      .array(
        fc.oneof(fc.string({ unit: "grapheme", maxLength: 8 }), fc.constantFrom("\n", "\r\n", "\r", "\t", "\u2028")),
      )
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(
        part,
        part,
        fc.constantFrom(...(Object.keys(encode) as (keyof typeof encode)[])),
        async (head, tail, encoding) => {
          await put("f.txt", encode[encoding](`${head}<<OLD>>${tail}`));
          result(await call("edit", { path: "f.txt", old_text: "<<OLD>>", new_text: "né😀w" }));
          expect(await bytes("f.txt")).toEqual(encode[encoding](`${head}né😀w${tail}`));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("what is made up for, and said", () => {
  const cases: { name: string; before: string; old: string; new: string; after: string; tier: string; text: RegExp }[] =
    [
      {
        name: "line ends of a file that mixes them",
        before: "a\r\nb\nc",
        old: "a\nb",
        new: "x\ny",
        after: "x\r\ny\nc",
        tier: "line_endings",
        text: /^Edited f\.txt: 1 replacement at line 1\.$/,
      },
      {
        name: "blanks at line ends",
        before: "a  \nb\nc\n",
        old: "a\nb\n",
        new: "a\nB\n",
        after: "a  \nB\nc\n",
        tier: "trailing_blanks",
        text: /matched lines 1-2 after ignoring trailing whitespace/,
      },
      {
        name: "a uniform indentation",
        before: "if x:\n    a()\n    b()\n",
        old: "a()\nb()\n",
        new: "a()\nif c:\n  d()\n",
        after: "if x:\n    a()\n    if c:\n      d()\n",
        tier: "indentation",
        text: /matched lines 2-3 with a different indentation/,
      },
      {
        name: "tabs for spaces",
        before: "\ta\n",
        old: "    a",
        new: "    b",
        after: "\tb\n",
        tier: "indentation",
        text: /matched line 1 with a different indentation/,
      },
      {
        name: "quotes that look alike",
        before: "say “hi” – now\n",
        old: 'say "hi" - now',
        new: 'say "hi" - later',
        after: "say “hi” – later\n",
        tier: "look_alikes",
        text: /look-alike characters such as quotes, dashes and spaces/,
      },
    ];
  test.each(cases)("$name", async ({ before, old, new: new_text, after, tier, text }) => {
    const { folder, call } = await openWorkspace({ "f.txt": before });
    const answer = result<EditData & { tier: string }>(await call("edit", { path: "f.txt", old_text: old, new_text }));
    expect(await contentOf(folder, "f.txt")).toBe(after);
    expect(answer.data.tier).toBe(tier);
    expect(answer.text).toMatch(text);
  });
});

test("a name with a line end is one line of the answer", async () => {
  const { call } = await openWorkspace({ "a\nb.txt": "x\n" });
  expect(result(await call("edit", { path: "a\nb.txt", old_text: "x", new_text: "y" })).text).toBe(
    'Edited "a\\nb.txt": 1 replacement at line 1.',
  );
  expect(result(await call("multi_edit", { edits: [{ path: "a\nb.txt", old_text: "y", new_text: "z" }] })).text).toBe(
    'Made 1 edit in 1 file:\n- "a\\nb.txt": 1 replacement at line 1',
  );
  expect(
    result(await call("apply_patch", { patch: '--- "a/a\\nb.txt"\n+++ "b/a\\nb.txt"\n@@ -1 +1 @@\n-z\n+w\n' })).text,
  ).toBe('Applied the patch to 1 file:\n- updated "a\\nb.txt": line 1 (+1 −1)');
});

describe("line ends that were escaped in new_text are said", () => {
  test.each([
    { name: "statements", new: "a();\\n  b();", remark: true },
    { name: "several lines, one of them", new: "a();\nb();\\nc();", remark: true },
    { name: "in quotes", new: 'print("a\\n");', remark: false },
    { name: "in a regular expression", new: "a.split(/\\n/);", remark: false },
    { name: "in a template", new: "`a\\n${b}`", remark: false },
    { name: "none", new: "a();\nb();", remark: false },
    { name: "in a line that nobody typed, full of quotes", new: `${`'\\\\`.repeat(300_000)}\\n`, remark: false },
    { name: "where the old text has them, too", old: "x\\ny", new: "z\\ny", remark: false },
  ])("$name", async ({ old = "x", new: new_text, remark }) => {
    const { call, bytes } = await openWorkspace({ "f.txt": `${old}\n` });
    const answer = result<EditData>(await call("edit", { path: "f.txt", old_text: old, new_text }));
    expect(answer.text.includes("new_text has \\n as two characters and was written that way")).toBe(remark);
    expect(String(await bytes("f.txt"))).toBe(`${new_text}\n`);
    const several = result(
      await call("multi_edit", {
        edits: [
          { path: "f.txt", old_text: new_text, new_text: old },
          { path: "f.txt", old_text: old, new_text: `${new_text} ` },
        ],
      }),
    );
    expect(several.text.includes("as two characters")).toBe(remark);
  });
});

describe("a miss is told with what to do", () => {
  const cases: { name: string; before: string; old: string; new?: string; message: RegExp; hint: RegExp }[] = [
    {
      name: "the nearest lines and the first that differs",
      before: "one\ntwo\nfunction f() {\n  return 1;\n}\n",
      old: "function f() {\n  return 2;\n}\n",
      message:
        /Nearest: lines 3-5; first difference at line 4 \(line 2 of old_text\):\n {2}old_text: .*return.*2;\n {2}file: {5}.*return.*1;\n3\tfunction f/,
      hint: /^Copy old_text exactly from the lines above, with indentation, without line numbers\.$/,
    },
    {
      name: "many lines, of which some are shown",
      before: Array.from({ length: 40 }, (_, at) => `statement ${at};\n`).join(""),
      old: Array.from({ length: 30 }, (_, at) => (at === 20 ? "other 20;\n" : `statement ${at};\n`)).join(""),
      message: /first difference at line 21 /,
      hint: /^Read the file again from line 1 /,
    },
    {
      name: "the line in which blanks differ",
      before: "if (a) {\n  b();\n\tc();\n}\n",
      old: "if (a) {\n  b();\n      c();\n}",
      message: /first difference at line 3/,
      hint: /^At line 3 only whitespace differs/,
    },
    {
      name: "characters that look the same",
      before: "你好，世界\n",
      old: "你好,世界",
      message: /old_text has U\+002C where the file has U\+FF0C\./,
      hint: /Copy old_text exactly from the lines above/,
    },
    {
      name: "empty lines in front",
      before: "a b c d e\n",
      old: "\n\na b c d e",
      message: /not found/,
      hint: /^Without its leading or trailing empty lines, old_text matches at line 1/,
    },
    {
      name: "line numbers",
      before: "alpha\nbeta\n",
      old: "1\talpha\n2\tbeta",
      message: /not found/,
      hint: /line numbers that read shows: remove them \(without them it matches at line 1\)/,
    },
    {
      name: "line numbers, right-aligned as cat -n has them",
      before: "alpha\nbeta\n",
      old: "     1\talpha\n     2\tbeta",
      message: /not found/,
      hint: /line numbers that read shows: remove them \(without them it matches at line 1\)/,
    },
    {
      name: "made already",
      before: "const a = compute(2);\n",
      old: "const a = compute(1);",
      new: "const a = compute(2);",
      message: /not found/,
      hint: /new_text is already at line 1/,
    },
    {
      name: "escaped twice",
      before: 'say("x");\nend\n',
      old: 'say(\\"x\\");\\nend',
      message: /not found/,
      hint: /escaped once too often.*line 1/,
    },
    {
      name: "other case",
      before: "Hello World\n",
      old: "hello world",
      message: /not found/,
      hint: /line 1 in different case/,
    },
  ];
  test.each(cases)("$name", async ({ before, old, new: new_text = "something else", message, hint }) => {
    const { folder, call } = await openWorkspace({ "f.txt": before });
    const error = failed(await call("edit", { path: "f.txt", old_text: old, new_text }));
    expect(error.type).toBe("no_match");
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
    expect(await contentOf(folder, "f.txt")).toBe(before);
  });
});

describe("what is refused, the file as it was", () => {
  const big = "x".repeat(20_000_001);
  const cases: {
    name: string;
    before?: string | Uint8Array;
    input: object;
    type: string;
    message: RegExp | string;
    hint?: RegExp | string;
  }[] = [
    {
      name: "text that is not there",
      before: "a\n",
      input: { old_text: "b", new_text: "c" },
      type: "no_match",
      message: "f.txt: old_text was not found. Nothing was changed.",
      hint: "Nothing in the file is similar. Read it, or find the right file with grep.",
    },
    {
      name: "text in several places, with every line",
      before: "a\nb\na\nc\na\n",
      input: { old_text: "a", new_text: "c" },
      type: "not_unique",
      message: "f.txt: old_text matches 3 places (lines 1, 3, 5). Nothing was changed.",
      hint: /replace_all/,
    },
    {
      name: "text in two places that differ in line ends alone",
      before: "hello\r\nworld\r\n---\r\nhello\nworld\n",
      input: { old_text: "hello\nworld\n", new_text: "x\n" },
      type: "not_unique",
      message: "f.txt: old_text matches 2 places (lines 1, 4). Nothing was changed.",
      hint: /Add surrounding lines/,
    },
    {
      name: "very many places, the first lines",
      before: "a\n".repeat(50),
      input: { old_text: "a", new_text: "c" },
      type: "not_unique",
      message: /matches 50 places \(lines 1, 2, .*, 20 and 30 more\)/,
    },
    {
      name: "another number than expected",
      before: "a\na\n",
      input: { old_text: "a", new_text: "c", replace_all: true, expected_count: 3 },
      type: "not_unique",
      message: /matches 2 places \(lines 1, 2\), not the expected 3/,
    },
    {
      name: "one place where more are expected",
      before: "a\n",
      input: { old_text: "a", new_text: "c", expected_count: 2 },
      type: "not_unique",
      message: "f.txt: old_text matches 1 place (line 1), not the expected 2. Nothing was changed.",
    },
    {
      name: "nothing to change",
      before: "a\n",
      input: { old_text: "a", new_text: "a" },
      type: "invalid_input",
      message: /are the same/,
    },
    {
      name: "nothing to change but the line end that the file decides",
      before: "a\r\nb\r\n",
      input: { old_text: "a\nb", new_text: "a\r\nb" },
      type: "invalid_input",
      message: /are the same/,
    },
    {
      name: "an empty old text",
      before: "a\n",
      input: { old_text: "", new_text: "a" },
      type: "invalid_input",
      message: "f.txt: old_text is empty. Nothing was changed.",
    },
    {
      name: "half a character, which no file can hold",
      before: "a\n",
      input: { old_text: "a", new_text: "\ud83d" },
      type: "invalid_input",
      message: /^f\.txt: new_text contains an unpaired surrogate/,
    },
    {
      name: "half of a character in the file",
      before: "😀",
      input: { old_text: "\ude00", new_text: "x" },
      type: "invalid_input",
      message: /^f\.txt: old_text contains an unpaired surrogate/,
    },
    {
      name: "a binary file",
      before: Buffer.from([97, 0, 98]),
      input: { old_text: "a", new_text: "b" },
      type: "binary",
      message: /binary/,
    },
    {
      name: "bytes that are no UTF-8",
      before: Buffer.from([97, 0xff, 98]),
      input: { old_text: "a", new_text: "b" },
      type: "unsupported",
      message: /is not valid utf8/,
    },
    {
      name: "half a unit of UTF-16",
      before: Buffer.from([0xff, 0xfe, 97, 0, 98]),
      input: { old_text: "a", new_text: "b" },
      type: "unsupported",
      message: /is not valid utf16le/,
    },
    {
      name: "more than 20 MB",
      before: big,
      input: { old_text: "x", new_text: "y" },
      type: "too_large",
      message: /^f\.txt has 20000001 bytes; at most 20000000/,
    },
    {
      name: "a folder",
      input: { path: "src", old_text: "a", new_text: "b" },
      type: "is_directory",
      message: "src is a folder, not a file.",
    },
    {
      name: "a missing file",
      input: { path: "g.txt", old_text: "a", new_text: "b" },
      type: "not_found",
      message: "g.txt: there is no such file or folder.",
    },
    {
      name: "a pipe",
      input: { path: "pipe", old_text: "a", new_text: "b" },
      type: "unsupported",
      message: /not opened/,
    },
    {
      name: "a link that leads nowhere",
      input: { path: "broken", old_text: "a", new_text: "b" },
      type: "not_found",
      message: /^broken is a link/,
    },
    {
      name: "a link to outside",
      input: { path: "outside", old_text: "a", new_text: "b" },
      type: "outside_workspace",
      message: /^"outside": it is a link/,
    },
    {
      name: "a path to outside",
      input: { path: "../f.txt", old_text: "a", new_text: "b" },
      type: "outside_workspace",
      message: /leads out/,
    },
  ];
  test.each(cases)("$name", async ({ before = "", input, type, message, hint }) => {
    const outside = await tempFolder({ "o.txt": "a" });
    const { folder, call, makePipe } = await openWorkspace({ "f.txt": before, src: undefined });
    await makePipe("pipe");
    await symlink("nowhere", join(folder, "broken"));
    await symlink(join(outside, "o.txt"), join(folder, "outside"));
    const names = await readdir(folder);
    const error = failed(await call("edit", { path: "f.txt", ...input }));
    expect(error.type).toBe(type);
    expect(error.message).toMatch(message);
    expect(JSON.stringify(error)).not.toContain(folder);
    if (hint !== undefined) {
      expect(error.hint).toMatch(hint);
    }
    expect((await readFile(join(folder, "f.txt"))).equals(Buffer.from(before))).toBe(true);
    expect(await contentOf(outside, "o.txt")).toBe("a");
    expect(await readdir(folder)).toEqual(names);
  });
});

describe("the file beside its text", () => {
  test.each([0o755, 0o600, 0o664, 0o4755])("its mode stays: %o", async (mode) => {
    const { folder, call } = await openWorkspace({ "f.sh": "a" });
    await chmod(join(folder, "f.sh"), mode);
    result(await call("edit", { path: "f.sh", old_text: "a", new_text: "b" }));
    expect((await stat(join(folder, "f.sh"))).mode & 0o7777).toBe(mode);
  });

  test("its owner stays where we may keep it", async () => {
    const { folder, call } = await openWorkspace({ "f.txt": "a" });
    const owner = process.geteuid?.() === 0 ? 65_534 : (process.geteuid?.() ?? 0);
    await chown(join(folder, "f.txt"), owner, (await stat(folder)).gid);
    result(await call("edit", { path: "f.txt", old_text: "a", new_text: "b" }));
    expect((await stat(join(folder, "f.txt"))).uid).toBe(owner);
  });

  test("a link stays a link, its target is changed", async () => {
    const { folder, call } = await openWorkspace({ "real/f.txt": "a" });
    await symlink("real/f.txt", join(folder, "link"));
    await symlink("real", join(folder, "folder"));
    expect(result<EditData>(await call("edit", { path: "link", old_text: "a", new_text: "b" })).data.path).toBe("link");
    result(await call("edit", { path: "folder/f.txt", old_text: "b", new_text: "c" }));
    expect(await readlink(join(folder, "link"))).toBe("real/f.txt");
    expect((await lstat(join(folder, "folder"))).isSymbolicLink()).toBe(true);
    expect(await contentOf(folder, "real/f.txt")).toBe("c");
    expect(await readdir(join(folder, "real"))).toEqual(["f.txt"]);
  });

  test("a second name of the file keeps the old text: the change is one step", async () => {
    const { folder, call } = await openWorkspace({ "f.txt": "a" });
    await link(join(folder, "f.txt"), join(folder, "g.txt"));
    result(await call("edit", { path: "f.txt", old_text: "a", new_text: "b" }));
    expect([await contentOf(folder, "f.txt"), await contentOf(folder, "g.txt")]).toEqual(["b", "a"]);
  });
});

describe("a model's edit", () => {
  const input = { path: "f.txt", old_text: "a", new_text: "b" };

  test("asks with the diff, and a yes does it", async () => {
    const { folder, call, asked } = await openWorkspace({ "f.txt": "a\n" });
    expect(result<EditData>(await call("edit", input, { as: "model", answer: true })).data.replacements).toBe(1);
    expect(asked).toMatchObject([
      {
        tool: "edit",
        title: "Edit f.txt",
        reasons: ["Changes f.txt."],
        detail: { language: "diff", text: "@@ -1,1 +1,1 @@\n-a\n+b" },
      },
    ]);
    expect(await contentOf(folder, "f.txt")).toBe("b\n");
  });

  test.each([false, undefined])("does nothing when the answer is %s", async (answer) => {
    const { folder, call } = await openWorkspace({ "f.txt": "a\n" });
    expect(
      failed(await call("edit", input, { as: "model", mode: "ask", ...(answer === undefined ? {} : { answer }) })).type,
    ).toBe("denied");
    expect(await contentOf(folder, "f.txt")).toBe("a\n");
  });

  test.each([["package.json"], [".vscode/settings.json"], [".env"], ["link"]])(
    "says that %s is protected",
    async (path) => {
      const { folder, call, asked } = await openWorkspace({
        "package.json": "a",
        ".vscode/settings.json": "a",
        ".env": "a",
      });
      await symlink(".env", join(folder, "link"));
      expect(failed(await call("edit", { ...input, path }, { as: "model", answer: false })).type).toBe("denied");
      expect(asked[0]?.reasons[0]).toMatch(/which is protected/);
    },
  );

  test("a file that changes between question and answer is stale and as the other left it", async () => {
    const { folder, call } = await openWorkspace({ "f.txt": "a\n" });
    const answer = async (): Promise<boolean> => {
      await writeFile(join(folder, "f.txt"), "a\nby another\n");
      return true;
    };
    expect(failed(await call("edit", input, { as: "model", answer }))).toEqual({
      type: "stale",
      message: "f.txt has changed since it was last read. Nothing was written.",
      hint: "Read it again and repeat the edit.",
    });
    expect(await contentOf(folder, "f.txt")).toBe("a\nby another\n");
    expect(await readdir(folder)).toEqual(["f.txt"]);
  });

  test("a file deleted or replaced meanwhile is an error, and nothing is made in its place", async () => {
    for (const replace of [
      undefined,
      (path: string) => mkdir(path),
      (path: string) => symlink("/etc/hostname", path),
    ]) {
      const { folder, call } = await openWorkspace({ "f.txt": "a\n" });
      const answer = async (): Promise<boolean> => {
        await rm(join(folder, "f.txt"));
        await replace?.(join(folder, "f.txt"));
        return true;
      };
      expect(failed(await call("edit", input, { as: "model", answer })).message).toMatch(/^f\.txt(?:: | is )/);
      expect(await readdir(folder)).toEqual(replace === undefined ? [] : ["f.txt"]);
    }
  });

  test("a cancelled question changes nothing", async () => {
    const { folder, call } = await openWorkspace({ "f.txt": "a\n" });
    const controller = new AbortController();
    const answer = async (): Promise<boolean> => {
      controller.abort();
      return true;
    };
    await expect(call("edit", input, { as: "model", answer, signal: controller.signal })).rejects.toMatchObject({
      type: "cancelled",
    });
    expect(await contentOf(folder, "f.txt")).toBe("a\n");
  });
});

describe("when writing goes wrong", () => {
  test("cancelled before its time, or just before the last step, nothing is changed", async () => {
    const controller = new AbortController();
    const disk = new (class extends NodeDisk {
      override stageReplace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<Step> {
        controller.abort();
        return super.stageReplace(path, bytes, unchanged);
      }
    })();
    const { folder, call } = await openWorkspace({ "f.txt": "a" }, { disk });
    const input = { path: "f.txt", old_text: "a", new_text: "b" };
    await expect(call("edit", input, { signal: AbortSignal.abort() })).rejects.toMatchObject({ type: "cancelled" });
    await expect(call("edit", input, { signal: controller.signal })).rejects.toMatchObject({ type: "cancelled" });
    expect(await contentOf(folder, "f.txt")).toBe("a");
    expect(await readdir(folder)).toEqual(["f.txt"]);
  });

  test("a file deleted between look and read is missing", async () => {
    const disk = new (class extends NodeDisk {
      override async readAll(path: string, maxBytes: number): Promise<Uint8Array> {
        await rm(path);
        return super.readAll(path, maxBytes);
      }
    })();
    const { folder, call } = await openWorkspace({ "f.txt": "a" }, { disk });
    expect(failed(await call("edit", { path: "f.txt", old_text: "a", new_text: "b" }))).toMatchObject({
      type: "not_found",
      message: "f.txt: there is no such file or folder.",
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    ["a file marked read-only", "f.txt", 0o444],
    ["a folder that may not be written in", ".", 0o555],
  ])("%s", async (_name, locked, mode) => {
    const { folder, call } = await openWorkspace({ "f.txt": "a" });
    await everybodys(folder);
    await chmod(join(folder, locked), mode);
    const outcome = await asOrdinaryUser(() => call("edit", { path: "f.txt", old_text: "a", new_text: "b" }));
    await chmod(join(folder, locked), 0o755);
    expect(failed(outcome)).toMatchObject({ type: "io_error", message: "f.txt: the system does not permit it." });
    expect(await contentOf(folder, "f.txt")).toBe("a");
    expect(await readdir(folder)).toEqual(["f.txt"]);
  });
});

describe("many at once", () => {
  test("of 16 edits of one file each is applied or says why not, and the file holds exactly those applied", async () => {
    const { folder, call } = await openWorkspace({
      "f.txt": Array.from({ length: 16 }, (_, index) => `<${index}>\n`).join(""),
    });
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        call("edit", { path: "f.txt", old_text: `<${index}>`, new_text: `done ${index}` }),
      ),
    );
    const expected = outcomes.map((outcome, index) => (outcome.ok ? `done ${index}\n` : `<${index}>\n`)).join("");
    expect(await contentOf(folder, "f.txt")).toBe(expected);
    expect(outcomes.some(({ ok }) => ok)).toBe(true);
    for (const outcome of outcomes) {
      expect(outcome.ok || outcome.error.type === "stale").toBe(true);
    }
    expect(await readdir(folder)).toEqual(["f.txt"]);
  });

  test("edits of different files do not wait for each other's fate", async () => {
    const files = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`f${index}.txt`, "a"]));
    const { folder, call } = await openWorkspace(files);
    await Promise.all(
      Object.keys(files).map(async (path) => result(await call("edit", { path, old_text: "a", new_text: path }))),
    );
    for (const path of Object.keys(files)) {
      expect(await contentOf(folder, path)).toBe(path);
    }
  });
});

/** Gives a folder and its files to the user that `asOrdinaryUser` becomes. */
async function everybodys(folder: string): Promise<void> {
  if (process.geteuid?.() === 0) {
    await chown(folder, 65_534, 65_534);
    for (const name of await readdir(folder)) {
      await chown(join(folder, name), 65_534, 65_534);
    }
  }
}

test("says what to do instead of an edit without an old text", async () => {
  const { call, names } = await openWorkspace({ "f.txt": "a\n", "d/note.txt": "" });
  expect(failed(await call("edit", { path: "f.txt", old_text: "", new_text: "b" })).hint).toBe(
    "To insert, give the line before or after as old_text, and repeat it in new_text. To replace the whole file, use write.",
  );
  expect(failed(await call("edit", { path: "new.txt", old_text: "", new_text: "b" }))).toMatchObject({
    type: "not_found",
    hint: "To create it, call write with path and content.",
  });
  expect(failed(await call("edit", { path: "note.txt", old_text: "", new_text: "b" })).hint).toBe(
    "To create it, call write with path and content. Did you mean d/note.txt?",
  );
  expect(failed(await call("edit", { path: "new.txt", old_text: "a", new_text: "b" })).hint).not.toContain("write");
  expect(await names()).toEqual(["d", "f.txt"]);
});
