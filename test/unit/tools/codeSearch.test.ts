import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/core/errors.js";
import type { Embeddings } from "../../../src/ports/embeddings.js";
import { failed, hosts, openWorkspace, result, type FileTree } from "./workspace.js";

const files: FileTree = {
  ".gitignore": "ignored/\n",
  "src/http.ts": `/** Turns the text of a request into its parts. */
export function parseHTTPRequest(text: string): Request {
  return new Request(text);
}

/** Waits until a connection is free. */
export function awaitConnection(pool: Pool): Promise<void> {
  return pool.next();
}
`,
  "src/colors.py":
    '"""Colors."""\n\ndef to_hex(red, green, blue):\n    """Return a color as hexadecimal digits."""\n    return "#%02x" % red\n',
  "ignored/http.ts": "/** Parses an HTTP request. */\nexport function ignored() {\n  return 1;\n}\n",
  "secrets.env": "parse_http_request=1\n",
  "src/.env.ts": "/** Parses an HTTP request. */\nexport const other = 1;\n\n\n",
  ".ssh/id.ts": "/** Parses an HTTP request. */\nexport function key() {\n  return 1;\n}\n",
  "notes.md": "parse http request\n",
};

interface Data {
  hits: { path: string; symbol: string; start_line: number; end_line: number }[];
  ranking: string;
  note: string | null;
}

describe.each(hosts)("code_search on the %s host", (host) => {
  it("finds symbols by the words in their names, comments and code, and nothing ignored or secret", async () => {
    const { call } = await openWorkspace(files, { host });
    const found = result(await call("code_search", { query: "parse an HTTP request" }));
    expect((found.data as Data).hits[0]).toMatchObject({
      ...{ path: "src/http.ts", symbol: "parseHTTPRequest", start_line: 1, end_line: 4 },
    });
    expect(found.text.split("\n")[0]).toBe("src/http.ts:1-4 parseHTTPRequest");
    const paths = new Set((found.data as Data).hits.map(({ path }) => path));
    expect([...paths].filter((path) => !path.startsWith("src/"))).toEqual([]);
    const color = result(await call("code_search", { query: "hexadecimal colour digits", limit: 1 }));
    expect((color.data as Data).hits).toMatchObject([{ path: "src/colors.py", symbol: "to_hex" }]);
    const below = result(await call("code_search", { query: "request digits", path: "src/colors.py" }));
    expect((below.data as Data).hits.every(({ path }) => path === "src/colors.py")).toBe(true);
  });

  it("shows a symbol once that a build has copied", async () => {
    const source =
      "/** Reports what nobody handles. */\nexport function report(error: unknown): void {\n  late(error);\n}\n";
    const copy = "function report(error) {\n  late(error);\n}\n";
    const other = { "dist/old.js": "/** Reports what nobody handles. */\nfunction announce(error) {}\n" };
    const { call } = await openWorkspace(
      { "src/report.ts": source, "dist/cjs/report.js": copy, "dist/esm/report.js": copy, ...other },
      { host },
    );
    const found = result(await call("code_search", { query: "report an error that nobody handles" }));
    expect(found.text).toContain("src/report.ts:1-4 report [and 2 copies in build output]\n");
    expect((found.data as Data).hits.map(({ path }) => path).toSorted()).toEqual(["dist/old.js", "src/report.ts"]);
    const inBuild = result(await call("code_search", { query: "report an error late", path: "dist" }));
    expect(inBuild.text).toMatch(/dist\/\w+\/report\.js:1-3 report \[and 1 copy in build output\]\n/);
  });

  it("shows lines with their numbers and indentation, so that they can be quoted", async () => {
    const body = "        total = total + 1\n".repeat(60);
    const text = `class Adder:\n\n    def add_up(self):\n        if self.ready:\n${body}            zebra = 1\n        return total\n`;
    const { call, bytes } = await openWorkspace({ "a.py": text }, { host });
    const found = result(await call("code_search", { query: "zebra", limit: 1 })).text;
    expect(found).toContain("\n65\t            zebra = 1\n66\t        return total");
    const [, quoted = ""] = /\n65\t(.*)\n/.exec(found) ?? [];
    await call("edit", { path: "a.py", old_text: quoted, new_text: quoted.replace("1", "2") });
    expect(String(await bytes("a.py"))).toBe(text.replace("zebra = 1", "zebra = 2"));
  });

  it("puts the symbol of that name before those that mention it, however it is written", async () => {
    const uses = Array.from(
      { length: 30 },
      (_, index) =>
        `/** Moves the scroll bar ${index}. */\nexport function move${index}() {\n  return scroll + bar;\n}\n`,
    );
    const { call } = await openWorkspace(
      { "a.ts": `${uses.join("\n")}\nexport class Scrollbar {\n  size = 1;\n  color = 2;\n}\n` },
      { host },
    );
    const [first] = (result(await call("code_search", { query: "the scroll bar" })).data as Data).hits;
    expect(first?.symbol).toMatch(/^Scrollbar/);
  });

  it("follows changes, and says so if there is nothing", async () => {
    const { call } = await openWorkspace(files, { host });
    expect(result(await call("code_search", { query: "kangaroo" })).text).toBe("[Nothing found.]");
    await call("write", { path: "src/new.ts", text: "export function kangaroo() {\n  return 1;\n}\n" });
    expect(result(await call("code_search", { query: "kangaroo" })).text).toMatch(/^src\/new\.ts:1-3 kangaroo\n/);
    await call("edit", { path: "src/new.ts", old_text: "kangaroo", new_text: "wallaby" });
    expect(result(await call("code_search", { query: "kangaroo" })).text).toBe("[Nothing found.]");
    expect(result(await call("code_search", { query: "wallaby" })).text).toMatch(/^src\/new\.ts:1-3 wallaby\n/);
  });

  it("refuses a query without words and a path that is not there", async () => {
    const { call } = await openWorkspace(files, { host });
    expect(failed(await call("code_search", { query: "…" })).type).toBe("invalid_input");
    expect(failed(await call("code_search", { query: "x", path: "nowhere" })).type).toBe("not_found");
  });
});

