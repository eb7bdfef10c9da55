import { describe, expect, it } from "vitest";
import { KnowledgeBase } from "../../../../src/features/knowledge/knowledgeBase.js";
import { MemoryDisk } from "../../../memory/disk.js";
import { MemoryFiles } from "../../../memory/files.js";
import { processorTime } from "../../../harness/processorTime.js";
import { tempFolder } from "../../tools/workspace.js";
import { memoryIndex, openKnowledge } from "./rig.js";

const NOTES = {
  "http/timeouts.md":
    "# HTTP client\n\n## Timeouts\n\nThe fetch wrapper gives up after `requestTimeout` milliseconds; connections that are refused are retried twice.\n\n## Proxies\n\nSet `HTTPS_PROXY` to go through a proxy.\n",
  "db/migrations.md":
    "# Database\n\nMigrations run in one transaction. A failed migration rolls everything back.\n\nUse read_only mode for reports.\n",
  "people/anna.md": "Anna prefers tabs over spaces and reviews pull requests on Mondays.\n",
  "i18n/ja.md": "東京都の天気予報は晴れです。\n",
};

const found: { name: string; query: string; path: string | undefined; line?: number }[] = [
  { name: "other forms of a word", query: "retrying a refused connection", path: "http/timeouts.md", line: 1 },
  { name: "a part of a camelCase name", query: "timeout of a request", path: "http/timeouts.md", line: 1 },
  { name: "a name written in another style", query: "request_timeout", path: "http/timeouts.md", line: 1 },
  { name: "snake_case by camelCase", query: "readOnly", path: "db/migrations.md" },
  { name: "words of a heading", query: "proxies of the HTTP client", path: "http/timeouts.md", line: 7 },
  { name: "words of the file's name", query: "anna", path: "people/anna.md" },
  { name: "text without blanks", query: "天気予報", path: "i18n/ja.md" },
  {
    name: "operators are words: AND OR NOT NEAR",
    query: 'NOT "migrations" AND (rolls* OR ^back) NEAR(transaction)',
    path: "db/migrations.md",
  },
  { name: "quotes and semicolons", query: "\"'); -- migrations'' transaction: failed\"", path: "db/migrations.md" },
  { name: "nothing that is stored", query: "quarterly dividend of the shareholders", path: undefined },
  { name: "function words alone in common", query: "what is the best way to cook it in the oven", path: undefined },
];

