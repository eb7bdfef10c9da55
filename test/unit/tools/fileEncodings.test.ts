import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { failed, openWorkspace, result, type TestWorkspace } from "./workspace.js";

const settings = (encoding: string): string => `// of the folder\n{ "files.encoding": "${encoding}", }\n`;
const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));

describe("a file in the encoding that the folder's VS Code settings name", () => {
  test.each([
    { encoding: "iso88591", before: bytes("größe\ntwo\n"), shown: "größe", added: "zweiß", after: bytes("zweiß") },
    {
      encoding: "windows1252",
      before: bytes("a", [0x80], "\ntwo\n"),
      shown: "a€",
      added: "„€“",
      after: [0x84, 0x80, 0x93],
    },
    { encoding: "windows1251", before: bytes([0xef, 0xf0], "\ntwo\n"), shown: "пр", added: "и", after: [0xe8] },
    { encoding: "cp437", before: bytes([0x82], "\ntwo\n"), shown: "é", added: "é", after: [0x82] },
    { encoding: "shiftjis", before: bytes([0x93, 0xfa], "\ntwo\n"), shown: "日", added: "本", after: [0x96, 0x7b] },
    { encoding: "gb18030", before: bytes([0xc4, 0xe3], "\ntwo\n"), shown: "你", added: "好", after: [0xba, 0xc3] },
    { encoding: "euckr", before: bytes([0xb0, 0xa1], "\ntwo\n"), shown: "가", added: "나", after: [0xb3, 0xaa] },
  ])("$encoding is read, edited and undone byte for byte", async ({ encoding, before, shown, added, after }) => {
    const ws = await openWorkspace({ ".vscode/settings.json": settings(encoding), "f.txt": before });
    expect(result(await ws.call("read", { path: "f.txt" })).text).toContain(`\t${shown}\n`);
    const session = randomUUID();
    result(await ws.call("edit", { path: "f.txt", old_text: "two", new_text: added }, { session, turn: "t" }));
    const changed = Buffer.concat([before.subarray(0, before.length - 4), Buffer.from(after), Buffer.from("\n")]);
    expect(await ws.bytes("f.txt")).toEqual(changed);
    const undone = await ws.changes.undo(
      { session, turn: "undo", callId: randomUUID(), door: "palette", summary: "undo" },
      { session, turn: "t" },
      ws.files,
      new AbortController().signal,
    );
    expect(undone.conflicts).toEqual([]);
    expect(await ws.bytes("f.txt")).toEqual(before);
  });

  test("an undo under another setting is refused, and changes nothing", async () => {
    const before = bytes("größe\ntwo\n");
    const after = bytes("größe\nzwei\n");
    for (const now of ["{}", settings("windows1251"), settings("shiftjis")]) {
      const ws = await openWorkspace({ ".vscode/settings.json": settings("iso88591"), "f.txt": before });
      const session = randomUUID();
      result(await ws.call("edit", { path: "f.txt", old_text: "two", new_text: "zwei" }, { session, turn: "t" }));
      await ws.put(".vscode/settings.json", now);
      const call = { session, turn: "undo", callId: randomUUID(), door: "palette", summary: "undo" } as const;
      const undoing = ws.changes.undo(call, { session, turn: "t" }, ws.files, new AbortController().signal);
      await expect(undoing).rejects.toMatchObject({
        type: expect.stringMatching(/^(unsupported|conflict)$/) as string,
      });
      expect(await ws.bytes("f.txt")).toEqual(after);
    }
  });

  test("new files have it, and so do files that are moved, patched and written anew", async () => {
    const ws = await openWorkspace({ ".vscode/settings.json": settings("iso88591"), "old.txt": bytes("größe\n") });
    result(await ws.call("write", { path: "new.txt", content: "für\n" }));
    expect(await ws.bytes("new.txt")).toEqual(bytes("für\n"));
    const patch =
      "*** Begin Patch\n*** Update File: old.txt\n*** Move to: moved.txt\n@@\n-größe\n+Größe\n*** End Patch";
    result(await ws.call("apply_patch", { patch }));
    expect(await ws.bytes("moved.txt")).toEqual(bytes("Größe\n"));
  });

  test("a file over many chunks is read as one text", async () => {
    const line = Buffer.from([0x93, 0xfa, 0x0a]);
    const ws = await openWorkspace({
      ".vscode/settings.json": settings("shiftjis"),
      "big.txt": Buffer.concat(Array.from({ length: 50_000 }, () => line)),
    });
    const { text } = result(await ws.call("read", { path: "big.txt", offset: 49_990, limit: 3 }));
    expect(text).toContain("\t日\n");
    expect(text).not.toContain("\ufffd");
  });

  test.each([
    { encoding: "iso88591", file: bytes("größe\n"), pattern: "größ", line: "größe" },
    { encoding: "windows1252", file: bytes("a", [0x80], "\n"), pattern: "€", line: "a€" },
    { encoding: "cp866", file: bytes([0xa8], "\n"), pattern: "и", line: "и" },
    { encoding: "macroman", file: bytes([0x8e], "\n"), pattern: "é", line: "é" },
    { encoding: "koi8r", file: bytes([0xc9], "\n"), pattern: "И", line: "и" },
    { encoding: "shiftjis", file: bytes([0x93, 0xfa], "\n"), pattern: "日", line: "日" },
    { encoding: "eucjp", file: bytes([0xc6, 0xfc], "\n"), pattern: "日", line: "日" },
    { encoding: "big5hkscs", file: bytes([0xa4, 0xe9], "\n"), pattern: "日", line: "日" },
    { encoding: "cp950", file: bytes([0xa4, 0xe9], "\n"), pattern: "日", line: "日" },
    { encoding: "iso885915", file: bytes([0xa4], "\n"), pattern: "€", line: "€" },
  ])("$encoding is searched", async ({ encoding, file, pattern, line }) => {
    const ws = await openWorkspace({
      ".vscode/settings.json": settings(encoding),
      "f.txt": file,
      "marked.txt": Buffer.from(`\ufeff${line}\n`),
    });
    const { text } = result(await ws.call("grep", { pattern, ignore_case: true, include: "*.txt" }));
    expect(text.split(line)).toHaveLength(3);
  });

  test("the excerpt of a line of megabytes has the match", async () => {
    const ws = await openWorkspace({
      ".vscode/settings.json": settings("iso88591"),
      "big.txt": bytes(`${"é ".repeat(1000)}UNIQUE ${"x".repeat(1_000_000)}\n`),
    });
    expect(result(await ws.call("grep", { pattern: "UNIQUE", include: "*.txt" })).text).toMatch(
      /^big\.txt\n {2}1: …(?:é ){50}UNIQUE x+… \[line of 1002007 characters, the first match at column 2001: /,
    );
  });

  test("a search says which encoding it cannot search, and ignores one that is none", async () => {
    const ws = await openWorkspace({ ".vscode/settings.json": settings("cp437"), "f.txt": bytes([0x82], "\n") });
    expect(result(await ws.call("grep", { pattern: "é", include: "*.txt" })).text).toContain(
      "files.encoding is cp437, in which only ASCII can be searched",
    );
    await ws.put(".vscode/settings.json", settings("klingon"));
    expect(result(await ws.call("grep", { pattern: "klin", include: "settings.json" })).text).toContain("klingon");
  });

  test("a byte order mark counts more than the setting", async () => {
    const before = Buffer.from("\ufeffgröße\n");
    const ws = await openWorkspace({ ".vscode/settings.json": settings("iso88591"), "f.txt": before });
    result(await ws.call("edit", { path: "f.txt", old_text: "größe", new_text: "→" }));
    expect(await ws.bytes("f.txt")).toEqual(Buffer.from("\ufeff→\n"));
  });

  test.each([
    { what: "not valid", content: "{" },
    { what: "not a name", content: '{"files.encoding": 1}' },
    { what: "unknown", content: settings("klingon") },
    { what: "known to the library alone", content: settings("hex") },
    { what: "UTF-8", content: settings("utf8") },
  ])("settings that are $what leave files UTF-8", async ({ content }) => {
    const ws = await openWorkspace({ ".vscode/settings.json": content, "f.txt": "größe\n" });
    expect(result(await ws.call("read", { path: "f.txt" })).text).toContain("größe");
    result(await ws.call("edit", { path: "f.txt", old_text: "größe", new_text: "→" }));
    expect(await ws.bytes("f.txt")).toEqual(Buffer.from("→\n"));
  });
});

describe("settings that nobody can read to their end leave files UTF-8, and hold no call up", () => {
  const settled = async (ws: TestWorkspace): Promise<void> => {
    expect(result(await ws.call("read", { path: "f.txt" })).text).toContain("größe");
    expect(result(await ws.call("grep", { pattern: "größe", include: "f.txt" })).text).toContain("größe");
  };

  test("a link to a device without an end", async () => {
    const ws = await openWorkspace({ "f.txt": "größe\n", ".vscode/x": "" });
    await ws.link(".vscode/settings.json", "/dev/zero");
    await settled(ws);
  });

  test("a pipe that nobody writes to", async () => {
    const ws = await openWorkspace({ "f.txt": "größe\n", ".vscode/x": "" });
    await ws.makePipe(".vscode/settings.json");
    await settled(ws);
  });

  test("more than a megabyte", async () => {
    const ws = await openWorkspace({
      "f.txt": "größe\n",
      ".vscode/settings.json": `${settings("iso88591")}${" ".repeat(1_000_000)}`,
    });
    await settled(ws);
  });

  test("a line of quotes", async () => {
    const ws = await openWorkspace({ "f.txt": "größe\n", ".vscode/settings.json": '"\\'.repeat(400_000) });
    await settled(ws);
  });
});

test("a setting that changes holds from the next call on", async () => {
  const ws = await openWorkspace({ ".vscode/settings.json": settings("iso88591"), "f.txt": bytes("größe\n") });
  expect(result(await ws.call("read", { path: "f.txt" })).text).toContain("größe");
  await ws.put(".vscode/settings.json", settings("windows1251"));
  expect(result(await ws.call("read", { path: "f.txt" })).text).toContain("grцЯe");
});

describe("what would not survive is refused, and nothing is changed", () => {
  test("a character that the encoding cannot represent", async () => {
    const before = bytes("größe\n");
    const ws = await openWorkspace({ ".vscode/settings.json": settings("iso88591"), "f.txt": before });
    expect(failed(await ws.call("edit", { path: "f.txt", old_text: "größe", new_text: "a → b" }))).toMatchObject({
      type: "unsupported",
      message: "f.txt: its encoding, iso88591, cannot represent the character → (U+2192). Nothing was changed.",
      hint: expect.stringContaining("files.encoding") as string,
    });
    expect(await ws.bytes("f.txt")).toEqual(before);
  });

  test("bytes that the encoding does not have", async () => {
    const before = bytes([0x93, 0x0a, 0xff], "\n");
    const ws = await openWorkspace({ ".vscode/settings.json": settings("shiftjis"), "f.txt": before });
    expect(
      failed(await ws.call("edit", { path: "f.txt", old_text: "\n", new_text: "x", replace_all: true })),
    ).toMatchObject({
      type: "unsupported",
      message: /not valid shiftjis/,
    });
    expect(await ws.bytes("f.txt")).toEqual(before);
  });

  test("Latin-1 in a folder that does not name it, with the way out", async () => {
    const before = bytes("größe\n");
    const ws = await openWorkspace({ "f.txt": before });
    expect(failed(await ws.call("edit", { path: "f.txt", old_text: "r", new_text: "R" }))).toMatchObject({
      type: "unsupported",
      hint: expect.stringContaining("files.encoding in the folder's VS Code settings, such as windows1252") as string,
    });
    expect(await ws.bytes("f.txt")).toEqual(before);
  });
});
