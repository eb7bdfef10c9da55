import { findFolded } from "../match/folded.js";
import { foldLineEnds, LineCounter, partsOf, toLines } from "../match/lines.js";
import { foldTable } from "../match/lookAlikes.js";
import { findNearest, sameWords, type Nearest } from "./nearest.js";
import { differingCodePoints, visibleLine, visiblePair, type CodePoints } from "./visible.js";

/** Maximum number of lines of the text shown, and the number of them that precede the first difference. */
const MAX_SHOWN = 12;
const SHOWN_BEFORE = 4;
/** Minimum length of a new text that is searched for: a shorter one occurs in many files by chance. */
const TELLING_LENGTH = 8;
/** The same where nothing is similar to the old text, so that there is no better explanation. */
const SHORT_LENGTH = 3;

/** The likely cause; `line` is 1-based, in the text. */
export type MissHint =
  /** The old text includes read's line numbers; `line` is where it matches without them, if it does. */
  | { kind: "line_numbers_copied"; line: number | undefined }
  /** The text already contains the new text. */
  | { kind: "already_replaced"; line: number }
  /** The old text is escaped once too often: `\n` instead of a line ending. */
  | { kind: "escaped_twice"; line: number }
  /** The old text matches without its leading or trailing empty lines. */
  | { kind: "empty_lines_around"; line: number }
  | { kind: "case_differs"; line: number }
  /** The nearest lines differ only in invisible (zero-width) characters, first in this one. */
  | { kind: "invisible_characters"; line: number }
  /** The nearest lines differ only in whitespace, first in this one, but not in a way that a tier tolerates. */
  | { kind: "blanks_differ"; line: number }
  /** Some lines are similar: copy them, or read the file again from there. */
  | { kind: "read_again"; line: number }
  /** Nothing in the text is similar. */
  | { kind: "nothing_near" };

/** A line of the text with invisible characters made visible. */
interface ShownLine {
  /** 1-based. */
  line: number;
  text: string;
}

/** Why a text was not found. Diagnosis only; never use it to edit. */
export interface Miss {
  hint: MissHint;
  /** The nearest lines, and those of them around the first difference. */
  nearest?: {
    startLine: number;
    endLine: number;
    shown: ShownLine[];
    /** Whether all of them are shown verbatim. */ isWhole: boolean;
  };
  /**
   * The first line that differs, in the old text (`oldLine`, 1-based in it) and in the text; `found` is absent past its
   * end. `codePoints` is set if the differing characters may look the same.
   */
  firstDifference?: {
    oldLine: number;
    line: number;
    expected: string;
    found: string | undefined;
    codePoints?: CodePoints;
  };
}

/**
 * Explains why `oldText` was not found in `text`, so that the caller can correct it. Work and output are bounded by
 * counts, whatever the texts contain.
 *
 * @param newText the replacement, to notice if it is already there
 */
export function diagnoseMiss(text: string, oldText: string, newText = ""): Miss {
  const wanted = foldLineEnds(oldText).replace(/^\n+|\n+$/g, "");
  const nearest = findNearest(
    text,
    toLines(wanted).map(({ content }) => content),
  );
  const hint =
    lineNumbersCopied(text, wanted) ??
    escapedTwice(text, wanted) ??
    alreadyReplaced(text, wanted, foldLineEnds(newText), TELLING_LENGTH) ??
    emptyLinesAround(text, oldText, wanted) ??
    caseDiffers(text, wanted) ??
    (nearest ? undefined : alreadyReplaced(text, wanted, foldLineEnds(newText), SHORT_LENGTH)) ??
    hintFrom(nearest, wanted);
  return nearest
    ? {
        hint,
        ...describe(
          nearest,
          toLines(wanted).map(({ content }) => content),
        ),
      }
    : { hint };
}

function lineNumbersCopied(text: string, wanted: string): MissHint | undefined {
  const lines = wanted.split("\n");
  const numbered = /^ *\d+(?:\t| ?[|→] ?)/;
  if (!lines.every((line) => numbered.test(line) || line.trim() === "")) {
    return undefined;
  }
  const line = lineOf(text, lines.map((each) => each.replace(numbered, "")).join("\n"));
  const isRead = lines.some((each) => /^ *\d+\t/.test(each));
  return isRead || line !== undefined ? { kind: "line_numbers_copied", line } : undefined;
}

