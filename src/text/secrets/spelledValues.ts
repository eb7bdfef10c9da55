// Finds values in texts that may spell any of their characters in another way: as JSON (`\/`, `\u002B`, also in JSON
// inside JSON), percent-encoded (also twice) or as HTML. At each place of a text, at most as many characters are read as the values
// that may begin there have.

/** One character that is written as several, where the search is. */
const ESCAPE =
  /\\{1,8}(?:u(?:00|\{0{0,4})([\da-f]{2})\}?|x([\da-f]{2})|([^\da-z\s\\]))|%(?:25){0,8}([\da-f]{2})|&(?:#0{0,5}(\d{1,3})|#x0{0,5}([\da-f]{1,2})|(amp|lt|gt|quot|apos));/iy;
/** The beginning of one, at the end of a text. */
const HALF_ESCAPE = /(?:\\{1,8}(?:u[\da-f{]{0,6}|x[\da-f]?)?|%(?:25){0,8}[\da-f]?|&#?\w{0,8})$/iy;
const MAX_ESCAPE = 30;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** How many backslashes stand for one: in plain text, JSON, and JSON inside JSON. */
const BACKSLASHES = [1, 2, 4];

export interface FoundValue {
  value: string;
  start: number;
  end: number;
}

/** Values that are looked for in texts. */
export class SpelledValues {
  /** By their first character; longer ones first, since one may begin with another. */
  readonly #values = new Map<string, string[]>();
  readonly #starts: RegExp;
  readonly #minCut: number;

  /**
   * @param values not empty
   * @param minCut characters of a value that are enough to know it at the end of a text that is cut
   */
  constructor(values: readonly string[], minCut: number) {
    for (const value of [...values].sort((one, other) => other.length - one.length)) {
      const first = value.charAt(0);
      this.#values.set(first, [...(this.#values.get(first) ?? []), value]);
    }
    const firsts = [...this.#values.keys()].map((first) => first.replace(/[\]\\^-]/, "\\$&"));
    this.#starts = new RegExp(`[\\\\%&${firsts.join("")}]`, "g");
    this.#minCut = minCut;
  }

  /**
   * Returns where the values are, in the order of the text; none overlaps another.
   *
   * @param isCut whether a value may begin at the text's end
   */
  find(text: string, isCut: boolean): FoundValue[] {
    const found: FoundValue[] = [];
    const starts = new RegExp(this.#starts);
    for (let match = starts.exec(text); match !== null; match = starts.exec(text)) {
      const start = match.index;
      const [first, written] = [firstOf(text, start), text.charAt(start)];
      const values = this.#values.get(first) ?? [];
      for (const value of first === written ? values : [...values, ...(this.#values.get(written) ?? [])]) {
        const end = endOf(text, start, value, isCut ? this.#minCut : Number.POSITIVE_INFINITY);
        if (end !== undefined) {
          found.push({ value, start, end });
          starts.lastIndex = end;
          break;
        }
      }
    }
    return found;
  }
}

/** Returns where a value ends that begins at `start`; undefined if it does not. */
function endOf(text: string, start: number, value: string, minCut: number): number | undefined {
  if (text.startsWith(value, start)) {
    return start + value.length;
  }
  for (const backslashes of value.includes("\\") ? BACKSLASHES : [1]) {
    let at = start;
    let count = 0;
    for (; count < value.length; count++) {
      if (count >= minCut && (at === text.length || isHalfEscape(text, at))) {
        return text.length;
      }
      const next = after(text, at, value.charAt(count), backslashes);
      if (next === undefined) {
        break;
      }
      at = next;
    }
    if (count === value.length) {
      return at;
    }
  }
  return undefined;
}

/** Returns the place after a character that is written at `at` in any way; undefined if another one is there. */
function after(text: string, at: number, character: string, backslashes: number): number | undefined {
  if (character === "\\" && text.startsWith("\\".repeat(backslashes), at)) {
    return at + backslashes;
  }
  const written = text.charAt(at);
  if (written === "\\" || written === "%" || written === "&") {
    const escape = escapeAt(text, at);
    if (escape?.character === character) {
      return escape.end;
    }
  }
  return written === character || (character === " " && written === "+") ? at + 1 : undefined;
}

/** Returns the character that is written at `at`. */
function firstOf(text: string, at: number): string {
  const written = text.charAt(at);
  return (
    (written === "\\" || written === "%" || written === "&" ? escapeAt(text, at)?.character : undefined) ?? written
  );
}

function escapeAt(text: string, at: number): { character: string; end: number } | undefined {
  ESCAPE.lastIndex = at;
  const match = ESCAPE.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, json, hex, itself, percent, decimal, hexadecimal, name] = match;
  const code = json ?? hex ?? percent ?? hexadecimal;
  const character =
    itself ??
    (name !== undefined
      ? NAMED[name.toLowerCase()]
      : String.fromCharCode(code === undefined ? Number(decimal) : Number.parseInt(code, 16)));
  return character === undefined ? undefined : { character, end: ESCAPE.lastIndex };
}

function isHalfEscape(text: string, at: number): boolean {
  if (text.length - at > MAX_ESCAPE) {
    return false;
  }
  HALF_ESCAPE.lastIndex = at;
  return HALF_ESCAPE.test(text);
}
