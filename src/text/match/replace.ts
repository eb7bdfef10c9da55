import { lineEndBefore, neighbouringLineEnd, toLines, type Line, type LineCounter } from "./lines.js";
import type { IndentShift } from "./indent.js";
import { transferChange } from "./transfer.js";

/** A place of a text found to be the old text. */
export interface Place {
  offset: number;
  length: number;
  /** How its lines are indented otherwise than looked for; not at all when absent. */
  shift?: IndentShift;
  /** The old text ends in a line end, the place ends the text without one. */
  lacksFinalEnd?: boolean;
}

/** A place of a text and what is to stand there instead. */
export interface Replacement {
  /** Code units from the text's start. */
  offset: number;
  length: number;
  text: string;
  /** 1-based, of the text as it is. */
  startLine: number;
  endLine: number;
}

/** What a replacement is worked out from. */
export interface ReplacementRequest {
  text: string;
  place: Place;
  oldLines: readonly Line[];
  newLines: readonly Line[];
  /** Take the new text's line ends as they are. */
  keepEnds: boolean;
  /** Counts the lines of `text`; places come in order. */
  counter: LineCounter;
}

/**
 * Works out what is to stand at a place; undefined when it cannot be told what of the place stays. `isPlain` says that
 * the place is the old text and gets the new text, both as they are.
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

/** A new text that ends lines in no other way than an old text found exactly is meant as it is. */
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

/** Lines that make no single line end with a `\r` before them or a `\n` behind them. */
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
