import { chmod, chown, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CreateStep } from "../../../src/hosts/shared/disk.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { asOrdinaryUser, failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

interface WriteData {
  path: string;
  bytes: number;
  created: boolean;
  changed: boolean;
  saved: boolean;
}

const bom = (text: string): Buffer => Buffer.from(`\uFEFF${text}`);
const utf16le = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
const utf16be = (text: string): Buffer => utf16le(text).swap16();

describe.each(hosts)("on the %s host", (host) => {
  describe("what is written", () => {
    const cases: {
      name: string;
      files?: FileTree;
      input: { path: string; content: unknown; on_conflict?: string };
      bytes: string | Buffer;
      text: string;
      data: Partial<WriteData>;
    }[] = [
      {
        name: "a new file",
        input: { path: "a.ts", content: "é\n" },
        bytes: "é\n",
        text: "Wrote 3 bytes to a.ts (new file).",
        data: { path: "a.ts", bytes: 3, created: true, changed: true, saved: true },
      },
      {
        name: "a new file with on_conflict=error",
        input: { path: "a.ts", content: "x", on_conflict: "error" },
        bytes: "x",
        text: "Wrote 1 byte to a.ts (new file).",
        data: { created: true },
      },
      {
        name: "an empty new file",
        input: { path: "a.ts", content: "" },
        bytes: "",
        text: "Wrote 0 bytes to a.ts (new file).",
        data: { bytes: 0, created: true, changed: true },
      },
      {
        name: "a folder on the way",
        files: { "src/x": "" },
        input: { path: "src/new/a.ts", content: "x" },
        bytes: "x",
        text: "Wrote 1 byte to src/new/a.ts (new file).\nCreated the folder src/new.",
        data: { path: "src/new/a.ts" },
      },
      {
        name: "folders on the way",
        input: { path: "./a/b/../b/c.ts", content: "x" },
        bytes: "x",
        text: "Wrote 1 byte to a/b/c.ts (new file).\nCreated the folders a, a/b.",
        data: { path: "a/b/c.ts" },
      },
      {
        name: "line endings of a new file as given",
        input: { path: "a.ts", content: "a\r\nb\n" },
        bytes: "a\r\nb\n",
        text: "Wrote 5 bytes to a.ts (new file).",
        data: {},
      },
      {
        name: "a byte order mark of a new file as given",
        input: { path: "a.ts", content: "\uFEFFa" },
        bytes: bom("a"),
        text: "Wrote 4 bytes to a.ts (new file).",
        data: {},
      },
      {
        name: "an existing file",
        files: { "a.ts": "old\n" },
        input: { path: "a.ts", content: "new\n" },
        bytes: "new\n",
        text: "Wrote 4 bytes to a.ts (overwritten).",
        data: { bytes: 4, created: false, changed: true, saved: true },
      },
      {
        name: "an empty existing file",
        files: { "a.ts": "" },
        input: { path: "a.ts", content: "a\r\n" },
        bytes: "a\r\n",
        text: "Wrote 3 bytes to a.ts (overwritten).",
        data: { created: false },
      },
      {
        name: "nothing in place of a text",
        files: { "a.ts": "old\n" },
        input: { path: "a.ts", content: "" },
        bytes: "",
        text: "Wrote 0 bytes to a.ts (overwritten).",
        data: { bytes: 0, changed: true },
      },
      {
        name: "the file's CRLF",
        files: { "a.ts": "a\r\nb\r\n" },
        input: { path: "a.ts", content: "a\nc\n" },
        bytes: "a\r\nc\r\n",
        text: "Wrote 6 bytes to a.ts (overwritten).\nLine endings were written as CRLF, to match the file.",
        data: { bytes: 6 },
      },
      {
        name: "the file's LF",
        files: { "a.ts": "a\n" },
        input: { path: "a.ts", content: "a\r\nc\r\n" },
        bytes: "a\nc\n",
        text: "Wrote 4 bytes to a.ts (overwritten).\nLine endings were written as LF, to match the file.",
        data: { bytes: 4 },
      },
      {
        name: "CRLF given for CRLF, nothing to say",
        files: { "a.ts": "a\r\n" },
        input: { path: "a.ts", content: "c\r\n" },
        bytes: "c\r\n",
        text: "Wrote 3 bytes to a.ts (overwritten).",
        data: {},
      },
      {
        name: "as given where the file mixes line endings",
        files: { "a.ts": "a\r\nb\n" },
        input: { path: "a.ts", content: "x\ny\r\n" },
        bytes: "x\ny\r\n",
        text: "Wrote 5 bytes to a.ts (overwritten).",
        data: {},
      },
      {
        name: "as given where the file has one line",
        files: { "a.ts": "a" },
        input: { path: "a.ts", content: "x\r\n" },
        bytes: "x\r\n",
        text: "Wrote 3 bytes to a.ts (overwritten).",
        data: {},
      },
      {
        name: "the file's byte order mark",
        files: { "a.ts": bom("a") },
        input: { path: "a.ts", content: "b" },
        bytes: bom("b"),
        text: "Wrote 1 byte to a.ts (overwritten).",
        data: {},
      },
      {
        name: "one mark where both bring one",
        files: { "a.ts": bom("a") },
        input: { path: "a.ts", content: "\uFEFFb" },
        bytes: bom("b"),
        text: "Wrote 1 byte to a.ts (overwritten).",
        data: {},
      },
      {
        name: "the file's UTF-16, little endian",
        files: { "a.ts": utf16le("a") },
        input: { path: "a.ts", content: "é😀" },
        bytes: utf16le("é😀"),
        text: "Wrote 6 bytes to a.ts (overwritten).",
        data: { bytes: 6 },
      },
      {
        name: "the file's UTF-16, big endian",
        files: { "a.ts": utf16be("a") },
        input: { path: "a.ts", content: "é" },
        bytes: utf16be("é"),
        text: "Wrote 2 bytes to a.ts (overwritten).",
        data: {},
      },
      {
        name: "the same text: nothing",
        files: { "a.ts": "a\n" },
        input: { path: "a.ts", content: "a\n" },
        bytes: "a\n",
        text: "a.ts already has exactly this text: nothing was written.",
        data: { bytes: 2, created: false, changed: false, saved: true },
      },
      {
        name: "the same lines in the file's own endings: nothing",
        files: { "a.ts": "a\r\nb\r\n" },
        input: { path: "a.ts", content: "a\nb\n" },
        bytes: "a\r\nb\r\n",
        text: "a.ts already has exactly this text: nothing was written.",
        data: { changed: false },
      },
      {
        name: "names with blanks, emoji, newlines and dashes",
        input: { path: "-a b/😀\n[x].ts", content: "x" },
        bytes: "x",
        text: 'Wrote 1 byte to "-a b/😀\\n[x].ts" (new file).\nCreated the folder -a b.',
        data: { path: "-a b/😀\n[x].ts" },
      },
      {
        name: "a JSON file given as an object",
        input: { path: "package.json", content: { name: "x", list: [1, { deep: null }] } },
        bytes: '{\n  "name": "x",\n  "list": [\n    1,\n    {\n      "deep": null\n    }\n  ]\n}\n',
        text: "Wrote 73 bytes to package.json (new file).\ncontent was an object: it was written as JSON, indented by 2 spaces.",
        data: { bytes: 73, created: true },
      },
      {
        name: "an array with the file's tabs, CRLF and end",
        files: { ".eslintrc": '[\r\n\t"old"\r\n]' },
        input: { path: ".eslintrc", content: ["é"] },
        bytes: '[\r\n\t"é"\r\n]',
        text: "Wrote 11 bytes to .eslintrc (overwritten).\ncontent was an array: it was written as JSON, indented by 1 tab.\nLine endings were written as CRLF, to match the file.",
        data: { bytes: 11 },
      },
      {
        name: "10 MB",
        input: { path: "a.ts", content: "x".repeat(10_000_000) },
        bytes: "x".repeat(10_000_000),
        text: "Wrote 10000000 bytes to a.ts (new file).",
        data: { bytes: 10_000_000 },
      },
    ];
    test.each(cases)("$name", async ({ files = {}, input, bytes, text, data }) => {
      const workspace = await openWorkspace(files, { host });
      const answer = result<WriteData>(await workspace.call("write", input));
      expect(answer.text).toBe(text);
      expect(answer.data).toMatchObject(data);
      expect((await workspace.bytes(answer.data.path)).equals(Buffer.from(bytes))).toBe(true);
      expect((await workspace.names()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    });

    test("what was written is read, and can be written again", async () => {
      const { call } = await openWorkspace({}, { host });
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(fc.string({ unit: "grapheme", maxLength: 12 }), fc.constant("\n"))),
          async (parts) => {
            const content = parts.join("").replaceAll(/[\r\0\uFEFF]/g, "");
            result(await call("write", { path: "d/f.txt", content }));
            const lines = content.split("\n");
            expect(result<{ content: string }>(await call("read", { path: "d/f.txt" })).data.content).toBe(
              (lines.at(-1) === "" ? lines.slice(0, -1) : lines).join("\n"),
            );
          },
        ),
        { numRuns: 40 },
      );
    });

    test("through a link, its target; below a linked folder, there", async () => {
      const workspace = await openWorkspace({ "real/a.ts": "old" }, { host });
      await workspace.link("link.ts", "real/a.ts");
      await workspace.link("folder", "real");
      expect(result<WriteData>(await workspace.call("write", { path: "link.ts", content: "new" })).data).toMatchObject({
        path: "link.ts",
        created: false,
      });
      expect(
        result<WriteData>(await workspace.call("write", { path: "folder/b.ts", content: "b" })).data,
      ).toMatchObject({ path: "folder/b.ts", created: true });
      expect(String(await workspace.bytes("real/a.ts"))).toBe("new");
      expect(await workspace.names("real")).toEqual(["a.ts", "b.ts"]);
      expect(await workspace.names()).toEqual(["folder", "link.ts", "real"]);
    });
  });

  describe("what is refused, everything as it was", () => {
    const cases: { name: string; input: object; type: string; message: string | RegExp; hint?: string | RegExp }[] = [
      {
        name: "an existing file with on_conflict=error",
        input: { path: "a.ts", on_conflict: "error" },
        type: "path_conflict",
        message: "a.ts already exists. Nothing was written.",
        hint: /on_conflict=overwrite/,
      },
      {
        name: "a binary file",
        input: { path: "bin" },
        type: "binary",
        message: "bin is a binary file, not text. It is not overwritten.",
        hint: /another path/,
      },
      {
        name: "bytes in no encoding we know",
        input: { path: "latin1" },
        type: "unsupported",
        message: /^latin1 is not valid utf8.* It is not overwritten\.$/,
        hint: /another path/,
      },
      { name: "a folder", input: { path: "src" }, type: "is_directory", message: "src is a folder, not a file." },
      { name: "the workspace", input: { path: "." }, type: "is_directory", message: ". is a folder, not a file." },
      {
        name: "a name that ends in /",
        input: { path: "new/" },
        type: "invalid_input",
        message: "new/: names a folder, not a file.",
        hint: /path of a file/,
      },
      {
        name: "below a file",
        input: { path: "a.ts/x" },
        type: "path_conflict",
        message: "a.ts/x: a.ts is a file, so nothing can be written below it.",
      },
      {
        name: "far below a file",
        input: { path: "a.ts/b/c/x" },
        type: "path_conflict",
        message: "a.ts/b/c/x: a.ts is a file, so nothing can be written below it.",
      },
      { name: "a pipe", input: { path: "pipe" }, type: "unsupported", message: /^pipe is a pipe.*not opened\.$/ },
      {
        name: "a link that leads nowhere",
        input: { path: "broken" },
        type: "not_found",
        message: /^broken is a link whose target/,
      },
      {
        name: "a link in a circle",
        input: { path: "circle" },
        type: "io_error",
        message: "circle: its links form a cycle.",
      },
      {
        name: "a link to outside",
        input: { path: "to-file" },
        type: "outside_workspace",
        message: /^"to-file": it is a link/,
      },
      {
        name: "new below a link to outside",
        input: { path: "to-folder/new/x.ts" },
        type: "outside_workspace",
        message: /^"to-folder\/new\/x\.ts": it is a link/,
      },
      { name: "outside", input: { path: "../x.ts" }, type: "outside_workspace", message: /leads out/ },
      {
        name: "half a character",
        input: { path: "b.ts", content: "a\ud83d" },
        type: "invalid_input",
        message: "b.ts: content contains an unpaired surrogate. Nothing was written.",
      },
      {
        name: "an object for a file that is not JSON",
        input: { path: "a.yaml", content: { a: 1 } },
        type: "invalid_input",
        message: "a.yaml: content is an object, and this is not a JSON file. Nothing was written.",
        hint: /as a string/,
      },
      {
        name: "an array for JSON Lines",
        input: { path: "a.jsonl", content: [1] },
        type: "invalid_input",
        message: /content is an array/,
      },
      {
        name: "a number that was not read exactly",
        input: { path: "a.json", content: { id: [12345678901234567890n].map(Number) } },
        type: "invalid_input",
        message:
          "write: content: a number in it was not read exactly (it became 12345678901234567000): give the file's text as a string.",
      },
      {
        name: "a number as content",
        input: { path: "a.json", content: 5 },
        type: "invalid_input",
        message: "write: content: expected string, got number 5.",
      },
      {
        name: "NUL",
        input: { path: "b.ts", content: "a\0" },
        type: "invalid_input",
        message: /^b\.ts: content contains a NUL character/,
      },
      {
        name: "more than 10 MB",
        input: { path: "b.ts", content: "x".repeat(10_000_001) },
        type: "too_large",
        message: /^b\.ts: content has at least 10000001 bytes; at most 10000000 are allowed/,
      },
      {
        name: "more than 10 MB in bytes",
        input: { path: "b.ts", content: "é".repeat(5_000_001) },
        type: "too_large",
        message: /^b\.ts: content has 10000002 bytes/,
      },
      {
        name: "a name too long",
        input: { path: `${"n".repeat(256)}` },
        type: "invalid_input",
        message: /: the name is too long for the file system\.$/,
      },
      {
        name: "a folder's name too long",
        input: { path: `d/${"n".repeat(256)}/x` },
        type: "invalid_input",
        message: /: the name is too long for the file system\.$/,
      },
      {
        name: "no content",
        input: { path: "b.ts", content: undefined },
        type: "invalid_input",
        message: /^write: content: required/,
      },
      {
        name: "another word for a conflict",
        input: { path: "b.ts", on_conflict: "append" },
        type: "invalid_input",
        message: /^write: on_conflict: /,
      },
    ];
    test.each(cases)("$name", async ({ input, type, message, hint }) => {
      const workspace = await openWorkspace(
        { "a.ts": "old", bin: Buffer.from([1, 0, 2]), latin1: Buffer.from([0xe9, 0x0a]), "src/x": "" },
        { host, outside: { "o.ts": "outside" } },
      );
      await workspace.makePipe("pipe");
      for (const [link, target] of [
        ["broken", "nowhere"],
        ["circle", "circle"],
        ["to-file", join(workspace.outside, "o.ts")],
        ["to-folder", workspace.outside],
      ] as const) {
        await workspace.link(link, target);
      }
      const names = await workspace.names();
      const error = failed(await workspace.call("write", { content: "new", ...input }));
      expect(error.type).toBe(type);
      expect(error.message).toMatch(message);
      expect(JSON.stringify(error)).not.toContain(workspace.folder);
      if (hint !== undefined) {
        expect(error.hint).toMatch(hint);
      }
      expect(await workspace.names()).toEqual(names);
      expect(await workspace.names(workspace.outside)).toEqual(["o.ts"]);
      expect(String(await workspace.bytes("a.ts"))).toBe("old");
      expect(String(await workspace.bytes(join(workspace.outside, "o.ts")))).toBe("outside");
    });
  });

  describe("a model's write", () => {
    const input = { path: "a.ts", content: "new\n" };

    test("of a new file asks with its content", async () => {
      const { call, asked, bytes } = await openWorkspace({}, { host });
      result(await call("write", input, { as: "model", answer: true }));
      expect(asked).toMatchObject([
        {
          tool: "write",
          title: "Write a.ts",
          reasons: ["Changes a.ts."],
          detail: { language: "text", text: "new\n" },
        },
      ]);
      expect(String(await bytes("a.ts"))).toBe("new\n");
    });

    test("of an existing one asks with the diff, and writes what was shown", async () => {
      const { call, asked, bytes } = await openWorkspace({ "a.ts": "old\r\nkept\r\n" }, { host });
      result(await call("write", { path: "a.ts", content: "new\nkept\n" }, { as: "model", answer: true }));
      expect(asked[0]?.detail).toMatchObject({
        language: "diff",
        text: expect.stringMatching(/^@@ .* @@\n-old\r?\n\+new\r?\n kept\r?/) as string,
      });
      expect(String(await bytes("a.ts"))).toBe("new\r\nkept\r\n");
    });

    test.each([false, undefined])("does nothing when the answer is %s", async (answer) => {
      const { call, names } = await openWorkspace({}, { host });
      expect(
        failed(
          await call(
            "write",
            { path: "d/a.ts", content: "x" },
            { as: "model", mode: "ask", ...(answer === undefined ? {} : { answer }) },
          ),
        ).type,
      ).toBe("denied");
      expect(await names()).toEqual([]);
    });

    test("a file that changes between question and answer is stale and as the other left it", async () => {
      const { call, put, bytes } = await openWorkspace({ "a.ts": "old\n" }, { host });
      const answer = async (): Promise<boolean> => (await put("a.ts", "by another\n"), true);
      expect(failed(await call("write", input, { as: "model", answer }))).toMatchObject({
        type: "stale",
        message: "a.ts has changed since it was last read. Nothing was written.",
      });
      expect(String(await bytes("a.ts"))).toBe("by another\n");
    });

    test("a file that comes into being between question and answer is not overwritten", async () => {
      const { call, put, bytes, names } = await openWorkspace({}, { host });
      const answer = async (): Promise<boolean> => (await put("a.ts", "by another\n"), true);
      expect(failed(await call("write", input, { as: "model", answer }))).toMatchObject({
        type: "path_conflict",
        message: "a.ts already exists. Nothing was written.",
      });
      expect(String(await bytes("a.ts"))).toBe("by another\n");
      expect(await names()).toEqual(["a.ts"]);
    });

    test("a file that goes away between question and answer is not made anew", async () => {
      const { call, remove, names } = await openWorkspace({ "a.ts": "old\n" }, { host });
      const answer = async (): Promise<boolean> => (await remove("a.ts"), true);
      expect(failed(await call("write", input, { as: "model", answer }))).toMatchObject({ type: "not_found" });
      expect(await names()).toEqual([]);
    });

    test("a folder that becomes a file meanwhile", async () => {
      const { call, remove, put, names } = await openWorkspace({ "d/x": "" }, { host });
      const answer = async (): Promise<boolean> => (await remove("d"), await put("d", "a file"), true);
      expect(failed(await call("write", { path: "d/sub/a.ts", content: "x" }, { as: "model", answer }))).toMatchObject({
        type: "path_conflict",
        message: "d/sub/a.ts: one of its folders is a file. Nothing was written.",
      });
      expect(await names()).toEqual(["d"]);
    });

    test("a folder that becomes a link to outside meanwhile leads nobody there", async () => {
      const { call, remove, link, names, outside } = await openWorkspace(
        { "d/x": "", "e/x": "", "f/a.ts": "old" },
        { host, outside: { "a.ts": "outside" } },
      );
      for (const path of ["d/a.ts", "e/sub/a.ts", "f/a.ts"]) {
        const folder = path.slice(0, 1);
        const answer = async (): Promise<boolean> => (await remove(folder), await link(folder, outside), true);
        const outcome = await call("write", { path, content: "x" }, { as: "model", answer });
        expect(failed(outcome).type, path).toMatch(/^(stale|outside_workspace)$/);
      }
      expect(await names(outside)).toEqual(["a.ts"]);
    });

    test("of 8 writes of one new file one makes it", async () => {
      const { call, bytes, names } = await openWorkspace({}, { host });
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          call("write", { path: "d/a.ts", content: `${index}`, on_conflict: "error" }),
        ),
      );
      const made = outcomes.flatMap((outcome, index) => (outcome.ok ? [index] : []));
      expect(made.length).toBe(1);
      expect(String(await bytes("d/a.ts"))).toBe(`${made[0]}`);
      expect(outcomes.every((outcome) => outcome.ok || outcome.error.type === "path_conflict")).toBe(true);
      expect(await names("d")).toEqual(["a.ts"]);
    });
  });

  test.each([["package.json"], [".vscode/settings.json"], [".env"], [".github/workflows/x.yml"]])(
    "%s is told to be protected",
    async (path) => {
      const { call, asked, names } = await openWorkspace({}, { host });
      expect(failed(await call("write", { path, content: "x" }, { as: "model", answer: false })).type).toBe("denied");
      expect(asked[0]?.reasons[0]).toMatch(/which is protected/);
      expect(await names()).toEqual([]);
    },
  );
});

