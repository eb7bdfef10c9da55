import type { Hunk, HunkLine } from "./filePatch.js";

/**
 * How a hunk's lines are compared with those of the file; the first way that finds a place decides. None of them is a
 * guess.
 */
export const TIERS = ["exact", "trailing_blanks", "look_alikes", "unicode_form", "indentation"] as const;
export type Tier = (typeof TIERS)[number];

/** One way to take a hunk whose form leaves a choice. */
export interface Reading {
  lines: readonly HunkLine[];
  /** The old side. */
  oldTexts: readonly string[];
  /** Context lines are taken to have been written without their leading space. */
  isBare: boolean;
  /** Empty lines at the hunk's start and end that are taken for spacing, not context. */
  skippedBefore: number;
  skippedAfter: number;
  /** The patch shows a byte order mark in front of the hunk: it stands on the file's first line. */
  isFirstLine: boolean;
  /** Its last lines are where the file ends: blank context behind them was the end of the last line. */
  isLastLine: boolean;
}

const BOM = "\uFEFF";

/**
 * The ways to take a hunk as it is marked: as it is written, then without empty lines around it, the last one without
 * any.
 */
export function markedReadings(hunk: Hunk): Reading[] {
  return readingsOf(hunk, false);
}

/**
 * The hunk without the blank context lines at its end, as part of the file's last lines: whoever sees a text as lines
 * sees an empty one behind the last line end. None where it has none.
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

/** The same ways, with context lines that lost their space; none where no line could have. */
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
