import { join } from "node:path";
import { chmod, stat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

interface PatchData {
  files: {
    path: string;
    action: string;
    from?: string;
    ranges: { start: number; end: number }[];
    added: number;
    removed: number;
    saved: boolean;
  }[];
}

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

const FILES: FileTree = {
  "a.ts": "one\ntwo\nthree\n",
  "d/b.ts": "alpha\nbeta\n",
  "crlf.txt": "x\r\ny\r\n",
  twice: "x\n-\nx\n",
  bin: new Uint8Array([0, 1, 2]),
  empty: "",
};

describe.each(hosts)("apply_patch on the %s host", (host) => {
  const cases: { name: string; patch: string; after: FileTree; gone?: string[]; text: RegExp; data: object[] }[] = [
    {
      name: "updates a file",
      patch: patch("*** Update File: a.ts", "@@", " one", "-two", "+TWO", " three"),
      after: { "a.ts": "one\nTWO\nthree\n" },
      text: /^Applied the patch to 1 file:\n- updated a\.ts: line 2 \(\+1 −1\)$/,
      data: [{ path: "a.ts", action: "updated", ranges: [{ start: 2, end: 2 }], added: 1, removed: 1, saved: true }],
    },
    {
      name: "adds, updates, moves and deletes together",
      patch: patch(
        "*** Add File: new/deep/c.ts",
        "+made",
        "*** Update File: a.ts",
        "@@",
        "-one",
        "+1",
        "*** Update File: d/b.ts",
        "*** Move to: e/b2.ts",
        "@@",
        "-beta",
        "+BETA",
        "*** Delete File: empty",
      ),
      after: { "new/deep/c.ts": "made\n", "a.ts": "1\ntwo\nthree\n", "e/b2.ts": "alpha\nBETA\n" },
      gone: ["d/b.ts", "empty"],
      text: /- added new\/deep\/c\.ts \(1 line\)\n- updated a\.ts: line 1 \(\+1 −1\)\n- moved d\/b\.ts to e\/b2\.ts: line 2 \(\+1 −1\)\n- deleted empty$/,
      data: [
        { action: "added" },
        { action: "updated" },
        { action: "moved", from: "d/b.ts", path: "e/b2.ts" },
        { action: "deleted" },
      ],
    },
    {
      name: "makes an empty file",
      patch: patch("*** Add File: nothing"),
      after: { nothing: "" },
      text: /added nothing \(0 lines\)/,
      data: [{ added: 0 }],
    },
    {
      name: "only moves, also what is no text",
      patch: patch("*** Update File: bin", "*** Move to: d/bin2"),
      after: { "d/bin2": new Uint8Array([0, 1, 2]) },
      gone: ["bin"],
      text: /moved bin to d\/bin2$/,
      data: [{ action: "moved", ranges: [] }],
    },
    {
      name: "deletes what is no text",
      patch: patch("*** Delete File: bin"),
      after: {},
      gone: ["bin"],
      text: /deleted bin$/,
      data: [{ action: "deleted", removed: 0 }],
    },
    {
      name: "keeps CRLF",
      patch: patch("*** Update File: crlf.txt", "@@", " x", "+between", " y"),
      after: { "crlf.txt": "x\r\nbetween\r\ny\r\n" },
      text: /line 2 \(\+1 −0\)/,
      data: [{}],
    },
    {
      name: "takes a unified diff",
      patch: "--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
      after: { "a.ts": "one\n2\nthree\n" },
      text: /updated a\.ts: line 2/,
      data: [{}],
    },
    {
      name: "takes line counts that do not hold as hints",
      patch: "--- a/a.ts\n+++ b/a.ts\n@@ -1,4 +1,5 @@\n one\n+new\n two\n",
      after: { "a.ts": "one\nnew\ntwo\nthree\n" },
      text: /line 2 \(\+1 −0\)\nThe last hunk has 2 and 3 lines where its header counts 4 old and 5 new lines; it was applied as written\.$/,
      data: [{}],
    },
    {
      name: "takes a new file that has fewer lines than counted",
      patch: "--- /dev/null\n+++ b/n\n@@ -0,0 +1,3 @@\n+one\n+two\n",
      after: { n: "one\ntwo\n" },
      text: /added n \(2 lines\)/,
      data: [{}],
    },
    {
      name: "takes git's words for a rename, a new and a deleted file",
      patch:
        "diff --git a/d/b.ts b/d/c.ts\nsimilarity index 100%\nrename from d/b.ts\nrename to d/c.ts\ndiff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\ndiff --git a/a.ts b/a.ts\ndeleted file mode 100644\n--- a/a.ts\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n",
      after: { "d/c.ts": "alpha\nbeta\n", n: "n\n" },
      gone: ["d/b.ts", "a.ts"],
      text: /moved d\/b\.ts to d\/c\.ts\n- added n \(1 line\)\n- deleted a\.ts$/,
      data: [{}, {}, { removed: 3 }],
    },
    {
      name: "says what a hunk was matched by",
      patch: patch("*** Update File: a.ts", "@@", " one  ", "-two", "+2"),
      after: { "a.ts": "one\n2\nthree\n" },
      text: /\n {2}Hunk 1: trailing whitespace was ignored\.$/,
      data: [{}],
    },
  ];
  test.each(cases)("$name", async ({ patch: input, after, gone = [], text, data }) => {
    const { call, bytes, names } = await openWorkspace(FILES, { host });
    const answer = result<PatchData>(await call("apply_patch", { patch: input }));
    expect(answer.text).toMatch(text);
    expect(answer.data.files).toMatchObject(data);
    for (const [path, content] of Object.entries(after)) {
      expect(await bytes(path)).toEqual(Buffer.from(content as string));
    }
    for (const path of gone) {
      await expect(bytes(path)).rejects.toBeDefined();
    }
    expect((await names()).filter((name) => name.startsWith(".toolhost"))).toEqual([]);
  });

  const refusals: { name: string; patch: string; type: string; message: RegExp; hint?: RegExp }[] = [
    {
      name: "no patch",
      patch: "hello",
      type: "invalid_input",
      message: /^Patch line 1: This is not a patch.* Nothing was changed\.$/,
      hint: /\*\*\* Begin Patch/,
    },
    {
      name: "a patch that was cut off",
      patch: "*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n-three\n+2\n",
      type: "invalid_input",
      message: /^Patch line 6: The patch is cut off: \*\*\* End Patch is missing\. Nothing was changed\.$/,
      hint: /Send the whole patch again/,
    },
    {
      name: "a unified diff that was cut off",
      patch: "--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n",
      type: "invalid_input",
      message:
        /^Patch line 3: The patch is cut off: its last hunk should have 3 old and 3 new lines, and has 2 and 1\./,
      hint: /correct the counts/,
    },
    {
      name: "a unified diff that was cut off within a line",
      patch: "--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+return co",
      type: "invalid_input",
      message:
        /^Patch line 3: The patch is cut off: its last hunk should have 3 old and 3 new lines, and has 2 and 2\./,
    },
    {
      name: "a unified diff whose counts do not hold, so that its numbers do not choose between two places",
      patch: "--- a/twice\n+++ b/twice\n@@ -3,2 +3,2 @@\n-x\n+y\n",
      type: "not_unique",
      message: /matches 2 places \(lines 1, 3\)/,
    },
    {
      name: "Add of a file that is there",
      patch: patch("*** Update File: d/b.ts", "@@", "-beta", "+x", "*** Add File: a.ts", "+x"),
      type: "path_conflict",
      message: /^a\.ts already exists\. Nothing was changed\.$/,
    },
    {
      name: "Move to a file that is there",
      patch: patch("*** Update File: d/b.ts", "*** Move to: a.ts"),
      type: "path_conflict",
      message: /^a\.ts already exists/,
    },
    {
      name: "a file that is missing, with its near names",
      patch: patch("*** Update File: b.ts", "@@", "-x", "+y"),
      type: "not_found",
      message: /^b\.ts: there is no such file/,
    },
    {
      name: "a hunk that fits nowhere",
      patch: patch("*** Update File: a.ts", "@@", " one", "-zwei", "+2"),
      type: "no_match",
      message: /^a\.ts: hunk 1 .*Nearest: lines? 1.* Nothing was changed\.$/,
    },
    {
      name: "a hunk that fits twice",
      patch: patch("*** Update File: twice", "@@", "-x", "+y"),
      type: "not_unique",
      message: /^twice: hunk 1 .*matches 2 places \(lines 1, 3\)/,
    },
    {
      name: "one file by two paths",
      patch: patch("*** Update File: a.ts", "@@", "-one", "+1", "*** Update File: d/../a.ts", "@@", "-two", "+2"),
      type: "invalid_input",
      message: /the same file/,
    },
    {
      name: "hunks for what is no text",
      patch: patch("*** Update File: bin", "@@", "-x", "+y"),
      type: "binary",
      message: /^bin is /,
    },
    {
      name: "a diff that deletes less than the file holds",
      patch: "--- a/a.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n",
      type: "no_match",
      message: /a\.ts/,
    },
    {
      name: "nothing to change",
      patch: patch("*** Update File: a.ts", "@@", " one", "-two", "+two"),
      type: "invalid_input",
      message: /the patch does not change it/,
    },
    {
      name: "a path outside",
      patch: patch("*** Add File: ../x", "+x"),
      type: "outside_workspace",
      message: /leads out of the workspace/,
    },
    {
      name: "half a character",
      patch: patch("*** Add File: x", "+\ud83d"),
      type: "invalid_input",
      message: /an unpaired surrogate/,
    },
    {
      name: "all that is wrong at once",
      patch: patch(
        "*** Update File: none",
        "@@",
        "-x",
        "+y",
        "*** Update File: a.ts",
        "@@",
        "-zwei",
        "+2",
        "*** Update File: d/b.ts",
        "@@",
        "-beta",
        "+x",
      ),
      type: "not_found",
      message:
        /^Nothing was changed: 2 files of the patch cannot be changed\.\nnone: .*\nHint: ls shows what is in the workspace.*\na\.ts: hunk 1/,
    },
  ];
  test("names the line whose beginning a patch has", async () => {
    const { call } = await openWorkspace(
      { "a.js": "let a;\n\tfunction extend(namespace, delimiter) {\n}\n" },
      { host },
    );
    const input = patch("*** Update File: a.js", "@@", "-function extend(", "+function more(");
    expect(failed(await call("apply_patch", { patch: input })).message).toContain("Nearest: line 2;");
  });

  test.each(refusals)("refuses $name, and changes nothing", async ({ patch: input, type, message, hint }) => {
    const files = { ...FILES, twice: "x\na\nx\n" };
    const { call, bytes, names } = await openWorkspace(files, { host });
    const before = await names();
    const error = failed(await call("apply_patch", { patch: input }));
    expect(error.type).toBe(type);
    expect(error.message).toMatch(message);
    if (hint !== undefined) {
      expect(error.hint).toMatch(hint);
    }
    expect(await names()).toEqual(before);
    for (const [path, content] of Object.entries(files)) {
      expect(await bytes(path)).toEqual(Buffer.from(content));
    }
  });

  test("a person sees every file of it, and what was shown is what is done", async () => {
    const { call, asked, bytes } = await openWorkspace(FILES, { host });
    result(
      await call(
        "apply_patch",
        { patch: patch("*** Update File: a.ts", "@@", "-two", "+2", "*** Delete File: d/b.ts") },
        { as: "model", answer: true },
      ),
    );
    expect(asked[0]?.reasons).toEqual(["Changes a.ts and d/b.ts."]);
    expect(asked[0]?.detail).toEqual({
      language: "diff",
      text: [
        "2 files: +1 −3",
        " a.ts: +1 −1",
        " d/b.ts: deleted, +0 −2",
        "--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
        "--- a/d/b.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-alpha\n-beta",
      ].join("\n"),
    });
    expect(String(await bytes("a.ts"))).toBe("one\n2\nthree\n");
  });

  test("of one file they see the diff alone; of many, each file with what it comes to before the first diff", async () => {
    const { call, asked } = await openWorkspace({ ...FILES, "old.txt": "x\n" }, { host });
    const no = { as: "model", answer: false } as const;
    failed(await call("apply_patch", { patch: patch("*** Update File: a.ts", "@@", "-two", "+2") }, no));
    failed(
      await call(
        "apply_patch",
        {
          patch: patch(
            "*** Add File: n.ts",
            "+1",
            "+2",
            "*** Add File: empty2",
            "*** Update File: old.txt",
            "*** Move to: new.txt",
            "*** Update File: d/b.ts",
            "*** Move to: d/c.ts",
            "@@",
            "-beta",
            "+BETA",
            "*** Delete File: bin",
          ),
        },
        no,
      ),
    );
    const [one, many] = asked.map(({ detail }) => detail.text);
    expect(one).toBe("--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three");
    expect(many?.split("\n").slice(0, 7)).toEqual([
      "5 files: +3 −1",
      " n.ts: new, +2 −0",
      " empty2: new",
      " old.txt → new.txt: moved",
      " d/b.ts → d/c.ts: moved, +1 −1",
      " bin: deleted",
      "--- /dev/null",
    ]);
  });

  test("of very many files the first hundred are listed, and what the others come to", async () => {
    const names = Array.from({ length: 120 }, (_, index) => `f${index}`);
    const { call, asked } = await openWorkspace(Object.fromEntries(names.map((name) => [name, "a\n"])), { host });
    failed(
      await call(
        "apply_patch",
        { patch: patch(...names.flatMap((name) => [`*** Update File: ${name}`, "@@", "-a", "+b", "+c"])) },
        { as: "model", answer: false },
      ),
    );
    expect(asked[0]?.reasons).toEqual(["Changes f0, f1, f2, f3 and 116 more files."]);
    const lines = asked[0]?.detail.text.split("\n") ?? [];
    expect([lines[0], lines[100], lines[101], lines[102]]).toEqual([
      "120 files: +240 −120",
      " f99: +2 −1",
      " and 20 more files: +40 −20",
      "--- a/f0",
    ]);
  });

  test("what changed while the question was open is stale, and nothing of the patch is made", async () => {
    const { call, put, bytes } = await openWorkspace(FILES, { host });
    const answer = async (): Promise<boolean> => {
      await put("d/b.ts", "alpha\nbeta\nuser\n");
      return true;
    };
    const error = failed(
      await call(
        "apply_patch",
        {
          patch: patch("*** Update File: a.ts", "@@", "-two", "+2", "*** Update File: d/b.ts", "@@", "-beta", "+BETA"),
        },
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
});

test("a new file may be written without +, and mixed lines are refused", async () => {
  const { call, bytes, names } = await openWorkspace({});
  const { text } = result(
    await call("apply_patch", {
      patch: patch("*** Add File: a.ts", "if (x) {", "", "  - y();", "}", "", "*** Add File: b.ts", "+b"),
    }),
  );
  expect(String(await bytes("a.ts"))).toBe("if (x) {\n\n  - y();\n}\n");
  expect(String(await bytes("b.ts"))).toBe("b\n");
  expect(text).toContain("a.ts: none of its lines starts with +, so they were taken as written.");
  for (const lines of [
    ["+if (x) {", "  y();", "+}"],
    ["@@ -0,0 +1 @@", "  y();"],
    ["  y();", " z();"],
  ]) {
    const error = failed(await call("apply_patch", { patch: patch("*** Add File: c.ts", ...lines) }));
    expect(error).toMatchObject({
      type: "invalid_input",
      message: expect.stringContaining('This line of an added file does not start with +: "  y();".') as string,
      hint: "Start every line of the new file with +, also those that are indented.",
    });
  }
  // Without its end the patch may be prose, or cut off.
  expect(failed(await call("apply_patch", { patch: "*** Add File: c.ts\nThat is all." })).type).toBe("invalid_input");
  expect(await names()).toEqual(["a.ts", "b.ts"]);
});

test("a file keeps its mode when it is changed and moved", async () => {
  const { folder, call } = await openWorkspace({ "run.sh": "#!/bin/sh\necho 1\n" });
  await chmod(join(folder, "run.sh"), 0o755);
  result(
    await call("apply_patch", {
      patch: patch("*** Update File: run.sh", "*** Move to: bin/run2.sh", "@@", "-echo 1", "+echo 2"),
    }),
  );
  expect((await stat(join(folder, "bin/run2.sh"))).mode & 0o777).toBe(0o755);
});

describe.each(hosts)("links, on the %s host", (host) => {
  test.each([
    { name: "deletes", input: patch("*** Delete File: d/link.txt") },
    { name: "moves", input: patch("*** Update File: d/link.txt", "*** Move to: c.txt") },
    {
      name: "moves with a hunk",
      input: patch("*** Update File: d/link.txt", "*** Move to: c.txt", "@@", "-real", "+x"),
    },
    { name: "deletes with its lines", input: "--- a/d/link.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-real\n" },
  ])("$name no link's target", async ({ input }) => {
    const { call, link, bytes, names } = await openWorkspace({ "real.txt": "real\n", d: undefined }, { host });
    await link("d/link.txt", "../real.txt");
    expect(failed(await call("apply_patch", { patch: input }))).toMatchObject({
      type: "unsupported",
      message: "d/link.txt is a link to real.txt. Nothing was changed.",
      hint: expect.stringContaining("Name real.txt") as string,
    });
    expect(await names("d")).toEqual(["link.txt"]);
    expect(String(await bytes("real.txt"))).toBe("real\n");
  });

  test("updates through a link, and deletes and moves behind a link to a folder", async () => {
    const { call, link, bytes, names } = await openWorkspace({ "d/real.txt": "real\n", "d/b.txt": "b\n" }, { host });
    await link("link.txt", "d/real.txt");
    await link("folder", "d");
    result(await call("apply_patch", { patch: patch("*** Update File: link.txt", "@@", "-real", "+new") }));
    expect(String(await bytes("d/real.txt"))).toBe("new\n");
    result(
      await call("apply_patch", {
        patch: patch("*** Delete File: folder/real.txt", "*** Update File: folder/b.txt", "*** Move to: folder/c.txt"),
      }),
    );
    expect(await names("d")).toEqual(["c.txt"]);
  });
});

test("protected files and secrets of a patch are shown first, by whatever name", async () => {
  const { call, asked, link } = await openWorkspace({ ...FILES, "package.json": "{}\n" });
  await link("innocent", "package.json");
  const input = {
    patch: patch(
      "*** Update File: a.ts",
      "@@",
      "-two",
      "+2",
      "*** Update File: innocent",
      "@@",
      "-{}",
      "+[]",
      "*** Add File: z.ts",
      "+z",
      "*** Add File: .env",
      "+A=1",
    ),
  };
  failed(await call("apply_patch", input, { as: "model", answer: false, mode: "default" }));
  const lines = asked[0]?.detail.text.split("\n") ?? [];
  expect(lines.slice(0, 7)).toEqual([
    "4 files: +4 −2",
    " innocent: +1 −1",
    " .env: new, +1 −0",
    " a.ts: +1 −1",
    " z.ts: new, +1 −0",
    "--- a/innocent",
    "+++ b/innocent",
  ]);
});

test("protected files inside a patch are asked about by name", async () => {
  const { call, asked } = await openWorkspace(FILES);
  failed(
    await call(
      "apply_patch",
      { patch: patch("*** Add File: .vscode/tasks.json", "+{}", "*** Update File: a.ts", "@@", "-two", "+2") },
      { as: "model", answer: false, mode: "default" },
    ),
  );
  expect(asked[0]?.reasons).toEqual([
    "Changes .vscode/tasks.json, which is protected: the editor reads settings from this file and runs programs it names.",
  ]);
});
