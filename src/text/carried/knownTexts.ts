// Finds parts of known texts in another text.
import { isContent } from "./content.js";
import { plainOf, type Plain } from "./plain.js";

/** Letters and digits that a text has in common with a known one before that counts. */
export const MIN_CARRIED = 24;
/** Known texts are indexed by blocks of this many, each BLOCK + 1 apart: every 24 contain a whole one. */
const BLOCK = 12;
/** Places of one block that are looked at. */
const MAX_PLACES = 16;
/** Code units of a text that are looked at. */
const MAX_LOOKED_AT = 1_000_000;
/** Sources are below 2^22 characters. */
const SOURCE = 2 ** 22;

/** A part of a known text in another one. */
export interface Carried {
  /** As the other text has it. */
  text: string;
  /** Index of the known text. */
  source: number;
}

interface Known {
  text: string;
  letters: string;
}

/** Texts of which parts can be found in others, whatever their spacing and punctuation. */
export class KnownTexts {
  readonly #texts: Known[] = [];
  readonly #blocks = new Map<string, number[]>();

  /** Adds a text of less than 4 million characters. The first one has index 0. */
  add(text: string): void {
    const { letters } = plainOf(text);
    const source = this.#texts.push({ text, letters }) - 1;
    for (let at = 0; at + BLOCK <= letters.length; at += BLOCK + 1) {
      const block = letters.slice(at, at + BLOCK);
      const places = this.#blocks.get(block);
      if (places === undefined) {
        this.#blocks.set(block, [source * SOURCE + at]);
      } else if (places.length < MAX_PLACES) {
        places.push(source * SOURCE + at);
      }
    }
  }

  /**
   * Returns what a text has of known ones that is content, the longest at each place, of equal ones the first.
   *
   * @param below only known texts with a smaller index count
   */
  find(given: string, below = Infinity): Carried[] {
    const text = given.slice(0, MAX_LOOKED_AT);
    const { letters, at: placeOf } = plainOf(text);
    const found: Carried[] = [];
    const opened = new Map<number, Plain>();
    for (let at = 0; at + BLOCK <= letters.length; at++) {
      const longest = this.#longest(letters, at, below);
      if (longest === undefined) {
        continue;
      }
      const part = text.slice(placeOf(longest.start), placeOf(longest.end - 1) + 1);
      if (this.#isContent(longest, part, opened)) {
        found.push({ text: part, source: longest.source });
      }
      at = Math.max(at, longest.end - BLOCK);
    }
    return found;
  }

  #longest(letters: string, at: number, below: number): Match | undefined {
    let longest: Match | undefined;
    for (const place of this.#blocks.get(letters.slice(at, at + BLOCK)) ?? []) {
      const source = Math.floor(place / SOURCE);
      if (source >= below) {
        break;
      }
      const from = place % SOURCE;
      const known = this.#texts[source]?.letters ?? "";
      let before = 0;
      while (before < at && before < from && letters[at - before - 1] === known[from - before - 1]) {
        before += 1;
      }
      let length = BLOCK;
      while (
        at + length < letters.length &&
        letters[at + length] === known[from + length] &&
        from + length < known.length
      ) {
        length += 1;
      }
      const match = { start: at - before, end: at + length, source, from: from - before };
      if (
        match.end - match.start >= MIN_CARRIED &&
        match.end - match.start > (longest ? longest.end - longest.start : 0)
      ) {
        longest = match;
      }
    }
    return longest;
  }

  /** The words are those of the known text: an address or name may have lost what separates them. */
  #isContent({ source, from, start, end }: Match, part: string, opened: Map<number, Plain>): boolean {
    const known = this.#texts[source]?.text ?? "";
    const plain = opened.get(source) ?? plainOf(known);
    opened.set(source, plain);
    const { at } = plain;
    return isContent(known.slice(at(from), at(from + end - start - 1) + 1)) && !/^\s*$/.test(part);
  }
}

/** Where letters are the same, by offsets of letters. */
interface Match {
  start: number;
  end: number;
  source: number;
  from: number;
}
