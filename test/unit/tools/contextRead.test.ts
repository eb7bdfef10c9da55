import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

interface ReadData {
  path: string;
  content: string;
  start_line: number;
  end_line: number;
  total_lines: number | null;
  next_offset: number | null;
}

interface TreeData {
  path: string;
  entries: { path: string; kind: string; size: number | null }[];
  omitted: number;
}

const STORE = ".toolhost/context";
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]);
const five = "one\ntwo\nthree\nfour\nfive\n";

describe.each(hosts)("on the %s host", (host) => {
  describe("context_read gives", () => {
    const cases: { name: string; content: string; input?: object; text: string; data: Partial<ReadData> }[] = [
      {
        name: "numbered lines",
        content: "a\nb\n",
        text: "1\ta\n2\tb",
        data: { path: "notes/a.md", content: "a\nb", start_line: 1, end_line: 2, total_lines: 2, next_offset: null },
      },
      {
        name: "a page, lines counted from 1",
        content: five,
        input: { offset: 2, limit: 2 },
        text: "2\ttwo\n3\tthree\n[Lines 2-3 of 5. Continue with offset=4.]",
        data: { start_line: 2, end_line: 3, next_offset: 4 },
      },
      {
        name: "the rest",
        content: five,
        input: { offset: 4 },
        text: "4\tfour\n5\tfive\n[Lines 4-5 of 5: the end.]",
        data: { next_offset: null },
      },
      {
        name: "nothing past the end",
        content: five,
        input: { offset: 10 },
        text: "[offset=10 is past the end: notes/a.md has 5 lines.]",
        data: { content: "", start_line: 0, total_lines: 5 },
      },
      { name: "an empty file", content: "", text: "[notes/a.md is empty.]", data: { content: "", total_lines: 0 } },
      {
        name: "a window of a long line",
        content: `${"x".repeat(2_000)}y`,
        input: { column: 2_001 },
        text: "1\ty[… characters 2001-2001 of 2001]",
        data: { content: "y" },
      },
    ];
    test.each(cases)("$name", async ({ content, input, text, data }) => {
      const { call } = await openWorkspace({ [`${STORE}/notes/a.md`]: content }, { host });
      for (const path of [{ path: "notes/a.md" }, { logical_path: "/notes/a.md" }]) {
        const answer = result<ReadData>(await call("context_read", { ...path, ...input }));
        expect(answer.text).toBe(text);
        expect(answer.data).toMatchObject(data);
      }
    });
  });

  describe("context_read refuses", () => {
    const cases: { name: string; path: string; type: string; message: RegExp; hint?: RegExp }[] = [
      {
        name: "what is not there, with what comes near",
        path: "notes/meting.md",
        type: "not_found",
        message: /^notes\/meting\.md: there is no such file or folder in the context store\.$/,
        hint: /^Did you mean notes\/meeting\.md\?$/,
      },
      {
        name: "what nothing comes near",
        path: "nowhere/else",
        type: "not_found",
        message: /no such file/,
        hint: /context_tree.*context_search/,
      },
      { name: "a folder", path: "notes", type: "is_directory", message: /^notes is a folder/, hint: /context_tree/ },
      {
        name: "a picture",
        path: "a.png",
        type: "binary",
        message: /^a\.png is a binary file/,
        hint: /To see images and PDFs, use read with path \.toolhost\/context\/a\.png/,
      },
      { name: "a link", path: "link", type: "unsupported", message: /^link is a link/ },
      { name: "a pipe", path: "pipe", type: "unsupported", message: /^pipe is a pipe.*not opened/ },
      { name: "a path that leads out", path: "../MEMORY.md", type: "invalid_input", message: /\.\. leaves a folder/ },
      { name: "the store itself", path: "/", type: "invalid_input", message: /an empty path/ },
    ];
    test.each(cases)("$name", async ({ path, type, message, hint }) => {
      const workspace = await openWorkspace(
        {
          [`${STORE}/notes/meeting.md`]: "x",
          [`${STORE}/a.png`]: PNG,
          ".toolhost/MEMORY.md": "memory",
          "a.ts": "source",
        },
        { host },
      );
      await workspace.link(`${STORE}/link`, `${workspace.folder}/a.ts`);
      await workspace.makePipe(`${STORE}/pipe`);
      const error = failed(await workspace.call("context_read", { path }));
      expect([error.type, error.message]).toEqual([type, expect.stringMatching(message)]);
      expect(error.hint ?? "").toMatch(hint ?? /./);
      expect(JSON.stringify(error)).not.toContain(workspace.folder);
    });
  });

  test("what context_read gave counts as read: it can be edited then", async () => {
    const { call } = await openWorkspace({ [`${STORE}/a`]: "x\n" }, { host });
    const caller = { as: "model", reads: "must", session: "s" } as const;
    const input = { path: "a", patches: [{ start_line: 1, end_line: 1, content: "y" }] };
    expect(failed(await call("context_edit", input, caller)).type).toBe("must_read");
    result(await call("context_read", { path: "a" }, caller));
    result(await call("context_edit", input, caller));
  });

  test("reads are not asked about, but for what may hold secrets", async () => {
    const workspace = await openWorkspace({ [`${STORE}/a`]: "x\n", [`${STORE}/.env`]: "KEY=1\n" }, { host });
    result(await workspace.call("context_read", { path: "a" }, { as: "model" }));
    expect(failed(await workspace.call("context_read", { path: ".env" }, { as: "model" })).type).toBe("denied");
  });

  describe("context_tree lists", () => {
    const files: FileTree = {
      [`${STORE}/.gitignore`]: "*\n",
      [`${STORE}/a.md`]: "é\n",
      [`${STORE}/notes/b.md`]: "x",
      [`${STORE}/notes/deep/er/c.json`]: "{}",
      [`${STORE}/empty`]: undefined,
    };
    const cases: { name: string; files: FileTree; input: object; text: string; omitted?: number }[] = [
      {
        name: "all, with sizes, but for the store's own file",
        files,
        input: {},
        text: "a.md  (3 bytes)\nempty/\nnotes/\n  b.md  (1 byte)\n  deep/\n    er/\n      c.json  (2 bytes)",
      },
      {
        name: "as deep as asked",
        files,
        input: { max_depth: 2 },
        text: "a.md  (3 bytes)\nempty/\nnotes/\n  b.md  (1 byte)\n  deep/",
      },
      {
        name: "a folder",
        files,
        input: { path: "/notes/" },
        text: "b.md  (1 byte)\ndeep/\n  er/\n    c.json  (2 bytes)",
      },
      { name: "an empty folder", files, input: { path: "empty" }, text: "[empty is empty.]" },
      { name: "a store that nobody has written to", files: {}, input: {}, text: "[The context store is empty.]" },
      {
        name: "a store with nothing but its own file",
        files: { [`${STORE}/.gitignore`]: "*\n" },
        input: { path: "." },
        text: "[The context store is empty.]",
      },
      {
        name: "of many entries below the first, and +N more",
        files: Object.fromEntries(
          Array.from({ length: 25 }, (_, index) => [`${STORE}/d/${String(index).padStart(2, "0")}`, ""]),
        ),
        input: {},
        text: [
          "d/",
          ...Array.from({ length: 20 }, (_, index) => `  ${String(index).padStart(2, "0")}  (0 bytes)`),
          "  +5 more",
        ].join("\n"),
        omitted: 5,
      },
      {
        name: "more of the folder that is asked for",
        files: Object.fromEntries(
          Array.from({ length: 25 }, (_, index) => [`${STORE}/d/${String(index).padStart(2, "0")}`, ""]),
        ),
        input: { path: "d" },
        text: Array.from({ length: 25 }, (_, index) => `${String(index).padStart(2, "0")}  (0 bytes)`).join("\n"),
      },
    ];
    test.each(cases)("$name", async ({ files: tree, input, text, omitted = 0 }) => {
      const { call } = await openWorkspace(tree, { host });
      const answer = result<TreeData>(await call("context_tree", input, { as: "model" }));
      expect(answer.text).toBe(text);
      expect(answer.data.omitted).toBe(omitted);
    });

    test("as data, with whole paths", async () => {
      const { call } = await openWorkspace(files, { host });
      expect(result<TreeData>(await call("context_tree", { path: "notes", max_depth: 1 })).data).toEqual({
        path: "notes",
        entries: [
          { path: "notes/b.md", kind: "file", size: 1 },
          { path: "notes/deep", kind: "directory", size: null },
        ],
        omitted: 0,
      });
    });

    test("five hundred entries of one folder at most, and says how many are left out", async () => {
      const many = Object.fromEntries(
        Array.from({ length: 600 }, (_, index) => [`${STORE}/${String(index).padStart(3, "0")}`, ""]),
      );
      const { call } = await openWorkspace(many, { host });
      const answer = result<TreeData>(await call("context_tree", {}));
      expect(answer.text.endsWith("\n+100 more")).toBe(true);
      expect([answer.data.entries.length, answer.data.omitted]).toEqual([500, 100]);
    });

    test("links by name alone", async () => {
      const workspace = await openWorkspace({ [`${STORE}/a`]: "x", "src/secret.ts": "x", "a.ts": "x" }, { host });
      await workspace.link(`${STORE}/folder`, `${workspace.folder}/src`);
      await workspace.link(`${STORE}/file`, `${workspace.folder}/a.ts`);
      expect(result(await workspace.call("context_tree", {})).text).toBe(
        "a  (1 byte)\nfile  (link, not followed)\nfolder/  (link, not followed)",
      );
    });
  });

  test.each([
    { path: "gone", type: "not_found" },
    { path: "a", type: "invalid_input" },
    { path: "../..", type: "invalid_input" },
    { path: "link", type: "unsupported" },
  ])("context_tree refuses $path", async ({ path, type }) => {
    const workspace = await openWorkspace({ [`${STORE}/a`]: "x", "src/b.ts": "x" }, { host });
    await workspace.link(`${STORE}/link`, `${workspace.folder}/src`);
    expect(failed(await workspace.call("context_tree", { path })).type).toBe(type);
  });
});

