import { expect, it } from "vitest";
import { symbolChunks } from "../../../../src/features/knowledge/symbolChunks.js";
import { syntax } from "../../../harness/grammars.js";

async function chunksOf(path: string, text: string): Promise<string[]> {
  const scan = await syntax.scan(path, text);
  return symbolChunks(path, text, scan?.symbols ?? []).map(
    ({ heading, startLine, endLine }) => `${startLine}-${endLine} ${heading}`,
  );
}

it("makes a chunk of each longer declaration, with its comments, and of what is between them", async () => {
  const text = `import { x } from "./x.js";

export const limit = 5;
export const other = 6;

/** Routes. */
export class Router {
  #count = 0;

  /** Matches. */
  match(path: string): boolean {
    return path !== "";
  }

  close(): void {}
}

/**
 * Helps.
 */
function helper(): void {}
`;
  expect(await chunksOf("a.ts", text)).toEqual([
    "1-4 limit, other",
    "6-8 Router, Router.#count",
    "10-13 Router.match",
    "15-16 Router.close",
    "18-21 helper",
  ]);
  expect(await chunksOf("a.ts", text.replaceAll("\n", "\r\n"))).toEqual(await chunksOf("a.ts", text));
});

it("splits a long function, each part under its name", async () => {
  const line = "  total += first * second - third;\n";
  const text = `function sum(): number {\n  let total = 0;\n${line.repeat(100)}  return total;\n}\n`;
  const chunks = await chunksOf("a.ts", text);
  expect(chunks.length).toBeGreaterThan(2);
  expect(chunks.every((chunk) => chunk.endsWith(" sum"))).toBe(true);
  expect(chunks.at(-1)).toMatch(/-104 sum$/);
});

it("has no chunk of blank lines and brackets, and one of a text without symbols", async () => {
  expect(await chunksOf("a.ts", "\n\n}\n")).toEqual([]);
  expect(await chunksOf("a.ts", 'console.log("started");\n')).toEqual(["1-1 "]);
});
