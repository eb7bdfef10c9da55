/** Converts between offsets of a text, in code units, and 1-based lines and columns, as editors count them. */
export class TextPlaces {
  readonly #text: string;
  /** Where each line begins. */
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (const { index, 0: ending } of text.matchAll(/\r\n?|\n/g)) {
      this.#starts.push(index + ending.length);
    }
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** Returns a line without its ending; undefined if there is no such line. */
  line(number: number): string | undefined {
    const start = this.#starts[number - 1];
    return start === undefined
      ? undefined
      : this.#text.slice(start, this.#starts[number] ?? this.#text.length).replace(/[\r\n]+$/, "");
  }

  at(offset: number): { line: number; column: number } {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  /** Returns the offset of a place; undefined if the text has no such place. */
  offset({ line, column }: { line: number; column: number }): number | undefined {
    const start = this.#starts[line - 1];
    const end = this.#starts[line] ?? this.#text.length;
    return start === undefined || column < 1 || start + column - 1 > end ? undefined : start + column - 1;
  }
}
