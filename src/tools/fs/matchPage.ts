import type { FileMatches, SearchLine, SearchResult } from "../../ports/search.js";
import { countFitting } from "./answerSize.js";
import { EXCERPT_SIZE, MAX_EXCERPTS } from "./excerpts.js";

/** A part of all matches, or of all files. */
export interface Page {
  skip: number;
  take: number;
  /** Maximum characters, without the notes. */
  room: number;
}

/** Lines of a file that an answer shows. */
export interface FileLines {
  file: FileMatches;
  lines: SearchLine[];
}

/** Chooses the matching lines of an answer, with their context. */
export function linesOnPage(found: SearchResult, { skip, take: most, room }: Page): FileLines[] {
  const take = Math.min(most, countFitting(lengthsOfMatches(found, skip), room));
  let seen = 0;
  return found.files.flatMap((file) => {
    const first = Math.max(0, skip - seen);
    const last = Math.min(file.matchCount, skip + take - seen);
    seen += file.matchCount;
    return first < last ? [{ file, lines: linesOfMatches(file, first, last) }] : [];
  });
}

/**
 * Yields about how many characters of the answer each match takes, from match `skip` on: its line, its context, and the
 * file's name if it is the file's first.
 */
function* lengthsOfMatches({ files }: SearchResult, skip: number): Generator<number> {
  let number = -1;
  let length = 0;
  let excerpts = MAX_EXCERPTS;
  for (const { path, lines } of files) {
    let name = path.length;
    for (const { column, text, leftOut } of lines) {
      if (column !== undefined && ++number > skip) {
        yield length;
        length = 0;
      }
      if (number >= skip) {
        // Add 12 for the line number, a colon and spaces.
        length +=
          12 + name + (leftOut !== undefined && column !== undefined && excerpts-- > 0 ? EXCERPT_SIZE : text.length);
        name = 0;
      }
    }
  }
  if (number >= skip) {
    yield length;
  }
}

/**
 * Returns the lines of a file's matches `[first, last)`, each with the context that is nearer to it than to a match on
 * another page.
 */
function linesOfMatches(file: FileMatches, first: number, last: number): SearchLine[] {
  let number = -1;
  const numbered = file.lines.map((line) => ({ line, number: line.column === undefined ? number : ++number }));
  const from = first === 0 ? 0 : numbered.findIndex((entry) => entry.number === first);
  const next = numbered.findIndex((entry) => entry.number === last);
  return numbered.slice(from, next < 0 ? undefined : next).map(({ line }) => line);
}
