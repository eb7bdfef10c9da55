import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutSecrets } from "../../../../src/features/code/withoutSecrets.js";
import { followCode } from "../../../../src/features/knowledge/followCode.js";
import { KnowledgeBase, type KnowledgeHost } from "../../../../src/features/knowledge/knowledgeBase.js";
import type { Embeddings } from "../../../../src/ports/embeddings.js";
import { searchLocal } from "../../../../src/compose/files.js";
import { createRipgrep } from "../../../../src/hosts/node/ripgrep/run.js";
import { syntax } from "../../../harness/grammars.js";
import { openWorkspace, ripgrepPath } from "../../tools/workspace.js";
import { memoryIndex } from "./rig.js";

/** More than are indexed in two batches. */
const FILES = 120;
const { signal } = new AbortController();
const wanted = { area: "code", limit: 3, minScore: 0 } as const;

/** A workspace of many source files, the index of its code, and the files that were read for it. */
async function openCode(options: Partial<KnowledgeHost> = {}) {
  const tree = Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [`f${at}.ts`, `/** Number ${at}. */\nexport const value${at} = ${at};\n`]),
  );
  const { files, folder } = await openWorkspace(tree);
  // A file that was written a moment ago may change within the same tick of the disk's clock, and is read again.
  await Promise.all(Object.keys(tree).map((name) => utimes(join(folder, name), 1_600_000_000, 1_600_000_000)));
  const read: string[] = [];
  const seen = {
    ...withoutSecrets(files, searchLocal(files, createRipgrep(ripgrepPath))),
    syntax: { ...syntax, languageOf: syntax.languageOf.bind(syntax), scan: scanned },
  };
  async function scanned(path: string, text: string): ReturnType<typeof syntax.scan> {
    read.push(path);
    return syntax.scan(path, text);
  }
  const base: KnowledgeBase = new KnowledgeBase({
    ...{ files, stores: memoryIndex(), embeddings: () => undefined, now: Date.now },
    follow: (following) => followCode(seen, following),
    ...options,
  });
  return { base, read };
}

describe("code that nobody waits for", () => {
  it("is read whole, and the next search reads none of it again", async () => {
    const { base, read } = await openCode();
    const told: string[] = [];
    await base.readAhead("code", signal, ({ message }) => told.push(message));
    expect(told).toEqual(["50 of 120 source files", "100 of 120 source files"]);
    expect(read).toHaveLength(FILES);
    const { hits } = await base.search({ ...wanted, query: "value77" }, signal);
    expect(hits[0]?.path).toBe("f77.ts");
    expect(read).toHaveLength(FILES);
  });

  it("gives way to a search, which finds everything, and is read to the end after it", async () => {
    const { base, read } = await openCode();
    let found: ReturnType<KnowledgeBase["search"]> | undefined;
    await base.readAhead("code", signal, () => {
      found ??= base.search({ ...wanted, query: "value119" }, signal);
    });
    expect((await found)?.hits[0]?.path).toBe("f119.ts");
    // Nothing that was written down is read twice.
    expect(read.length).toBeLessThan(FILES + 50);
    expect(new Set(read).size).toBe(FILES);
  });

  it("goes on when a search had no time for all of it", async () => {
    // Every look at the clock is ten seconds later.
    let clock = 0;
    const left: string[] = [];
    const { base, read } = await openCode({ now: () => (clock += 10_000), onLeft: (area) => left.push(area) });
    const { note } = await base.search({ ...wanted, query: "value119" }, signal);
    expect(note).toMatch(/^\d+ of 120 source files have not been read yet: they are being read\.$/);
    expect(left).toEqual(["code"]);
    await base.readAhead("code", signal);
    expect(new Set(read).size).toBe(FILES);
  });

  it("ends when it is told to, and leaves what it has read", async () => {
    const { base, read } = await openCode();
    const stop = new AbortController();
    await expect(base.readAhead("code", stop.signal, () => stop.abort(new Error("closed")))).rejects.toThrow("closed");
    expect(read).toHaveLength(50);
    expect((await base.search({ ...wanted, query: "value3" }, signal)).hits[0]?.path).toBe("f3.ts");
    expect(read).toHaveLength(FILES);
  });

  it("gets its embeddings, too, if the user has a server for code", async () => {
    let texts = 0;
    const embeddings: Embeddings = {
      model: "test",
      embed: (given) => {
        texts += given.length;
        return Promise.resolve(given.map(() => Float32Array.of(1, 0)));
      },
    };
    const { base } = await openCode({ embeddings: () => embeddings });
    await base.readAhead("code", signal);
    expect(texts).toBeGreaterThanOrEqual(FILES);
  });
});
