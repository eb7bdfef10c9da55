import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

interface MultiEditData {
  files: { path: string; saved: boolean }[];
  edits: { path: string; replacements: number; start_line: number; tier: string }[];
}

interface Edit {
  path: string;
  old_text: string;
  new_text: string;
  replace_all?: boolean;
}

const edit = (path: string, old_text: string, new_text: string, more: Partial<Edit> = {}): Edit => ({
  path,
  old_text,
  new_text,
  ...more,
});

const FILES: FileTree = {
  "a.ts": "one\ntwo\nthree\n",
  "d/b.ts": "alpha\nbeta\n",
  "crlf.txt": "x\r\ny\r\n",
  "indented.py": "if x:\n    a()\n    b()\n",
  bin: new Uint8Array([0, 1, 2]),
};

describe.each(hosts)("multi_edit on the %s host", (host) => {
  const cases: { name: string; edits: Edit[]; after: FileTree; text: string[]; files?: string[]; data: object[] }[] = [
    {
      name: "one edit",
      edits: [edit("a.ts", "two", "2")],
      after: { "a.ts": "one\n2\nthree\n" },
      text: ["Made 1 edit in 1 file:", "- a.ts: 1 replacement at line 2"],
      files: ["a.ts"],
      data: [{ path: "a.ts", replacements: 1, start_line: 2, tier: "exact" }],
    },
    {
      name: "several files",
      edits: [edit("a.ts", "two", "2"), edit("d/b.ts", "beta", "BETA"), edit("a.ts", "three", "3")],
      after: { "a.ts": "one\n2\n3\n", "d/b.ts": "alpha\nBETA\n" },
      text: [
        "Made 3 edits in 2 files:",
        "- a.ts: 1 replacement at line 2",
        "- d/b.ts: 1 replacement at line 2",
        "- a.ts: 1 replacement at line 3",
      ],
      files: ["a.ts", "d/b.ts"],
      data: [{ path: "a.ts" }, { path: "d/b.ts" }, { path: "a.ts" }],
    },
    {
      name: "each edit finds what the ones before it left",
      edits: [edit("a.ts", "two", "middle\nmiddle 2"), edit("a.ts", "middle 2", "last"), edit("a.ts", "three", "3")],
      after: { "a.ts": "one\nmiddle\nlast\n3\n" },
      text: [
        "Made 3 edits in 1 file:",
        "- a.ts: 1 replacement at line 2",
        "- a.ts: 1 replacement at line 3",
        "- a.ts: 1 replacement at line 4",
      ],
      data: [{ start_line: 2 }, { start_line: 3 }, { start_line: 4 }],
    },
    {
      name: "edits beside, inside and around what the ones before wrote",
      edits: [
        edit("a.ts", "two", "2 and 2"),
        edit("a.ts", "and", "+"),
        edit("a.ts", "one\n", "1\n"),
        edit("a.ts", "1\n2 + 2\nthree", "sum"),
        edit("a.ts", "s", "S", { replace_all: true }),
      ],
      after: { "a.ts": "Sum\n" },
      text: [
        "Made 5 edits in 1 file:",
        "- a.ts: 1 replacement at line 2",
        "- a.ts: 1 replacement at line 2",
        "- a.ts: 1 replacement at line 1",
        "- a.ts: 1 replacement at line 1",
        "- a.ts: 1 replacement at line 1",
      ],
      data: [{}, {}, {}, {}, {}],
    },
    {
      name: "a text that only an edit before put there",
      edits: [edit("a.ts", "one\ntwo", "x"), edit("a.ts", "x", "o")],
      after: { "a.ts": "o\nthree\n" },
      text: ["Made 2 edits in 1 file:", "- a.ts: 1 replacement at line 1", "- a.ts: 1 replacement at line 1"],
      data: [{ start_line: 1 }, { start_line: 1 }],
    },
    {
      name: "two spellings of one file",
      edits: [edit("a.ts", "one", "1"), edit("./d/../a.ts", "two", "2"), edit("link.ts", "three", "3")],
      after: { "a.ts": "1\n2\n3\n" },
      text: [
        "Made 3 edits in 1 file:",
        "- a.ts: 1 replacement at line 1",
        "- a.ts: 1 replacement at line 2",
        "- a.ts: 1 replacement at line 3",
      ],
      files: ["a.ts"],
      data: [{ path: "a.ts" }, { path: "a.ts" }, { path: "a.ts" }],
    },
    {
      name: "every place",
      edits: [edit("a.ts", "e", "E", { replace_all: true })],
      after: { "a.ts": "onE\ntwo\nthrEE\n" },
      text: ["Made 1 edit in 1 file:", "- a.ts: 3 replacements (lines 1, 3)"],
      data: [{ replacements: 3, start_line: 1 }],
    },
    {
      name: "what was made up for is said of its edit",
      edits: [edit("a.ts", "one", "1"), edit("indented.py", "a()\nb()\n", "c()\nd()\n")],
      after: { "a.ts": "1\ntwo\nthree\n", "indented.py": "if x:\n    c()\n    d()\n" },
      text: [
        "Made 2 edits in 2 files:",
        "- a.ts: 1 replacement at line 1",
        "- indented.py: 1 replacement at line 2; old_text matched lines 2-3 with a different indentation; new_text was shifted the same way.",
      ],
      data: [{ tier: "exact" }, { tier: "indentation" }],
    },
  ];
  test.each(cases)("$name", async ({ edits, after, text, files, data }) => {
    const { call, bytes, link, names } = await openWorkspace(FILES, { host });
    await link("link.ts", "a.ts");
    const before = await names();
    const answer = result<MultiEditData>(await call("multi_edit", { edits }));
    expect(answer.text.split("\n")).toEqual(text);
    expect(answer.data.edits).toMatchObject(data);
    if (files !== undefined) {
      expect(answer.data.files).toEqual(files.map((path) => ({ path, saved: true })));
    }
    for (const [path, content] of Object.entries({ ...FILES, ...after })) {
      expect(await bytes(path)).toEqual(Buffer.from(content ?? ""));
    }
    expect(await names()).toEqual(before);
  });

  test("a file whose edits undo each other is left alone, the others are changed", async () => {
    const { call, bytes, date, files } = await openWorkspace(FILES, { host });
    await date("a.ts", 1_000_000);
    const answer = result<MultiEditData>(
      await call("multi_edit", {
        edits: [edit("a.ts", "two", "2"), edit("a.ts", "2", "two"), edit("d/b.ts", "beta", "B")],
      }),
    );
    expect(answer.data.files).toEqual([{ path: "d/b.ts", saved: true }]);
    expect(answer.text).toContain("a.ts: its edits cancel each other out, so it was not changed.");
    expect((await files.stat(await files.resolve("a.ts"))).modified).toBe(1_000_000);
    expect(String(await bytes("d/b.ts"))).toBe("alpha\nB\n");
  });

  const refusals: { name: string; edits: Edit[]; type: string; message: RegExp; hint?: RegExp }[] = [
    {
      name: "an old text that is nowhere",
      edits: [edit("a.ts", "one", "1"), edit("d/b.ts", "gamma", "x")],
      type: "no_match",
      message: /^d\/b\.ts: edits\[1\]: old_text was not found\. Nothing was changed\./,
    },
    {
      name: "an old text that an edit before took away",
      edits: [edit("a.ts", "one", "1"), edit("a.ts", "one", "2")],
      type: "no_match",
      message: /^a\.ts: edits\[1\]: old_text was not found/,
    },
    {
      name: "an old text that overlaps what an edit before wrote",
      edits: [edit("a.ts", "one\ntwo", "one\n// two\ntwo"), edit("a.ts", "two\nthree", "// two\ntwo\n// three\nthree")],
      type: "invalid_input",
      message:
        /^a\.ts: edits\[1\]: old_text overlaps what edits\[0\] wrote, but is neither all nor a part of it\. Nothing was changed\.$/,
      hint: /^Merge the two edits/,
    },
    {
      name: "an old text that ends in what an edit before wrote",
      edits: [edit("a.ts", "three", "3"), edit("a.ts", "two\nthr", "x"), edit("a.ts", "two", "2")],
      type: "no_match",
      message: /edits\[1\]/,
    },
    {
      name: "an overlap behind edits that shift it",
      edits: [edit("a.ts", "two\nthree", "B\nC"), edit("a.ts", "one", "one\nmore"), edit("a.ts", "more\nB", "x")],
      type: "invalid_input",
      message: /edits\[2\]: old_text overlaps what edits\[\d\] wrote/,
    },
    {
      name: "several places",
      edits: [edit("d/b.ts", "beta", "x"), edit("a.ts", "e", "E")],
      type: "not_unique",
      message: /^a\.ts: edits\[1\]: old_text matches 3 places \(lines 1, 3\)/,
      hint: /set replace_all/,
    },
    {
      name: "the same text",
      edits: [edit("a.ts", "one", "1"), edit("a.ts", "two", "two")],
      type: "invalid_input",
      message: /^a\.ts: edits\[1\]: old_text and new_text are the same/,
    },
    {
      name: "half a character",
      edits: [edit("a.ts", "one", "1"), edit("a.ts", "two", "\ud83d")],
      type: "invalid_input",
      message: /^a\.ts: edits\[1\]: new_text contains an unpaired surrogate/,
    },
    {
      name: "a NUL",
      edits: [edit("a.ts", "one", "1"), edit("a.ts", "two", "\0")],
      type: "invalid_input",
      message: /^a\.ts: edits\[1\]: new_text contains a NUL/,
    },
    {
      name: "only edits that undo each other",
      edits: [edit("a.ts", "one", "1"), edit("a.ts", "1", "one")],
      type: "invalid_input",
      message: /^The edits cancel each other out, so there is nothing to change\.$/,
    },
    {
      name: "one failing edit without its number",
      edits: [edit("a.ts", "four", "4")],
      type: "no_match",
      message: /^a\.ts: old_text was not found/,
    },
    {
      name: "an edit that fails, and says which were not tried after it",
      edits: [edit("a.ts", "nowhere 1", "x"), edit("a.ts", "x", "y")],
      type: "no_match",
      message: /^a\.ts: edits\[0\]: old_text was not found[^]*\nNot tried because of this: edits\[1\]\.$/,
    },
    {
      name: "all edits of several files that fail, with one answer for all of them",
      edits: [
        edit("a.ts", "nowhere 1", "x"),
        edit("a.ts", "x", "y"),
        edit("d/c.ts", "x", "y"),
        edit("d/b.ts", "nowhere 2", "x"),
      ],
      type: "no_match",
      message:
        /^Nothing was changed: 3 edits cannot be made\.\na\.ts: edits\[0\]: old_text was not found[^]*\nd\/c\.ts: [^]*\nd\/b\.ts: edits\[3\]: old_text was not found[^]*\nNot tried because of these: edits\[1\]\.$/,
    },
    {
      name: "a missing file",
      edits: [edit("a.ts", "one", "1"), edit("d/c.ts", "x", "y")],
      type: "not_found",
      message: /^d\/c\.ts: /,
    },
    {
      name: "a folder",
      edits: [edit("a.ts", "one", "1"), edit("d", "x", "y")],
      type: "is_directory",
      message: /^d is a folder/,
    },
    {
      name: "what is no text",
      edits: [edit("a.ts", "one", "1"), edit("bin", "x", "y")],
      type: "binary",
      message: /^bin is /,
    },
    {
      name: "a path outside",
      edits: [edit("a.ts", "one", "1"), edit("../x", "x", "y")],
      type: "outside_workspace",
      message: /leads out of the workspace/,
    },
    {
      name: "no edit",
      edits: [],
      type: "invalid_input",
      message: /^multi_edit: edits: must be at least 1 entry long\.$/,
    },
    {
      name: "more edits than a call takes",
      edits: Array.from({ length: 501 }, () => edit("a.ts", "one", "1")),
      type: "invalid_input",
      message: /^multi_edit: edits: must be at most 500 entries long\.$/,
    },
    {
      name: "an empty old text, with its place",
      edits: [edit("a.ts", "one", "1"), edit("a.ts", "", "x")],
      type: "invalid_input",
      message: /^a\.ts: edits\[1\]: old_text is empty\. Nothing was changed\.$/,
      hint: /use write/,
    },
    {
      name: "an empty old text for a file that is not there, which creates it elsewhere",
      edits: [edit("new.ts", "", "x")],
      type: "not_found",
      message: /^new\.ts: there is no such file or folder\./,
      hint: /^To create it, call write with path and content\./,
    },
    {
      name: "unknown fields, with their place",
      edits: [{ ...edit("a.ts", "one", "1"), expected: 3 } as Edit],
      type: "invalid_input",
      message: /^multi_edit: edits\[0\]\.expected: unknown field\.$/,
    },
  ];
  test.each(refusals)("refuses $name, and changes nothing", async ({ edits, type, message, hint }) => {
    const { call, bytes, names } = await openWorkspace(FILES, { host });
    const before = await names();
    const error = failed(await call("multi_edit", { edits }));
    expect(error.type).toBe(type);
    expect(error.message).toMatch(message);
    if (hint !== undefined) {
      expect(error.hint).toMatch(hint);
    }
    expect(await names()).toEqual(before);
    for (const [path, content] of Object.entries(FILES)) {
      expect(await bytes(path)).toEqual(Buffer.from(content ?? ""));
    }
  });

  test("500 edits of one call, each on what the one before left", async () => {
    const { call, bytes } = await openWorkspace({ count: "<0>\n" }, { host });
    const edits = Array.from({ length: 500 }, (_, index) => edit("count", `<${index}>`, `<${index + 1}>`));
    result(await call("multi_edit", { edits }));
    expect(String(await bytes("count"))).toBe("<500>\n");
  });

  test("a person sees what each file comes to, and that is what is written", async () => {
    const { call, asked, bytes } = await openWorkspace(FILES, { host });
    const edits = [edit("a.ts", "two", "2"), edit("d/b.ts", "beta", "B"), edit("a.ts", "2", "zwei")];
    result(await call("multi_edit", { edits }, { as: "model", answer: true }));
    expect(asked[0]).toMatchObject({ title: "Edit a.ts and d/b.ts", reasons: ["Changes a.ts and d/b.ts."] });
    expect(asked[0]?.detail).toEqual({
      language: "diff",
      text: [
        "2 files: +2 −2",
        " a.ts: +1 −1",
        " d/b.ts: +1 −1",
        "--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three",
        "--- a/d/b.ts\n+++ b/d/b.ts\n@@ -1,2 +1,2 @@\n alpha\n-beta\n+B",
      ].join("\n"),
    });
    expect(String(await bytes("a.ts"))).toBe("one\nzwei\nthree\n");
  });

  test("what changed while the question was open is stale, and no file is changed", async () => {
    const { call, put, bytes } = await openWorkspace(FILES, { host });
    const answer = async (): Promise<boolean> => {
      await put("d/b.ts", "alpha\nbeta\nuser\n");
      return true;
    };
    const error = failed(
      await call(
        "multi_edit",
        { edits: [edit("a.ts", "two", "2"), edit("d/b.ts", "beta", "B")] },
        { as: "model", answer },
      ),
    );
    expect(error).toMatchObject({
      type: "stale",
      message: expect.stringMatching(/^d\/b\.ts has changed since/) as string,
    });
    expect(String(await bytes("a.ts"))).toBe("one\ntwo\nthree\n");
    expect(String(await bytes("d/b.ts"))).toBe("alpha\nbeta\nuser\n");
  });

  test("a protected file among them is asked about by its own reason, first", async () => {
    const { call, asked } = await openWorkspace({ ...FILES, "package.json": "{}\n" }, { host });
    failed(
      await call(
        "multi_edit",
        { edits: [edit("a.ts", "two", "2"), edit("package.json", "{}", "{ }")] },
        { as: "model", answer: false },
      ),
    );
    expect(asked[0]?.reasons).toEqual([
      expect.stringMatching(/^Changes package\.json, which is protected/) as string,
      "Changes a.ts.",
    ]);
  });

  test("all of a call is one call in the summary, however many files it names", async () => {
    const { prepare } = await openWorkspace({ a: "1\n", b: "1\n", c: "1\n" }, { host });
    const { summary } = await prepare("multi_edit", { edits: ["a", "b", "c"].map((path) => edit(path, "1", "2")) });
    expect(summary).toBe("Edit a and 2 more files");
  });
});

test("line ends, byte order marks and modes stay", async () => {
  const { folder, call, bytes } = await openWorkspace({ "x.sh": Buffer.from("\uFEFFx\r\ny\r\n") });
  await chmod(join(folder, "x.sh"), 0o755);
  result(await call("multi_edit", { edits: [edit("x.sh", "x\ny", "x\nbetween\ny"), edit("x.sh", "between", "mid")] }));
  expect(String(await bytes("x.sh"))).toBe("\uFEFFx\r\nmid\r\ny\r\n");
  expect((await stat(join(folder, "x.sh"))).mode & 0o777).toBe(0o755);
});
