import { describe, expect, test } from "vitest";
import { failed, openWorkspace, result, type CallOptions } from "./workspace.js";

const ENV = "DB_HOST=localhost\nAPI_KEY=sk-live-VERY-SECRET\nDB_PASS=hunter2\n";
const CONTENTS = /VERY-SECRET|hunter2|localhost|sk-live|lines? \d/;

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

const FAILING: { name: string; tool: string; input: object }[] = [
  {
    name: "a near miss",
    tool: "edit",
    input: { path: ".env", old_text: "DB_HOST=localhos\nAPI_KEY=x", new_text: "y" },
  },
  { name: "several places", tool: "edit", input: { path: ".env", old_text: "=", new_text: "y" } },
  { name: "another case", tool: "edit", input: { path: ".env", old_text: "api_key=SK-", new_text: "y" } },
  {
    name: "a count",
    tool: "edit",
    input: { path: ".env", old_text: "=", new_text: "y", replace_all: true, expected_count: 9 },
  },
  {
    name: "edits",
    tool: "multi_edit",
    input: {
      edits: [
        { path: "a.txt", old_text: "a", new_text: "b" },
        { path: ".env", old_text: "API_KEY=sk\n", new_text: "y" },
      ],
    },
  },
  {
    name: "a hunk",
    tool: "apply_patch",
    input: { patch: patch("*** Update File: .env", "@@", " DB_HOST=localhost", "-API_KEY=", "+API_KEY=1") },
  },
  { name: "a name that is a link", tool: "edit", input: { path: "link", old_text: "DB_PASS=h\n", new_text: "y" } },
];

const ASK: CallOptions = { as: "model", session: "window", reads: "ask", mode: "default", inAdvance: true };

describe("a change of a secret that cannot be worked out", () => {
  test.each(FAILING)("$tool, $name: tells nothing without a yes", async ({ tool, input }) => {
    const workspace = await openWorkspace({ ".env": ENV, "a.txt": "a\n" });
    await workspace.link("link", ".env");
    expect((await workspace.prepare(tool, input, { ...ASK, answer: false })).question).toBeUndefined();
    const refused = failed(await workspace.call(tool, input, { ...ASK, answer: false }));
    expect(refused.type).toBe("denied");
    expect(JSON.stringify(refused)).not.toMatch(CONTENTS);
    expect(workspace.asked).toMatchObject([
      { detail: { language: "json", text: JSON.stringify(input, undefined, 2) } },
    ]);
    expect(failed(await workspace.call(tool, input, ASK)).type).toBe("denied");
    expect(["no_match", "not_unique"]).toContain(
      failed(await workspace.call(tool, input, { ...ASK, answer: true })).type,
    );
    expect(workspace.asked).toHaveLength(2);
    expect(String(await workspace.bytes(".env"))).toBe(ENV);
  });

  test("write: what changed since it was read is told after a yes, and counts as seen only then", async () => {
    const { call, put, asked, bytes } = await openWorkspace({ ".env": ENV });
    const must: CallOptions = { as: "model", session: "chat", reads: "must", mode: "default" };
    result(await call("read", { path: ".env" }, { ...must, answer: true, mode: "default" }));
    await put(".env", `${ENV}NEW=abc\n`);
    for (let round = 0; round < 2; round++) {
      const refused = failed(await call("write", { path: ".env", content: "x" }, { ...must, answer: false }));
      expect(refused.type).toBe("denied");
      expect(JSON.stringify(refused)).not.toContain("abc");
    }
    expect(asked.slice(1)).toMatchObject([{ detail: { language: "json" } }, { detail: { language: "json" } }]);
    expect(failed(await call("write", { path: ".env", content: "x" }, { ...must, answer: true }))).toMatchObject({
      type: "stale",
      message: expect.stringContaining("abc") as string,
    });
    expect(String(await bytes(".env"))).toContain("abc");
  });

  test("is told at once of a protected file that is no secret, and to the owner", async () => {
    const { call, asked } = await openWorkspace({ ".env": ENV, "package.json": "{}\n" });
    expect(
      failed(await call("edit", { path: "package.json", old_text: "nope", new_text: "x" }, { ...ASK, answer: true }))
        .type,
    ).toBe("no_match");
    expect(failed(await call("edit", { path: ".env", old_text: "API_KEY=x", new_text: "y" })).type).toBe("no_match");
    expect(asked).toEqual([]);
  });
});
