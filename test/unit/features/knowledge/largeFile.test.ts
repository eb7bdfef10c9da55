// Files that are too long to be held: taken in by parts, found at their lines, never twice and never half for good.
import { describe, expect, it } from "vitest";
import type { KnowledgeProgress } from "../../../../src/ports/knowledge.js";
import { hosts, openWorkspace, result } from "../../tools/workspace.js";
import { openKnowledge } from "./rig.js";

const CONTEXT = ".toolhost/context";
/** 6 MB in several parts; one line of each hundred thousand is about an animal. */
const animals = ["walrus", "gazelle", "ostrich"];
const text = animals
  .map((animal) => `${"a line of thirty-two characters\n".repeat(60_000)}the ${animal} sleeps here\n`)
  .join("");

describe.each(hosts)("a file of 6 MB on %s", (host) => {
  it("is found at its lines, and unchanged when it is looked at again", async () => {
    const { search, refresh } = await openKnowledge({ "large.log": text, "small.md": "a turtle" }, { host });
    for (const [index, animal] of animals.entries()) {
      const { hits, unsearched } = await search({ pattern: animal });
      expect(hits.map(({ path, startLine }) => [path, startLine])).toEqual([["large.log", 60_001 * (index + 1)]]);
      expect(unsearched).toBeUndefined();
      const [ranked] = (await search({ query: `${animal} sleeps` })).hits;
      expect(ranked?.startLine).toBeLessThanOrEqual(60_001 * (index + 1));
      expect(ranked?.endLine).toBeGreaterThanOrEqual(60_001 * (index + 1));
    }
    expect(await refresh()).toMatchObject({ indexed: 0, unchanged: 2, failed: [] });
  });

  it("follows its change", async () => {
    const { search, workspace } = await openKnowledge({ "large.log": text }, { host });
    expect((await search({ pattern: "ostrich" })).hits).toHaveLength(1);
    await workspace.put(`${CONTEXT}/large.log`, text.replace("ostrich", "penguin"));
    expect((await search({ pattern: "ostrich" })).hits).toEqual([]);
    expect((await search({ query: "penguin sleeps" })).hits).toHaveLength(1);
    await workspace.remove(`${CONTEXT}/large.log`);
    expect((await search({ pattern: "gazelle" })).hits).toEqual([]);
  });

  it("that is binary behind its beginning, or is one line, is told or taken in", async () => {
    const { search } = await openKnowledge(
      { "line.txt": `${"word ".repeat(700_000)}walrus`, "binary.log": new Uint8Array(3_000_000) },
      { host },
    );
    const found = await search({ pattern: "walrus" });
    expect(found.hits.map(({ path, startLine }) => [path, startLine])).toEqual([["line.txt", 1]]);
    expect(found.unsearched).toBe("Not searched: binary.log is not text (binary).");
  });
});

it("whose taking in was cancelled is taken in anew by the next search, once", async () => {
  const { base, search, refresh } = await openKnowledge({ "large.log": text });
  const cancellation = new AbortController();
  const told: KnowledgeProgress[] = [];
  const refreshing = base.refresh("context", undefined, cancellation.signal, (progress) => {
    told.push(progress);
    if ((progress.fraction ?? 0) > 0.2) {
      cancellation.abort();
    }
  });
  await expect(refreshing).rejects.toMatchObject({ name: "AbortError" });
  expect(told.at(-1)).toMatchObject({ message: "large.log" });
  expect((await search({ pattern: "sleeps" })).hits).toHaveLength(3);
  expect(await refresh()).toMatchObject({ indexed: 0, unchanged: 1 });
});

it("that a pipe stored is searchable at once", async () => {
  const { call } = await openWorkspace();
  result(
    await call("pipe", {
      tool_name: "exec",
      tool_input: { command: "seq 1 2000000; echo the walrus" },
      path: "numbers.log",
    }),
  );
  expect(result(await call("context_search", { pattern: "walrus" })).text).toMatch(/^numbers\.log:2000001 /);
});
