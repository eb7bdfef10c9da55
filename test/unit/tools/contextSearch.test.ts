import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

const STORE = ".toolhost/context";

interface SearchData {
  hits: { path: string; start_line: number; end_line: number; score: number; snippet: string }[];
  ranking: string;
  note: string | null;
}

interface RefreshData {
  indexed: number;
  unchanged: number;
  removed: number;
  failed: { path: string; why: string }[];
}

const files: FileTree = {
  [`${STORE}/meetings/budget.md`]:
    "# Budget meeting\n\nThe quarterly revenue grew by eleven percent.\nWe hire two engineers.\n",
  [`${STORE}/meetings/kitchen.md`]: "# Kitchen\n\nThe coffee machine is broken again.\n",
  [`${STORE}/code/parser.ts`]: "export function parseLinePatches(text: string): void {}\n",
  [`${STORE}/secret/.env`]: "REVENUE_KEY=quarterly revenue\n",
  ".toolhost/MEMORY.md": "quarterly revenue is a memory\n",
  "src/a.ts": "quarterly revenue in the source\n",
};

describe.each(hosts)("on the %s host", (host) => {
  describe("context_search finds", () => {
    const cases: { name: string; input: object; first: string; ranking: string }[] = [
      {
        name: "words in any order and form",
        input: { query: "engineer hiring" },
        first: "meetings/budget.md",
        ranking: "lexical",
      },
      {
        name: "parts of a name in code",
        input: { query: "line patches" },
        first: "code/parser.ts",
        ranking: "lexical",
      },
      { name: "a name in code", input: { query: "parseLinePatches" }, first: "code/parser.ts", ranking: "lexical" },
      {
        name: "a text as it stands, in any case",
        input: { pattern: "COFFEE machine" },
        first: "meetings/kitchen.md",
        ranking: "pattern",
      },
      {
        name: "a text with operators as plain words",
        input: { query: 'revenue" OR (grew AND NOT -percent*)' },
        first: "meetings/budget.md",
        ranking: "lexical",
      },
      {
        name: "what a folder holds",
        input: { query: "quarterly revenue", path: "/meetings/" },
        first: "meetings/budget.md",
        ranking: "lexical",
      },
      {
        name: "what a file holds",
        input: { query: "quarterly revenue", path: "meetings/budget.md" },
        first: "meetings/budget.md",
        ranking: "lexical",
      },
      {
        name: "by another system's names",
        input: { query: "coffee", logical_path: "meetings", top_k: 1 },
        first: "meetings/kitchen.md",
        ranking: "lexical",
      },
      {
        name: "by the query when the pattern is empty",
        input: { query: "coffee", pattern: "" },
        first: "meetings/kitchen.md",
        ranking: "lexical",
      },
    ];
    test.each(cases)("$name", async ({ input, first, ranking }) => {
      const { call } = await openWorkspace(files, { host });
      const { text, data } = result<SearchData>(await call("context_search", input, { as: "model" }));
      expect(data.hits[0]?.path).toBe(first);
      expect(data.ranking).toBe(ranking);
      for (const { score, start_line, end_line, path } of data.hits) {
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(start_line).toBeLessThanOrEqual(end_line);
        expect([".env", "MEMORY.md", "a.ts"]).not.toContain(path.split("/").at(-1));
      }
      expect(text.split("\n")[0]).toMatch(new RegExp(`^${first}:\\d+(-\\d+)? \\(\\d\\.\\d\\d\\)$`));
    });
  });

  test("a file that may hold secrets is not searched: nothing that is told depends on what stands in it", async () => {
    const { call } = await openWorkspace(files, { host });
    const told = await Promise.all(
      ["REVENUE_KEY=quarterly", "REVENUE_KEY=other"].map((pattern) =>
        call("context_search", { pattern }, { as: "model" }),
      ),
    );
    expect(told.map((outcome) => result<SearchData>(outcome).text)).toEqual(["[Nothing found.]", "[Nothing found.]"]);
    expect(
      result<SearchData>(await call("context_search", { query: "REVENUE_KEY" }, { as: "model" })).text,
    ).not.toContain("=");
  });

  test.each(["zebra migration in Botswana", "???"])(
    "%j, about nothing that is stored, finds nothing",
    async (query) => {
      const { call } = await openWorkspace(files, { host });
      const outcome = await call("context_search", { query });
      expect(outcome.ok ? outcome.text : `${outcome.error.type}: ${outcome.error.message}`).toMatch(
        /^\[Nothing found\.\]|^invalid_input: query contains no words/,
      );
    },
  );

  test("a store that is empty holds nothing", async () => {
    const { call } = await openWorkspace({}, { host });
    expect(result<SearchData>(await call("context_search", { query: "anything" })).text).toMatch(
      /^\[Nothing found\.\]\n\[Nothing is kept/,
    );
  });

  test("what was written, edited or deleted just now, by a tool or by hand, is found as it is", async () => {
    const { call, put } = await openWorkspace({}, { host });
    const paths = async (query: string): Promise<string[]> =>
      result<SearchData>(await call("context_search", { query })).data.hits.map(({ path }) => path);
    result(await call("context_write", { path: "a.md", content: "walrus\n" }));
    expect(await paths("walrus")).toEqual(["a.md"]);
    result(await call("context_edit", { path: "a.md", patches: [{ start_line: 1, end_line: 1, content: "penguin" }] }));
    expect([await paths("walrus"), await paths("penguin")]).toEqual([[], ["a.md"]]);
    await put(`${STORE}/b.md`, "penguin by hand\n");
    expect((await paths("penguin")).sort()).toEqual(["a.md", "b.md"]);
    result(await call("context_delete", { path: "a.md" }));
    expect(await paths("penguin")).toEqual(["b.md"]);
  });

  test("gives as many as asked for, and says that there may be more", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`${STORE}/${index}.md`, `walrus number ${index}\n`]),
    );
    const { call } = await openWorkspace(many, { host });
    const { text, data } = result<SearchData>(await call("context_search", { query: "walrus", limit: 3 }));
    expect(data.hits).toHaveLength(3);
    expect(text).toMatch(/\[3 hits; there may be more, set limit up to 50\.\]$/);
    expect(result<SearchData>(await call("context_search", { query: "walrus" })).data.hits).toHaveLength(10);
  });

  describe("context_search refuses", () => {
    const cases: { name: string; input: object; message: RegExp }[] = [
      { name: "neither query nor pattern", input: {}, message: /neither query nor pattern/ },
      { name: "blank ones", input: { query: "  ", pattern: "" }, message: /neither query nor pattern/ },
      { name: "both", input: { query: "a", pattern: "b" }, message: /both given/ },
      { name: "a query of more than 100 KB", input: { query: "x".repeat(100_001) }, message: /query/ },
      { name: "no hit at all", input: { query: "a", limit: 0 }, message: /limit/ },
      { name: "too many hits", input: { query: "a", limit: 51 }, message: /limit/ },
      { name: "a path that leads out", input: { query: "a", path: ".." }, message: /\.\. leaves a folder/ },
    ];
    test.each(cases)("$name", async ({ input, message }) => {
      const { call } = await openWorkspace(files, { host });
      const error = failed(await call("context_search", input));
      expect([error.type, error.message]).toEqual(["invalid_input", expect.stringMatching(message)]);
    });
  });

  test("a query of 100 KB is answered", async () => {
    const { call } = await openWorkspace(files, { host });
    expect((await call("context_search", { query: "coffee ".repeat(14_000) })).ok).toBe(true);
  });

  describe("context_refresh", () => {
    test("takes in what is there, tells what it cannot, and finds it unchanged then", async () => {
      const { call } = await openWorkspace(
        { ...files, [`${STORE}/bin`]: Buffer.from([0, 1]), [`${STORE}/latin1`]: Buffer.from([0xe9]) },
        { host },
      );
      const first = result<RefreshData>(await call("context_refresh", {}));
      expect(first.data).toMatchObject({
        removed: 0,
        failed: [
          { path: "bin", why: expect.stringMatching(/binary/) as string },
          { path: "latin1", why: expect.stringMatching(/UTF-8/) as string },
        ],
      });
      expect(first.data.indexed).toBeGreaterThanOrEqual(3);
      expect(first.text).toMatch(
        /^Indexed \d+ files; 0 unchanged, 0 removed, 2 not indexed:\n- bin: .*binary.*\n- latin1: /,
      );
      expect(result<RefreshData>(await call("context_refresh", {})).data).toMatchObject({
        indexed: 0,
        unchanged: first.data.indexed,
        removed: 0,
      });
    });

    test("of a folder takes in no other", async () => {
      const { call } = await openWorkspace(files, { host });
      expect(result<RefreshData>(await call("context_refresh", { logical_path: "meetings/" })).data).toMatchObject({
        indexed: 2,
        unchanged: 0,
      });
    });

    test("tells that a file is gone, and refuses what was never there", async () => {
      const { call, remove } = await openWorkspace(files, { host });
      result(await call("context_refresh", {}));
      await remove(`${STORE}/meetings/kitchen.md`);
      expect(result<RefreshData>(await call("context_refresh", { path: "meetings/kitchen.md" })).data).toMatchObject({
        removed: 1,
        indexed: 0,
      });
      expect(failed(await call("context_refresh", { path: "meetings/kitchens.md" }))).toMatchObject({
        type: "not_found",
      });
      expect(failed(await call("context_refresh", { path: "../.." }))).toMatchObject({ type: "invalid_input" });
    });

    test("needs no permission, in mode plan neither, and changes no file", async () => {
      const workspace = await openWorkspace(files, { host });
      result(await workspace.call("context_refresh", {}, { as: "model", mode: "plan" }));
      expect(await workspace.names(STORE)).toEqual(["code", "meetings", "secret"]);
    });
  });
});
