// How a file that imports another one is found by its text.
import type { FileMatches } from "../../ports/search.js";
import { importedNames } from "../../text/imports/resolve.js";

/** Maximum length of a line that the search is sure to return whole, in characters. */
const MAX_WHOLE_LINE = 200;

/**
 * Builds a regular expression, for both ripgrep and JavaScript, that matches quoted paths that may lead to the files;
 * and, if there is one, a plain text that all of them contain: virtual file systems search for that faster.
 *
 * @param exact further names of the files, as they are quoted
 */
export function importPattern(
  paths: readonly string[],
  exact: readonly string[] = [],
): { source: string; literal: string | undefined } {
  const imported = paths.map(importedNames);
  const names = [
    ...new Set(imported.flatMap(({ name, isIndex, folder }) => (isIndex ? [name, folder] : [name]))),
  ].filter((name) => name !== "");
  const [only] = names;
  const hasIndex = imported.some(({ isIndex }) => isIndex);
  const named = `["'/](?:${names.map(escaped).join("|")})(?:\\.[\\w.-]+)?/?(?:\\?[^"']*)?["']`;
  const index = `["']\\.\\.?(?:/\\.\\.)*/?["']`;
  const whole = exact.map((name) => `["']${escaped(name)}["']`);
  return {
    source: [named, ...(hasIndex ? [index] : []), ...whole].join("|"),
    literal: names.length === 1 && !hasIndex && exact.length === 0 ? only : undefined,
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Whether a file has a line with such a path, or one that the search cut. */
export function namesImport({ lines, matchCount }: FileMatches, isImport: RegExp): boolean {
  return lines.length < matchCount || lines.some(({ text }) => text.length > MAX_WHOLE_LINE || isImport.test(text));
}