describe("on a disk", () => {
  test.each([0o755, 0o600, 0o4755])("the mode of an existing file stays: %o", async (mode) => {
    const { folder, call } = await openWorkspace({ "f.sh": "a" });
    await chmod(join(folder, "f.sh"), mode);
    result(await call("write", { path: "f.sh", content: "b" }));
    expect((await stat(join(folder, "f.sh"))).mode & 0o7777).toBe(mode);
  });

  test("a new file has the mode that others get", async () => {
    const { folder, call } = await openWorkspace();
    await writeFile(join(folder, "other"), "");
    result(await call("write", { path: "f", content: "b" }));
    expect((await stat(join(folder, "f"))).mode).toBe((await stat(join(folder, "other"))).mode);
  });

  test("a folder that may not be written in, and nothing is left", async () => {
    const { folder, call } = await openWorkspace({ "d/x": "" });
    if (process.geteuid?.() === 0) {
      await chown(join(folder, "d"), 65_534, 65_534);
    }
    await chmod(join(folder, "d"), 0o555);
    const outcomes = await asOrdinaryUser(() =>
      Promise.all(["d/a.ts", "d/new/a.ts"].map((path) => call("write", { path, content: "x" }))),
    );
    await chmod(join(folder, "d"), 0o755);
    expect(outcomes.map((outcome) => failed(outcome))).toMatchObject([
      { type: "io_error", message: "d/a.ts: the system does not permit it." },
      { type: "io_error", message: "d/new/a.ts: the system does not permit it." },
    ]);
    expect(await readdir(join(folder, "d"))).toEqual(["x"]);
  });

  test("folders made for a file that came to nothing are taken back, others stay", async () => {
    const disk = new (class extends NodeDisk {
      override stageCreate(path: string): Promise<CreateStep> {
        // What no disk can write.
        return super.stageCreate(path, undefined as unknown as Uint8Array);
      }
    })();
    const { folder, call } = await openWorkspace({ "d/x": "" }, { disk });
    expect(failed(await call("write", { path: "d/e/f/a.ts", content: "x" })).type).toBe("io_error");
    expect(await readdir(join(folder, "d"))).toEqual(["x"]);
  });
});

