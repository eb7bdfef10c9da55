import { NAME_BEFORE } from "./find.js";
import { replacePlaces, type MaskedPlace } from "./mask.js";
import { keyLinesBefore, MAX_PRIVATE_KEY, MIN_LINE } from "./privateKeys.js";

/** Characters of a line without an end that are held back: longer than a key. */
const MAX_LINE = 16_000;
/** Characters kept of what was shown: longer than any line of a private key, and than what names a value. */
const MAX_BEFORE = 400;
/** Characters of one secret that are held back. */
const MAX_SECRET = 64_000;
/** The rest of a secret that is longer. */
const REST = /^[A-Za-z0-9+/=_.~!@#%^&*:-]+/;

/**
 * Masks a text that comes in parts, wherever they end: holds back the line that has not ended and a private key that has
 * not, and shows everything else as soon as it comes.
 */
export class MaskStream {
  readonly #places: (text: string) => MaskedPlace[];
  #held = "";
  /** What was shown before the held text: the name of a value may be there. */
  #before = "";
  /** Whether it is within a secret too long to be held. */
  #isWithin = false;

  constructor(places: (text: string) => MaskedPlace[]) {
    this.#places = places;
  }

  /** Adds a part; returns what can be shown now. */
  push(part: string): string {
    const text = this.#isWithin ? part.replace(REST, "") : part;
    this.#isWithin &&= text === "";
    this.#held += text;
    const line = this.#held.lastIndexOf("\n") + 1;
    const isLong = this.#held.length - line > MAX_LINE;
    return this.#take(withoutOpenKey(this.#held, isLong ? this.#held.length - MAX_LINE / 2 : line), isLong);
  }

  /** Returns the rest. */
  end(): string {
    return this.#take(this.#held.length, false);
  }

  /** @param isCut whether the end may be within a line */
  #take(upTo: number, isCut: boolean): string {
    if (upTo <= 0) {
      return "";
    }
    const text = this.#before + (isCut ? this.#held : this.#held.slice(0, upTo));
    const from = this.#before.length;
    const places = this.#places(text).filter(({ end }) => end > from);
    // A secret that the cut would split is shown as a whole, later.
    const split = places.find(({ start, end }) => start < from + upTo && end > from + upTo);
    const end = split === undefined ? from + upTo : Math.max(from, split.start);
    if (split !== undefined && end === from && this.#held.length > MAX_SECRET) {
      this.#isWithin = true;
      this.#held = "";
      this.#before = "";
      return split.handle;
    }
    const shown = text.slice(from, end);
    const within = places
      .filter((place) => place.end <= end)
      .map((place) => ({ ...place, start: Math.max(0, place.start - from), end: place.end - from }));
    this.#before = text.slice(beforeFrom(text, end), end);
    this.#held = this.#held.slice(end - from);
    return replacePlaces(shown, within);
  }
}

/** Returns where to begin what is kept of a shown text: with a line if possible, since the end of one may look like a key's. */
function beforeFrom(text: string, end: number): number {
  const from = Math.max(0, end - MAX_BEFORE);
  const line = from === 0 ? 0 : text.indexOf("\n", from) + 1;
  return line > 0 && line <= end - NAME_BEFORE ? line : from;
}

/** Returns where to end so that no private key is split that has not ended yet, whether its beginning is there or not. */
function withoutOpenKey(text: string, upTo: number): number {
  const { start, letters } = keyLinesBefore(text, upTo);
  // Within a line, those before it are no end of a key any more.
  const end = letters >= MIN_LINE && text[upTo - 1] === "\n" ? start : upTo;
  const begin = text.lastIndexOf("-----BEGIN ", end);
  const close = begin < 0 ? -1 : text.indexOf("-----END ", begin);
  const isOpen = begin >= 0 && text.length - begin <= MAX_PRIVATE_KEY && (close < 0 || close >= end);
  // A part of a line alone may look like the last one of an earlier key.
  return isOpen ? text.lastIndexOf("\n", begin) + 1 : end;
}
