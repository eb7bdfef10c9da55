import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunksOf } from "../../../../src/text/search/chunks.js";
import { isWellFormed } from "../isWellFormed.js";

const paragraph = (word: string, length: number): string => `${`${word} `.repeat(length).trim()}\n`;

const cases: {
  name: string;
  text: string;
  markdown?: boolean;
  chunks: [startLine: number, endLine: number, heading: string][];
}[] = [
  { name: "nothing", text: "", chunks: [] },
  { name: "a short text as one", text: "a\n\nb\n", chunks: [[1, 3, ""]] },
  {
    name: "sections apart, with the path of their headings",
    text: "# A\nx\n\n## B\ny\n\n# C #\nz",
    markdown: true,
    chunks: [
      [1, 2, "A"],
      [4, 5, "A > B"],
      [7, 8, "C"],
    ],
  },
  {
    name: "a heading together with its first part",
    text: "# A\n\n## B\n\ny\n",
    markdown: true,
    chunks: [[1, 5, "A > B"]],
  },
  { name: "no headings in code", text: "# A\n```sh\n# no heading\n```\n", markdown: true, chunks: [[1, 4, "A"]] },
  { name: "no headings outside of Markdown", text: "# a\nx\n\n# b\ny\n", chunks: [[1, 5, ""]] },
  {
    name: "paragraphs that are too long together",
    text: `${paragraph("one", 150)}\n${paragraph("two", 150)}\n${paragraph("six", 50)}`,
    chunks: [
      [1, 1, ""],
      [3, 5, ""],
    ],
  },
  {
    name: "a line without end at blanks",
    text: "word ".repeat(1_000),
    chunks: [
      [1, 1, ""],
      [1, 1, ""],
      [1, 1, ""],
      [1, 1, ""],
    ],
  },
  { name: "blank lines as no part of the range", text: "\n\n\na\n\n\n", chunks: [[4, 4, ""]] },
];

describe("chunks", () => {
  it.each(cases)("cut $name", ({ text, markdown = false, chunks }) => {
    expect(chunksOf(text, markdown).map(({ startLine, endLine, heading }) => [startLine, endLine, heading])).toEqual(
      chunks,
    );
  });

  it("put together are the text, are never too long and split no character", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "# Heading\n",
        "\n",
        "\r\n",
        "\n\n",
        "```\n",
        "x".repeat(700),
        "🙂".repeat(400),
        "e\u0301".repeat(800),
        "👩‍👩‍👧".repeat(200),
        "  - item\n",
      ),
      fc.string({ unit: "grapheme", maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, markdown) => {
        const text = pieces.join("");
        const chunks = chunksOf(text, markdown);
        expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
        const lines = text.split("\n");
        for (const { text: part, startLine, endLine } of chunks) {
          expect(part.length).toBeLessThanOrEqual(1_500);
          expect(isWellFormed(part)).toBe(true);
          expect(startLine).toBeLessThanOrEqual(endLine);
          expect(lines[startLine - 1]).toContain(part.trim().split("\n")[0]?.trim());
        }
      }),
    );
  });
});
