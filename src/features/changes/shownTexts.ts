import { unmarked } from "./shownLines.js";

/** Maximum characters of all texts that are kept, over all sessions: some eighty long answers. The oldest go first. */
const MAX_KEPT = 2_000_000;
/** Maximum lines compared to find a file in the texts. Only a file and answers of very many equal lines need more. */
const MAX_COMPARED = 1_000_000;

const LINE_END = /\r\n?|\n/;

interface ShownText {
  session: string;
  text: string;
  /** The call that it answers. */
  call: string;
}

/**
 * Remembers the last answers that sessions were shown, to tell whether one of them had a file as a whole, such as
 * `cat a.ts` or a search that matches every line.
 */
export class ShownTexts {
  readonly #max: number;
  /** Oldest first. */
  readonly #texts: ShownText[] = [];
  #size = 0;

  constructor(max = MAX_KEPT) {
    this.#max = max;
  }

  /** @param call what was called, in any form that has the names it was given */
  add(session: string, text: string, call: string): void {
    this.#texts.push({ session, text, call });
    this.#size += text.length + call.length;
    while (this.#size > this.#max) {
      const oldest = this.#texts.shift();
      this.#size -= (oldest?.text.length ?? 0) + (oldest?.call.length ?? 0);
    }
  }

  /**
   * Whether one answer had all lines of a file one after another, and it or its call named the file. A short text may be
   * in many answers: without the name, nobody would know that it is this file's.
   *
   * @param name the file's name, without folders
   */
  has(session: string, name: string, file: string): boolean {
    const lines = file.split(LINE_END);
    while (lines.at(-1)?.trim() === "") {
      lines.pop();
    }
    const [first] = lines;
    let left = MAX_COMPARED;
    return (
      first !== undefined &&
      this.#texts.some((shown) => {
        const isNamed = shown.text.includes(name) || shown.call.includes(name);
        if (shown.session !== session || !isNamed || !shown.text.includes(first)) {
          return false;
        }
        const answer = shown.text.split(LINE_END).map((line) => [line, ...unmarked(line)]);
        return answer.some(
          (_, start) =>
            start + lines.length <= answer.length &&
            lines.every((line, index) => --left > 0 && answer[start + index]?.includes(line) === true),
        );
      })
    );
  }
}
