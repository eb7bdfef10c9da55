import type { Hunk, UpdateFile } from "./filePatch.js";
import type { HunkError } from "./hunkError.js";
import { LineKeeper } from "./keptLines.js";
import type { Place, PlaceRule } from "./locate.js";
import { locateAll } from "./locateAll.js";
import type { Tier } from "./readings.js";
import type { Edit, LineRange } from "./rebuild.js";
import { editsOf, hasSameEnds, rebuild } from "./rebuild.js";
import { SourceLines } from "./sourceLines.js";

/**
 * Notes that a hunk matched although it is not in the file exactly as written, or what decided between several places.
 */
interface HunkNote {
  /** 1-based. */
  hunk: number;
  rule:
    | Exclude<Tier, "exact">
    | PlaceRule
    | "line_ends"
    | "bare_context"
    | "empty_lines"
    | "end_lines"
    | "glued_header";
  message: string;
}

/** The result of applying hunks to a text, or why they cannot be applied; in that case none is. */
export type AppliedHunks =
  | {
      ok: true;
      text: string;
      /** For each hunk, in the given order, the lines of the new text from its first change to its last. */
      ranges: LineRange[];
      /** For each hunk, the lines of the original that it quotes, and whether exactly, and as the only place. */
      quoted: (LineRange & { isExact: boolean })[];
      notes: HunkNote[];
    }
  | { ok: false; /** At least one, at most five, in the order of the hunks. */ errors: HunkError[] };

/**
 * Applies hunks to a text. All of them match against the original, so their order does not matter, and each must have
 * exactly one place (`locate` describes what may decide). Unchanged lines keep their bytes; added lines get the line
 * endings around them; the final newline stays as it was unless a hunk changes it; a byte order mark stays.
 *
 * The context of two hunks may overlap, their changes may not. Accepts any input: never throws, and does bounded work.
 */
export function applyHunks(original: string, hunks: readonly Hunk[]): AppliedHunks {
  const source = new SourceLines(original);
  const { places, errors } = locateAll(source, hunks);
  if (errors.length > 0) {
    return { ok: false, errors };
  }
  const keeper = new LineKeeper();
  const edits = hunks.flatMap((hunk, index) => {
    const place = places[index];
    return place ? editsOf(source, hunk, index, place, keeper) : [];
  });
  edits.sort((a, b) => a.from - b.from || a.to - b.to);
  const overlap = findOverlap(edits, hunks);
  if (overlap) {
    return { ok: false, errors: [overlap] };
  }
  const { text, ranges } = rebuild(source, edits, finalNewlineOf(source, hunks));
  return {
    ok: true,
    text,
    ranges: rangesOf(hunks.length, edits, ranges),
    quoted: places.map((place) =>
      place === undefined ? { start: 1, end: 0, isExact: false } : { ...linesOf(place), isExact: isExact(place) },
    ),
    notes: hunks.flatMap((hunk, index) => notesOf(source, hunk, index + 1, places[index])),
  };
}

/**
 * Applies a file's hunks as written; if that fails, again with `@@text` read as a header. Returns the errors of the
 * last attempt.
 */
export function applyUpdate(
  original: string,
  { hunks, gluedHunks }: Pick<UpdateFile, "hunks" | "gluedHunks">,
): AppliedHunks {
  const applied = applyHunks(original, hunks);
  if (applied.ok || gluedHunks === undefined) {
    return applied;
  }
  const glued = applyHunks(original, gluedHunks);
  return glued.ok
    ? {
        ...glued,
        notes: [
          { hunk: 1, rule: "glued_header", message: "@@ was read as a header although no space follows it" },
          ...glued.notes,
        ],
      }
    : glued;
}

