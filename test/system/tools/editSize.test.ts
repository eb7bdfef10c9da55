import { describe, expect, test } from "vitest";
import { failed, openWorkspace, result } from "../../unit/tools/workspace.js";

const MAX = 20_000_000;

describe("a small input that would make a huge file is refused before anything is built", () => {
  test.each([
    {
      name: "one letter by many",
      text: "x ".repeat(90_000),
      old: "x",
      new: "y".repeat(50_000),
      size: 180_000 + 90_000 * 49_999,
    },
    {
      name: "lines by many with other line ends",
      text: "x\r\n".repeat(90_000),
      old: "x\n",
      new: "y\n".repeat(25_000),
      size: undefined,
    },
    {
      name: "no more than one over the bound",
      text: "x".repeat(10),
      old: "x",
      new: "y".repeat(MAX / 10 + 1),
      size: MAX + 10,
    },
  ])("$name", async ({ text, old, new: new_text, size }) => {
    const { call, bytes } = await openWorkspace({ "a.txt": text });
    const input = { path: "a.txt", old_text: old, new_text, replace_all: true };
    for (const [tool, given] of [
      ["edit", input],
      ["multi_edit", { edits: [input] }],
    ] as const) {
      const error = failed(await call(tool, given));
      expect(error).toMatchObject({
        type: "too_large",
        message: expect.stringMatching(
          /^a\.txt: the edit would make it \d+ characters long; at most 20000000 are allowed\. Nothing was changed\.$/,
        ) as string,
      });
      if (size !== undefined) {
        expect(error.message).toContain(`${size} characters`);
      }
    }
    expect(String(await bytes("a.txt"))).toBe(text);
  });

  test("exactly the bound is made", async () => {
    const { call, bytes } = await openWorkspace({ "a.txt": "x".repeat(10) });
    result(await call("edit", { path: "a.txt", old_text: "x", new_text: "y".repeat(MAX / 10), replace_all: true }));
    expect((await bytes("a.txt")).length).toBe(MAX);
  });

  test("also by one file after the other", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}.txt`);
    const { call, bytes } = await openWorkspace(Object.fromEntries(names.map((name) => [name, "x\n".repeat(2_000)])));
    const edits = names.map((path) => ({ path, old_text: "x", new_text: "y".repeat(5_500), replace_all: true }));
    const error = failed(await call("multi_edit", { edits }));
    expect(error).toMatchObject({
      type: "too_large",
      message: expect.stringMatching(
        /^Nothing was changed: 3 edits cannot be made\.\nf9\.txt: edits\[9\]: the edit would make it 11002000 characters long; this call has 982000 left\./,
      ) as string,
    });
    expect(String(await bytes("f0.txt"))).toBe("x\n".repeat(2_000));
  });

  test("also by the places of many edits", async () => {
    const text = "x".repeat(90_000);
    const { call, bytes } = await openWorkspace({ "a.txt": text });
    const edits = ["y", "x", "y", "z"].map((new_text, index) => ({
      path: "a.txt",
      old_text: index % 2 === 0 ? "x" : "y",
      new_text,
      replace_all: true,
    }));
    edits[3] = { path: "a.txt", old_text: "y", new_text: "z", replace_all: true };
    expect(failed(await call("multi_edit", { edits }))).toMatchObject({
      type: "too_large",
      message: "a.txt: edits[3]: old_text matches more than 30000 places. Nothing was changed.",
    });
    expect(String(await bytes("a.txt"))).toBe(text);
  });

  test("a new text is no longer than what write takes", async () => {
    const { call } = await openWorkspace({ "a.txt": "a" });
    expect(failed(await call("edit", { path: "a.txt", old_text: "a", new_text: "é".repeat(5_000_001) }))).toMatchObject(
      { type: "too_large", message: expect.stringContaining("new_text has 10000002 bytes") as string },
    );
  });
});
