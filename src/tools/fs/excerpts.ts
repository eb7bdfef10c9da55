import type { CallContext } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { SearchLine } from "../../ports/search.js";
import { takePage } from "../../text/page.js";
import { placeAtByte } from "../../text/placeAtByte.js";

/** Maximum number of lines whose excerpts are read: each file is read up to that line. */
export const MAX_EXCERPTS = 5;
/** Characters of an excerpt, and those before the match. */
const EXCERPT = 400;
const BEFORE_MATCH = 100;
/** Characters that an excerpt takes with its note. */
export const EXCERPT_SIZE = EXCERPT + 150;

/** How excerpts are read. */
export interface ExcerptContext {
  files: Files;
  signal: AbortSignal;
  secretPlaces?: CallContext["secretPlaces"] | undefined;
}

/**
 * Puts excerpts around the first match in place of matching lines that a search did not hold because they have megabytes.
 * Of more than five, only the first ones, and the next one says how to get the others; a line that cannot be read stays as it is.
 *
 * @param page the lines of an answer, by file
 * @param skip number of matches before these
 * @param at where the files were found
 */
export async function addExcerpts(
  page: readonly { file: { path: string }; lines: readonly SearchLine[] }[],
  skip: number,
  at: GatedPath,
  context: ExcerptContext,
): Promise<void> {
  let left = MAX_EXCERPTS;
  let number = skip;
  for (const { file, lines } of page) {
    for (const line of lines.filter(({ column }) => column !== undefined)) {
      if (line.leftOut !== undefined) {
        left--;
        if (left >= 0) {
          Object.assign(line, await excerptOf(file.path, line, at, context));
        } else if (left === -1) {
          line.text = line.text.replace(/\]$/, `: call grep with offset=${number} for excerpts from here on]`);
        }
      }
      number++;
    }
  }
}

async function excerptOf(
  path: string,
  { line, column: byte = 1, leftOut }: SearchLine,
  at: GatedPath,
  { files, signal, secretPlaces }: ExcerptContext,
): Promise<Pick<SearchLine, "text" | "column"> | undefined> {
  try {
    const opened = await resolveFrom(files, at, path);
    const place = await placeAtByte(files.readChunks(opened, signal), line, byte - 1, leftOut === "text");
    if (place === undefined) {
      return undefined;
    }
    const page = await takePage(files.readChunks(opened, signal), {
      offset: place.line - 1,
      maxLines: 1,
      maxBytes: Infinity,
      lineWindow: EXCERPT,
      column: Math.max(1, place.column - BEFORE_MATCH),
      masked: await secretPlaces?.(),
      countBudget: 0,
    });
    const [shown] = page.lines;
    if (shown === undefined || shown.text === "") {
      return undefined;
    }
    const text =
      `${shown.column > 1 ? "…" : ""}${shown.text}${shown.end < shown.length ? "…" : ""} ` +
      `[line of ${shown.length} characters, the first match at column ${place.column}: ` +
      `call read with offset=${place.line} and column=${place.column}]`;
    return { text, column: place.column };
  } catch (error) {
    if (error instanceof ToolError) {
      return undefined;
    }
    throw error;
  }
}
