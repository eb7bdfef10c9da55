import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ioError } from "../../../src/hosts/node/disk/diskErrors.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

interface WriteData {
  path: string;
  bytes: number;
  created: boolean;
  changed: boolean;
}

const STORE = ".toolhost/context";
const bom = (text: string): Buffer => Buffer.from(`\uFEFF${text}`);

describe.each(hosts)("context_write on the %s host", (host) => {
  describe("keeps", () => {
    const cases: {
      name: string;
      files?: FileTree;
      input: { path?: string; logical_path?: string; content: string; on_conflict?: string };
      file: string;
      bytes: string | Buffer;
      text: string;
      data: Partial<WriteData>;
    }[] = [
      {
        name: "a text",
        input: { path: "notes/a.md", content: "é\n" },
        file: "notes/a.md",
        bytes: "é\n",
        text: "Stored 3 bytes as notes/a.md (new).",
        data: { path: "notes/a.md", bytes: 3, created: true, changed: true },
      },
      {
        name: "a text under another system's name for the path",
        input: { logical_path: "\\notes\\a.md", content: "x" },
        file: "notes/a.md",
        bytes: "x",
        text: "Stored 1 byte as notes/a.md (new).",
        data: { path: "notes/a.md" },
      },
      {
        name: "nothing",
        input: { path: "/a", content: "" },
        file: "a",
        bytes: "",
        text: "Stored 0 bytes as a (new).",
        data: { bytes: 0, created: true },
      },
      {
        name: "line ends as given",
        input: { path: "a", content: "a\r\nb\n" },
        file: "a",
        bytes: "a\r\nb\n",
        text: "Stored 5 bytes as a (new).",
        data: {},
      },
      {
        name: "what overwrites",
        files: { [`${STORE}/a`]: "old\r\n" },
        input: { path: "a", content: "new\n", on_conflict: "overwrite" },
        file: "a",
        bytes: "new\n",
        text: "Stored 4 bytes as a (overwritten).",
        data: { created: false, changed: true },
      },
      {
        name: "the file's byte order mark",
        files: { [`${STORE}/a`]: bom("old") },
        input: { path: "a", content: "new", on_conflict: "overwrite" },
        file: "a",
        bytes: bom("new"),
        text: "Stored 3 bytes as a (overwritten).",
        data: {},
      },
      {
        name: "what stands there already",
        files: { [`${STORE}/a`]: "same" },
        input: { path: "a", content: "same", on_conflict: "overwrite" },
        file: "a",
        bytes: "same",
        text: "a already has exactly this text: nothing was written.",
        data: { changed: false, created: false },
      },
      {
        name: "a composed name",
        input: { path: "cafe\u0301.md", content: "x" },
        file: "café.md",
        bytes: "x",
        text: "Stored 1 byte as café.md (new).",
        data: { path: "café.md" },
      },
    ];
    test.each(cases)("$name", async ({ files = {}, input, file, bytes, text, data }) => {
      const workspace = await openWorkspace(files, { host });
      const answer = result<WriteData>(await workspace.call("context_write", input));
      expect(answer.text).toBe(text);
      expect(answer.data).toMatchObject(data);
      expect((await workspace.bytes(`${STORE}/${file}`)).equals(Buffer.from(bytes))).toBe(true);
    });
  });

  test("makes the .gitignore that keeps the store out of Git with the first write, and again when it is gone", async () => {
    const workspace = await openWorkspace({}, { host });
    result(await workspace.call("context_write", { path: "a", content: "1" }));
    expect(String(await workspace.bytes(`${STORE}/.gitignore`))).toBe("*\n");
    await workspace.put(`${STORE}/.gitignore`, "*\n!keep.md\n");
    result(await workspace.call("context_write", { path: "b", content: "1" }));
    expect(String(await workspace.bytes(`${STORE}/.gitignore`))).toBe("*\n!keep.md\n");
    await workspace.remove(`${STORE}/.gitignore`);
    result(await workspace.call("context_write", { path: "c", content: "1" }));
    expect(String(await workspace.bytes(`${STORE}/.gitignore`))).toBe("*\n");
  });

  describe("refuses, everything as it was:", () => {
    const cases: { name: string; input: object; type: string; message: RegExp; hint?: RegExp }[] = [
      {
        name: "a path that is taken",
        input: { path: "a.md" },
        type: "path_conflict",
        message: /^a\.md already exists in the context store\. Nothing was written\.$/,
        hint: /Read \.toolhost\/context\/.*on_conflict='overwrite'/,
      },
      {
        name: "the same with on_conflict=error",
        input: { path: "a.md", on_conflict: "error" },
        type: "path_conflict",
        message: /^a\.md already exists/,
      },
      {
        name: "a folder",
        input: { path: "dir", on_conflict: "overwrite" },
        type: "is_directory",
        message: /^dir is a folder/,
        hint: /context_tree/,
      },
      {
        name: "below a file",
        input: { path: "a.md/x" },
        type: "path_conflict",
        message: /^a\.md\/x: one of its folders is a file/,
      },
      {
        name: "a binary file",
        input: { path: "bin", on_conflict: "overwrite" },
        type: "binary",
        message: /^bin is a binary file, not text\. It is not overwritten\.$/,
        hint: /context_delete bin/,
      },
      {
        name: "bytes that are no UTF-8",
        input: { path: "latin1", on_conflict: "overwrite" },
        type: "unsupported",
        message: /^latin1 is not valid utf8.*It is not overwritten\.$/,
        hint: /context_delete latin1/,
      },
      {
        name: "a pipe",
        input: { path: "pipe", on_conflict: "overwrite" },
        type: "unsupported",
        message: /^pipe is a pipe.*not opened\.$/,
      },
      {
        name: "a link to a file of the workspace",
        input: { path: "link", on_conflict: "overwrite" },
        type: "unsupported",
        message: /^link is a link/,
        hint: /src\/x\.ts/,
      },
      {
        name: "a file behind a linked folder",
        input: { path: "linked/new" },
        type: "unsupported",
        message: /^linked\/new is a link or below one/,
      },
      {
        name: "a link to outside",
        input: { path: "out/new" },
        type: "outside_workspace",
        message: /it is a link, or is below one, that leads out/,
      },
      {
        name: "a path that leads out",
        input: { path: "../../src/x.ts", on_conflict: "overwrite" },
        type: "invalid_input",
        message: /\.\. leaves a folder/,
        hint: /notes\/meeting\.md/,
      },
      {
        name: "the store's own file",
        input: { path: ".gitignore", on_conflict: "overwrite" },
        type: "invalid_input",
        message: /own \.gitignore/,
      },
      { name: "an empty path", input: { path: "" }, type: "invalid_input", message: /an empty path/ },
      {
        name: "half a character",
        input: { path: "b", content: "a\ud83d" },
        type: "invalid_input",
        message: /^b: content contains an unpaired surrogate/,
        hint: /plain characters/,
      },
      {
        name: "NUL",
        input: { path: "b", content: "a\0" },
        type: "invalid_input",
        message: /^b: content contains a NUL/,
      },
      {
        name: "more than 10 MB",
        input: { path: "b", content: "x".repeat(10_000_001) },
        type: "too_large",
        message: /at least 10000001 bytes; at most 10000000 are allowed/,
        hint: /pipe/,
      },
      {
        name: "more than 10 MB in bytes",
        input: { path: "b", content: "é".repeat(5_000_001) },
        type: "too_large",
        message: /has 10000002 bytes/,
      },
      {
        name: "no content",
        input: { path: "b", content: undefined },
        type: "invalid_input",
        message: /^context_write: content: required/,
      },
      {
        name: "another word for a conflict",
        input: { path: "b", on_conflict: "append" },
        type: "invalid_input",
        message: /on_conflict/,
      },
    ];
    test.each(cases)("$name", async ({ input, type, message, hint }) => {
      const workspace = await openWorkspace(
        {
          [`${STORE}/a.md`]: "old",
          [`${STORE}/dir/x`]: "x",
          [`${STORE}/bin`]: Buffer.from([1, 0, 2]),
          [`${STORE}/latin1`]: Buffer.from([0xe9]),
          "src/x.ts": "source",
        },
        { host, outside: { "o.ts": "outside" } },
      );
      await workspace.makePipe(`${STORE}/pipe`);
      await workspace.link(`${STORE}/link`, `${workspace.folder}/src/x.ts`);
      await workspace.link(`${STORE}/linked`, `${workspace.folder}/src`);
      await workspace.link(`${STORE}/out`, workspace.outside);
      const names = await workspace.names(STORE);
      const error = failed(await workspace.call("context_write", { content: "new", ...input }));
      expect([error.type, error.message]).toEqual([type, expect.stringMatching(message)]);
      if (hint !== undefined) {
        expect(error.hint).toMatch(hint);
      }
      expect(JSON.stringify(error)).not.toContain(workspace.folder);
      expect(await workspace.names(STORE)).toEqual(names);
      expect(await workspace.names("src")).toEqual(["x.ts"]);
      expect([String(await workspace.bytes(`${STORE}/a.md`)), String(await workspace.bytes("src/x.ts"))]).toEqual([
        "old",
        "source",
      ]);
      expect(await workspace.names(workspace.outside)).toEqual(["o.ts"]);
    });
  });

  test("refuses to overwrite what is larger than 20 MB", async () => {
    const workspace = await openWorkspace({ [`${STORE}/big`]: Buffer.alloc(20_000_001, "x") }, { host });
    const error = failed(
      await workspace.call("context_write", { path: "big", content: "new", on_conflict: "overwrite" }),
    );
    expect(error).toMatchObject({
      type: "too_large",
      message: expect.stringMatching(/^big has 20000001 bytes; at most 20000000/) as string,
      hint: expect.stringMatching(/another path/) as string,
    });
  });

  describe("permission", () => {
    test("is not asked for a new file, nor to overwrite one that was not read", async () => {
      const workspace = await openWorkspace({ [`${STORE}/a`]: "old" }, { host });
      for (const reads of ["must", "ask"] as const) {
        result(await workspace.call("context_write", { path: `new-${reads}`, content: "x" }, { as: "model", reads }));
        result(
          await workspace.call(
            "context_write",
            { path: "a", content: reads, on_conflict: "overwrite" },
            { as: "model", reads },
          ),
        );
      }
      expect(workspace.asked).toEqual([]);
      expect(String(await workspace.bytes(`${STORE}/a`))).toBe("ask");
    });

    test("in mode ask, shows the path in the workspace and the difference, and writes what was shown", async () => {
      const workspace = await openWorkspace({ [`${STORE}/a`]: "old\n" }, { host });
      result(
        await workspace.call(
          "context_write",
          { path: "a", content: "new\n", on_conflict: "overwrite" },
          { as: "model", answer: true },
        ),
      );
      expect(workspace.asked).toMatchObject([
        {
          title: "Store a in the context store",
          reasons: [`Changes ${STORE}/a.`],
          detail: { language: "diff", text: expect.stringContaining("-old\n+new") as string },
        },
      ]);
      expect(String(await workspace.bytes(`${STORE}/a`))).toBe("new\n");
    });

    test("in mode ask, does not write over what changed while the question stood", async () => {
      const workspace = await openWorkspace({ [`${STORE}/a`]: "old\n" }, { host });
      const answer = async (): Promise<boolean> => {
        await workspace.put(`${STORE}/a`, "by hand\n");
        return true;
      };
      expect(
        failed(
          await workspace.call(
            "context_write",
            { path: "a", content: "new\n", on_conflict: "overwrite" },
            { as: "model", answer },
          ),
        ).type,
      ).toBe("stale");
      expect(String(await workspace.bytes(`${STORE}/a`))).toBe("by hand\n");
    });

    test.each([
      { mode: "plan" as const, trusted: true },
      { mode: "default" as const, trusted: false },
    ])("is refused in mode $mode, trusted $trusted", async ({ mode, trusted }) => {
      const workspace = await openWorkspace({}, { host, trusted });
      expect(["denied", "untrusted"]).toContain(
        failed(await workspace.call("context_write", { path: "a", content: "x" }, { as: "model", mode })).type,
      );
      expect(await workspace.names()).toEqual([]);
    });

    test("asks each time about a file that may hold secrets", async () => {
      const workspace = await openWorkspace({}, { host });
      expect(
        failed(
          await workspace.call(
            "context_write",
            { path: ".env", content: "KEY=1" },
            { as: "model", answer: false, mode: "default" },
          ),
        ).type,
      ).toBe("denied");
      expect(workspace.asked).toHaveLength(1);
    });
  });

  test("undo takes the write back, and the store that it made", async () => {
    const workspace = await openWorkspace({ "a.ts": "" }, { host });
    const session = randomUUID();
    result(await workspace.call("context_write", { path: "notes/a.md", content: "1" }, { session, turn: "one" }));
    result(
      await workspace.call(
        "context_write",
        { path: "notes/a.md", content: "2", on_conflict: "overwrite" },
        { session, turn: "two" },
      ),
    );
    const undo = (turn: string): Promise<unknown> =>
      workspace.changes.undo(
        { session, turn, callId: randomUUID(), door: "api", summary: "" },
        { turn, session },
        workspace.files,
        new AbortController().signal,
      );
    await undo("two");
    expect(String(await workspace.bytes(`${STORE}/notes/a.md`))).toBe("1");
    await undo("one");
    expect(await workspace.names()).toEqual(["a.ts"]);
  });

  describe("two writers at once", () => {
    test("of one new path: one is kept, the other is told", async () => {
      const workspace = await openWorkspace({}, { host });
      const outcomes = await Promise.all(
        [..."abcdefgh"].map((content) => workspace.call("context_write", { path: "same", content })),
      );
      const kept = outcomes.filter(({ ok }) => ok);
      expect(kept).toHaveLength(1);
      expect(outcomes.filter(({ ok }) => !ok).map((outcome) => [failed(outcome).type, failed(outcome).hint])).toEqual(
        Array(7).fill(["path_conflict", expect.stringContaining("on_conflict='overwrite'")]),
      );
      expect("abcdefgh").toContain(String(await workspace.bytes(`${STORE}/same`)));
    });

    test("of different paths in a store that is not there yet: all are kept, with one .gitignore", async () => {
      const workspace = await openWorkspace({}, { host });
      const outcomes = await Promise.all(
        [..."abcdefgh"].map((name) => workspace.call("context_write", { path: `notes/${name}`, content: name })),
      );
      expect(outcomes.map(({ ok }) => ok)).toEqual(Array(8).fill(true));
      expect(await workspace.names(STORE)).toEqual([".gitignore", "notes"]);
      expect(await workspace.names(`${STORE}/notes`)).toEqual([..."abcdefgh"]);
    });

    test("that overwrite: the last one's text stands there whole", async () => {
      const workspace = await openWorkspace({ [`${STORE}/same`]: "old" }, { host });
      const texts = ["a", "b"].map((letter) => letter.repeat(100_000));
      const outcomes = await Promise.all(
        texts.map((content) => workspace.call("context_write", { path: "same", content, on_conflict: "overwrite" })),
      );
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
      expect(texts).toContain(String(await workspace.bytes(`${STORE}/same`)));
    });
  });
});

test("on a read-only disk the file that cannot be made is named by its whole path", async () => {
  class ReadOnlyDisk extends NodeDisk {
    override stageCreate(path: string): Promise<never> {
      return Promise.reject(ioError(path, Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" })));
    }
  }
  const { call } = await openWorkspace({}, { disk: new ReadOnlyDisk() });
  expect(failed(await call("context_write", { path: "a", content: "1" }))).toMatchObject({
    type: "io_error",
    message: ".toolhost/context/.gitignore: the disk is read-only.",
  });
});
