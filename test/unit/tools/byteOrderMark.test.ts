import { expect, test, describe } from "vitest";
import { failed, hosts, openWorkspace, result } from "./workspace.js";

const MARK = "\uFEFF";
const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe.each(hosts)("a byte order mark in a new text, on the %s host", (host) => {
  const EDITS: { name: string; before: string; old: string; new: string; after: string }[] = [
    { name: "at the start of a file without", before: "hello\nb\n", old: "hello", new: `${MARK}hi`, after: "hi\nb\n" },
    {
      name: "at the start of a file with one",
      before: `${MARK}hello\nb\n`,
      old: "hello",
      new: `${MARK}hi`,
      after: `${MARK}hi\nb\n`,
    },
    { name: "elsewhere", before: "hello\nb\n", old: "b", new: `${MARK}c`, after: `hello\n${MARK}c\n` },
  ];
  test.each(EDITS)("$name", async ({ before, old: old_text, new: new_text, after }) => {
    const files = { "e.txt": before, "m.txt": before, "p.txt": before };
    const { call, bytes } = await openWorkspace(files, { host });
    result(await call("edit", { path: "e.txt", old_text, new_text }));
    result(await call("multi_edit", { edits: [{ path: "m.txt", old_text, new_text }] }));
    result(await call("apply_patch", { patch: patch("*** Update File: p.txt", "@@", `-${old_text}`, `+${new_text}`) }));
    for (const path of Object.keys(files)) {
      expect(String(await bytes(path))).toBe(after);
    }
  });

  test("a session that must have read goes on with what it wrote", async () => {
    const { call, bytes } = await openWorkspace({ "a.txt": "hello\nb\n" }, { host });
    const must = { as: "model", session: "chat", reads: "must", turn: "t" } as const;
    result(await call("read", { path: "a.txt" }, must));
    result(await call("edit", { path: "a.txt", old_text: "hello", new_text: `${MARK}hi` }, must));
    result(await call("edit", { path: "a.txt", old_text: "b", new_text: "c" }, must));
    result(await call("write", { path: "n.txt", content: `${MARK}new\n` }, must));
    result(await call("edit", { path: "n.txt", old_text: "new", new_text: "newer" }, must));
    expect(String(await bytes("a.txt"))).toBe("hi\nc\n");
    expect(String(await bytes("n.txt"))).toBe(`${MARK}newer\n`);
  });

  test("alone changes nothing", async () => {
    const { call } = await openWorkspace({ "a.txt": "hello\n" }, { host });
    expect(failed(await call("edit", { path: "a.txt", old_text: "hello", new_text: `${MARK}hello` })).type).toBe(
      "invalid_input",
    );
  });

  test("of a new file is its encoding", async () => {
    const { call, bytes } = await openWorkspace({}, { host });
    result(await call("write", { path: "w.txt", content: `${MARK}a\n` }));
    result(await call("apply_patch", { patch: patch("*** Add File: p.txt", `+${MARK}a`) }));
    for (const path of ["w.txt", "p.txt"]) {
      expect(String(await bytes(path))).toBe(`${MARK}a\n`);
      expect(result(await call("write", { path, content: "a\n" })).data).toMatchObject({ changed: false });
    }
  });
});
