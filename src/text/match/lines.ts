import { mapUnits } from "./fold.js";

/** A line ending; empty if there is none, as on the last line of a text. */
export type LineEnd = "\n" | "\r\n" | "\r" | "";

/** A line of a text. A text that ends in a line ending has an empty line after it. */
export interface Line {
  content: string;
  end: LineEnd;
}

/** A line's parts: its content, and the whitespace before and after. A line of only whitespace is all `trailing`. */
export interface LineParts {
  indent: string;
  body: string;
  trailing: string;
}

/** Splits a text after each line ending; joined, the lines are the text. */
export function toLines(text: string): Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ content: text.slice(from, match.index), end: match[0] as LineEnd });
    from = match.index + match[0].length;
  }
  lines.push({ content: text.slice(from), end: "" });
  return lines;
}

/** Separates a line's leading and trailing whitespace (spaces and tabs). */
export function partsOf(content: string): LineParts {
  let to = content.length;
  while (to > 0 && isBlank(content.charCodeAt(to - 1))) {
    to--;
  }
  let from = 0;
  while (from < to && isBlank(content.charCodeAt(from))) {
    from++;
  }
  return { indent: content.slice(0, from), body: content.slice(from, to), trailing: content.slice(to) };
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

/** Whether a text contains a line ending. */
export function hasLineEnd(text: string): boolean {
  return text.includes("\n") || text.includes("\r");
}

/** Converts every line ending to `\n`. */
export function foldLineEnds(text: string): string {
  if (!text.includes("\r")) {
    return text;
  }
  return mapUnits(text, (unit, at) => (unit !== 0x0d ? unit : text.charCodeAt(at + 1) === 0x0a ? -1 : 0x0a));
}

/** Whether every line of a text ends in `\r\n`. */
export function endsAllLinesInPairs(text: string): boolean {
  return text.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(text);
}

/** Returns the offset of the next line ending at or after `from`, or the text's length. */
export function findLineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 0x0a && text.charCodeAt(at) !== 0x0d) {
    at++;
  }
  return at;
}

/** Returns the line ending at an offset. */
export function lineEndAt(text: string, at: number): LineEnd {
  const unit = text.charCodeAt(at);
  if (unit === 0x0a) {
    return "\n";
  }
  return unit !== 0x0d ? "" : text.charCodeAt(at + 1) === 0x0a ? "\r\n" : "\r";
}

/** Returns the line ending just before an offset. */
export function lineEndBefore(text: string, at: number): LineEnd {
  const unit = text.charCodeAt(at - 1);
  if (unit === 0x0d) {
    return "\r";
  }
  return unit !== 0x0a ? "" : text.charCodeAt(at - 2) === 0x0d ? "\r\n" : "\n";
}

/** Returns the line ending used around an offset: that of its line, or else of the line before. */
export function neighbouringLineEnd(text: string, at: number): LineEnd {
  const own = lineEndAt(text, findLineEnd(text, at));
  if (own !== "") {
    return own;
  }
  const before = Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1));
  return at === 0 || before < 0 ? "" : lineEndBefore(text, before + 1);
}

/** Finds the 1-based line numbers of ascending offsets in one pass. */
export class LineCounter {
  readonly #text: string;
  readonly #hasLoneReturns: boolean;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
    this.#hasLoneReturns = /\r(?!\n)/.test(text);
  }

  /** Returns the line of the character at an offset, which must not be smaller than the previous one. */
  lineOf(offset: number): number {
    this.#line += this.#hasLoneReturns
      ? countEnds(this.#text, this.#at, offset)
      : countFeeds(this.#text, this.#at, offset);
    this.#at = Math.max(this.#at, offset);
    return this.#line;
  }
}

function countFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from < to ? text.indexOf("\n", from) : -1; at >= 0 && at < to; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

function countEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
      count++;
    }
  }
  return count;
}
