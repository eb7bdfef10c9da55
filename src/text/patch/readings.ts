import type { Hunk, HunkLine } from "./filePatch.js";

/**
 * Ways to compare a hunk's lines with the file's; the first that finds a place decides. None of them involves guessing.
 */
export const TIERS = ["exact", "trailing_blanks", "look_alikes", "unicode_form", "indentation"] as const;
export type Tier = (typeof TIERS)[number];

/** One interpretation of a hunk whose form is ambiguous. */
export interface Reading {
  lines: readonly HunkLine[];
  /** The old side. */
  oldTexts: readonly string[];
  /** Whether context lines are assumed to lack their leading space. */
  isBare: boolean;
  /** Empty lines at the hunk's start and end that are treated as spacing, not context. */
  skippedBefore: number;
  skippedAfter: number;
  /** Whether the patch shows a byte order mark before the hunk, so that it starts on the file's first line. */
  isFirstLine: boolean;
  /** Whether its last lines are the file's last: blank context after them was the last line's ending. */
  isLastLine: boolean;
}

const BOM = "\uFEFF";

/**
 * Returns the interpretations of a hunk as marked: as written, then without empty lines around it, the last one without
 * any.
 */
export function markedReadings(hunk: Hunk): Reading[] {
  return readingsOf(hunk, false);
}

/**
 * Returns the hunk without its trailing blank context lines, as part of the file's last lines: splitting a text into
 * lines shows an empty one after the last line ending. Empty if it has none.
 */
export function endReadings(hunk: Hunk): Reading[] {
  let blank = 0;
  while (hunk.lines.at(-1 - blank)?.kind === "context" && hunk.lines.at(-1 - blank)?.text.trim() === "") {
    blank++;
  }
  return blank === 0 || blank >= hunk.lines.length || blank === hunk.looseAfter
    ? []
    : [{ ...readAs(hunk, false, 0, blank), isLastLine: true }];
}

/** Returns the same interpretations with context lines that lost their space; empty if no line could have. */
export function bareReadings(hunk: Hunk): Reading[] {
  return hunk.lines.some(({ kind, isBare }) => kind === "context" && !isBare) ? readingsOf(hunk, true) : [];
}

function readingsOf(hunk: Hunk, isBare: boolean): Reading[] {
  const { looseBefore: before, looseAfter: after } = hunk;
  const readings = [readAs(hunk, isBare, 0, 0)];
  if (after > 0) {
    readings.push(readAs(hunk, isBare, 0, after));
  }
  if (before > 0) {
    readings.push(readAs(hunk, isBare, before, 0));
  }
  if (before > 0 && after > 0) {
    readings.push(readAs(hunk, isBare, before, after));
  }
  return readings;
}

function readAs(hunk: Hunk, isBare: boolean, skippedBefore: number, skippedAfter: number): Reading {
  const isWhole = skippedBefore + skippedAfter === 0;
  const lines = isWhole ? hunk.lines : hunk.lines.slice(skippedBefore, hunk.lines.length - skippedAfter);
  const oldTexts: string[] = [];
  for (const line of lines) {
    if (line.kind !== "add") {
      oldTexts.push(isBare && line.kind === "context" && !line.isBare ? ` ${line.text}` : line.text);
    }
  }
  const isFirstLine = oldTexts[0]?.startsWith(BOM) ?? false;
  if (isFirstLine) {
    oldTexts[0] = oldTexts[0]?.slice(BOM.length) ?? "";
  }
  return { lines, oldTexts, isBare, skippedBefore, skippedAfter, isFirstLine, isLastLine: false };
}
