import { alignEqual } from "../match/diff.js";
import { looseBody } from "../match/lookAlikes.js";
import type { IndentShift } from "../match/indent.js";
import { shiftLine, transferChange } from "../match/transfer.js";
import type { HunkLine } from "./filePatch.js";

/** Steps spent on the changes of one patch; beyond that, lines are written exactly as in the patch. */
const MAX_STEPS = 10_000_000;

/** Adjacent removed and added lines of a hunk. */
export interface Change {
  /** 0-based line of the file. */
  from: number;
  removed: readonly HunkLine[];
  added: readonly HunkLine[];
}

/**
 * Splits changes so that a line removed and added again stays as it is in the file, and adapts changed lines to the
 * file where it differs from the patch: whitespace and look-alikes in unchanged parts.
 */
export class LineKeeper {
  #left = MAX_STEPS;

  /** Splits a change into parts, in order, without the lines that stay. */
  part({ from, removed, added }: Change): Change[] {
    const stays = this.#spend(removed.length + added.length) ? alignEqual(textsOf(removed), textsOf(added)) : undefined;
    if (!stays) {
      return [{ from, removed, added }];
    }
    const parts: Change[] = [];
    let [removedFrom, addedFrom] = [0, 0];
    for (let at = 0; at <= added.length; at++) {
      const stay = at < added.length ? (stays[at] ?? -1) : removed.length;
      if (stay < 0) {
        continue;
      }
      if (stay > removedFrom || at > addedFrom) {
        parts.push({
          from: from + removedFrom,
          removed: removed.slice(removedFrom, stay),
          added: added.slice(addedFrom, at),
        });
      }
      [removedFrom, addedFrom] = [stay + 1, at + 1];
    }
    return parts;
  }

  /**
   * Adapts a change's added lines to how the found lines differ from the removed ones, and to the place's indentation.
   */
  transfer(
    { removed, added }: Change,
    found: readonly string[],
    shift: IndentShift = { kind: "none" },
  ): readonly HunkLine[] {
    const plain =
      shift.kind === "none"
        ? added
        : added.map((line) => ({ ...line, text: shiftLine(line.text, shift) ?? line.text }));
    if (removed.every(({ text }, at) => text === found[at]) || !this.#spend(removed.length + added.length)) {
      return plain;
    }
    // Kept parts of a line are tracked by offset. Look-alikes keep offsets the same; letters in another Unicode form do
    // not.
    if (removed.some(({ text }, at) => looseBody(text) !== looseBody(found[at] ?? ""))) {
      return plain;
    }
    const lines = (texts: readonly string[]): { content: string; end: "\n" }[] =>
      texts.map((content) => ({ content, end: "\n" }));
    const transferred = transferChange({
      found: lines(found),
      old: lines(textsOf(removed)),
      new: lines(textsOf(added)),
      shift,
      fallbackEnd: "\n",
    });
    return transferred ? added.map((line, at) => ({ ...line, text: transferred[at]?.content ?? line.text })) : plain;
  }

  #spend(lines: number): boolean {
    this.#left -= Math.min(lines, 1000) ** 2;
    return this.#left >= 0;
  }
}

function textsOf(lines: readonly HunkLine[]): string[] {
  return lines.map(({ text }) => text);
}
