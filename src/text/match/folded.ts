import { endsAllLinesInPairs, foldLineEnds, hasLineEnd } from "./lines.js";
import { foldLookAlikes } from "./lookAlikes.js";
import type { Region } from "./regions.js";
import type { Place } from "./replace.js";
import { findAll } from "./search.js";

export interface FoldedRequest {
  /** Places given at most, but for the one at the text's end. */
  max: number;
  /** Whether look-alikes of characters are the same. */
  lookAlikes: boolean;
  overlapping: boolean;
}

/** The places of findFolded, those inside regions alone. */
export function findFoldedIn(
  text: string,
  regions: readonly Region[],
  oldText: string,
  request: FoldedRequest,
): Place[] {
  return regions.flatMap(({ from, to }) =>
    findFolded(text.slice(from, to), oldText, request)
      // What lacks a final line end is the text's last line, not a region's.
      .filter(({ lacksFinalEnd }) => lacksFinalEnd !== true || to === text.length)
      .map((place) => ({ ...place, offset: place.offset + from })),
  );
}

/**
 * The places that are `oldText` but for the way lines end and, if wanted, look-alikes; `\r\n` is never parted. An old
 * text that ends in a line end is found at the end of a text that lacks it, too.
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

/** Both texts with the same line ends. Only a text that mixes them is rewritten. */
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

/** Whether a cut at an offset parts a surrogate pair, or the two characters of a line end. */
function parts(text: string, at: number): boolean {
  return at > 0 && /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)/.test(text.slice(at - 1, at + 1));
}

/** Places of a text with folded line ends as places of the text itself. Both their starts and their ends only grow. */
function unfold(text: string, places: readonly Place[]): Place[] {
  const startOf = unfolder(text);
  const endOf = unfolder(text);
  return places.map((place) => {
    const offset = startOf(place.offset);
    return { ...place, offset, length: endOf(place.offset + place.length) - offset };
  });
}

/** Turns offsets that only grow from those of the folded text into those of the text. */
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
