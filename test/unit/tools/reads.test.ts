// What a session has read decides what it may change: the ledger, through the tools.
import { describe, expect, test } from "vitest";
import {
  failed,
  hosts,
  openWorkspace,
  result,
  type CallOptions,
  type FileTree,
  type TestWorkspace,
} from "./workspace.js";

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

/** A session of ours: it has to have read what it changes. */
const MUST: CallOptions = { as: "model", session: "ours", reads: "must" };

const TEXT = "one\ntwo\nthree\n";
const FILES: FileTree = { "a.ts": TEXT, "b.ts": "alpha\nbeta\n" };

/** Changes that quote the text they replace, which is proof enough. */
const QUOTES = ["edit", "multi_edit", "*** Update File: a.ts\n@@"];
const isQuote = ({ tool, input }: { tool: string; input: object }): boolean =>
  QUOTES.includes(tool) || QUOTES.some((form) => "patch" in input && String(input.patch).includes(form));

/** One change of a.ts by each tool that makes one, and what a.ts holds then. */
const CHANGES: { tool: string; input: object; after: string | undefined }[] = [
  { tool: "edit", input: { path: "a.ts", old_text: "two", new_text: "2" }, after: "one\n2\nthree\n" },
  {
    tool: "multi_edit",
    input: { edits: [{ path: "a.ts", old_text: "two", new_text: "2" }] },
    after: "one\n2\nthree\n",
  },
  {
    tool: "apply_patch",
    input: { patch: patch("*** Update File: a.ts", "@@", "-two", "+2") },
    after: "one\n2\nthree\n",
  },
  { tool: "apply_patch", input: { patch: patch("*** Delete File: a.ts") }, after: undefined },
  { tool: "write", input: { path: "a.ts", content: "2\n" }, after: "2\n" },
];

async function textOf({ names, bytes }: TestWorkspace, path: string): Promise<string | undefined> {
  return (await names()).includes(path) ? String(await bytes(path)) : undefined;
}

