import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findImports, mayImport, rewriteImports } from "../../../../src/text/imports/scan.js";
import { importCandidates, importedNames, resolveImport, specifiersFor } from "../../../../src/text/imports/resolve.js";

const specifiers = (path: string, text: string): string[] =>
  findImports(path, text).places.map(({ specifier }) => specifier);

describe("findImports finds", () => {
  test.each([
    { what: "a default import", text: 'import a from "./a";', found: ["./a"] },
    {
      what: "names over several lines",
      text: "import {\n  a,\n  b as c, // why\n  /* and */ type D,\n} from './a.js'\n",
      found: ["./a.js"],
    },
    { what: "a namespace, beside a default", text: 'import a, * as b from "../a"', found: ["../a"] },
    {
      what: "types",
      text: 'import type A from "./a";import type { B } from "./b";import { type C } from "./c"',
      found: ["./a", "./b", "./c"],
    },
    {
      what: "something named from, type or a text",
      text: 'import from from "./a"; import type from "./b"; import { "x y" as z } from "./c"',
      found: ["./a", "./b", "./c"],
    },
    { what: "side effects", text: 'import "./a";import"./b"', found: ["./a", "./b"] },
    { what: "attributes behind it", text: 'import a from "./a.json" with { type: "json" };', found: ["./a.json"] },
    {
      what: "exports",
      text: 'export * from "./a"; export * as b from "./b"; export { c } from "./c"; export type { D } from "./d"; export type * from "./e"',
      found: ["./a", "./b", "./c", "./d", "./e"],
    },
    {
      what: "exports without semicolons",
      text: 'export { a }\nimport b from "./b"\nexport { c }\nimport "./d"\n',
      found: ["./b", "./d"],
    },
    {
      what: "dynamic imports, anywhere",
      text: 'const f = async () => { await import("./a"); return import(/* webpackChunkName: "x" */ "./b", { with: {} }) }',
      found: ["./a", "./b"],
    },
    { what: "types by import()", text: 'let a: import("./a").A; let b: typeof import("./b")', found: ["./a", "./b"] },
    {
      what: "require, and its resolve",
      text: 'const a = require("./a"), b = require.resolve("./b");import c = require("./c");export import d = require("./d")',
      found: ["./a", "./b", "./c", "./d"],
    },
    {
      what: "mocks",
      text: 'jest.mock("./a"); vi.mock("./b", () => ({})); jest\n  .requireActual("./c"); await vi.importActual<typeof import("./d")>("./d")',
      found: ["./a", "./b", "./c", "./d", "./d"],
    },
    {
      what: "the folder itself and those above",
      text: 'import "."; import ".."; import "./"; import "../.."',
      found: [".", "..", "./", "../.."],
    },
    {
      what: "what stands behind regular expressions",
      text: 'const a = /["\'`/]/.test(b) ? /[/"]/g : 1 / 2; let c = (d) / e / f; x++ / 2; y! / "z".length; require("./a")',
      found: ["./a"],
    },
    {
      what: "what stands behind and inside templates",
      text: 'let a = `x ${`y ${require("./a")}`} "`;\nimport("./b")',
      found: ["./a", "./b"],
    },
    // Told from code by nothing but a grammar; who rewrites them looks first where they lead.
    {
      what: "what looks like an import in templates",
      text: 'let a = `import "./a" require("./b")`; import(`./d`)',
      found: ["./a", "./b"],
    },
    {
      what: "what stands behind a quote that is never closed, from the next line on",
      text: 'import "./a";\nlet b = "\nrequire("./d")',
      found: ["./a", "./d"],
    },
    {
      what: "what stands behind a hashbang and CRLF",
      text: '#!/usr/bin/env node it\'s\r\nimport "./a"\r\n',
      found: ["./a"],
    },
  ])("$what", ({ text, found }) => {
    expect(specifiers("x.ts", text)).toEqual(found);
    expect(specifiers("x.js", text)).toEqual(found);
    expect(findImports("x.ts", text).complete).toBe(true);
  });

  test("references at the top of a file, bare names of its own folder, too", () => {
    expect(
      specifiers(
        "x.ts",
        '// it\n/// <reference path="./a.d.ts" />\n///<reference path=\'b.d.ts\'/>\n/// <reference types="node" />\nlet a;\n/// <reference path="./late.ts" />\n',
      ),
    ).toEqual(["./a.d.ts", "b.d.ts"]);
  });

  test.each([
    {
      what: "elements with apostrophes and quotes in their text",
      path: "x.tsx",
      text: 'const a = <p title="it\'s" {...b}>don\'t `{c ? <B/> : <>it\'s</>}</p>;\nrequire("./a")',
      found: ["./a"],
    },
    {
      what: "expressions in elements",
      path: "x.jsx",
      text: 'const a = () => <A on={() => import("./a")}>{/* it\'s */}{require("./b")}</A>',
      found: ["./a", "./b"],
    },
    {
      what: "type arguments of elements",
      path: "x.tsx",
      text: 'const a = <List<string> of={b} />; import("./a")',
      found: ["./a"],
    },
    {
      what: "type parameters",
      path: "x.tsx",
      text: 'const a = <T,>(b: T) => b; const c = <T extends D>(e: T) => e; type F = <T>(g: T) => void; import("./a")',
      found: ["./a"],
    },
    { what: "comparisons", path: "x.tsx", text: 'if (a < b && c > d) require("./a")', found: ["./a"] },
  ])("what stands beside $what", ({ path, text, found }) => {
    expect(findImports(path, text).complete).toBe(true);
    expect(specifiers(path, text)).toEqual(found);
  });

  test.each([
    {
      what: "Vue",
      path: "x.vue",
      text: '<template><p>it\'s</p></template>\n<script setup lang="ts" generic="T extends A<B>">\nimport a from "./a"\n</script>\n<script>\nexport * from "./b"\n</script>\n<style>@import "./c.css";</style>',
      found: ["./a", "./b", "./c.css"],
    },
    {
      what: "Svelte",
      path: "x.svelte",
      text: '<script context="module">import "./a"</script><script>import B from "./B.svelte"</script>{import("./c")}',
      found: ["./a", "./B.svelte", "./c"],
    },
    {
      what: "Astro",
      path: "x.astro",
      text: '---\nimport A from "./A.astro"\n---\n<A></A><script>import "./b"</script>',
      found: ["./A.astro", "./b"],
    },
  ])("in files of $what", ({ path, text, found }) => {
    expect(specifiers(path, text)).toEqual(found);
  });

  test("lines, whatever ends them", () => {
    expect(findImports("a.ts", 'import "./a"\r\nimport "./b"\n\rimport "./c"').places).toMatchObject([
      { line: 1 },
      { line: 2 },
      { line: 4 },
    ]);
  });
});