it("leaves out links, binary files and what is too long, and lists a long function once", async () => {
  const body = "  zebra += first * second - third;\n".repeat(200);
  const { call, folder } = await openWorkspace({
    "a.ts": `export function zebra() {\n${body}}\n`,
    "huge.ts": `export function zebraHuge() {\n${body.repeat(100)}}\n`,
    "binary.ts": new Uint8Array([0, 1, 2, 3, 0, 0]),
  });
  await symlink(join(folder, "a.ts"), join(folder, "link.ts"));
  const { hits, note } = result(await call("code_search", { query: "zebra" })).data as Data;
  expect(note).toBe("Not parsed: huge.ts has more than 500,000 bytes and is not searched.");
  expect(hits.map(({ path, symbol }) => `${path} ${symbol}`)).toEqual(["a.ts zebra"]);
});

/** A server for which texts about the same thing have the same meaning, in whatever words. */
class Meanings implements Embeddings {
  readonly model = "meanings";
  readonly sent: string[] = [];
  failure: ToolError | undefined;

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.sent.push(...texts);
    if (this.failure !== undefined) {
      throw this.failure;
    }
    return texts.map((text) => new Float32Array(/feline|cat/i.test(text) ? [1, 0] : [0, 1]));
  }
}

describe("code_search with embeddings", () => {
  const animals: FileTree = {
    "a.ts": "export function petCat() {\n  return purr();\n}\n",
    "b.ts": "export function stroke() {\n  return feline;\n}\n",
    "c.ts": "export function dog() {\n  return bark();\n}\n",
    ".env.ts": "export function catSecret() {\n  return 1;\n}\n",
  };

  it("finds by meaning what has none of the words, and sends no file that may hold secrets", async () => {
    const meanings = new Meanings();
    const { call } = await openWorkspace(animals, { codeEmbeddings: meanings });
    const { data } = result(await call("code_search", { query: "petCat" }));
    expect((data as Data).ranking).toBe("hybrid");
    expect((data as Data).hits.slice(0, 2).map(({ symbol }) => symbol)).toEqual(["petCat", "stroke"]);
    expect(meanings.sent.join("\n")).not.toContain("catSecret");
  });

  it("finds by words alone where there is no server, and where it fails, which is said", async () => {
    const plain = await openWorkspace(animals);
    const { data } = result(await plain.call("code_search", { query: "petCat" }));
    expect(data).toMatchObject({ ranking: "lexical", note: null, hits: [{ symbol: "petCat" }] });
    const meanings = new Meanings();
    meanings.failure = new ToolError("unavailable", "The server is down.");
    const { call } = await openWorkspace(animals, { codeEmbeddings: meanings });
    const found = result(await call("code_search", { query: "petCat" }));
    expect(found.data).toMatchObject({ ranking: "lexical", hits: [{ symbol: "petCat" }] });
    expect(found.text).toContain("[Ranked by words alone, without embeddings (meanings): The server is down.]");
  });
});
