import type { CallContext } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { FileMatches, SearchLine } from "../../ports/search.js";
import { takePage } from "../../text/page.js";

/** Maximum number of lines whose excerpts are read: each file is read up to that line. */
const MAX_EXCERPTS = 5;
/** Characters of an excerpt, and those before the match. */
const EXCERPT = 400;
const BEFORE_MATCH = 100;

/** How excerpts are read. */
export interface ExcerptContext {
  files: Files;
  signal: AbortSignal;
  secretPlaces?: CallContext["secretPlaces"] | undefined;
}

/**
 * Puts excerpts around the first match in place of matching lines that a search did not hold because they have megabytes.
 * Of more than five, only the first ones; a line that cannot be read stays as it is.
 *
 * @param at where the files were found
 */
export async function addExcerpts(
  found: readonly FileMatches[],
  at: GatedPath,
  context: ExcerptContext,
): Promise<void> {
  let left = MAX_EXCERPTS;
  for (const { path, lines, unsaved } of found) {
    for (const line of lines) {
      if (left > 0 && !unsaved && line.isLeftOut === true && line.column !== undefined) {
        left--;
        line.text = (await excerptOf(path, line, at, context)) ?? line.text;
      }
    }
  }
}

async function excerptOf(
  path: string,
  { line, column = 1 }: SearchLine,
  at: GatedPath,
  { files, signal, secretPlaces }: ExcerptContext,
): Promise<string | undefined> {
  try {
    const page = await takePage(files.readChunks(await resolveFrom(files, at, path), signal), {
      offset: line - 1,
      maxLines: 1,
      maxBytes: Infinity,
      lineWindow: EXCERPT,
      column: Math.max(1, column - BEFORE_MATCH),
      masked: await secretPlaces?.(),
      countBudget: 0,
    });
    const [shown] = page.lines;
    return shown === undefined || shown.text === ""
      ? undefined
      : `${shown.column > 1 ? "…" : ""}${shown.text}${shown.end < shown.length ? "…" : ""} ` +
          `[line of ${shown.length} characters, the first match near column ${column}]`;
  } catch (error) {
    if (error instanceof ToolError) {
      return undefined;
    }
    throw error;
  }
}