describe("a ranked search", () => {
  it.each(found)("finds $name", async ({ query, path, line }) => {
    const { search } = await openKnowledge(NOTES);
    const { hits, ranking } = await search({ query });
    expect(ranking).toBe("lexical");
    expect(hits[0]?.path).toBe(path);
    expect(hits.every(({ score }) => score >= 0.35 && score <= 1)).toBe(true);
    if (line !== undefined) {
      expect(hits[0]?.startLine).toBe(line);
    }
  });

  it("scores 1 for what has every word, and less the less of a query it has", async () => {
    const { search } = await openKnowledge(NOTES);
    const scoreOf = async (query: string): Promise<number> =>
      (await search({ query, minScore: 0 })).hits.find(({ path }) => path === "db/migrations.md")?.score ?? 0;
    const scores = [
      await scoreOf("failed migration"),
      await scoreOf("failed migration transaction zebra"),
      await scoreOf("failed zebra quagga"),
    ];
    expect(scores[0]).toBe(1);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(new Set(scores).size).toBe(3);
  });

  it("keeps to a folder or a file, and not to one whose name begins alike", async () => {
    const { search } = await openKnowledge({ "a/x.md": "walrus one", "ab/x.md": "walrus two", "a.md": "walrus three" });
    const paths = async (path?: string): Promise<string[]> =>
      (await search({ query: "walrus", ...(path === undefined ? {} : { path }), minScore: 0 })).hits
        .map((hit) => hit.path)
        .sort();
    expect(await paths()).toEqual(["a.md", "a/x.md", "ab/x.md"]);
    expect(await paths("a")).toEqual(["a/x.md"]);
    expect(await paths("ab/x.md")).toEqual(["ab/x.md"]);
    expect(await paths("b")).toEqual([]);
  });

  it("takes a query of 100 KB, and one of as many different words", async () => {
    const { search } = await openKnowledge(NOTES);
    const spent = await processorTime(async () => {
      expect((await search({ query: "migration transaction ".repeat(5_000) })).hits[0]?.path).toBe("db/migrations.md");
      await search({ query: Array.from({ length: 15_000 }, (_, i) => `w${i.toString(36)}`).join(" "), minScore: 0 });
    });
    expect(spent).toBeLessThan(2_000);
  });

  it.each([
    [{}, "exactly one"],
    [{ query: "a", pattern: "b" }, "exactly one"],
    [{ query: "?!…" }, "no word"],
    [{ query: "" }, "no word"],
    [{ pattern: "" }, "is empty"],
  ])("refuses %o and says what to give", async (request, message) => {
    const { search } = await openKnowledge(NOTES);
    await expect(search(request)).rejects.toMatchObject({
      type: "invalid_input",
      message: expect.stringContaining(message) as string,
      hint: expect.any(String) as string,
    });
  });

  it("says so when nothing is kept, and when no folder is open", async () => {
    const { search } = await openKnowledge({});
    expect(await search({ query: "anything" })).toMatchObject({
      hits: [],
      note: expect.stringContaining("Nothing is kept") as string,
    });
    const none = new KnowledgeBase({
      files: new MemoryFiles(new MemoryDisk(), []),
      stores: memoryIndex(),
      embeddings: () => undefined,
      now: Date.now,
    });
    await expect(
      none.search({ area: "memory", query: "a", limit: 6, minScore: 0 }, new AbortController().signal),
    ).rejects.toMatchObject({ type: "unavailable", hint: expect.stringContaining("Open a folder") as string });
  });

  it("looks into the first of several folders", async () => {
    const other = await tempFolder({ ".toolhost/context/other.md": "walrus" });
    const { search } = await openKnowledge(
      { "first.md": "walrus" },
      { name: "one", roots: [{ name: "two", path: other }] },
    );
    expect((await search({ query: "walrus" })).hits.map(({ path }) => path)).toEqual(["first.md"]);
  });

  it("gives the lines of a long chunk that say most, in at most 700 characters", async () => {
    const { search } = await openKnowledge({
      "long.txt": `${"filler words here\n".repeat(50)}the walrus eats clams\n${"more filler text\n".repeat(20)}`,
    });
    const [hit] = (await search({ query: "walrus clams" })).hits;
    expect(hit?.snippet).toContain("the walrus eats clams");
    expect(hit?.snippet.length).toBeLessThanOrEqual(700);
  });
});

describe("a pattern", () => {
  it.each([
    ["whatever its case", "FETCH WRAPPER", [["http/timeouts.md", 5, 5]]],
    ["as it stands, no expression", "read_only mode.", []],
    ["with characters of expressions", "`requestTimeout` milli", [["http/timeouts.md", 5, 5]]],
    ["over several lines", "# Database\n\nMigrations", [["db/migrations.md", 1, 3]]],
    ["over the end of a chunk", "twice.\n\n## Prox", [["http/timeouts.md", 5, 7]]],
    ["once a line", "a", expect.arrayContaining([["people/anna.md", 1, 1]])],
  ])("is found %s", async (_, pattern, places) => {
    const { search } = await openKnowledge(NOTES);
    const { hits, ranking } = await search({ pattern, limit: 50 });
    expect(ranking).toBe("pattern");
    expect(hits.map(({ path, startLine, endLine }) => [path, startLine, endLine])).toEqual(places);
    expect(hits.every(({ score, snippet }) => score === 1 && snippet.length > 0)).toBe(true);
  });
});
