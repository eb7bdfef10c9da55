import { isInsidePair } from "./splitLines.js";

/** Code units that may pile up beyond twice the tail before it is cut anew: a cut copies it. */
const CUT_AFTER = 4_096;

/** Code units kept at most of the start and of the end of a text. */
export interface HeadTailLimits {
  head: number;
  tail: number;
}

/** A text's head and tail, and exactly what is not in them. */
export interface HeadTailResult {
  /** The whole text, or its head, a line that says what was left out, and its tail. */
  text: string;
  /** Of the whole text, in code units. */
  characters: number;
  /** Of the whole text, a final newline not counted as a line. */
  lines: number;
  /** Undefined when nothing was left out. `lines` counts every line that lacks something. */
  leftOut: { characters: number; lines: number } | undefined;
}

/**
 * Keeps the head and the tail of a text that is longer than both together. Each is cut at the end of a line where it
 * has one in its outer half, and never inside `\r\n` or a surrogate pair.
 */
export function headTail(text: string, limits: HeadTailLimits): HeadTailResult {
  const whole = new HeadTail(limits);
  whole.push(text);
  return whole.finish();
}

/**
 * `headTail` for a text that arrives in chunks: the same result wherever they end, in memory bounded by the limits and one chunk.
 */
export class HeadTail {
  readonly #limits: HeadTailLimits;
  /** The first `limits.head` code units. */
  #head = "";
  /** The code unit behind the head, which tells whether a cut there is clean. */
  #behindHead = "";
  /** What follows the head; of more than the limit at least one code unit more than the tail. */
  #rest = "";
  #characters = 0;
  #lineEnds = 0;
  #last = "";

  constructor(limits: HeadTailLimits) {
    this.#limits = { head: sizeOf(limits.head), tail: sizeOf(limits.tail) };
  }

  /** Takes in the next chunk. */
  push(chunk: string): void {
    if (chunk === "") {
      return;
    }
    this.#lineEnds += countLineEnds(chunk) - (this.#last === "\r" && chunk.startsWith("\n") ? 1 : 0);
    this.#last = chunk.slice(-1);
    this.#characters += chunk.length;
    const room = this.#limits.head - this.#head.length;
    this.#head += chunk.slice(0, room);
    this.#rest += chunk.slice(room);
    if (this.#behindHead === "") {
      this.#behindHead = this.#rest.slice(0, 1);
    }
    const kept = this.#limits.tail + 1;
    if (this.#rest.length > 2 * kept + CUT_AFTER) {
      this.#rest = this.#rest.slice(-kept);
    }
  }

  /** The result for all that was pushed; pushing may go on. */
  finish(): HeadTailResult {
    const { head: headLimit, tail: tailLimit } = this.#limits;
    const characters = this.#characters;
    const lines = this.#lineEnds + (this.#last === "" || isLineEnd(this.#last) ? 0 : 1);
    if (characters <= headLimit + tailLimit) {
      return { text: this.#head + this.#rest, characters, lines, leftOut: undefined };
    }
    const head = cutHead(this.#head, this.#behindHead);
    const tail = cutTail(this.#rest.slice(-tailLimit - 1));
    const omittedEnds = this.#lineEnds - countLineEnds(head) - countLineEnds(tail);
    // The text left out goes up to the tail: when none begins there, the line it is cut in counts, too.
    const endsLine = isLineEnd(this.#rest.at(-tail.length - 1) ?? "");
    const leftOut = { characters: characters - head.length - tail.length, lines: omittedEnds + (endsLine ? 0 : 1) };
    const start = head === "" || isLineEnd(head.slice(-1)) ? head : `${head}\n`;
    return { text: `${start}${markerOf(leftOut)}\n${tail}`, characters, lines, leftOut };
  }
}

function sizeOf(limit: number): number {
  return Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : limit > 0 ? Number.MAX_SAFE_INTEGER : 0;
}

/**
 * The start of a text up to the last line end in its second half, else all of it but a half of a pair.
 *
 * @param next the code unit behind it
 */
export function cutHead(head: string, next: string): string {
  for (let at = head.length; at > head.length / 2; at--) {
    if (isLineEnd(head.charAt(at - 1)) && !isInsidePair(head + next, at)) {
      return head.slice(0, at);
    }
  }
  return isInsidePair(head + next, head.length) ? head.slice(0, -1) : head;
}

/**
 * The end of a text behind its first code unit: from the first line start in its first half, else all but a half of a
 * pair.
 */
export function cutTail(text: string): string {
  for (let at = 1; at <= text.length / 2; at++) {
    if (isLineEnd(text.charAt(at - 1)) && !isInsidePair(text, at)) {
      return text.slice(at);
    }
  }
  return text.slice(isInsidePair(text, 1) ? 2 : 1);
}

/** The line that stands for what was left out. */
export function markerOf({ characters, lines }: { characters: number; lines: number }): string {
  const count = (amount: number, what: string): string => `${amount} ${what}${amount === 1 ? "" : "s"}`;
  return `[… ${count(characters, "character")} in ${count(lines, "line")} left out …]`;
}

function isLineEnd(character: string): boolean {
  return character === "\n" || character === "\r";
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  for (let at = text.indexOf("\r"); at >= 0; at = text.indexOf("\r", at + 1)) {
    count += text.charCodeAt(at + 1) === 10 ? 0 : 1;
  }
  return count;
}