describe.each(hosts)("on the %s host", (host) => {
  describe.each(CHANGES.filter((change) => !isQuote(change)))(
    "a session that must have read: $tool $input",
    ({ tool, input, after }) => {
      test("is refused on a file that it has not read", async () => {
        const workspace = await openWorkspace(FILES, { host });
        const error = failed(await workspace.call(tool, input, MUST));
        expect(error).toMatchObject({
          type: "must_read",
          message: "a.ts has not been read in this session. Nothing was changed.",
          hint: expect.stringContaining("Read it first") as string,
        });
        expect(await textOf(workspace, "a.ts")).toBe(TEXT);
        expect(await workspace.names()).toEqual(["a.ts", "b.ts"]);
      });

      test("is made once a page of it was read", async () => {
        const workspace = await openWorkspace(FILES, { host });
        result(await workspace.call("read", { path: "a.ts", offset: 2, limit: 1 }, MUST));
        result(await workspace.call(tool, input, MUST));
        expect(await textOf(workspace, "a.ts")).toBe(after);
      });

      test("counts no other session's read", async () => {
        const workspace = await openWorkspace(FILES, { host });
        result(await workspace.call("read", { path: "a.ts" }, { ...MUST, session: "other" }));
        expect(failed(await workspace.call(tool, input, MUST)).type).toBe("must_read");
        expect(await textOf(workspace, "a.ts")).toBe(TEXT);
      });

      test("is stale when the file has changed since, told with what changed, and then made on what stands there", async () => {
        const workspace = await openWorkspace(FILES, { host });
        result(await workspace.call("read", { path: "a.ts" }, MUST));
        await workspace.put("a.ts", "zero\none\ntwo\nthree\n");
        const error = failed(await workspace.call(tool, input, MUST));
        expect(error).toMatchObject({ type: "stale", hint: "Make the change again on the current text." });
        expect(error.message).toBe(
          "a.ts has changed since it was read. Nothing was changed. What changed since:\n@@ -1,3 +1,4 @@\n+zero\n one\n two\n three",
        );
        expect(await textOf(workspace, "a.ts")).toBe("zero\none\ntwo\nthree\n");
        result(await workspace.call(tool, input, MUST));
        expect(await textOf(workspace, "a.ts")).toBe(
          after === undefined || tool === "write" ? after : `zero\n${after}`,
        );
      });

      test("is never refused for that at a door that lets it be", async () => {
        for (const options of [
          { as: "owner" },
          { as: "model", reads: "free" },
          { as: "model", reads: "free", session: "x" },
        ] as const) {
          const workspace = await openWorkspace(FILES, { host });
          result(await workspace.call(tool, input, options));
          expect(await textOf(workspace, "a.ts")).toBe(after);
        }
      });
    },
  );

  test("what a session wrote itself it knows: one change after another, no read between", async () => {
    const { call, bytes } = await openWorkspace(FILES, { host });
    result(await call("read", { path: "a.ts" }, MUST));
    result(await call("edit", { path: "a.ts", old_text: "one", new_text: "1" }, MUST));
    result(await call("multi_edit", { edits: [{ path: "a.ts", old_text: "two", new_text: "2" }] }, MUST));
    result(await call("apply_patch", { patch: patch("*** Update File: a.ts", "@@", "-three", "+3") }, MUST));
    result(await call("write", { path: "a.ts", content: "all new\n" }, MUST));
    result(await call("edit", { path: "a.ts", old_text: "new", new_text: "done" }, MUST));
    expect(String(await bytes("a.ts"))).toBe("all done\n");
  });

  test("a new file needs no read, and is known from then on", async () => {
    const { call, bytes } = await openWorkspace({}, { host });
    result(await call("write", { path: "w.ts", content: "1\n" }, MUST));
    result(await call("apply_patch", { patch: patch("*** Add File: p.ts", "+1") }, MUST));
    for (const path of ["w.ts", "p.ts"]) {
      result(await call("edit", { path, old_text: "1", new_text: "2" }, MUST));
      expect(String(await bytes(path))).toBe("2\n");
    }
  });

  test("another session's change at that place is stale, by its difference", async () => {
    const { call } = await openWorkspace(FILES, { host });
    const other: CallOptions = { ...MUST, session: "other" };
    result(await call("read", { path: "a.ts" }, MUST));
    result(await call("read", { path: "a.ts" }, other));
    result(await call("edit", { path: "a.ts", old_text: "two", new_text: "2" }, other));
    // Next to it counts as there.
    const error = failed(await call("edit", { path: "a.ts", old_text: "three", new_text: "3" }, MUST));
    expect(error.type).toBe("stale");
    expect(error.message).toContain("-two\n+2");
  });

  test("a file is known under the name it was moved to, and unread when another comes to its old one", async () => {
    const { call, put, bytes } = await openWorkspace(FILES, { host });
    result(await call("read", { path: "a.ts" }, MUST));
    result(await call("apply_patch", { patch: patch("*** Update File: a.ts", "*** Move to: d/c.ts") }, MUST));
    result(await call("edit", { path: "d/c.ts", old_text: "two", new_text: "2" }, MUST));
    expect(String(await bytes("d/c.ts"))).toBe("one\n2\nthree\n");
    await put("a.ts", TEXT);
    expect(failed(await call("write", { path: "a.ts", content: "2" }, MUST)).type).toBe("must_read");
  });

  test("a file may be moved unread, and is unread then", async () => {
    const { call, asked, bytes, names } = await openWorkspace(FILES, { host });
    result(await call("apply_patch", { patch: patch("*** Update File: a.ts", "*** Move to: c.ts") }, MUST));
    expect(await names()).toEqual(["b.ts", "c.ts"]);
    expect(String(await bytes("c.ts"))).toBe(TEXT);
    expect(failed(await call("write", { path: "c.ts", content: "2" }, MUST)).type).toBe("must_read");
    const ask: CallOptions = { as: "model", session: "window", reads: "ask", mode: "default", answer: true };
    result(await call("apply_patch", { patch: patch("*** Update File: b.ts", "*** Move to: d.ts") }, ask));
    expect(asked).toEqual([]);
  });

  test("a file that changed since it was read may be moved, and the answer shows what changed", async () => {
    const { call, put, bytes } = await openWorkspace(FILES, { host });
    result(await call("read", { path: "a.ts" }, MUST));
    await put("a.ts", `zero\n${TEXT}`);
    const { text } = result(
      await call("apply_patch", { patch: patch("*** Update File: a.ts", "*** Move to: c.ts") }, MUST),
    );
    expect(text).toContain("+zero");
    expect(String(await bytes("c.ts"))).toBe(`zero\n${TEXT}`);
  });

  test("a file that was deleted is unread when it comes back", async () => {
    const { call, put } = await openWorkspace(FILES, { host });
    result(await call("read", { path: "a.ts" }, MUST));
    result(await call("apply_patch", { patch: patch("*** Delete File: a.ts") }, MUST));
    await put("a.ts", TEXT);
    expect(failed(await call("apply_patch", { patch: patch("*** Delete File: a.ts") }, MUST)).type).toBe("must_read");
  });

  test("a file is one by all its names", async () => {
    const { call, link, bytes } = await openWorkspace({ ...FILES, "d/x": "" }, { host });
    await link("link.ts", "a.ts");
    result(await call("read", { path: "link.ts" }, MUST));
    result(await call("edit", { path: "./d/../a.ts", old_text: "two", new_text: "2" }, MUST));
    expect(String(await bytes("a.ts"))).toBe("one\n2\nthree\n");
  });

  test("a grep, a listing or an edit by a quote is no read of the whole file", async () => {
    const { call, bytes } = await openWorkspace(FILES, { host });
    result(await call("grep", { pattern: "two" }, MUST));
    result(await call("ls", {}, MUST));
    result(await call("edit", { path: "a.ts", old_text: "two", new_text: "2" }, MUST));
    expect(failed(await call("write", { path: "a.ts", content: "mine\n" }, MUST)).type).toBe("must_read");
    expect(String(await bytes("a.ts"))).toBe("one\n2\nthree\n");
  });

  test("a failed change leaves what was read as it was", async () => {
    const { call, put } = await openWorkspace(FILES, { host });
    result(await call("read", { path: "a.ts" }, MUST));
    expect(failed(await call("edit", { path: "a.ts", old_text: "nowhere", new_text: "2" }, MUST)).type).toBe(
      "no_match",
    );
    await put("a.ts", "user\n");
    expect(failed(await call("edit", { path: "a.ts", old_text: "user", new_text: "2" }, MUST)).type).toBe("stale");
  });

  test("more than can be told must be read again, however often it is tried", async () => {
    const { call, put, bytes } = await openWorkspace(FILES, { host });
    const long = Array.from({ length: 2_000 }, (_, index) => `line ${index}\n`).join("");
    result(await call("read", { path: "a.ts" }, MUST));
    await put("a.ts", `${TEXT}${long}`);
    for (const times of [1, 2]) {
      const error = failed(await call("write", { path: "a.ts", content: "mine\n" }, MUST));
      expect({ times, ...error }).toEqual({
        times,
        type: "stale",
        message: "a.ts has changed since it was read. Nothing was changed.",
        hint: "Read it again, then make the change.",
      });
    }
    expect(String(await bytes("a.ts"))).toBe(`${TEXT}${long}`);
    result(await call("read", { path: "a.ts" }, MUST));
    result(await call("write", { path: "a.ts", content: "mine\n" }, MUST));
    expect(String(await bytes("a.ts"))).toBe("mine\n");
  });

  test("every file that a patch removes must have been read, and each that was not is named", async () => {
    const workspace = await openWorkspace({ ...FILES, "c.ts": "c\n" }, { host });
    const input = {
      patch: patch("*** Delete File: a.ts", "*** Update File: b.ts", "@@", "-beta", "+B", "*** Delete File: c.ts"),
    };
    result(await workspace.call("read", { path: "b.ts" }, MUST));
    const error = failed(await workspace.call("apply_patch", input, MUST));
    expect(error).toEqual({
      type: "must_read",
      message:
        "Nothing was changed: 2 files of the patch cannot be changed.\na.ts has not been read in this session.\nc.ts has not been read in this session.",
      hint: "Read it first, then make the change on its current text.",
    });
    expect(await textOf(workspace, "b.ts")).toBe("alpha\nbeta\n");
    for (const path of ["a.ts", "c.ts"]) {
      result(await workspace.call("read", { path }, MUST));
    }
    result(await workspace.call("apply_patch", input, MUST));
    expect(await workspace.names()).toEqual(["b.ts"]);
  });

  test("of many files that have changed since, none counts as known that is not told", async () => {
    const names = Array.from({ length: 15 }, (_, index) => `f${String(index).padStart(2, "0")}`);
    const { call, put } = await openWorkspace(Object.fromEntries(names.map((name) => [name, "a\n"])), { host });
    for (const path of names) {
      result(await call("read", { path }, MUST));
      // Next to the place: refused. A line in between would let it pass.
      await put(path, "user\na\n");
    }
    const input = { patch: patch(...names.flatMap((name) => [`*** Update File: ${name}`, "@@", "-a", "+b"])) };
    const first = failed(await call("apply_patch", input, MUST));
    expect(first).toMatchObject({ type: "stale" });
    expect([
      ...first.message.matchAll(
        /^f\d\d has changed since it was read\. What changed since:\n@@ -1,1 \+1,2 @@\n\+user\n a$/gm,
      ),
    ]).toHaveLength(10);
    expect(first.message).toMatch(/\n5 more files were not checked\.$/);
    const second = failed(await call("apply_patch", input, MUST));
    expect([...second.message.matchAll(/^f1[0-4] has changed/gm)]).toHaveLength(5);
    result(await call("apply_patch", input, MUST));
  });

  describe("a file of 3 MB, whose text is not kept", () => {
    const BIG = "a line of some length, to fill the file\n".repeat(75_000);
    const edit = { path: "big", old_text: "FIRST", new_text: "1" };

    test("must be read to be replaced, is changed then, and again without a read", async () => {
      const { call, bytes } = await openWorkspace({ big: `FIRST\n${BIG}` }, { host });
      expect(failed(await call("write", { path: "big", content: "" }, MUST)).type).toBe("must_read");
      result(await call("read", { path: "big", limit: 1 }, MUST));
      result(await call("edit", edit, MUST));
      result(await call("edit", { ...edit, old_text: "1\n", new_text: "2\n" }, MUST));
      expect((await bytes("big")).subarray(0, 4)).toEqual(Buffer.from("2\na "));
    });

    test("is stale when it has changed, and must be read again", async () => {
      const { call, put } = await openWorkspace({ big: `FIRST\n${BIG}` }, { host });
      result(await call("read", { path: "big", limit: 1 }, MUST));
      await put("big", `FIRST\n${BIG.replace("some", "SOME")}`);
      for (const times of [1, 2]) {
        expect({ times, ...failed(await call("edit", edit, MUST)) }).toMatchObject({
          times,
          type: "stale",
          hint: "Read it again, then make the change.",
        });
      }
      result(await call("read", { path: "big", limit: 1 }, MUST));
      result(await call("edit", edit, MUST));
    });

    test("is not asked about once it was read", async () => {
      const { call, asked } = await openWorkspace({ big: BIG }, { host });
      const options: CallOptions = { as: "model", session: "window", reads: "ask", mode: "default", answer: true };
      result(await call("read", { path: "big", limit: 1 }, options));
      result(await call("write", { path: "big", content: "small\n" }, options));
      expect(asked).toEqual([]);
    });
  });

  describe("with a question open", () => {
    const asks: CallOptions = { ...MUST, answer: true, inAdvance: true, mode: "ask" };
    const input = { path: "a.ts", content: "mine\n" };

    test("a call that will fail is not asked about, and its failure is told to who made it", async () => {
      const { call, prepare, put, asked, bytes } = await openWorkspace(FILES, { host });
      expect((await prepare("write", input, asks)).question).toBeUndefined();
      expect(failed(await call("write", input, asks)).type).toBe("must_read");
      result(await call("read", { path: "a.ts" }, MUST));
      await put("a.ts", "user\n");
      // What the door shows in advance nobody has read: the difference is told by the call itself, and only that
      // counts.
      for (let shown = 0; shown < 3; shown++) {
        expect((await prepare("write", input, asks)).question).toBeUndefined();
      }
      const error = failed(await call("write", input, asks));
      expect(error).toMatchObject({ type: "stale", message: expect.stringContaining("+user") as string });
      expect(asked).toEqual([]);
      expect(String(await bytes("a.ts"))).toBe("user\n");
    });

    test("what is agreed to is written, once it was read", async () => {
      const { call, prepare, asked, bytes } = await openWorkspace(FILES, { host });
      result(await call("read", { path: "a.ts" }, MUST));
      expect((await prepare("write", input, asks)).question?.detail.text).toContain("+mine");
      result(await call("write", input, asks));
      expect(asked).toEqual([]);
      expect(String(await bytes("a.ts"))).toBe("mine\n");
    });

    test("a change that comes meanwhile is stale, and is told with its difference at the next try", async () => {
      const { call, prepare, put, bytes } = await openWorkspace(FILES, { host });
      result(await call("read", { path: "a.ts" }, MUST));
      expect((await prepare("write", input, asks)).question).toBeDefined();
      await put("a.ts", "user\n");
      expect(failed(await call("write", input, asks)).type).toBe("stale");
      expect(failed(await call("write", input, asks))).toMatchObject({
        type: "stale",
        message: expect.stringContaining("+user") as string,
      });
      expect(String(await bytes("a.ts"))).toBe("user\n");
    });
  });

  describe("a session that is asked instead (Copilot's agent)", () => {
    const ASK: CallOptions = { as: "model", session: "window", reads: "ask", mode: "default", answer: true };
    const overwrite = { path: "a.ts", content: "mine\n" };
    const REASON = "Overwrites a.ts, whose current content was not read.";

    test("is asked with the difference before it overwrites what it has not read, and not after it has", async () => {
      const { call, asked, bytes } = await openWorkspace(FILES, { host });
      result(await call("write", overwrite, ASK));
      expect(asked).toMatchObject([
        { reasons: [REASON], detail: { language: "diff", text: "@@ -1,3 +1,1 @@\n-one\n-two\n-three\n+mine" } },
      ]);
      expect(String(await bytes("a.ts"))).toBe("mine\n");
      // It knows what it wrote itself.
      result(await call("write", { ...overwrite, content: "again\n" }, ASK));
      result(await call("read", { path: "b.ts", limit: 1 }, ASK));
      result(await call("write", { path: "b.ts", content: "b\n" }, ASK));
      expect(asked).toHaveLength(1);
    });

    test("is asked when what it read has changed since", async () => {
      const { call, put, asked, bytes } = await openWorkspace(FILES, { host });
      result(await call("read", { path: "a.ts" }, ASK));
      await put("a.ts", "one\nuser\n");
      expect(failed(await call("write", overwrite, { ...ASK, answer: false })).type).toBe("denied");
      expect(asked).toMatchObject([{ reasons: [REASON] }]);
      expect(asked[0]?.detail.text).toContain("-user");
      expect(String(await bytes("a.ts"))).toBe("one\nuser\n");
    });

    test("is denied where nobody can be asked", async () => {
      const { call, bytes } = await openWorkspace(FILES, { host });
      const { answer: _, ...nobody } = ASK;
      expect(failed(await call("write", overwrite, nobody))).toMatchObject({ type: "denied", hint: REASON });
      expect(String(await bytes("a.ts"))).toBe(TEXT);
    });

    test("is not asked for a new file, and told of one that is there when it asked for an error", async () => {
      const { call, asked } = await openWorkspace(FILES, { host });
      result(await call("write", { path: "new.ts", content: "1\n" }, ASK));
      expect(asked).toEqual([]);
      expect(failed(await call("write", { ...overwrite, on_conflict: "error" }, ASK)).type).toBe("path_conflict");
    });

    test.each([patch("*** Delete File: a.ts"), patch("*** Delete File: bin")])(
      "is asked before it removes what it has not read: %s",
      async (input) => {
        const workspace = await openWorkspace({ ...FILES, bin: new Uint8Array([0, 1, 2]) }, { host });
        const path = input.includes("a.ts") ? "a.ts" : "bin";
        const { question } = await workspace.prepare("apply_patch", { patch: input }, { ...ASK, inAdvance: true });
        expect(question?.reasons).toEqual([`Removes or replaces ${path}, whose current content was not read.`]);
        expect(failed(await workspace.call("apply_patch", { patch: input }, { ...ASK, answer: false })).type).toBe(
          "denied",
        );
        expect(workspace.asked).toMatchObject([
          { reasons: [`Removes or replaces ${path}, whose current content was not read.`] },
        ]);
        expect(await workspace.names()).toContain(path);
      },
    );

    test.each(CHANGES.filter(({ tool, after }) => tool !== "write" && after === undefined))(
      "is not asked for $tool $input when it has read the file",
      async ({ tool, input }) => {
        const workspace = await openWorkspace(FILES, { host });
        result(await workspace.call("read", { path: "a.ts" }, ASK));
        result(await workspace.call(tool, input, ASK));
        expect(workspace.asked).toEqual([]);
        expect(await workspace.names()).not.toContain("a.ts");
      },
    );

    test.each(CHANGES.filter(({ tool, after }) => tool !== "write" && after !== undefined))(
      "is never asked for that by $tool $input, which name what they change",
      async ({ tool, input, after }) => {
        const workspace = await openWorkspace(FILES, { host });
        result(await workspace.call(tool, input, ASK));
        expect(workspace.asked).toEqual([]);
        expect(await textOf(workspace, "a.ts")).toBe(after);
      },
    );
  });
});

