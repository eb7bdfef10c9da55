// An edit that quotes its place exactly needs no read before, and is made when others changed the file elsewhere.
import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type CallOptions } from "./workspace.js";

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const MUST: CallOptions = { as: "model", session: "ours", reads: "must" };
const TEXT = "one\n  two\nthree\nfour\nfive\nsix\nfive\n";

/** The same change of `  two` by each tool that quotes what it replaces. */
const BY_TOOL: { tool: string; input: (old: string, now: string) => object }[] = [
  { tool: "edit", input: (old, now) => ({ path: "a.ts", old_text: old, new_text: now }) },
  { tool: "multi_edit", input: (old, now) => ({ edits: [{ path: "a.ts", old_text: old, new_text: now }] }) },
  { tool: "apply_patch", input: (old, now) => ({ patch: patch("*** Update File: a.ts", "@@", `-${old}`, `+${now}`) }) },
];

describe.each(hosts)("on the %s host", (host) => {
  describe.each(BY_TOOL)("$tool", ({ tool, input }) => {
    test("needs no read for an exact quote of one place, which makes nothing else known", async () => {
      const { call, bytes } = await openWorkspace({ "a.ts": TEXT }, { host });
      result(await call(tool, input("  two", "  2"), MUST));
      expect(String(await bytes("a.ts"))).toBe(TEXT.replace("two", "2"));
      expect(failed(await call("write", { path: "a.ts", content: "" }, MUST)).type).toBe("must_read");
    });

    test("needs one for a quote that matches only roughly", async () => {
      const { call, bytes } = await openWorkspace({ "a.ts": TEXT }, { host });
      expect(failed(await call(tool, input("    two", "    2"), MUST))).toMatchObject({
        type: "must_read",
        message: expect.stringContaining("a.ts has not been read in this session") as string,
      });
      expect(String(await bytes("a.ts"))).toBe(TEXT);
      result(await call("read", { path: "a.ts" }, MUST));
      result(await call(tool, input("    two", "    2"), MUST));
    });

    test("needs none for that either where grep showed the lines", async () => {
      const { call, bytes } = await openWorkspace({ "a.ts": TEXT }, { host });
      result(await call("grep", { pattern: "two" }, { ...MUST, session: "another" }));
      expect(failed(await call(tool, input("    two", "    2"), MUST)).type).toBe("must_read");
      result(await call("grep", { pattern: "two" }, MUST));
      result(await call(tool, input("    two", "    2"), MUST));
      expect(String(await bytes("a.ts"))).toBe(TEXT.replace("two", "2"));
    });

    test("says what is nearest, where the quote is not in a file that was not read", async () => {
      const { call } = await openWorkspace({ "a.ts": TEXT }, { host });
      expect(failed(await call(tool, input("  twoo", "  2"), MUST))).toMatchObject({
        type: "no_match",
        message: expect.stringContaining("  two") as string,
      });
    });

    test("is made when somebody changed another place since, and the answer says what; then all is known", async () => {
      const { call, put, bytes } = await openWorkspace({ "a.ts": TEXT }, { host });
      result(await call("read", { path: "a.ts" }, MUST));
      await put("a.ts", TEXT.replace("six", "SIX"));
      const { text } = result(await call(tool, input("  two", "  2"), MUST));
      expect(text).toContain("It had changed elsewhere since you read it:");
      expect(text).toContain("-six\n+SIX");
      expect(String(await bytes("a.ts"))).toBe(TEXT.replace("six", "SIX").replace("two", "2"));
      const next = result(await call(tool, input("three", "3"), MUST)).text;
      expect(next).not.toContain("changed elsewhere");
      result(await call("write", { path: "a.ts", content: "all\n" }, MUST));
    });

    test.each([
      { name: "on its line", now: TEXT.replace("  two", "  two + 1"), old: "two", kind: "edit" },
      { name: "next to it", now: TEXT.replace("three", "THREE"), old: "  two", kind: "any" },
      { name: "by a line put before it", now: TEXT.replace("  two", "new\n  two"), old: "  two", kind: "any" },
      { name: "by taking away the line before it", now: TEXT.replace("one\n", ""), old: "  two", kind: "any" },
    ])("is refused when somebody changed that place: $name", async ({ now, old, kind }) => {
      const { call, put, bytes } = await openWorkspace({ "a.ts": TEXT }, { host });
      result(await call("read", { path: "a.ts" }, MUST));
      await put("a.ts", now);
      const error = failed(await call(tool, input(old, "  2"), MUST));
      expect(error.type).toBe("stale");
      expect(error.message).toContain("What changed since:");
      expect(String(await bytes("a.ts"))).toBe(now);
      if (kind === "any") {
        // The difference was shown, so the same call is made on the current text.
        result(await call(tool, input(old, "  2"), MUST));
        expect(String(await bytes("a.ts"))).toBe(now.replace("  two", "  2"));
      }
    });

    test("is refused when the file changed elsewhere and the quote matches only roughly", async () => {
      const { call, put } = await openWorkspace({ "a.ts": TEXT }, { host });
      result(await call("read", { path: "a.ts" }, MUST));
      await put("a.ts", TEXT.replace("six", "SIX"));
      expect(failed(await call(tool, input("    two", "    2"), MUST)).type).toBe("stale");
    });

    test("is made when more changed elsewhere than is shown, names the lines, and the file is unread then", async () => {
      const { call, put } = await openWorkspace({ "a.ts": TEXT }, { host });
      result(await call("read", { path: "a.ts" }, MUST));
      await put("a.ts", `${TEXT}${"a line that a formatter added\n".repeat(300)}`);
      const { text } = result(await call(tool, input("  two", "  2"), MUST));
      expect(text).toContain("It had changed elsewhere since you read it (lines 8-307 before this change)");
      expect(text.length).toBeLessThan(500);
      result(await call(tool, input("three", "3"), MUST));
      expect(failed(await call("write", { path: "a.ts", content: "" }, MUST)).type).toBe("must_read");
    });

    test("tells with what is agreed to what had changed elsewhere", async () => {
      const asks: CallOptions = { ...MUST, answer: true, inAdvance: true, mode: "ask" };
      const { call, prepare, put, asked } = await openWorkspace({ "a.ts": TEXT }, { host });
      result(await call("read", { path: "a.ts" }, MUST));
      await put("a.ts", TEXT.replace("six", "SIX"));
      const change = input("  two", "  2");
      // What a person was shown the session has not seen.
      expect((await prepare(tool, change, asks)).question?.detail.text).toContain("+  2");
      expect((await prepare(tool, input("three", "3"), asks)).question).toBeDefined();
      expect(result(await call(tool, change, asks)).text).toContain("-six\n+SIX");
      expect(asked).toEqual([]);
    });
  });

  test("two sessions and a user work on one file: nothing is lost, and each is told what the others did", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const { call, put, bytes } = await openWorkspace({ "a.ts": `${lines.join("\n")}\n` }, { host });
    const other: CallOptions = { ...MUST, session: "other" };
    const edit = (line: number, by: string, options: CallOptions): Promise<unknown> =>
      call("edit", { path: "a.ts", old_text: `line ${line}\n`, new_text: `${by} ${line}\n` }, options);
    result(await call("read", { path: "a.ts" }, MUST));
    result(await call("read", { path: "a.ts" }, other));
    await edit(3, "ours", MUST);
    expect(result((await edit(10, "theirs", other)) as never).text).toContain("+ours 3");
    await put("a.ts", String(await bytes("a.ts")).replace("line 20\n", "the user's 20\n"));
    const { text } = result((await edit(28, "ours", MUST)) as never);
    expect(text).toContain("+theirs 10");
    expect(text).toContain("+the user's 20");
    expect(text).not.toContain("ours 3\n-");
    const all = String(await bytes("a.ts")).split("\n");
    expect([all[2], all[9], all[19], all[27]]).toEqual(["ours 3", "theirs 10", "the user's 20", "ours 28"]);
    expect(failed(await call("write", { path: "a.ts", content: "" }, other)).type).toBe("stale");
  });

  test("every place of replace_all must be known: shown, counted, or read", async () => {
    const { call, bytes } = await openWorkspace({ "a.ts": TEXT, "b.ts": TEXT }, { host });
    const all = { path: "a.ts", old_text: "five", new_text: "5", replace_all: true };
    expect(failed(await call("edit", all, MUST)).type).toBe("must_read");
    result(await call("edit", { ...all, expected_count: 2 }, MUST));
    expect(String(await bytes("a.ts"))).toBe(TEXT.replaceAll("five", "5"));
    result(await call("grep", { pattern: "five", context: 1 }, MUST));
    result(await call("multi_edit", { edits: [{ ...all, path: "b.ts" }] }, MUST));
    expect(String(await bytes("b.ts"))).toBe(TEXT.replaceAll("five", "5"));
  });

  test("multi_edit names every file that it must have read, and what it wrote itself it knows", async () => {
    const names = ["a.ts", "b.ts", "c.ts"];
    const { call, bytes } = await openWorkspace(Object.fromEntries(names.map((name) => [name, TEXT])), { host });
    const edits = names.map((path) => ({ path, old_text: "five", new_text: "5", replace_all: true }));
    const error = failed(await call("multi_edit", { edits }, MUST));
    expect(error.type).toBe("must_read");
    expect(error.message).toMatch(
      /^Nothing was changed: 3 files cannot be changed\.\na\.ts has .+\nb\.ts has .+\nc\.ts has .+$/,
    );
    const chain = [
      { path: "a.ts", old_text: "  two", new_text: "    dos" },
      { path: "a.ts", old_text: "  dos", new_text: "deux" },
    ];
    result(await call("multi_edit", { edits: chain }, MUST));
    expect(String(await bytes("a.ts"))).toBe(TEXT.replace("  two", "  deux"));
  });

  test("a hunk that names no line, or is placed by its header among several, needs a read", async () => {
    const { call } = await openWorkspace({ "a.ts": TEXT }, { host });
    for (const hunk of [
      ["@@", "+seven"],
      ["@@ six", "-five", "+5"],
    ]) {
      const input = { patch: patch("*** Update File: a.ts", ...hunk) };
      expect({ hunk, type: failed(await call("apply_patch", input, MUST)).type }).toEqual({ hunk, type: "must_read" });
    }
  });

  test("a session that is asked instead does not know a file by an edit of a part", async () => {
    const ask: CallOptions = { as: "model", session: "window", reads: "ask", mode: "default", answer: true };
    const { call, asked } = await openWorkspace({ "a.ts": TEXT }, { host });
    result(await call("edit", { path: "a.ts", old_text: "  two", new_text: "  2" }, ask));
    expect(asked).toEqual([]);
    result(await call("write", { path: "a.ts", content: "mine\n" }, ask));
    expect(asked).toMatchObject([{ reasons: ["Overwrites a.ts, whose current content was not read."] }]);
  });
});

test.each(["cat a.ts", "cat -n a.ts", "grep -n two a.ts", "grep -rn two .", "git diff --no-index /dev/null a.ts"])(
  "what a command showed counts as seen: %s",
  async (command) => {
    const { call, bytes } = await openWorkspace({ "a.ts": TEXT });
    const edit = { path: "a.ts", old_text: "    two", new_text: "    2" };
    expect(failed(await call("edit", edit, MUST)).type).toBe("must_read");
    result(await call("exec", { command }, MUST));
    result(await call("edit", edit, MUST));
    expect(String(await bytes("a.ts"))).toBe(TEXT.replace("two", "2"));
  },
);