describe("findImports leaves alone", () => {
  test.each([
    {
      what: "packages, aliases and addresses",
      text: 'import "a"; import "@/a"; import "#a"; import "/a"; import "node:fs"; import "~/a"; require("http://a")',
    },
    { what: "comments", text: '// import "./a"\n/* require("./a")\nimport "./b" */' },
    { what: "strings", text: 'let a = "import \'./a\'"; let b = \'require("./a")\'; let c = "\\"; import \'./d\'"' },
    { what: "regular expressions", text: 'let a = /require("\\/a")/' },
    {
      what: "what is worked out",
      text: 'import("./a" + b); require("./a".x); require("./a\\u0062"); import.meta.glob("./a")',
    },
    {
      what: "other functions and properties",
      text: 'a.require("./a"); b.import("./a"); unrequire("./a"); jest.fn("./a"); c.jest.mock("./a"); export const d = "./a"',
    },
    { what: "from outside of an import", text: 'const from = "./a"; Array.from("./a"); from("./a")' },
  ])("$what", ({ text }) => {
    expect(findImports("x.ts", text)).toEqual({ places: [], complete: true });
  });

  test("other files", () => {
    expect(specifiers("x.md", 'import "./a"')).toEqual([]);
    expect(mayImport("constructor")).toBe(false);
    expect(mayImport("a.toString")).toBe(false);
  });

  test("all behind a comment that does not end", () => {
    expect(specifiers("x.ts", 'import "./a"; /* require("./b")')).toEqual(["./a"]);
  });

  test("a text that is too long", () => {
    expect(findImports("x.ts", `import "./a"\n${" ".repeat(2_000_000)}`)).toEqual({ places: [], complete: false });
  });
});

/** Pieces that open, close and name things, in any order. */
const anyCode = fc
  .array(
    fc.constantFrom(
      "import",
      "export",
      "from",
      "require",
      "jest.mock",
      "vi.importActual",
      "<T>",
      "(",
      ")",
      "{",
      "}",
      "[",
      "]",
      "`",
      "${",
      "/",
      "*",
      "//",
      "/*",
      "*/",
      "///",
      "<",
      ">",
      "</",
      "/>",
      "<script>",
      "</script>",
      "<!--",
      "---\n",
      '"',
      "'",
      "./a",
      "../b",
      " ",
      "\n",
      "\r",
      "\\",
      "a",
      "1",
      ".",
      "...",
      "=",
      "!",
      "+",
      "++",
      "=>",
      ",",
      "😀",
      "\ud83d",
      "𝟎",
      "𝒳",
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));
const anyName = fc.constantFrom("x.ts", "x.tsx", "x.js", "x.vue", "x.svelte", "x.astro");

