import { describe, expect, it, vi } from "vitest";
import { WasmShellGrammar } from "../../../src/hosts/node/shellGrammar.js";
import { folderOfGrammar, grammar } from "../../system/shell/grammar.js";

describe("the grammar of shell programs", () => {
  it("gives the tree with offsets in UTF-16 units", async () => {
    const text = "echo 😀 && rm x";
    const root = await grammar.parse(text);
    const list = root?.children[0];
    expect(root).toMatchObject({
      type: "program",
      isNamed: true,
      hasError: false,
      startIndex: 0,
      endIndex: text.length,
    });
    expect(
      list?.children.map(({ type, isNamed, startIndex, endIndex }) => [
        type,
        isNamed,
        text.slice(startIndex, endIndex),
      ]),
    ).toEqual([
      ["command", true, "echo 😀"],
      ["&&", false, "&&"],
      ["command", true, "rm x"],
    ]);
  });

  it.each(["echo $(", "if a; then", "a &&& b", "echo 'x"])("marks %j as an error", async (text) => {
    expect((await grammar.parse(text))?.hasError).toBe(true);
  });

  it("gives up what takes too long, and goes on with the next program", async () => {
    expect(await grammar.parse("if a; then ".repeat(300_000))).toBeUndefined();
    expect(await grammar.parse("ls")).toMatchObject({ hasError: false });
  });

  it("is used no more once it broke off: it would go on with the program before", async () => {
    const broken = new WasmShellGrammar(folderOfGrammar());
    const now = vi.spyOn(performance, "now");
    let looks = 0;
    now.mockImplementation(() => {
      if (looks++ > 0) {
        throw new Error("out of memory");
      }
      return 0;
    });
    const first = await broken
      .parse("if a; then ".repeat(300_000))
      .then(() => "parsed", String)
      .finally(() => now.mockRestore());
    expect(first).toContain("The shell command parser crashed: Error: out of memory.");
    await expect(broken.parse("ls")).rejects.toThrow("The shell command parser crashed");
  });

  it("gives up what is too deep", async () => {
    expect(await grammar.parse(`echo ${"$(".repeat(2_000)}a${")".repeat(2_000)}`)).toBeUndefined();
  });

  it("keeps no trees: thousands of programs cost no more memory", async () => {
    const text = "echo a; ".repeat(200);
    await grammar.parse(text);
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    for (let count = 0; count < 300; count++) {
      await grammar.parse(text);
    }
    expect(process.memoryUsage().arrayBuffers + process.memoryUsage().external - before).toBeLessThan(20_000_000);
  });

  it("says where it cannot be loaded from, every time", async () => {
    const missing = new WasmShellGrammar("/nowhere");
    await expect(missing.parse("ls")).rejects.toThrow("cannot be loaded from /nowhere");
    await expect(missing.parse("ls")).rejects.toThrow("cannot be loaded from /nowhere");
  });
});