describe("a file that was shown as a whole counts as read", () => {
  const lines = Array.from({ length: 30 }, (_, index) => (index % 7 === 3 ? "" : `line ${index}  `));
  const WHOLE = `${lines.join("\n")}\n\n`;

  test.each([
    ["exec", { command: "cat a.ts" }],
    ["exec", { command: "cat b.ts a.ts; echo done" }],
    ["exec", { command: "cat -n a.ts" }],
    ["grep", { pattern: "^", path: "a.ts" }],
  ])("by %s %j", async (tool, input) => {
    const { call, bytes } = await openWorkspace({ "a.ts": WHOLE, "b.ts": "x\n" });
    result(await call(tool, input, MUST));
    expect(failed(await call("write", { path: "a.ts", content: "" }, { ...MUST, session: "other" })).type).toBe(
      "must_read",
    );
    result(await call("edit", { path: "a.ts", old_text: "line 1 ", new_text: "line one " }, MUST));
    result(await call("write", { path: "a.ts", content: "new\n" }, MUST));
    expect(String(await bytes("a.ts"))).toBe("new\n");
  });

  test.each([
    ["a part of it", { command: "head -n 29 a.ts | tail -n 28" }],
    ["it with a line left out", { command: "grep -v 'line 5' a.ts" }],
    ["its lines in another order", { command: "sort -r a.ts" }],
    ["the same text by another name", { command: "cat b.ts" }],
    ["less than it by cutting lines", { command: "cut -c1-4 a.ts" }],
  ])("but not by %s", async (_, input) => {
    const { call, bytes } = await openWorkspace({ "a.ts": WHOLE, "b.ts": WHOLE });
    result(await call("exec", input, MUST));
    expect(failed(await call("write", { path: "a.ts", content: "" }, MUST)).type).toBe("must_read");
    expect(String(await bytes("a.ts"))).toBe(WHOLE);
  });

  test("and not if it changed since, or if a long answer left out a part", async () => {
    const long = `${Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n")}\n`;
    const { call, put } = await openWorkspace({ "a.ts": WHOLE, "long.ts": long });
    result(await call("exec", { command: "cat a.ts" }, MUST));
    await put("a.ts", WHOLE.replace("line 2 ", "line two "));
    expect(failed(await call("write", { path: "a.ts", content: "" }, MUST)).type).toBe("must_read");
    result(await call("exec", { command: "cat long.ts" }, MUST));
    expect(failed(await call("write", { path: "long.ts", content: "" }, MUST)).type).toBe("must_read");
  });

  test("an empty file has nothing to lose", async () => {
    const { call, bytes } = await openWorkspace({ "a.ts": "" });
    result(await call("write", { path: "a.ts", content: "x\n" }, MUST));
    expect(String(await bytes("a.ts"))).toBe("x\n");
  });
});
