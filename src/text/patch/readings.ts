import { foldLookAlikes } from "../matchLookAlikes.js";
import type { Hunk, HunkLine } from "./filePatch.js";

/** How a hunk's lines are compared with those of the file; the first way that finds a place decides. None of them is a guess. */
export const TIERS = [
  { name: "exact", fold: (text: string): string => text },
  { name: "trailing_blanks", fold: (text: string): string => text.trimEnd() },
  { name: "look_alikes", fold: (text: string): string => foldLookAlikes(text).trimEnd() },
] as const;

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
}

const BOM = "\uFEFF";

/** A hunk as it is written. */
export function literalReading(hunk: Hunk): Reading {
  return readAs(hunk, false, 0, 0);
}

/** The other ways to take a hunk, for when its lines are nowhere as they are written. */
export function otherReadings(hunk: Hunk): Reading[] {
  const before = hunk.looseBefore > 0 ? [0, hunk.looseBefore] : [0];
  const after = hunk.looseAfter > 0 ? [0, hunk.looseAfter] : [0];
  const mayBeBare = hunk.lines.some(({ kind, isBare }) => kind === "context" && !isBare);
  const readings: Reading[] = [];
  for (const isBare of mayBeBare ? [false, true] : [false]) {
    for (const skippedBefore of before) {
      for (const skippedAfter of after) {
        if (isBare || skippedBefore + skippedAfter > 0) {
          readings.push(readAs(hunk, isBare, skippedBefore, skippedAfter));
        }
      }
    }
  }
  return readings;
}

function readAs(hunk: Hunk, isBare: boolean, skippedBefore: number, skippedAfter: number): Reading {
  const lines = hunk.lines.slice(skippedBefore, hunk.lines.length - skippedAfter);
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
  return { lines, oldTexts, isBare, skippedBefore, skippedAfter, isFirstLine };
}
