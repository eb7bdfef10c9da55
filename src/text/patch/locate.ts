import type { IndentPair, IndentShift } from "../match/indent.js";
import { findIndentShift, shiftIndent } from "../match/indent.js";
import { partsOf } from "../match/lines.js";
import type { Hunk } from "./filePatch.js";
import type { HeaderScope } from "./headerIndex.js";
import type { Reading, Tier } from "./readings.js";
import type { SourceLines } from "./sourceLines.js";
import type { WorkBudget } from "./workBudget.js";

/** The rule that decided a hunk's place, in addition to its lines. */
export type PlaceRule = "header" | "end_of_file" | "line_number" | "after_header" | "line_number_alone" | "appended";

/** A hunk's place. */
export interface Place {
  /** 0-based line of the file on which its old side starts. */
  at: number;
  reading: Reading;
  tier: Tier;
  /** How its indentation differs from the patch's; only for the tier `indentation`. */
  shift?: IndentShift;
  /** Absent if the hunk's lines occur once. */
  decided?: { rule: PlaceRule; /** Number of places that have its lines. */ among: number };
}

/** The one place, or the remaining ones: none or several. */
export type Location =
  | { kind: "found"; place: Place }
  | { kind: "several"; places: readonly number[] }
  | { kind: "none"; /** Places that have the lines, but where the hunk is not allowed. */ excluded: readonly number[] };

/** A hunk's scope; undefined without headers: the whole file. */
export type Scope = Extract<HeaderScope, { ok: true }> | undefined;

/**
 * Determines a hunk's place in one reading and tier. There must be exactly one place
 *
 * 1. in the blocks that its headers open, including the innermost header's line: if they are blocks at all, it must
 *    start there, so that a hunk whose lines are gone from a function is not applied to the next one; else
 * 2. after its headers and, if it says so, at the end of the file; else
 * 3. on exactly the line that its unified header names.
 */
export function locate(
  source: SourceLines,
  budget: WorkBudget,
  hunk: Hunk,
  reading: Reading,
  tier: Tier,
  scope: Scope,
): Location {
  const places = source.placesOf(reading.oldTexts, tier, budget);
  const shiftOf = (at: number): IndentShift | undefined => shiftAt(source, budget, reading, at);
  const all = tier === "indentation" ? places.filter((at) => shiftOf(at) !== undefined) : places;
  const { from, to } = allowedPlaces(all, source, hunk, reading, scope);
  const found = (at: number, rule: PlaceRule): Location => {
    const shift = tier === "indentation" ? shiftOf(at) : undefined;
    return shift === undefined || isTold(reading, shift)
      ? {
          kind: "found",
          place: {
            at,
            reading,
            tier,
            ...(shift ? { shift } : {}),
            ...(all.length > 1 ? { decided: { rule, among: all.length } } : {}),
          },
        }
      : { kind: "none", excluded: [] };
  };
  const first = all[from];
  if (first === undefined || from >= to) {
    return { kind: "none", excluded: reading.isLastLine ? [] : all };
  }
  budget.spend(scope?.blocks.length ?? 0);
  const [inBlock, otherInBlock] = scope ? placesInBlocks(all, from, to, scope.blocks) : [];
  if (inBlock !== undefined && otherInBlock === undefined) {
    return found(inBlock, "header");
  }
  if (inBlock === undefined && scope?.isBounded === true && hunk.atEnd === "no") {
    return { kind: "none", excluded: all };
  }
  if (to - from === 1) {
    return found(first, hunk.atEnd === "no" && !reading.isLastLine ? "header" : "end_of_file");
  }
  const hinted = hunk.oldStart === undefined ? -1 : hunk.oldStart - 1 + reading.skippedBefore;
  const index = firstIndexFrom(all, hinted);
  return index >= from && index < to && all[index] === hinted
    ? found(hinted, "line_number")
    : { kind: "several", places: all.slice(from, to) };
}

/**
 * Finds the one indentation shift between a reading's old lines and the file's lines from `at` on; undefined if there
 * is none.
 */
function shiftAt(source: SourceLines, budget: WorkBudget, reading: Reading, at: number): IndentShift | undefined {
  budget.spend(reading.lines.length);
  const pairs: IndentPair[] = [];
  for (const [offset, text] of reading.oldTexts.entries()) {
    if (text.trim() !== "") {
      pairs.push({ wanted: partsOf(text).indent, found: partsOf(source.texts[at + offset] ?? "").indent });
    }
  }
  const shift = pairs.length === 0 ? undefined : findIndentShift(pairs);
  return shift && shift.kind !== "none" ? shift : undefined;
}

/** Whether a shift determines the indentation of every added line. */
function isTold({ lines }: Reading, shift: IndentShift): boolean {
  return lines.every(
    ({ kind, text }) => kind !== "add" || text.trim() === "" || shiftIndent(shift, partsOf(text).indent) !== undefined,
  );
}

/** Returns the range of places, by index, that a hunk's anchors allow. */
function allowedPlaces(
  all: readonly number[],
  source: SourceLines,
  hunk: Hunk,
  reading: Reading,
  scope: Scope,
): { from: number; to: number } {
  const { length } = reading.oldTexts;
  const from = scope ? firstIndexFrom(all, scope.from) : 0;
  if (reading.isFirstLine) {
    return { from, to: all[0] === 0 ? 1 : 0 };
  }
  if (hunk.atEnd === "no" && !reading.isLastLine) {
    return { from, to: all.length };
  }
  if (reading.isLastLine && all.at(-1) !== source.length - length) {
    return { from, to: from };
  }
  if (all.at(-1) === source.length - length) {
    return { from: Math.max(from, all.length - 1), to: all.length };
  }
  // Blank lines may follow `*** End of File`, unless the hunk also fits after those lines.
  const atEnd = hunk.atEnd === "exactly" ? all.length : firstIndexFrom(all, source.filledLength - length);
  return { from: Math.max(from, atEnd), to: all.length };
}

/**
 * Finds the place of a hunk that only inserts lines: after its header, after the line that `@@ -12,0 +13,2 @@` names,
 * or else at the end of the file, as Codex does. Any other line number does not locate it: such numbers assume
 * surrounding lines, which the hunk lacks.
 *
 * @returns undefined if nothing says where the lines go
 */
export function locateInsertion(source: SourceLines, hunk: Hunk, reading: Reading, scope: Scope): Location | undefined {
  const found = (at: number, rule?: PlaceRule): Location => ({
    kind: "found",
    place: { at, reading, tier: "exact", ...(rule ? { decided: { rule, among: 1 } } : {}) },
  });
  if (hunk.atEnd !== "no" || source.length === 0) {
    return found(source.length);
  }
  if (!scope && hunk.insertsBehind !== undefined) {
    // A lone carriage return ends a line here, but does not for programs that count lines.
    return source.hasLoneReturn || hunk.insertsBehind > source.length
      ? undefined
      : found(hunk.insertsBehind, "line_number_alone");
  }
  if (!scope) {
    return hunk.appends === true ? found(source.length, "appended") : undefined;
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

/** Returns which of the places between two indexes are in any of the blocks; at most two, since more mean the same. */
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

/** Returns the index of the first of ascending numbers that is at least `least`. */
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
