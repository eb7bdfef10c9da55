import { composeEdit } from "./form.js";
import { fitWindow, toLinePattern, type Fit } from "./fit.js";
import { foldLineEnds, hasLineEnd, LineCounter, toLines, type Line } from "./lines.js";
import { hasLookAlikes } from "./lookAlikes.js";
import { planReplacement, type Place, type Replacement } from "./replace.js";
import { findAll } from "./search.js";
import { findFolded, findFoldedIn } from "./folded.js";
import { findRegions, type Region } from "./regions.js";
import { findWindows } from "./windows.js";

/**
 * The differences that each tier ignores when matching an old text, in addition to the tiers before it. `indentation`
 * is a shift that is the same on every line; `look_alikes` are the characters of lookAlikes.ts; `unicode_form` is
 * whether a letter and its accent are one character or two (unicodeForm.ts).
 */
export const MATCH_TIERS = [
  "exact",
  "line_endings",
  "trailing_blanks",
  "indentation",
  "look_alikes",
  "unicode_form",
] as const;
export type MatchTier = (typeof MATCH_TIERS)[number];

/** Where an old text matches, or why there is no single answer. */
export type MatchResult =
  | { kind: "found"; tier: MatchTier; replacements: Replacement[] }
  /** Several places at the strictest tier that has any; `more` if not all are listed. */
  | { kind: "not_unique"; tier: MatchTier; lines: number[]; more: boolean }
  /** With `replaceAll`: more places than `max`. */
  | { kind: "too_many" }
  | { kind: "none" };

export interface MatchOptions {
  /**
   * Whether to replace every place; only tries `exact`, `line_endings` and `unicode_form`. Otherwise there must be
   * exactly one place.
   */
  replaceAll: boolean;
  /** Maximum number of places: each costs memory, and a one-letter text has millions. */
  max: number;
}

/**
 * Maximum number of windows checked in detail, and of characters compared in total; a line counts as some characters.
 */
const MAX_WINDOWS = 10_000;
const MAX_COMPARED = 4_000_000;
const LINE_COST = 32;

/**
 * Finds `oldText` in `text` and works out the replacement by `newText`. Tries `exact` first, then lossless tiers,
 * strictest first; a tier succeeds only if it finds exactly one place, and one that finds several ends the search.
 * `exact` does not win over another place that differs only in line endings, or lacks the last one. Parts that old and
 * new text have in common stay unchanged in the text, byte for byte. `exact` gives the same result as a plain
 * replacement.
 *
 * New lines take the line endings of the place (then the tier is at least `line_endings`), unless old and new text
 * differ only in their line endings: then only the exact text is searched. Tiers from `trailing_blanks` on match whole
 * lines, except that `look_alikes` also matches a part of a line. A tier that would change nothing finds nothing.
 *
 * Accepts any three texts; time is linear in `text`.
 */
export function findMatch(text: string, oldText: string, newText: string, options: MatchOptions): MatchResult {
  const found = findInForm(text, oldText, newText, options);
  const mayBeMore = found.kind === "none" || (found.kind === "found" && options.replaceAll);
  const composed = mayBeMore ? composeEdit(text, oldText, newText) : undefined;
  const other = composed && findInForm(composed.text, composed.oldText, composed.newText, options);
  if (
    !composed ||
    !other ||
    (found.kind === "found" && other.kind === "found" && other.replacements.length === found.replacements.length)
  ) {
    return found;
  }
  if (other.kind !== "found") {
    return other.kind === "not_unique" ? { ...other, tier: "unicode_form" } : other.kind === "none" ? found : other;
  }
  const replacements = composed.restore(other.replacements);
  return replacements ? { kind: "found", tier: "unicode_form", replacements } : { kind: "none" };
}

/** Does the same for texts that are already in the Unicode form to search in. */
function findInForm(text: string, oldText: string, newText: string, { replaceAll, max }: MatchOptions): MatchResult {
  if (oldText === "" || oldText === newText) {
    return { kind: "none" };
  }
  const onlyLineEnds = foldLineEnds(oldText) === foldLineEnds(newText);
  const looksPastLineEnds = !onlyLineEnds && hasLineEnd(oldText);
  const search: Search = { text, oldLines: toLines(oldText), newText, keepEnds: onlyLineEnds, max };
  if (replaceAll) {
    const places = looksPastLineEnds
      ? findFolded(text, oldText, { max: max + 1, lookAlikes: false, overlapping: false })
      : findExact(search, oldText, false);
    return places.length > max ? { kind: "too_many" } : replacePlaces(search, "exact", places);
  }
  const exact = findExact(search, oldText, true);
  if (onlyLineEnds || exact.length > 1 || (exact.length === 1 && !looksPastLineEnds)) {
    return exact.length > 0 ? onlyPlace(search, "exact", exact) : { kind: "none" };
  }
  const regions = findRegions(text, oldText, search.oldLines.length);
  // Line endings are invisible, so they must not decide between places.
  const folded = looksPastLineEnds
    ? findFoldedIn(text, regions, oldText, { max: max + 1, lookAlikes: false, overlapping: true })
    : [];
  if (folded.length > 1 || exact.length === 0) {
    return folded.length > 0 ? onlyPlace(search, "line_endings", folded) : findLoosely(search, regions, oldText);
  }
  return onlyPlace(search, "exact", exact);
}