test("a change that adds such lines is made, and said; lines that were there are not", async () => {
  const before = "all:\n    echo a\n";
  const adds = { old_text: "    echo a\n", new_text: "    echo a\n    echo b\n" };
  for (const [tool, input] of [
    ["edit", { path: "Makefile", ...adds }],
    ["multi_edit", { edits: [{ path: "Makefile", ...adds }] }],
    [
      "apply_patch",
      { patch: "*** Begin Patch\n*** Update File: Makefile\n@@\n     echo a\n+    echo b\n*** End Patch" },
    ],
  ] as const) {
    const { call } = await openWorkspace({ Makefile: before });
    expect(result(await call(tool, input)).text).toContain(
      "make needs a tab where recipe lines begin with spaces: line 3.",
    );
    expect(result(await call("edit", { path: "Makefile", old_text: "all:", new_text: "all: x" })).text).not.toContain(
      "make needs",
    );
  }
});

test("a makefile whose recipes begin with spaces is written, and said", async () => {
  const { call, bytes } = await openWorkspace({ Makefile: "all:\n\tgcc a.c\n" });
  const content = "all:\n    gcc a.c\n";
  expect(result(await call("write", { path: "Makefile", content })).text).toContain(
    "make needs a tab where recipe lines begin with spaces: line 2.",
  );
  expect(String(await bytes("Makefile"))).toBe(content);
});