test("a file of 1 GB is read a page at a time, and neither edited nor deleted", async () => {
  const workspace = await openWorkspace({ [`${STORE}/big.txt`]: "line\n".repeat(2_000) });
  // A hole, which takes no room. It holds NULs, far enough behind the start to be no sign of a binary file.
  await truncate(join(workspace.folder, STORE, "big.txt"), 1_000_000_000);
  const page = result<ReadData>(await workspace.call("context_read", { path: "big.txt", offset: 2, limit: 1 })).data;
  expect([page.content, page.total_lines]).toEqual(["line", null]);
  for (const [tool, input] of [
    ["context_edit", { patches: [{ start_line: 1, end_line: 0, content: "x" }] }],
    ["context_delete", {}],
    ["context_write", { content: "x", on_conflict: "overwrite" }],
  ] as const) {
    const error = failed(await workspace.call(tool, { path: "big.txt", ...input }));
    expect([error.type, error.message]).toEqual([
      "too_large",
      expect.stringMatching(/^big\.txt has 1000000000 bytes; .*20000000/),
    ]);
    expect(error.hint).toMatch(/\w/);
  }
});

test("with several folders, the store is the first one's", async () => {
  const first = await openWorkspace({});
  const workspace = await openWorkspace({}, { name: "one", roots: [{ name: "two", path: first.folder }] });
  result(await workspace.call("context_write", { path: "a.md", content: "x\n" }, { as: "model" }));
  expect(await workspace.names(STORE)).toEqual([".gitignore", "a.md"]);
  expect(result<ReadData>(await workspace.call("context_read", { path: "a.md" }, { as: "model" })).data).toMatchObject({
    path: "a.md",
    content: "x",
  });
  expect(result(await workspace.call("context_tree", {}, { as: "model" })).text).toBe("a.md  (2 bytes)");
  const error = failed(await workspace.call("context_write", { path: "a.md", content: "y" }, { as: "model" }));
  expect(error.message).toBe("a.md already exists in the context store. Nothing was written.");
  result(await workspace.call("context_delete", { path: "a.md" }, { as: "model" }));
  expect(await workspace.names(STORE)).toEqual([".gitignore"]);
});
