import type { LineEnd } from "../match/lines.js";
import type { Hunk, HunkLine } from "./filePatch.js";
import { compose, decompose, formOf } from "../unicodeForm.js";
import type { Change, LineKeeper } from "./keptLines.js";
import type { Place } from "./locate.js";
import type { SourceLines } from "./sourceLines.js";

/** Lines of the original replaced by others; if `from` equals `to`, the others are inserted. */
export interface Edit {
  /** Index of the hunk. */
  hunk: number;
  from: number;
  to: number;
  added: readonly HunkLine[];
  /** Whether added lines keep the patch's line endings instead of getting those around them. */
  keepsOwnEnds: boolean;
}

/** Lines of the new text, 1-based and inclusive. If lines were only removed, `end` is the line before `start`. */
export interface LineRange {
  start: number;
  end: number;
}

/** Returns a hunk's changes, run by run, without its context and without lines that it removes and adds again. */
export function editsOf(source: SourceLines, hunk: Hunk, index: number, place: Place, keeper: LineKeeper): Edit[] {
  const keepsOwnEnds = hunk.knowsLineEnds && hasSameEnds(source, place);
  const edits: Edit[] = [];
  let line = place.at;
  let open: { from: number; removed: HunkLine[]; added: HunkLine[] } | undefined;
  const close = (): void => {
    // If the patch's lines and endings are the file's, a rewritten line stays the same anyway.
    const isSame = place.tier === "exact" && (keepsOwnEnds || source.hasOneEnd);
    for (const change of !open ? [] : isSame ? [open] : keeper.part(open)) {
      const to = change.from + change.removed.length;
      const added =
        place.tier === "exact"
          ? change.added
          : keeper.transfer(inForm(change, place, source), source.texts.slice(change.from, to), place.shift);
      edits.push({ hunk: index, from: change.from, to, added, keepsOwnEnds });
    }
    open = undefined;
  };
  for (const hunkLine of place.reading.lines) {
    if (hunkLine.kind === "context") {
      close();
      line++;
    } else {
      open ??= { from: line, removed: [], added: [] };
      if (hunkLine.kind === "add") {
        open.added.push(hunkLine);
      } else {
        open.removed.push(hunkLine);
        line++;
      }
    }
  }
  close();
  return edits;
}

/** Converts a change to the Unicode form of its place, if that differs from the patch's. */
function inForm(change: Change, place: Place, source: SourceLines): Change {
  if (place.tier !== "unicode_form") {
    return change;
  }
  const found = source.texts.slice(place.at, place.at + place.reading.oldTexts.length).join("\n");
  const write = formOf(found) === "decomposed" ? decompose : (text: string): string => compose(text).text;
  const written = (lines: readonly HunkLine[]): HunkLine[] =>
    lines.map((line) => ({ ...line, text: write(line.text) }));
  return { from: change.from, removed: written(change.removed), added: written(change.added) };
}

/** Whether every line of a hunk's old side has the file's line ending. */
export function hasSameEnds(source: SourceLines, place: Place): boolean {
  let line = place.at;
  for (const { kind, end } of place.reading.lines) {
    if (kind !== "add") {
      const own = source.endAt(line++);
      if (end !== own && end !== "" && own !== "") {
        return false;
      }
    }
  }
  return true;
}

/**
 * Applies edits, given as ascending, disjoint line ranges of the original. Every other line keeps its bytes. Added
 * lines get the ending of the lines they replace, or else that of the line before, or else that of the line after.
 *
 * @param finalNewline whether the text ends with a newline afterwards
 * @returns the text, and for each edit its lines in the new text
 */
export function rebuild(
  source: SourceLines,
  edits: readonly Edit[],
  finalNewline: boolean,
): { text: string; ranges: LineRange[] } {
  const fallback = lastEndOf(source);
  const parts: string[] = [source.mark];
  const ranges: LineRange[] = [];
  let done = 0;
  let line = 1;
  let lastEnd: LineEnd = "\n";
  const keep = (to: number): void => {
    if (to > done) {
      parts.push(source.slice(done, to));
      line += to - done;
      lastEnd = source.endAt(to - 1);
    }
    done = Math.max(done, to);
  };
  /** Adds an ending to the former last line, which is now followed by another. */
  const endLast = (end: LineEnd): void => {
    if (lastEnd === "") {
      parts.push(end === "" ? fallback : end);
    }
  };
  for (const edit of edits) {
    keep(edit.from);
    ranges.push({ start: line, end: line + edit.added.length - 1 });
    for (const [at, { text, end: ownEnd }] of edit.added.entries()) {
      const neighbour = endNear(source, edit, at) ?? fallback;
      const end = edit.keepsOwnEnds && ownEnd !== "" ? ownEnd : neighbour;
      endLast(neighbour);
      const isMarked = source.mark !== "" && line === 1 && text.startsWith(source.mark);
      parts.push(isMarked ? text.slice(1) : text, end);
      lastEnd = end;
      line++;
    }
    done = edit.to;
  }
  if (done < source.length) {
    endLast(fallback);
    keep(source.length);
  }
  return { text: withFinalNewline(parts.join(""), finalNewline, lastEnd, fallback), ranges };
}

function withFinalNewline(text: string, isWanted: boolean, lastEnd: LineEnd, fallback: LineEnd): string {
  if (text === "" || text === "\uFEFF") {
    return text;
  }
  if (isWanted) {
    return lastEnd === "" ? text + fallback : text;
  }
  return lastEnd === "" ? text : text.slice(0, -lastEnd.length);
}

/** Returns the line ending around an edit; undefined if no line there has one. */
function endNear(source: SourceLines, edit: Edit, offset: number): LineEnd | undefined {
  const replaced = edit.to > edit.from ? source.endAt(Math.min(edit.from + offset, edit.to - 1)) : "";
  const ends = [
    replaced,
    edit.from > 0 ? source.endAt(edit.from - 1) : "",
    edit.to < source.length ? source.endAt(edit.to) : "",
  ];
  return ends.find((end) => end !== "");
}

/** Returns the file's last line ending; LF if it has none. */
function lastEndOf(source: SourceLines): LineEnd {
  const end = source.endAt(source.length - 1) || source.endAt(source.length - 2);
  return end === "" ? "\n" : end;
}
