/** Slots of a table by two characters: a power of two. */
const SLOTS = 65_536;

/** Finds given values in texts, however many there are, without looking at every character (Wu and Manber, 1994). */
export class ValueFinder {
  /** Length of the shortest value: the part of each that is looked for. */
  readonly #length: number;
  /** By two characters of a text: how much further the end of that part can be, at least. */
  readonly #shifts: Uint8Array;
  /** By the last two characters of that part. */
  readonly #values = new Map<number, string[]>();

  /** @param values of at least two characters */
  constructor(values: readonly string[]) {
    this.#length = values.reduce((least, { length }) => Math.min(least, length), 200);
    this.#shifts = new Uint8Array(values.length === 0 ? 0 : SLOTS).fill(this.#length - 1);
    // Longer ones first: one value may begin with another.
    for (const value of [...values].sort((a, b) => b.length - a.length)) {
      for (let at = 0; at + 2 <= this.#length; at++) {
        const slot = slotOf(value.charCodeAt(at), value.charCodeAt(at + 1));
        this.#shifts[slot] = Math.min(this.#shifts[slot] ?? 0, this.#length - 2 - at);
      }
      const last = slotOf(value.charCodeAt(this.#length - 2), value.charCodeAt(this.#length - 1));
      this.#values.set(last, [...(this.#values.get(last) ?? []), value]);
    }
  }

  /** Returns the places of the values, in the order of the text; none overlaps another. */
  find(text: string): { start: number; value: string }[] {
    const found: { start: number; value: string }[] = [];
    const shifts = this.#shifts;
    const before = this.#length - 2;
    for (let at = shifts.length === 0 ? text.length : before; at + 1 < text.length;) {
      const slot = slotOf(text.charCodeAt(at), text.charCodeAt(at + 1));
      const shift = shifts[slot] ?? 1;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const start = at - before;
      const value = this.#values.get(slot)?.find((each) => text.startsWith(each, start) && isWhole(text, start, each));
      if (value === undefined) {
        at++;
      } else {
        found.push({ start, value });
        at = start + value.length + before;
      }
    }
    return found;
  }
}

function slotOf(first: number, second: number): number {
  return ((first << 8) ^ second) & (SLOTS - 1);
}

/** Whether a value is not a part of a word or number: one of letters alone, or of digits alone, may be. */
function isWhole(text: string, at: number, value: string): boolean {
  const kind = /^[A-Za-z]+$/.test(value) ? /[A-Za-z]/ : /^\d+$/.test(value) ? /\d/ : undefined;
  return kind === undefined || !(kind.test(text.charAt(at - 1)) || kind.test(text.charAt(at + value.length)));
}
