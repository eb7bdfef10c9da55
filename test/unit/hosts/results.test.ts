import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ResultFiles } from "../../../src/hosts/node/state/results.js";
import { RESULT_PAGE } from "../../../src/ports/results.js";
import { isWellFormed } from "../text/isWellFormed.js";
import { tempFolder } from "../tools/workspace.js";

async function store(limits?: { result: number; total: number }): Promise<{ folder: string; results: ResultFiles }> {
  const folder = join(await tempFolder(), "results");
  return { folder, results: new ResultFiles(() => Promise.resolve(folder), limits) };
}

async function readAll(results: ResultFiles, id: string, pages: number): Promise<string[]> {
  return Promise.all(Array.from({ length: pages }, async (_, index) => (await results.page(id, index + 1)).text));
}

/** Whether a page ends with the last line that fits on it, or is full of one that is too long. */
function endsWithLine(page: string, index: number, pages: readonly string[]): boolean {
  const next = pages[index + 1]?.split("\n")[0] ?? "";
  return page.endsWith("\n")
    ? index === pages.length - 1 || page.length + next.length + 1 > RESULT_PAGE - 1
    : !page.includes("\n") && page.length >= RESULT_PAGE - 1;
}

describe("ResultFiles", () => {
  test("its pages are the text, whatever the chunks, and no page splits a character", async () => {
    const { results } = await store();
    const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\n", "漢"), maxLength: 30_000, size: "max" });
    // Lines of a few characters, of up to some thousand, and longer than a page.
    const chunk = fc
      .tuple(text, fc.constantFrom(0, 0.99, 0.999, 1))
      .map(([each, share]) => each.replaceAll("\n", (_, at: number) => ((at * 0.618) % 1 < share ? "b" : "\n")));
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 5 }), async (chunks) => {
        const writer = await results.open("exec test");
        for (const each of chunks) {
          await writer.write(each);
        }
        const stored = await writer.close();
        const pages = await readAll(results, stored.id, stored.pages);
        expect(pages.join("")).toBe(chunks.join(""));
        expect(pages.every((page) => page.length <= RESULT_PAGE && isWellFormed(page))).toBe(true);
        expect(pages.slice(0, -1).every(endsWithLine)).toBe(true);
        expect(stored.characters).toBe(chunks.join("").length);
      }),
      { numRuns: 30 },
    );
  });

  test("one whose text or index is damaged is told, not read as a shorter one", async () => {
    const { folder, results } = await store();
    const stored = async (): Promise<string> => {
      const writer = await results.open("exec test");
      await writer.write("0123456789".repeat(2_000));
      return (await writer.close()).id;
    };
    const [short, garbled, other] = [await stored(), await stored(), await stored()];
    await writeFile(join(folder, `${short}.txt`), "0123456789".repeat(1_500));
    const damaged = { type: "io_error", message: "The stored result is damaged: part of it is missing." };
    await expect(results.page(short, 3)).rejects.toMatchObject(damaged);
    const readThrough = async (): Promise<void> => {
      for await (const chunk of results.chunks(short, new AbortController().signal)) {
        expect(chunk).not.toBe("");
      }
    };
    await expect(readThrough()).rejects.toMatchObject(damaged);
    await writeFile(join(folder, `${garbled}.json`), "\0\0\0");
    await writeFile(join(folder, `${other}.json`), "[1]");
    for (const id of [garbled, other]) {
      await expect(results.page(id, 1)).rejects.toMatchObject(damaged);
    }
  });

  test("while it is written, its chunks are what it has until then", async () => {
    const { results } = await store();
    const writer = await results.open("exec test");
    const chunks = async (): Promise<string> => {
      const found: string[] = [];
      for await (const chunk of results.chunks(writer.id, new AbortController().signal)) {
        found.push(chunk);
      }
      return found.join("");
    };
    expect(await chunks()).toBe("");
    await writer.write("one\n");
    expect(await chunks()).toBe("one\n");
    await writer.write("two\n");
    await writer.close();
    expect(await chunks()).toBe("one\ntwo\n");
  });

  test("the whole of it comes in chunks that split no character", async () => {
    const { results } = await store();
    const text = "é漢😀\n".repeat(100_000);
    const writer = await results.open("exec test");
    await writer.write(text);
    const { id } = await writer.close();
    const chunks: string[] = [];
    for await (const chunk of results.chunks(id, new AbortController().signal)) {
      chunks.push(chunk);
    }
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.every(isWellFormed)).toBe(true);
    expect(chunks.join("")).toBe(text);
  });

  test.each(["r000000000000", "../../etc/passwd", ""])("there is no whole of %j", async (id) => {
    const { results } = await store();
    await expect(results.chunks(id, new AbortController().signal)[Symbol.asyncIterator]().next()).rejects.toMatchObject(
      { type: "unknown_id" },
    );
  });

  test("parts that are bytes are the same text, with the same pages", async () => {
    const { results } = await store();
    const part = fc.oneof(
      fc.tuple(
        fc.string({ unit: fc.constantFrom("a", "é", "😀", "\n"), maxLength: 20_000, size: "max" }),
        fc.constant(false),
      ),
      fc.tuple(fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 20_000, size: "max" }), fc.boolean()),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(part, { maxLength: 4 }), { maxLength: 3 }), async (writes) => {
        const writer = await results.open("exec test");
        for (const parts of writes) {
          await writer.write(...parts.map(([text, asBytes]) => (asBytes ? new TextEncoder().encode(text) : text)));
        }
        const whole = writes
          .flat()
          .map(([text]) => text)
          .join("");
        const open = await readAll(results, writer.id, Math.ceil(whole.length / RESULT_PAGE));
        const stored = await writer.close();
        const pages = await readAll(results, stored.id, stored.pages);
        expect([pages.join(""), stored.characters]).toEqual([whole, whole.length]);
        expect(open).toEqual(pages.slice(0, open.length));
        expect(pages.every((page) => page.length <= RESULT_PAGE && isWellFormed(page))).toBe(true);
        expect(pages.slice(0, -1).every(endsWithLine)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test("what is still being written can be read, and another process reads it once it is whole", async () => {
    const { folder, results } = await store();
    const writer = await results.open("exec server");
    await writer.write("x".repeat(RESULT_PAGE + 5));
    expect(await results.page(writer.id, 2)).toMatchObject({
      text: "xxxxx",
      complete: false,
      result: { pages: 2, characters: RESULT_PAGE + 5 },
    });
    const other = new ResultFiles(() => Promise.resolve(folder));
    await expect(other.page(writer.id, 1)).rejects.toMatchObject({ type: "unknown_id" });
    await writer.close();
    expect(await other.page(writer.id, 2)).toMatchObject({ text: "xxxxx", complete: true });
  });

  test.each(["r1", "../../etc/passwd", "r000000000000", "", "p1"])("%s is no result", async (id) => {
    const { results } = await store();
    await expect(results.page(id, 1)).rejects.toMatchObject({
      type: "unknown_id",
      hint: "Repeat the call that returned it.",
    });
  });

  test("a page past the end names the valid ones", async () => {
    const { results } = await store();
    const writer = await results.open("x");
    await writer.write("y".repeat(2 * RESULT_PAGE));
    const { id } = await writer.close();
    await expect(results.page(id, 3)).rejects.toMatchObject({
      type: "page_out_of_range",
      hint: "Valid pages are 1–2.",
    });
  });

  test("an empty result has one empty page", async () => {
    const { results } = await store();
    const { id } = await (await results.open("x")).close();
    expect(await results.page(id, 1)).toMatchObject({ text: "", complete: true });
    await expect(results.page(id, 2)).rejects.toMatchObject({
      type: "page_out_of_range",
      hint: "Valid pages are 1–1.",
    });
  });

  test("one that is too large says how much was not kept", async () => {
    const { results } = await store({ result: 20_000, total: 1_000_000 });
    const writer = await results.open("x");
    for (let index = 0; index < 10; index++) {
      await writer.write("z".repeat(10_000));
    }
    const { id, characters, dropped } = await writer.close();
    expect(characters + dropped).toBe(100_000);
    expect((await readAll(results, id, (await results.page(id, 1)).result.pages)).join("")).toBe(
      "z".repeat(characters),
    );
    expect((await results.page(id, 1)).result.dropped).toBe(dropped);
  });

  test("the oldest go when there are too many, one that is being written stays", async () => {
    const { folder, results } = await store({ result: 100_000, total: 50_000 });
    const kept = await results.open("kept");
    await kept.write("k".repeat(30_000));
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) {
      const writer = await results.open(`${index}`);
      await writer.write("o".repeat(20_000));
      ids.push((await writer.close()).id);
    }
    await (await results.open("last")).discard();
    const left = (await readdir(folder)).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
    expect(left.length).toBeLessThan(4);
    expect(left).toContain(ids.at(-1));
    expect((await results.page(kept.id, 1)).text).toBe("k".repeat(RESULT_PAGE));
    await kept.close();
  });

  test("discarded, nothing is left", async () => {
    const { folder, results } = await store();
    const writer = await results.open("x");
    await writer.write("text");
    await writer.discard();
    expect(await readdir(folder)).toEqual([]);
    await expect(results.page(writer.id, 1)).rejects.toMatchObject({ type: "unknown_id" });
  });

  test("a folder that cannot be made is told", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "results"), "a file");
    await expect(new ResultFiles(() => Promise.resolve(join(folder, "results"))).open("x")).rejects.toMatchObject({
      type: "io_error",
      message: expect.stringMatching(/^The result store cannot be used/) as string,
    });
  });
});