/** Applies replacements, which must be in order and not overlap. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let result = "";
  let from = 0;
  for (const { offset, length, text: replacement } of replacements) {
    result += text.slice(from, offset) + replacement;
    from = offset + length;
  }
  return result + text.slice(from);
}

interface Search {
  text: string;
  oldLines: readonly Line[];
  newText: string;
  keepEnds: boolean;
  max: number;
}

function findExact({ text, max }: Search, oldText: string, overlapping: boolean): Place[] {
  const accept = (offset: number): boolean => isWhole(text, offset, oldText);
  return findAll(text, oldText, { max: max + 1, overlapping, accept }).map((offset) => ({
    offset,
    length: oldText.length,
  }));
}

/**
 * Whether a place neither splits a surrogate pair nor starts inside a `\r\n`; it may end inside one if the old text
 * ends in `\r`.
 */
function isWhole(text: string, offset: number, oldText: string): boolean {
  const splits = (at: number): boolean => /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));
  const insideLineEnd = oldText.startsWith("\n") && text[offset - 1] === "\r";
  return !insideLineEnd && !(offset > 0 && splits(offset)) && !splits(offset + oldText.length);
}

function findLoosely(search: Search, regions: readonly Region[], oldText: string): MatchResult {
  const { text, max } = search;
  const { fits, given } = fitAll(search, regions);
  const tiers = ["trailing_blanks", "indentation"] as const;
  for (const tier of tiers) {
    const places = fits.filter((fit) => fit.tier === tier);
    if (places.length > 0) {
      return onlyPlace(search, tier, places, given);
    }
  }
  const mayDiffer = hasLookAlikes(oldText)
    ? regions
    : regions.filter(({ from, to }) => hasLookAlikes(text.slice(from, to)));
  const pieces = findFoldedIn(text, mayDiffer, oldText, { max: max + 1, lookAlikes: true, overlapping: true });
  const overlaps = (fit: Fit): boolean =>
    pieces.some(({ offset, length }) => offset < fit.offset + fit.length && fit.offset < offset + length);
  const places = [...pieces, ...fits.filter((fit) => !overlaps(fit))].sort((one, other) => one.offset - other.offset);
  return places.length > 0 ? onlyPlace(search, "look_alikes", places, given) : { kind: "none" };
}

/**
 * Returns the places found by whole lines. `given` is `some` if checking the rest would cost too much, because the text
 * repeats the old text very often.
 */
function fitAll({ text, oldLines }: Search, regions: readonly Region[]): { fits: Fit[]; given: "all" | "some" } {
  const pattern = toLinePattern(oldLines);
  const windows = pattern ? regions.flatMap((region) => findWindows(text, region, pattern.lines, MAX_WINDOWS)) : [];
  const cost = oldLines.reduce((sum, { content }) => sum + content.length + LINE_COST, 0);
  const affordable = Math.max(1, Math.floor(MAX_COMPARED / cost));
  const looked = windows.slice(0, affordable);
  const fits = looked.flatMap((window) => (pattern && fitWindow(text, window, pattern)) ?? []);
  return { fits, given: windows.length < MAX_WINDOWS && looked.length === windows.length ? "all" : "some" };
}

function onlyPlace(
  search: Search,
  tier: MatchTier,
  places: readonly Place[],
  given: "all" | "some" = "all",
): MatchResult {
  if (places.length === 1 && given === "all") {
    return replacePlaces(search, tier, places);
  }
  const counter = new LineCounter(search.text);
  const lines = places.slice(0, search.max).map(({ offset }) => counter.lineOf(offset));
  return { kind: "not_unique", tier, lines, more: given === "some" || places.length > search.max };
}

function replacePlaces(
  { text, oldLines, newText, keepEnds }: Search,
  tier: MatchTier,
  places: readonly Place[],
): MatchResult {
  const counter = new LineCounter(text);
  const newLines = toLines(newText);
  const replacements: Replacement[] = [];
  let reached = tier;
  for (const place of places) {
    const planned = planReplacement({ text, place, oldLines, newLines, keepEnds, counter });
    if (planned) {
      replacements.push(planned.replacement);
      reached = tier === "exact" && !planned.isPlain ? "line_endings" : reached;
    }
  }
  const changesNothing = replacements.every(
    ({ offset, length, text: replacement }) => text.slice(offset, offset + length) === replacement,
  );
  return replacements.length < places.length || changesNothing
    ? { kind: "none" }
    : { kind: "found", tier: reached, replacements };
}
