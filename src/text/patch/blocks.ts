import type { SourceLines } from "./sourceLines.js";
import type { WorkBudget } from "./workBudget.js";

/** A line that may head a block, and the block; `to` is exclusive. */
export interface Block {
  from: number;
  to: number;
}

const TAB_WIDTH = 4;

/** A Markdown heading; a single # is a comment in most other files. */
const HEADING = /^(#{2,6})\s+\S/;
const CODE_FENCE = /^\s*(?:`{3}|~{3})/;

/** A section header in an INI or TOML file. */
const SECTION = /^\[.*\]\s*$/;

/** Lines that continue or close a block although they are indented like the line that opened it. */
const GOES_ON = /^(?:[()[\]{}]|end\b)/;

/** Finds the blocks that a text's lines head: the more deeply indented lines below, or a Markdown or INI section. */
export class Blocks {
  readonly #texts: readonly string[];
  readonly #budget: WorkBudget;
  #ends: Int32Array | undefined;

  constructor(source: SourceLines, budget: WorkBudget) {
    this.#texts = source.texts;
    this.#budget = budget;
  }

  /**
   * Returns the block that a line heads: only the line itself if the lines below are not indented deeper.
   *
   * @throws BudgetExceeded
   */
  blockAt(line: number): Block {
    this.#ends ??= findBlockEnds(this.#texts);
    const end = this.#ends[line] ?? line + 1;
    return { from: line, to: end > line + 1 ? end : this.#sectionEnd(line) };
  }

  #sectionEnd(line: number): number {
    const text = this.#texts[line] ?? "";
    const level = HEADING.exec(text)?.[1]?.length;
    const isSection = SECTION.test(text);
    if (level === undefined && !isSection) {
      return line + 1;
    }
    const ends = level === undefined ? SECTION : new RegExp(`^#{1,${level}}\\s+\\S`);
    let isCode = false;
    let end = line + 1;
    for (; end < this.#texts.length; end++) {
      const next = this.#texts[end] ?? "";
      isCode = level !== undefined && CODE_FENCE.test(next) ? !isCode : isCode;
      if (!isCode && ends.test(next)) {
        break;
      }
    }
    this.#budget.spend((end - line) * STEPS_PER_LINE);
    return end;
  }
}

/** Cost of a regular expression tried on a line, in search steps. */
const STEPS_PER_LINE = 20;

/**
 * Returns, for each line, the next one that is neither blank nor indented deeper nor a continuation of the block that
 * the line opens.
 */
function findBlockEnds(texts: readonly string[]): Int32Array {
  const ends = new Int32Array(texts.length).fill(texts.length);
  const open: { line: number; width: number; isKey: boolean }[] = [];
  for (const [line, text] of texts.entries()) {
    const filled = text.trim();
    if (filled === "") {
      ends[line] = line + 1;
      continue;
    }
    const width = indentWidth(text);
    const goesOn = GOES_ON.test(filled) && !SECTION.test(text);
    for (let last = open.at(-1); last && last.width >= width; last = open.at(-1)) {
      // YAML need not indent list items.
      if (last.width === width && (goesOn || (last.isKey && filled.startsWith("- ")))) {
        break;
      }
      ends[last.line] = line;
      open.pop();
    }
    open.push({ line, width, isKey: filled.endsWith(":") });
  }
  return ends;
}

function indentWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character !== " " && character !== "\t") {
      break;
    }
    width += character === "\t" ? TAB_WIDTH : 1;
  }
  return width;
}
