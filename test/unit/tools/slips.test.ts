// Paths, globs and patterns as models write them by mistake or by another tool's habits.
import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

const FILES: FileTree = {
  "src/a.ts": "1\n2\n3\n4\n5\n6\nfoo(\n  bar)\n",
  "src/a.test.ts": "foo\n",
  "b.js": "y\n",
  "!c.js": "y\n",
};

describe.each(hosts)("on the %s host", (host) => {
  const text = async (tool: string, input: object): Promise<string> => {
    const { call } = await openWorkspace(FILES, { host });
    return result(await call(tool, input)).text;
  };

  test.each<[glob: string, path: string | undefined, answer: string]>([
    [
      "!*.test.*",
      undefined,
      "!c.js\nb.js\nsrc/a.ts\n[3 files.]\n[The leading ! was taken as: all files but *.test.*.]",
    ],
    ["!**/*.test.*", "src", "src/a.ts\n[1 file.]\n[The leading ! was taken as: all files but **/*.test.*.]"],
    ["!c.*", undefined, "!c.js\n[1 file.]"],
    ["/src/*.test.ts", undefined, "src/a.test.ts\n[1 file.]\n[The leading / was taken as the searched folder.]"],
  ])("glob %s in %s", async (pattern, path, answer) => {
    expect(await text("glob", { pattern, path })).toBe(answer);
  });

  test("a glob of another folder from / on is refused", async () => {
    const { call } = await openWorkspace(FILES, { host });
    expect(failed(await call("glob", { pattern: "/elsewhere/*.ts" })).hint).toContain("Name the folder with path");
  });

  test("grep: an include with ! is an exclude", async () => {
    expect(await text("grep", { pattern: "foo", include: "!*.test.*" })).toBe(
      "src/a.ts\n  7: foo(\n[1 match in 1 file.]\n[include !*.test.* was taken as exclude.]",
    );
  });

  test.each([
    [{ "-A": 1 }, "  7: foo(\n  8-   bar)"],
    [{ "-B": 2 }, "  5- 5\n  6- 6\n  7: foo("],
    [{ "-A": 5, "-B": 1 }, "  6- 6\n  7: foo(\n  8-   bar)"],
    [{ after: 1, context: 2 }, "  5- 5\n  6- 6\n  7: foo(\n  8-   bar)"],
    [{ before: 0, context: 1 }, "  7: foo(\n  8-   bar)"],
    [{ "-C": 1 }, "  6- 6\n  7: foo(\n  8-   bar)"],
  ])("grep shows lines on the side that is asked for: %o", async (sides, lines) => {
    expect(await text("grep", { pattern: "foo\\(", ...sides })).toBe(`src/a.ts\n${lines}\n[1 match in 1 file.]`);
  });

  test.each(["foo(\n", "foo\\(\n", "foo\\(\\n  bar", "foo.\n"])(
    "grep %j spans lines, and . does not",
    async (pattern) => {
      const answer = await text("grep", { pattern });
      expect(answer).toContain("  7: foo(\n");
      expect(answer).toContain("[multiline was set: the pattern has a line ending.]");
      expect(answer).not.toContain("?-s");
      expect(await text("grep", { pattern: "1.*\n  bar" })).toContain("[No match.]");
    },
  );

  test("a backslash and an n are no line ending where they are text", async () => {
    expect(await text("grep", { pattern: "foo\\\\n" })).not.toContain("multiline");
    expect(await text("grep", { pattern: "foo\\n", literal: true })).not.toContain("multiline");
    expect(await text("grep", { pattern: "foo(\n", literal: true })).toContain("multiline was set");
  });

  test("read counts a negative offset from the end", async () => {
    expect(await text("read", { path: "src/a.ts", offset: -2 })).toBe("7\tfoo(\n8\t  bar)\n[Lines 7-8 of 8: the end.]");
    expect(await text("read", { path: "src/a.ts", offset: -3, limit: 1 })).toBe(
      "6\t6\n[Line 6 of 8. Continue with offset=7.]",
    );
    expect(await text("read", { path: "b.js", offset: -9 })).toBe("1\ty");
    expect(await text("read", { path: "src/a.ts", view_range: [-2, -1] })).toContain("[Lines 7-8 of 8: the end.]");
  });

  test.each([
    ["read", { path: ["b.js", "src/a.ts"] }],
    ["read", { paths: ["b.js", "src/a.ts"] }],
    ["read", { files: [{ path: "b.js" }, { path: "src/a.ts" }] }],
    ["read", { path: '["b.js", "src/a.ts"]' }],
    ["ls", { path: ["b.js", "src/a.ts"] }],
  ])("%s %j is told to call once for each", async (tool, input) => {
    const { call } = await openWorkspace(FILES, { host });
    expect(failed(await call(tool, input)).message).toBe(
      `${tool}: ${Object.keys(input)[0]}: takes one path per call. Make 2 calls in one answer, with path=b.js, path=src/a.ts.`,
    );
  });

  test("a list of one is its path", async () => {
    expect(await text("read", { files: [{ path: "b.js" }] })).toBe("1\ty");
    expect(await text("ls", { paths: ["src"] })).toContain("a.ts");
  });

  test("ls of a file lists it", async () => {
    const { call } = await openWorkspace({ ...FILES, ".gitignore": "*.log\n", "d/x.log": "12" }, { host });
    const { text: shown, data } = result(await call("ls", { path: "d/x.log" }));
    expect(shown).toBe("x.log  (2 bytes, ignored)\n[d/x.log is a file: read shows what is in it.]");
    expect(data).toMatchObject({ entries: [{ path: "d/x.log", kind: "file", size: 2, ignored: true }], omitted: 0 });
  });

  test.each([
    ["apply_patch", { insert_line: 2, insert_text: "new\n" }, "1\n2\nnew\n3\n"],
    ["str_replace_based_edit_tool", { command: "insert", insert_line: 0, new_str: "+a\n b" }, "+a\n b\n1\n2\n3\n"],
    ["str_replace_based_edit_tool", { command: "insert", insert_line: 3, new_str: "end" }, "1\n2\n3\nend\n"],
  ])("%s with %o inserts behind a line", async (tool, input, after) => {
    const { call, bytes } = await openWorkspace({ "a b.txt": "1\n2\n3\n" }, { host });
    expect(result(await call(tool, { path: "a b.txt", ...input })).text).toContain("as its line number says");
    expect(String(await bytes("a b.txt"))).toBe(after);
  });

  test("an insertion needs the file's lines to be known, and one of them", async () => {
    const { call } = await openWorkspace({ "a.txt": "1\n2\n3\n" }, { host });
    const input = { path: "a.txt", insert_line: 2, insert_text: "x" };
    const must = { as: "model", session: "s", reads: "must" } as const;
    expect(failed(await call("apply_patch", input, must)).type).toBe("must_read");
    expect(failed(await call("apply_patch", { ...input, insert_line: 9 })).type).toBe("no_match");
    expect(failed(await call("apply_patch", { ...input, insert_text: "" })).type).toBe("invalid_input");
    // Its result would not have the shape that edit promises.
    expect(failed(await call("edit", input)).message).toContain(
      "Call apply_patch with path, insert_line and insert_text",
    );
  });

  test("~ is refused with where paths begin", async () => {
    const { call } = await openWorkspace(FILES, { host });
    expect(failed(await call("read", { path: "~/src/a.ts" })).hint).toBe(
      'Paths begin in the workspace folder, such as "src/a.ts". Give a path elsewhere from / on.',
    );
  });
});
