import { endsAllLinesInPairs, foldLineEnds, hasLineEnd } from "./lines.js";
import { foldLookAlikes } from "./lookAlikes.js";
import type { Region } from "./regions.js";
import type { Place } from "./replace.js";
import { findAll } from "./search.js";

export interface FoldedRequest {
  /** Maximum number of places returned, not counting the one at the end of the text. */
  max: number;
  /** Whether look-alike characters are equal. */
  lookAlikes: boolean;
  overlapping: boolean;
}

/** Returns the places of findFolded that are inside regions. */
export function findFoldedIn(
  text: string,
  regions: readonly Region[],
  oldText: string,
  request: FoldedRequest,
): Place[] {
  return regions.flatMap(({ from, to }) =>
    findFolded(text.slice(from, to), oldText, request)
      // Only the text's last line can lack a line ending, not a region's.
      .filter(({ lacksFinalEnd }) => lacksFinalEnd !== true || to === text.length)
      .map((place) => ({ ...place, offset: place.offset + from })),
  );
}

/**
 * Returns the places that equal `oldText`, apart from line endings and, if requested, look-alikes. Never splits `\r\n`.
 * An old text that ends in a line ending also matches at the end of a text that lacks it.
 */
export function findFolded(text: string, oldText: string, { max, lookAlikes, overlapping }: FoldedRequest): Place[] {
  const ends = endsToCompare(text, oldText);
  const folded = lookAlikes ? foldLookAlikes(ends.text) : ends.text;
  const wanted = lookAlikes ? foldLookAlikes(ends.oldText) : ends.oldText;
  const accept = (offset: number): boolean => !parts(folded, offset) && !parts(folded, offset + wanted.length);
  const places: Place[] = findAll(folded, wanted, { max, overlapping, accept }).map((offset) => ({
    offset,
    length: wanted.length,
  }));
  const unended = wanted.replace(/\r?\n$/, "");
  if (
    unended !== wanted &&
    /[^\r\n]$/.test(unended) &&
    /[^ \t\r\n]/.test(wanted) &&
    folded.endsWith(unended) &&
    accept(folded.length - unended.length)
  ) {
    places.push({ offset: folded.length - unended.length, length: unended.length, lacksFinalEnd: true });
  }
  return ends.isFolded ? unfold(text, places) : places;
}

/** Returns both texts with the same line endings. Rewrites only a text that mixes them. */
function endsToCompare(text: string, oldText: string): { text: string; oldText: string; isFolded: boolean } {
  if (!hasLineEnd(oldText)) {
    return { text, oldText, isFolded: false };
  }
  const folded = foldLineEnds(oldText);
  if (endsAllLinesInPairs(text)) {
    return { text, oldText: folded.replaceAll("\n", "\r\n"), isFolded: false };
  }
  return text.includes("\r")
    ? { text: foldLineEnds(text), oldText: folded, isFolded: true }
    : { text, oldText: folded, isFolded: false };
}

/** Whether a cut at an offset splits a surrogate pair or a `\r\n`. */
function parts(text: string, at: number): boolean {
  return at > 0 && /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)/.test(text.slice(at - 1, at + 1));
}

/** Maps places in a text with folded line endings to places in the text itself. Their starts and ends must ascend. */
function unfold(text: string, places: readonly Place[]): Place[] {
  const startOf = unfolder(text);
  const endOf = unfolder(text);
  return places.map((place) => {
    const offset = startOf(place.offset);
    return { ...place, offset, length: endOf(place.offset + place.length) - offset };
  });
}

/** Returns a function that maps ascending offsets in the folded text to offsets in the text. */
function unfolder(text: string): (offset: number) => number {
  let pairs = 0;
  let next = text.indexOf("\r\n");
  return (offset) => {
    while (next >= 0 && next - pairs < offset) {
      pairs++;
      next = text.indexOf("\r\n", next + 2);
    }
    return offset + pairs;
  };
}
