import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

const STORE = ".toolhost/context";
const before = "a\nb\nc\nd\n";
const bom = (text: string): Buffer => Buffer.from(`\uFEFF${text}`);

interface Patch {
  start_line: number;
  end_line: number;
  content: string;
}

describe.each(hosts)("context_edit on the %s host", (host) => {
  describe("changes", () => {
    const cases: { name: string; text?: string | Buffer; patches: Patch[]; after: string | Buffer; said: string }[] = [
      {
        name: "a line",
        patches: [{ start_line: 2, end_line: 2, content: "B" }],
        after: "a\nB\nc\nd\n",
        said: "Edited a.md: +1 −1 lines.",
      },
      {
        name: "by an insert",
        patches: [{ start_line: 2, end_line: 0, content: "X\nY" }],
        after: "a\nX\nY\nb\nc\nd\n",
        said: "Edited a.md: +2 −0 lines.",
      },
      {
        name: "by a deletion",
        patches: [{ start_line: 2, end_line: 3, content: "" }],
        after: "a\nd\n",
        said: "Edited a.md: +0 −2 lines.",
      },
      {
        name: "several lines in the numbering before",
        patches: [
          { start_line: 4, end_line: 4, content: "D" },
          { start_line: 1, end_line: 1, content: "A1\nA2" },
        ],
        after: "A1\nA2\nb\nc\nD\n",
        said: "Edited a.md: +3 −2 lines.",
      },
      {
        name: "by a line behind the end",
        patches: [{ start_line: 99, end_line: 0, content: "Z" }],
        after: "a\nb\nc\nd\nZ\n",
        said: "Edited a.md: +1 −0 lines.",
      },
      {
        name: "an empty file",
        text: "",
        patches: [{ start_line: 1, end_line: 0, content: "x\n" }],
        after: "x\n",
        said: "Edited a.md: +1 −0 lines.",
      },
      {
        name: "lines that end in CRLF",
        text: "a\r\nb\r\n",
        patches: [{ start_line: 1, end_line: 1, content: "A" }],
        after: "A\r\nb\r\n",
        said: "Edited a.md: +1 −1 lines.",
      },
      {
        name: "lines behind a byte order mark",
        text: bom("a\n"),
        patches: [{ start_line: 1, end_line: 1, content: "\uFEFFA" }],
        after: bom("A\n"),
        said: "Edited a.md: +1 −1 lines.",
      },
      {
        name: "nothing, when the lines are the same",
        patches: [{ start_line: 1, end_line: 1, content: "a" }],
        after: before,
        said: "a.md already has exactly these lines: nothing was changed.",
      },
    ];
    test.each(cases)("$name", async ({ text = before, patches, after, said }) => {
      const workspace = await openWorkspace({ [`${STORE}/a.md`]: text }, { host });
      const answer = result<{ path: string; bytes: number; changed: boolean }>(
        await workspace.call("context_edit", { logical_path: "/a.md", patches }),
      );
      expect(answer.text).toBe(said);
      expect(answer.data).toMatchObject({ path: "a.md", changed: !said.includes("already") });
      expect((await workspace.bytes(`${STORE}/a.md`)).equals(Buffer.from(after))).toBe(true);
    });
  });

  describe("refuses, and leaves the file as it was:", () => {
    const files: FileTree = {
      [`${STORE}/a.md`]: before,
      [`${STORE}/dir/x`]: "x",
      [`${STORE}/bin`]: Buffer.from([1, 0]),
      [`${STORE}/latin1`]: Buffer.from([0xe9, 0x0a]),
    };
    const one = { start_line: 1, end_line: 1, content: "x" };
    const cases: { name: string; input: object; type: string; message: RegExp; hint?: RegExp }[] = [
      { name: "no patch", input: { patches: [] }, type: "invalid_input", message: /patches/ },
      {
        name: "a word for a number",
        input: { patches: [{ ...one, start_line: "one" }] },
        type: "invalid_input",
        message: /start_line/,
      },
      {
        name: "half a line",
        input: { patches: [{ ...one, start_line: 1.5 }] },
        type: "invalid_input",
        message: /start_line/,
      },
      { name: "line 0", input: { patches: [{ ...one, start_line: 0 }] }, type: "invalid_input", message: /start_line/ },
      {
        name: "a field that is not known",
        input: { patches: [{ ...one, old: "a" }] },
        type: "invalid_input",
        message: /old/,
      },
      {
        name: "an end before the start",
        input: { patches: [{ start_line: 3, end_line: 2, content: "x" }] },
        type: "invalid_input",
        message: /^a\.md: patches\[0\]: end_line 2 is before start_line 3/,
        hint: /read it/,
      },
      {
        name: "one good and one that overlaps",
        input: {
          patches: [one, { start_line: 2, end_line: 3, content: "y" }, { start_line: 3, end_line: 4, content: "z" }],
        },
        type: "invalid_input",
        message: /^a\.md: patches\[1\] \(lines 2–3\) and patches\[2\] \(lines 3–4\) overlap.*Nothing was changed\.$/,
      },
      {
        name: "a deletion past the end",
        input: { patches: [{ start_line: 9, end_line: 9, content: "" }] },
        type: "invalid_input",
        message: /line 9 cannot be deleted: the text has 4 lines/,
      },
      {
        name: "half a character",
        input: { patches: [{ ...one, content: "\ud83d" }] },
        type: "invalid_input",
        message: /patches\[0\]: content contains an unpaired surrogate/,
      },
      {
        name: "NUL",
        input: { patches: [one, { start_line: 2, end_line: 2, content: "\0" }] },
        type: "invalid_input",
        message: /patches\[1\]: content contains a NUL/,
      },
      {
        name: "a result that is too large",
        input: { patches: [{ ...one, content: "x".repeat(20_000_000) }] },
        type: "too_large",
        message: /^a\.md: the patches would make it more than 20000000 bytes/,
      },
      {
        name: "a file that is not there",
        input: { path: "b.md", patches: [one] },
        type: "not_found",
        message: /^b\.md: there is no such file/,
        hint: /Did you mean a\.md/,
      },
      { name: "a folder", input: { path: "dir", patches: [one] }, type: "is_directory", message: /^dir is a folder/ },
      {
        name: "a binary file",
        input: { path: "bin", patches: [one] },
        type: "binary",
        message: /^bin is a binary file/,
      },
      {
        name: "bytes that are no UTF-8",
        input: { path: "latin1", patches: [one] },
        type: "unsupported",
        message: /^latin1 is not valid utf8/,
      },
      {
        name: "a path that leads out",
        input: { path: "../MEMORY.md", patches: [one] },
        type: "invalid_input",
        message: /\.\. leaves a folder/,
      },
    ];
    test.each(cases)("$name", async ({ input, type, message, hint }) => {
      const workspace = await openWorkspace(files, { host });
      const error = failed(await workspace.call("context_edit", { path: "a.md", ...input }));
      expect([error.type, error.message]).toEqual([type, expect.stringMatching(message)]);
      if (hint !== undefined) {
        expect(error.hint).toMatch(hint);
      }
      expect(String(await workspace.bytes(`${STORE}/a.md`))).toBe(before);
    });
  });

  const input = { path: "a.md", patches: [{ start_line: 1, end_line: 1, content: "A" }] };

  test("of @toolhost's model fails when somebody changed the file since, with the difference", async () => {
    const workspace = await openWorkspace({ [`${STORE}/a.md`]: before }, { host });
    const caller = { as: "model", reads: "must", session: "s" } as const;
    result(await workspace.call("context_read", { path: "a.md" }, caller));
    await workspace.put(`${STORE}/a.md`, `by hand\n${before}`);
    expect(failed(await workspace.call("context_edit", input, caller))).toMatchObject({
      type: "stale",
      message: expect.stringMatching(/^a\.md has changed[^]*\+by hand/) as string,
    });
    expect(String(await workspace.bytes(`${STORE}/a.md`))).toBe(`by hand\n${before}`);
  });

  test("of another agent asks with the difference when it has not seen the lines, and not when it has", async () => {
    const workspace = await openWorkspace({ [`${STORE}/a.md`]: before }, { host });
    const caller = { as: "model", reads: "ask", session: "s" } as const;
    result(await workspace.call("context_read", { path: "a.md" }, caller));
    result(await workspace.call("context_edit", input, caller));
    expect(workspace.asked).toEqual([]);
    await workspace.put(`${STORE}/a.md`, before);
    result(await workspace.call("context_edit", input, { ...caller, answer: true, mode: "default" }));
    expect(workspace.asked).toMatchObject([
      {
        title: "Edit a.md in the context store",
        detail: { language: "diff", text: expect.stringContaining("-a\n+A") as string },
      },
    ]);
  });

  test("two at once: one is made, and the other is told that its lines have moved", async () => {
    const workspace = await openWorkspace({ [`${STORE}/a.md`]: before }, { host });
    const insert = { path: "a.md", patches: [{ start_line: 1, end_line: 0, content: "new" }] };
    const outcomes = await Promise.all([
      workspace.call("context_edit", insert),
      workspace.call("context_edit", insert),
    ]);
    const types = outcomes.map((outcome) => (outcome.ok ? "made" : outcome.error.type)).sort();
    expect(["made,stale", "made,made"]).toContain(types.join());
    expect(String(await workspace.bytes(`${STORE}/a.md`))).toBe(
      "new\n".repeat(types.filter((type) => type === "made").length) + before,
    );
  });

  test("can be undone", async () => {
    const workspace = await openWorkspace({ [`${STORE}/a.md`]: before }, { host });
    const session = randomUUID();
    result(await workspace.call("context_edit", input, { session, turn: "one" }));
    await workspace.changes.undo(
      { session, turn: "undo", callId: randomUUID(), door: "api", summary: "" },
      { session, turn: "one" },
      workspace.files,
      new AbortController().signal,
    );
    expect(String(await workspace.bytes(`${STORE}/a.md`))).toBe(before);
  });
});
