import { foldLookAlikes } from "../match/lookAlikes.js";
import { sharedEnds } from "../sharedEnds.js";
import type { Hunk, HunkLine } from "./filePatch.js";
import type { Divergence } from "./hunkError.js";
import type { SourceLines } from "./sourceLines.js";

/** Maximum number of equal lines checked per text of a hunk; a hunk of braces reveals nothing about its place. */
const MAX_EQUAL_LINES = 8;

/**
 * Maximum weight of a line: a long line says more about a place than a brace, but one line never says more than three
 * others.
 */
const MAX_WEIGHT = 20;

/** Maximum characters and lines compared: a few milliseconds' work. */
const MAX_COMPARISONS = 1_000_000;

/** Minimum share in common with the wanted line for a line to be reported as the nearest. */
const LEAST_LIKENESS = 0.5;

/** Minimum length of a line's beginning that says which line is meant. */
const TELLING_BEGINNING = 10;

/** The likely intent of a hunk without a place. */
export interface Diagnosis {
  nearest?: { from: number; to: number; divergence?: Divergence };
  appliedAt?: number;
}

/**
 * Finds the place with most of a hunk's lines, and the first line that differs there, in bounded work.
 *
 * @param excluded a place (0-based) that has all of its lines, but where it is not allowed
 */
export function diagnose(source: SourceLines, hunk: Hunk, excluded: number | undefined): Diagnosis {
  const old = hunk.lines
    .slice(hunk.looseBefore, hunk.lines.length - hunk.looseAfter)
    .filter(({ kind }) => kind !== "add");
  const at = excluded ?? findNearest(source, old, hunk.oldStart) ?? findLike(source, old);
  const appliedAt = findNewSide(source, hunk.lines);
  const divergence = at === undefined || excluded !== undefined ? undefined : firstDivergence(source, old, at);
  return {
    ...(at === undefined
      ? {}
      : {
          nearest: {
            from: at + 1,
            to: Math.max(at + 1, Math.min(source.length, at + old.length)),
            ...(divergence ? { divergence } : {}),
          },
        }),
    ...(appliedAt === undefined ? {} : { appliedAt: appliedAt + 1 }),
  };
}

function fold(text: string): string {
  return foldLookAlikes(text).trimEnd();
}

/**
 * Finds the most likely place of a hunk: every equal line votes for the place at which the hunk would have to start.
 */
function findNearest(source: SourceLines, old: readonly HunkLine[], oldStart: number | undefined): number | undefined {
  const index = source.indexOf("bodies");
  const counts = new Map<string, number>();
  const votes = new Int32Array(source.length);
  for (const [offset, { text }] of old.entries()) {
    const body = fold(text).trimStart();
    const count = (counts.get(body) ?? 0) + 1;
    counts.set(body, count);
    for (const line of body === "" || count > MAX_EQUAL_LINES ? [] : index.linesOf(body)) {
      if (line >= offset) {
        votes[line - offset] = (votes[line - offset] ?? 0) + Math.min(body.length, MAX_WEIGHT);
      }
    }
  }
  let best: number | undefined;
  const distance = (line: number): number => (oldStart === undefined ? line : Math.abs(line + 1 - oldStart));
  for (let line = 0; line < votes.length; line++) {
    const count = votes[line] ?? 0;
    const most = best === undefined ? 0 : (votes[best] ?? 0);
    if (count > most || (count === most && best !== undefined && distance(line) < distance(best))) {
      best = line;
    }
  }
  return best;
}

/** If no line is equal, finds the one most similar to the hunk's first non-blank line. */
function findLike(source: SourceLines, old: readonly HunkLine[]): number | undefined {
  const offset = old.findIndex(({ text }) => text.trim() !== "");
  const wanted = fold(old[offset]?.text ?? "").trimStart();
  let left = MAX_COMPARISONS;
  let best: number | undefined;
  let most = LEAST_LIKENESS;
  for (let line = Math.max(0, offset); line < source.length && left > 0 && wanted !== ""; line++) {
    const found = source.bodies[line] ?? "";
    const { head, tail } = sharedEnds(wanted, found);
    const shared = head + tail;
    left -= shared + 2;
    // Models also write the beginning of a line for all of it.
    const isBeginning = wanted.length >= TELLING_BEGINNING && found.startsWith(wanted);
    const likeness = isBeginning ? 1 : shared / Math.max(wanted.length, found.length);
    if (likeness > most) {
      [best, most] = [line - offset, likeness];
    }
  }
  return best;
}

function firstDivergence(source: SourceLines, old: readonly HunkLine[], at: number): Divergence | undefined {
  for (const [offset, { text, line }] of old.entries()) {
    const found = source.texts[at + offset];
    if (found === undefined || source.textsIn("look_alikes")[at + offset] !== fold(text)) {
      return { patchLine: line, expected: text, fileLine: at + offset + 1, ...(found === undefined ? {} : { found }) };
    }
  }
  return undefined;
}

/** Finds where the file already has the hunk's result, including added lines. */
function findNewSide(source: SourceLines, lines: readonly HunkLine[]): number | undefined {
  const left = lines.filter(({ kind }) => kind !== "remove").map(({ text }) => text);
  return lines.some(({ kind, text }) => kind === "add" && text.trim() !== "")
    ? source.placesOf(left, "trailing_blanks")[0]
    : undefined;
}
