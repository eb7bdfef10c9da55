import { describe, expect, test } from "vitest";
import { formatDocument, readFrontMatter, setBody, setFields } from "../../../../src/features/documents/frontMatter.js";

describe("front matter is read", () => {
  test.each<{ name: string; text: string; fields: object; body: string }>([
    { name: "with a body", text: "---\na: 1\n---\n\nbody\n", fields: { a: 1 }, body: "body" },
    { name: "in CRLF", text: "---\r\na: x\r\n---\r\nbody\r\nmore\r\n", fields: { a: "x" }, body: "body\r\nmore" },
    { name: "in CR", text: "---\ra: x\r---\rbody", fields: { a: "x" }, body: "body" },
    { name: "empty", text: "---\n---\nbody", fields: {}, body: "body" },
    { name: "of comments alone", text: "---\n# nothing\n---\nbody", fields: {}, body: "body" },
    { name: "where there is none", text: "body\n---\na: 1\n---\n", fields: {}, body: "body\n---\na: 1\n---" },
    { name: "with blanks behind the dashes", text: "---  \na: 1\n--- \nbody", fields: { a: 1 }, body: "body" },
    {
      name: "up to the first line of dashes alone",
      text: "---\na: x\n---\n---\nb",
      fields: { a: "x" },
      body: "---\nb",
    },
    {
      name: "with dashes in a value",
      text: "---\na: |\n  x\n  ---\nb: ---x\n---\nz",
      fields: { a: "x\n---\n", b: "---x" },
      body: "z",
    },
    { name: "with dates as texts", text: "---\na: 2026-01-01\n---\n", fields: { a: "2026-01-01" }, body: "" },
    { name: "that ends the text", text: "---\na: 1\n---", fields: { a: 1 }, body: "" },
    { name: "of an empty text", text: "", fields: {}, body: "" },
  ])("$name", ({ text, fields, body }) => {
    expect(readFrontMatter(text)).toEqual({ ok: true, fields, body });
  });

  const bomb = `${"a: &a [x,x,x,x,x,x,x,x,x]\n"}${"bcdefghi"
    .split("")
    .map((name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefgh"[index]}`).join(",")}]`)
    .join("\n")}`;
  test.each<{ name: string; yaml: string; problem: RegExp }>([
    { name: "not closed", yaml: "a: 1\n", problem: /not closed/ },
    { name: "longer than any", yaml: `a: ${"x".repeat(100_000)}\n---\n`, problem: /not closed/ },
    { name: "no YAML", yaml: "a: [1\n---\n", problem: /not valid YAML: .* at line 2/ },
    { name: "a field twice", yaml: "a: 1\na: 2\n---\n", problem: /Map keys must be unique at line 2/ },
    { name: "a tab", yaml: "a:\n\t- 1\n---\n", problem: /not valid YAML/ },
    { name: "a tag that runs something", yaml: "a: !!js/function x\n---\n", problem: /Unresolved tag/ },
    { name: "a list", yaml: "- 1\n---\n", problem: /not a list of fields/ },
    { name: "a text", yaml: "just words\n---\n", problem: /not a list of fields/ },
    { name: "a bomb of aliases", yaml: `${bomb}\n---\n`, problem: /cannot be read/ },
    { name: "nested without end", yaml: `a: ${"[".repeat(30_000)}\n---\n`, problem: /front matter/ },
  ])("not when it is $name", ({ yaml, problem }) => {
    expect(readFrontMatter(`---\n${yaml}`)).toEqual({ ok: false, problem: expect.stringMatching(problem) as string });
  });
});

describe("what is written reads back the same", () => {
  test.each<{ name: string; fields: Record<string, unknown> }>([
    {
      name: "texts that look like something else",
      fields: {
        a: "yes",
        b: "012",
        c: "null",
        d: "2026-01-01",
        e: "1e3",
        f: "#no",
        g: "a: b",
        h: "- x",
        i: "~",
        j: "*a",
        k: "",
        l: " x ",
        m: "---",
      },
    },
    { name: "lines", fields: { a: "one\ntwo\n", b: "\n\n---\n\n", c: "\t", d: "x\r\ny" } },
    { name: "quotes", fields: { a: `"`, b: `it's`, c: `\\`, d: "{", e: "[", f: "%", g: "@", h: "`" } },
    { name: "long lines", fields: { a: "word ".repeat(200).trim() } },
    { name: "lists and maps", fields: { a: [], b: ["x", "y: z"], c: { d: { e: [1, true, null] } } } },
    { name: "other scripts", fields: { a: "日本語", b: "🙂", c: "\u2028" } },
  ])("$name", ({ fields }) => {
    expect(readFrontMatter(formatDocument(fields, "body"))).toEqual({ ok: true, fields, body: "body" });
    expect(readFrontMatter(setFields("---\nz: 1\n---\nbody\n", fields))).toEqual({
      ok: true,
      fields: { z: 1, ...fields },
      body: "body",
    });
  });
});