describe("findImports, whatever the text,", () => {
  test("ends, and gives places in order that hold what they say", () => {
    fc.assert(
      fc.property(anyName, fc.oneof(anyCode, fc.string({ unit: "binary", maxLength: 200 })), (path, text) => {
        const { places } = findImports(path, text);
        let end = 0;
        for (const place of places) {
          expect(place.start).toBeGreaterThan(end);
          expect(text.slice(place.start, place.end)).toBe(place.specifier);
          expect(text[place.start - 1]).toMatch(/["']/);
          expect(text[place.end]).toBe(text[place.start - 1]);
          end = place.end;
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test("rewrites places and keeps everything else", () => {
    fc.assert(
      fc.property(
        anyName,
        anyCode,
        fc.array(fc.constantFrom("./z", "../long/name.js", ".."), { minLength: 1 }),
        (path, text, names) => {
          const { places } = findImports(path, text);
          const changes = places.map((place, index) => ({ place, specifier: names[index % names.length] ?? "" }));
          const rewritten = rewriteImports(text, [...changes].reverse());
          const back = changes.reduceRight((whole, { place, specifier }, index) => {
            const shift = changes
              .slice(0, index)
              .reduce((sum, change) => sum + change.specifier.length - (change.place.end - change.place.start), 0);
            return (
              whole.slice(0, place.start + shift) +
              place.specifier +
              whole.slice(place.start + shift + specifier.length)
            );
          }, rewritten);
          expect(back).toBe(text);
          expect(rewriteImports(text, [])).toBe(text);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each([
    { what: "imports that never end", piece: "import { a, " },
    { what: "exports that never end", piece: "export { " },
    { what: "names without an end", piece: "export type a " },
    { what: "type arguments", piece: "vi.mock<" },
    { what: "type parameters", piece: "x = <T>( " },
    { what: "tags of many names", piece: "<", numbered: true },
    { what: "calls", piece: "import(" },
    { what: "comments", piece: "import/**/" },
    { what: "slashes", piece: "= / " },
    { what: "templates in templates", piece: "`${" },
    { what: "scripts", piece: "<script>" },
    { what: "quotes", piece: "import '" },
  ])("does no more work than its length allows: $what", ({ piece, numbered }) => {
    const text =
      numbered === true
        ? Array.from({ length: 40_000 }, (_, index) => `x = <T${index}>( `).join("")
        : piece.repeat(Math.floor(400_000 / piece.length));
    for (const path of ["x.ts", "x.tsx", "x.vue"]) {
      // The runner's own limit for a test is what holds this.
      expect(findImports(path, text).places.length).toBeLessThan(text.length);
    }
  });
});

describe("a specifier", () => {
  const resolved = async (files: readonly string[], specifier: string): Promise<unknown> => {
    const folders = new Set(
      files.flatMap((file) => file.split("/").map((_, index, parts) => parts.slice(0, index).join("/"))),
    );
    const target = await resolveImport("/w/src/x.ts", specifier, async (path) =>
      files.includes(path) ? "file" : folders.has(path) ? "directory" : undefined,
    );
    return target && `${target.form} ${target.path}`;
  };
  test.each([
    { specifier: "./a", files: ["/w/src/a.ts", "/w/src/a.js"], means: "bare /w/src/a.ts" },
    { specifier: "./a", files: ["/w/src/a/index.tsx", "/w/src/a.json"], means: "bare /w/src/a.json" },
    { specifier: "./a", files: ["/w/src/a", "/w/src/a.ts"], means: "exact /w/src/a" },
    { specifier: "./a.b", files: ["/w/src/a.b.ts"], means: "bare /w/src/a.b.ts" },
    { specifier: "./a", files: ["/w/src/a.d.ts"], means: "bare /w/src/a.d.ts" },
    { specifier: "./a.js", files: ["/w/src/a.tsx"], means: "compiled /w/src/a.tsx" },
    { specifier: "./a.js", files: ["/w/src/a.ts", "/w/src/a.js"], means: "exact /w/src/a.js" },
    { specifier: "./a.mjs", files: ["/w/src/a.mts"], means: "compiled /w/src/a.mts" },
    { specifier: "./a.cjs", files: ["/w/src/a.cts"], means: "compiled /w/src/a.cts" },
    { specifier: "./a.jsx", files: ["/w/src/a.tsx"], means: "compiled /w/src/a.tsx" },
    { specifier: "../a", files: ["/w/a/index.ts"], means: "index /w/a/index.ts" },
    { specifier: "./a/", files: ["/w/src/a.ts", "/w/src/a/index.js"], means: "index /w/src/a/index.js" },
    { specifier: ".", files: ["/w/src/index.ts"], means: "index /w/src/index.ts" },
    { specifier: "..", files: ["/w/index.ts"], means: "index /w/index.ts" },
    { specifier: "./a.svg?raw", files: ["/w/src/a.svg"], means: "exact /w/src/a.svg" },
    { specifier: "./a", files: ["/w/src/a/package.json"], means: "folder /w/src/a" },
    { specifier: "./a", files: ["/w/src/b.ts"], means: undefined },
    { specifier: "../../../../a", files: ["/a.ts"], means: "bare /a.ts" },
  ])("$specifier means $means among $files", async ({ specifier, files, means }) => {
    expect(await resolved(files, specifier)).toBe(means);
  });

  test.each([
    { was: "./a", form: "bare", to: "/w/lib/b.ts", becomes: ["../lib/b", "../lib/b.ts"] },
    { was: "../x/a.ts", form: "exact", to: "/w/src/b.tsx", becomes: ["./b.tsx"] },
    { was: "./a.js", form: "compiled", to: "/w/src/d/b.tsx", becomes: ["./d/b.js", "./d/b.tsx"] },
    { was: "./a.jsx", form: "compiled", to: "/w/src/b.tsx", becomes: ["./b.jsx", "./b.tsx"] },
    { was: "./a.mjs", form: "compiled", to: "/w/src/b.mts", becomes: ["./b.mjs", "./b.mts"] },
    { was: "./a.js", form: "compiled", to: "/w/src/b.vue", becomes: ["./b.vue"] },
    { was: "./a", form: "bare", to: "/w/src/b.d.ts", becomes: ["./b", "./b.d.ts"] },
    { was: "./a", form: "index", to: "/w/src/b/index.ts", becomes: ["./b", "./b/index", "./b/index.ts"] },
    { was: "./a/", form: "index", to: "/w/src/b/index.ts", becomes: ["./b/", "./b/index", "./b/index.ts"] },
    { was: "./a", form: "index", to: "/w/src/index.ts", becomes: [".", "./index", "./index.ts"] },
    { was: "./a", form: "index", to: "/w/index.ts", becomes: ["..", "../index", "../index.ts"] },
    { was: "./a", form: "index", to: "/w/src/a.ts", becomes: ["./a", "./a.ts"] },
    { was: "./a/index", form: "bare", to: "/w/src/b/index.ts", becomes: ["./b/index", "./b/index.ts"] },
    { was: "./a", form: "folder", to: "/w/a", becomes: ["../a"] },
    { was: "./a.svg?raw", form: "exact", to: "/w/b.svg", becomes: ["../b.svg?raw"] },
    { was: "a.d.ts", form: "exact", to: "/w/src/b.d.ts", becomes: ["b.d.ts"] },
  ] as const)("$was of $to becomes $becomes", ({ was, form, to, becomes }) => {
    expect(specifiersFor("/w/src/x.ts", to, was, form)).toEqual(becomes);
  });

  test("leads to the file it was made for, wherever both lie", () => {
    const folder = fc
      .array(fc.constantFrom("a", "b", "c"), { maxLength: 4 })
      .map((names) => ["", "w", ...names].join("/"));
    const name = fc.constantFrom("x.ts", "y.tsx", "index.ts", "z.d.ts", "v.vue", "s.css", "a.mts");
    fc.assert(
      fc.property(
        folder,
        folder,
        name,
        fc.constantFrom("exact", "bare", "compiled", "index"),
        (from, to, file, form) => {
          const path = `${to}/${file}`;
          for (const specifier of specifiersFor(`${from}/me.ts`, path, "./old", form)) {
            expect(specifier).toMatch(/^\.\.?(\/|$)/);
            expect(importCandidates(`${from}/me.ts`, specifier).map((candidate) => candidate.path)).toContain(path);
          }
        },
      ),
    );
  });

  test("holds the name that is searched for", () => {
    expect(importedNames("/w/src/foo.test.ts")).toEqual({ name: "foo.test", isIndex: false, folder: "src" });
    expect(importedNames("/w/src/a.d.ts")).toMatchObject({ name: "a" });
    expect(importedNames("/w/src/index.tsx")).toEqual({ name: "index", isIndex: true, folder: "src" });
    expect(importedNames("/w/src/a.module.css")).toMatchObject({ name: "a.module" });
    expect(importedNames("/w/src/.env")).toMatchObject({ name: ".env" });
    expect(importedNames("/w/Makefile")).toMatchObject({ name: "Makefile" });
  });
});