/** Finds two hunks that replace the same line or insert at the same place: the result would depend on their order. */
function findOverlap(edits: readonly Edit[], hunks: readonly Hunk[]): HunkError | undefined {
  let before: Edit | undefined;
  for (const edit of edits) {
    if (
      before &&
      before.hunk !== edit.hunk &&
      (edit.from < before.to || (edit.to === before.from && edit.from === before.to))
    ) {
      const [other, hunk] = before.hunk < edit.hunk ? [before.hunk, edit.hunk] : [edit.hunk, before.hunk];
      return {
        hunk: hunk + 1,
        patchLine: hunks[hunk]?.line ?? 0,
        type: "overlap",
        other: other + 1,
        fileLine: edit.from + 1,
      };
    }
    before = edit;
  }
  return undefined;
}

function linesOf({ at, reading }: Place): LineRange {
  return { start: at + 1, end: at + reading.oldTexts.length };
}

/** Whether a hunk's lines are in the file as written, and nothing else had to decide where. */
function isExact({ tier, decided, reading }: Place): boolean {
  return tier === "exact" && decided === undefined && reading.oldTexts.some((text) => text.trim() !== "");
}

function finalNewlineOf(source: SourceLines, hunks: readonly Hunk[]): boolean {
  const wanted = hunks.map(({ finalNewline }) => finalNewline).filter((value) => value !== undefined);
  return wanted.length > 0 ? wanted.every(Boolean) : source.isEnded;
}

function rangesOf(count: number, edits: readonly Edit[], ranges: readonly LineRange[]): LineRange[] {
  const joined: (LineRange | undefined)[] = Array.from({ length: count });
  for (const [index, { hunk }] of edits.entries()) {
    const range = ranges[index] ?? { start: 1, end: 0 };
    const known = joined[hunk];
    joined[hunk] = known ? { start: known.start, end: range.end } : range;
  }
  return joined.map((range) => range ?? { start: 1, end: 0 });
}

function notesOf(source: SourceLines, hunk: Hunk, number: number, place: Place | undefined): HunkNote[] {
  if (!place) {
    return [];
  }
  const notes: HunkNote[] = [];
  const note = (rule: HunkNote["rule"], message: string): void => {
    notes.push({ hunk: number, rule, message });
  };
  if (place.tier === "trailing_blanks") {
    note(place.tier, "trailing whitespace was ignored");
  } else if (place.tier === "look_alikes") {
    note(place.tier, "look-alike characters (quotes, dashes, spaces) were treated as equal");
  } else if (place.tier === "unicode_form") {
    note(
      place.tier,
      "it matched after Unicode normalization (composed or decomposed accents); added lines were written in the file's form",
    );
  } else if (place.tier === "indentation") {
    note(place.tier, "the file indents these lines differently; added lines were shifted the same way");
  }
  if (place.reading.isBare) {
    note("bare_context", "context lines were read without a leading space");
  }
  if (place.reading.isLastLine) {
    note("end_lines", "the empty context line at its end was read as the end of the file");
  } else if (place.reading.skippedBefore + place.reading.skippedAfter > 0) {
    note("empty_lines", "empty lines around the hunk were ignored");
  }
  if (hunk.knowsLineEnds && !hasSameEnds(source, place)) {
    note("line_ends", "the file's own line endings were kept");
  }
  const { decided } = place;
  if (decided) {
    note(decided.rule, describeRule(decided.rule, decided.among, place.at + 1));
  }
  return notes;
}

function describeRule(rule: PlaceRule, among: number, line: number): string {
  switch (rule) {
    case "header":
      return `of ${among} matching places, the @@ header selected line ${line}`;
    case "end_of_file":
      return `of ${among} matching places, the end of the file selected line ${line}`;
    case "line_number":
      return `of ${among} matching places, the line number selected line ${line}`;
    case "after_header":
      return `without context, it was inserted below the header, at line ${line}`;
    case "line_number_alone":
      return line === 1
        ? "without context, it was inserted before line 1, as its line number says"
        : `without context, it was inserted after line ${line - 1}, as its line number says`;
    case "appended":
      return "without context, header or line number, its lines were added at the end of the file";
  }
}
