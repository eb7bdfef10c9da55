import { lineEndBefore, neighbouringLineEnd, toLines, type Line, type LineCounter } from "./lines.js";
import type { IndentShift } from "./indent.js";
import { transferChange } from "./transfer.js";

/** A place in a text that matches the old text. */
export interface Place {
  offset: number;
  length: number;
  /** How its indentation differs from the wanted one; absent if it does not. */
  shift?: IndentShift;
  /** Whether the old text ends in a line ending, while the place is at the text's end, without one. */
  lacksFinalEnd?: boolean;
}

/** A place in a text and its new content. */
export interface Replacement {
  /** Code units from the text's start. */
  offset: number;
  length: number;
  text: string;
  /** 1-based, in the original text. */
  startLine: number;
  endLine: number;
}

/** Input for working out a replacement. */
export interface ReplacementRequest {
  text: string;
  place: Place;
  oldLines: readonly Line[];
  newLines: readonly Line[];
  /** Whether to keep the new text's own line endings. */
  keepEnds: boolean;
  /** Counts the lines of `text`; places are in order. */
  counter: LineCounter;
}

/**
 * Works out the new content of a place; undefined if it is unclear which parts of the place stay. `isPlain`: the place
 * is exactly the old text and becomes exactly the new text.
 */
export function planReplacement(
  request: ReplacementRequest,
): { replacement: Replacement; isPlain: boolean } | undefined {
  const { text, place, oldLines, newLines, counter } = request;
  const found = text.slice(place.offset, place.offset + place.length);
  const isExact = found === joined(oldLines);
  const plain = joined(newLines);
  const replacement = isExact && keepsEnds(request) ? plain : transferTo(found, request);
  if (replacement === undefined) {
    return undefined;
  }
  const startLine = counter.lineOf(place.offset);
  const endLine = counter.lineOf(place.offset + Math.max(0, place.length - 1));
  return {
    replacement: { offset: place.offset, length: place.length, text: replacement, startLine, endLine },
    isPlain: isExact && replacement === plain,
  };
}

/**
 * Whether to keep the new text's line endings: if the old text was found exactly, and the new text uses no other kinds.
 */
function keepsEnds({ keepEnds, oldLines, newLines }: ReplacementRequest): boolean {
  const known = new Set(oldLines.map(({ end }) => end));
  return keepEnds || newLines.every(({ end }) => end === "" || known.has(end));
}

function transferTo(foundText: string, { text, place, oldLines, newLines }: ReplacementRequest): string | undefined {
  const neighbour = neighbouringLineEnd(text, place.offset + place.length);
  const finalEnd = neighbour === "" ? (oldLines.at(-2)?.end ?? "\n") : neighbour;
  const found = toLines(place.lacksFinalEnd === true ? foundText + finalEnd : foundText);
  const shift = place.shift ?? { kind: "none" };
  const lines = transferChange({ found, old: oldLines, new: newLines, shift, fallbackEnd: neighbour });
  if (!lines) {
    return undefined;
  }
  const last = lines.at(-2);
  if (place.lacksFinalEnd === true && last && lines.at(-1)?.content === "") {
    last.end = "";
  }
  return joined(withinLines(lines, text, place));
}

/** Adjusts lines so that they do not merge into one line ending with a `\r` before or a `\n` after them. */
function withinLines(lines: Line[], text: string, place: Place): Line[] {
  const first = lines[0];
  const last = lines.at(-2);
  if (first?.content === "" && first.end === "\n" && lineEndBefore(text, place.offset) === "\r") {
    first.end = "\r";
  }
  if (last?.end === "\r" && lines.at(-1)?.content === "" && text[place.offset + place.length] === "\n") {
    last.end = "\n";
  }
  return lines;
}

function joined(lines: readonly Line[]): string {
  return lines.map(({ content, end }) => content + end).join("");
}
