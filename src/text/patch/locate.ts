import type { Hunk } from "./filePatch.js";
import type { HeaderScope } from "./headerIndex.js";
import type { Reading, Tier } from "./readings.js";
import type { Run, RunSearch } from "./runSearch.js";
import type { SourceLines } from "./sourceLines.js";

/** What decided on a hunk's place, other than its lines alone. */
export type PlaceRule = "header" | "end_of_file" | "line_number" | "after_header";

/** Where a hunk goes. */
export interface Place {
  /** 0-based line of the file on which its old side starts. */
  at: number;
  reading: Reading;
  tier: Tier;
  /** Absent when the hunk's lines occur once. */
  decided?: { rule: PlaceRule; /** How many places have its lines. */ among: number };
}

/** The places that remain, none or several; or the one. */
export type Location =
  | { kind: "found"; place: Place }
  | { kind: "several"; places: readonly number[] }
  | { kind: "none"; /** Places that have the lines, but where the hunk may not stand. */ excluded: readonly number[] };

/** The scope a hunk without headers has: the whole file. */
export type Scope = Extract<HeaderScope, { ok: true }> | undefined;

/**
 * Decides on the one place of a hunk in one reading and tier. It must have exactly one
 *
 * 1. in the blocks that its headers open, the line of the innermost one included: there it must start if they are blocks at all, so
 *    that a hunk whose lines are gone from a function is not applied to the next one; else
 * 2. behind its headers and, if it says so, at the end of the file; else
 * 3. on the very line that its unified header names.
 */
export function locate(
  source: SourceLines,
  search: RunSearch,
  run: Run,
  hunk: Hunk,
  reading: Reading,
  tier: Tier,
  scope: Scope,
): Location {
  const all = search.placesOf(run);
  const { from, to } = allowedPlaces(all, source, hunk, reading, run.length, scope);
  const found = (at: number, rule: PlaceRule): Location =>
    search.matchesAt(run, at)
      ? { kind: "found", place: { at, reading, tier, ...(all.length > 1 ? { decided: { rule, among: all.length } } : {}) } }
      : { kind: "none", excluded: [] };
  const first = all[from];
  if (first === undefined || from >= to) {
    return { kind: "none", excluded: all };
  }
  search.budget.spend(scope?.blocks.length ?? 0);
  const [inBlock, otherInBlock] = scope ? placesInBlocks(all, from, to, scope.blocks) : [];
  if (inBlock !== undefined && otherInBlock === undefined) {
    return found(inBlock, "header");
  }
  if (inBlock === undefined && scope?.isBounded === true && hunk.atEnd === "no") {
    return { kind: "none", excluded: all };
  }
  if (to - from === 1) {
    return found(first, hunk.atEnd === "no" ? "header" : "end_of_file");
  }
  const hinted = hunk.oldStart === undefined ? -1 : hunk.oldStart - 1 + reading.skippedBefore;
  const index = firstIndexFrom(all, hinted);
  return index >= from && index < to && all[index] === hinted
    ? found(hinted, "line_number")
    : { kind: "several", places: all.slice(from, to) };
}

/** The part of all places, by index, where a hunk's anchors let it stand. */
function allowedPlaces(
  all: readonly number[],
  source: SourceLines,
  hunk: Hunk,
  reading: Reading,
  length: number,
  scope: Scope,
): { from: number; to: number } {
  const from = scope ? firstIndexFrom(all, scope.from) : 0;
  if (reading.isFirstLine) {
    return { from, to: all[0] === 0 ? 1 : 0 };
  }
  if (hunk.atEnd === "no") {
    return { from, to: all.length };
  }
  if (all.at(-1) === source.length - length) {
    return { from: Math.max(from, all.length - 1), to: all.length };
  }
  // Blank lines may follow `*** End of File`, unless the hunk fits behind them, too.
  const atEnd = hunk.atEnd === "exactly" ? all.length : firstIndexFrom(all, source.filledLength - length);
  return { from: Math.max(from, atEnd), to: all.length };
}

/**
 * The place of a hunk that only inserts lines: behind its header, at the end of the file, or in an empty file. A line number alone
 * is no place, since nothing tells whether the file is the one it was counted in.
 *
 * @returns undefined where nothing says where the lines go
 */
export function locateInsertion(source: SourceLines, hunk: Hunk, reading: Reading, scope: Scope): Location | undefined {
  const found = (at: number, rule?: PlaceRule): Location => ({
    kind: "found",
    place: { at, reading, tier: "exact", ...(rule ? { decided: { rule, among: 1 } } : {}) },
  });
  if (hunk.atEnd !== "no" || source.length === 0) {
    return found(source.length);
  }
  if (!scope) {
    return undefined;
  }
  const [first, second] = scope.headerLines;
  const [block, otherBlock] = scope.blocks;
  if (first !== undefined && second === undefined) {
    return found(first + 1, "after_header");
  }
  return block && !otherBlock
    ? found(block.from + 1, "after_header")
    : { kind: "several", places: scope.headerLines.map((line) => line + 1) };
}

/** The places, of those between two indices, that lie in any of the blocks; at most two, since more mean the same. */
function placesInBlocks(
  all: readonly number[],
  from: number,
  to: number,
  blocks: readonly { from: number; to: number }[],
): number[] {
  const inside: number[] = [];
  for (const block of blocks) {
    for (let index = Math.max(from, firstIndexFrom(all, block.from)); index < to && inside.length < 2; index++) {
      const place = all[index] ?? block.to;
      if (place >= block.to) {
        break;
      }
      if (!inside.includes(place)) {
        inside.push(place);
      }
    }
  }
  return inside;
}

/** Index of the first of ascending numbers that is not less than `least`. */
function firstIndexFrom(ascending: readonly number[], least: number): number {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle] ?? 0) < least) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}