describe("fields are set, and every other line stays", () => {
  test.each<{ name: string; before: string; set: Record<string, unknown>; after: string }>([
    {
      name: "a value",
      before: "---\n# top\na: 1 # why\nb:   x\n---\nbody\n",
      set: { a: 2 },
      after: "---\n# top\na: 2 # why\nb:   x\n---\nbody\n",
    },
    { name: "a new field", before: "---\na: 1\n---\n", set: { b: ["x"] }, after: "---\na: 1\nb:\n  - x\n---\n" },
    { name: "a block", before: "---\na: |\n  x\n  y\nb: 1\n---\n", set: { a: "z" }, after: "---\na: z\nb: 1\n---\n" },
    {
      name: "a list",
      before: "---\na:\n  - 1\n  - 2\n\nb: 1\n---\n",
      set: { a: [] },
      after: "---\na: []\n\nb: 1\n---\n",
    },
    { name: "nothing as a value", before: "---\na:\nb: 1\n---\n", set: { a: "x" }, after: "---\na: x\nb: 1\n---\n" },
    {
      name: "a field taken out",
      before: "---\na: 1 # gone\nb: 1\n---\n",
      set: { a: undefined, c: undefined },
      after: "---\nb: 1\n---\n",
    },
    {
      name: "in CRLF",
      before: "---\r\na: 1\r\nb: 1\r\n---\r\nx\r\n",
      set: { a: "p\nq", c: 1 },
      after: "---\r\na: |-\r\n  p\r\n  q\r\nb: 1\r\nc: 1\r\n---\r\nx\r\n",
    },
    {
      name: "a map in braces, which has no lines",
      before: "---\n{a: 1, b: 2}\n---\nx",
      set: { a: ["p"] },
      after: "---\na:\n  - p\nb: 2\n---\nx",
    },
    {
      name: "what is no YAML as yet",
      before: "---\nb: [\na: |\n  x\n\ty\nab: 1\nd: 1 # gone\n---\nx\na: y",
      set: { a: "z", c: "p\nq", d: undefined },
      after: "---\nb: [\na: z\nab: 1\nc: |-\n  p\n  q\n---\nx\na: y",
    },
    {
      name: "what is no YAML as yet, in CRLF",
      before: "---\r\na: [\r\n---\r\nx",
      set: { b: 1, a: undefined },
      after: "---\r\nb: 1\r\n---\r\nx",
    },
    {
      name: "a value in braces",
      before: "---\n{a: 1, b: 2}\n---\nx",
      set: { a: 3 },
      after: "---\n{a: 3, b: 2}\n---\nx",
    },
    { name: "where there was none", before: "body\n", set: { a: 1 }, after: "---\na: 1\n---\nbody\n" },
    {
      name: "what is there already, with its comments",
      before: "---\na: 'x' # why\nb:\n  # first\n  - p # second\n---\n",
      set: { a: "x", b: ["p"], c: undefined },
      after: "---\na: 'x' # why\nb:\n  # first\n  - p # second\n---\n",
    },
    {
      name: "among lines that end in other ways",
      before: "---\r\na: 1\nb: 1\r\n---\nx\n",
      set: { b: 2, c: 3 },
      after: "---\r\na: 1\nb: 2\r\nc: 3\r\n---\nx\n",
    },
    {
      name: "with an anchor that others use",
      before: "---\na: &x 1\nb: *x\n---\n",
      set: { a: 2 },
      after: "---\na: 2\nb: 1\n---\n",
    },
  ])("$name", ({ before, set, after }) => {
    expect(setFields(before, set)).toBe(after);
  });

  test("and a body under them", () => {
    expect(setBody("---\na: 1 # why\n---\nold\n", "new\n")).toBe("---\na: 1 # why\n---\n\nnew\n");
    expect(setBody("---\r\na: 1\r\n---\r\nold", "x\ny")).toBe("---\r\na: 1\r\n---\r\n\r\nx\r\ny\r\n");
    expect(setBody("old", "new")).toBe("new\n");
  });

  test.each(["---\nrule: one\n---\nrest", "---", "--- \nnever ends", "\n---\n---\nx"])(
    "and a body that begins like front matter is none: %j",
    (body) => {
      const kept = { ok: true, fields: {}, body: body.trim() };
      expect(readFrontMatter(formatDocument({}, body))).toEqual(kept);
      expect(readFrontMatter(setBody("old", body))).toEqual(kept);
      expect(readFrontMatter(formatDocument({ a: 1 }, body))).toEqual({ ...kept, fields: { a: 1 } });
    },
  );
});