function escapedTwice(text: string, wanted: string): MissHint | undefined {
  if (!wanted.includes("\\")) {
    return undefined;
  }
  const meant: Record<string, string> = { n: "\n", r: "", t: "\t", '"': '"', "'": "'", "\\": "\\" };
  const unescaped = wanted.replace(/\\([nrt"'\\])/g, (_, letter: string) => meant[letter] ?? letter);
  const line = unescaped === wanted ? undefined : lineOf(text, unescaped);
  return line === undefined ? undefined : { kind: "escaped_twice", line };
}

function alreadyReplaced(text: string, wanted: string, newText: string, least: number): MissHint | undefined {
  const isTelling = newText.trim().length >= least && !wanted.includes(newText.trim());
  const line = isTelling ? lineOf(text, newText) : undefined;
  return line === undefined ? undefined : { kind: "already_replaced", line };
}

function emptyLinesAround(text: string, oldText: string, wanted: string): MissHint | undefined {
  const line = foldLineEnds(oldText) === wanted ? undefined : lineOf(text, wanted);
  return line === undefined ? undefined : { kind: "empty_lines_around", line };
}

function caseDiffers(text: string, wanted: string): MissHint | undefined {
  const [small, smallWanted] = [text.toLowerCase(), wanted.toLowerCase()];
  const isCased = small !== text || smallWanted !== wanted;
  // If the text is there in the same case, then case is not the reason.
  const line = !isCased || lineOf(text, wanted) !== undefined ? undefined : lineOf(small, smallWanted);
  return line === undefined ? undefined : { kind: "case_differs", line };
}

/** Returns the 1-based line of a text's first occurrence, whatever its line endings. */
function lineOf(text: string, wanted: string): number | undefined {
  const offset =
    wanted.trim() === ""
      ? undefined
      : findFolded(text, wanted, { max: 1, lookAlikes: false, overlapping: false })[0]?.offset;
  return offset === undefined ? undefined : new LineCounter(text).lineOf(offset);
}

function hintFrom(nearest: Nearest | undefined, wanted: string): MissHint {
  if (!nearest) {
    return { kind: "nothing_near" };
  }
  const line = nearest.startLine;
  const differing = line + firstDifferent(nearest, wanted.split("\n"));
  const found = nearest.found.join("\n");
  let from = 0;
  while (from < found.length && found.charCodeAt(from) === wanted.charCodeAt(from)) {
    from++;
  }
  if (sameBut(found, wanted, from, isInvisible)) {
    return {
      kind: sameBut(found, wanted, from, () => false) ? "blanks_differ" : "invisible_characters",
      line: differing,
    };
  }
  return sameBut(found, wanted, from, isBlank)
    ? { kind: "blanks_differ", line: differing }
    : { kind: "read_again", line };
}

/**
 * Whether two texts are equal from an offset on, ignoring look-alikes and skipped characters. Stops at the first
 * difference.
 */
function sameBut(one: string, other: string, from: number, isPassedOver: (unit: number) => boolean): boolean {
  const fold = foldTable();
  let there = from;
  for (let at = from; at <= one.length; at++) {
    if (at < one.length && isPassedOver(one.charCodeAt(at))) {
      continue;
    }
    while (there < other.length && isPassedOver(other.charCodeAt(there))) {
      there++;
    }
    if (at === one.length || there === other.length) {
      return at === one.length && there === other.length;
    }
    const [unit, otherUnit] = [one.charCodeAt(at), other.charCodeAt(there)];
    if (unit !== otherUnit && fold[unit] !== fold[otherUnit]) {
      return false;
    }
    there++;
  }
  return true;
}

function isBlank(unit: number): boolean {
  return unit <= 0x20 || (unit >= 0x80 && /\s/.test(String.fromCharCode(unit)));
}

function isInvisible(unit: number): boolean {
  return unit >= 0x80 && /\p{Cf}/u.test(String.fromCharCode(unit));
}

/** Picks the nearest lines to show: those around the first line that differs, or is indented differently. */
function describe(nearest: Nearest, wanted: readonly string[]): Omit<Miss, "hint"> {
  const { startLine, found } = nearest;
  const at = firstDifferent(nearest, wanted);
  const from = Math.max(0, Math.min(at - SHOWN_BEFORE, found.length - MAX_SHOWN));
  const shown = found
    .slice(from, from + MAX_SHOWN)
    .map((line, index) => ({ line: startLine + from + index, text: visibleLine(line) }));
  // A part is compared without the rest of its line.
  const there = at === nearest.divergesAt ? (nearest.part ?? found[at]) : found[at];
  const pair = visiblePair(wanted[at] ?? "", there ?? "");
  const isWhole =
    shown.length === found.length &&
    found.length >= wanted.length &&
    shown.every(({ text }, index) => text === found[index]);
  const codePoints = there === undefined ? undefined : differingCodePoints(wanted[at] ?? "", there);
  return {
    nearest: { startLine, endLine: startLine + Math.max(0, found.length - 1), shown, isWhole },
    firstDifference: {
      oldLine: at + 1,
      line: startLine + at,
      expected: pair.expected,
      found: there === undefined ? undefined : pair.found,
      ...(codePoints ? { codePoints } : {}),
    },
  };
}

/** Returns the index of the first line that differs, even if only in its indentation. */
function firstDifferent({ found, divergesAt }: Nearest, wanted: readonly string[]): number {
  const differs = wanted.findIndex(
    (line, index) => line !== found[index] && (index >= divergesAt || !onlyTrailing(line, found[index])),
  );
  return divergesAt < wanted.length ? divergesAt : Math.max(0, differs);
}

function onlyTrailing(wanted: string, found: string | undefined): boolean {
  return found !== undefined && sameWords(wanted, found) && partsOf(wanted).indent === partsOf(found).indent;
}
