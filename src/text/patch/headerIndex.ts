import { foldLookAlikes } from "../matchLookAlikes.js";
import type { SourceLines } from "./sourceLines.js";
import type { WorkBudget } from "./workBudget.js";

/** Where the headers of a hunk let it stand. */
export type HeaderScope =
  | {
      ok: true;
      /** The first line that the hunk may start on: that of the innermost header. */
      from: number;
      /** Where the innermost header stands behind the others, ascending. */
      headerLines: readonly number[];
      /** Of these, the ones whose block lies in a block of the header before, and so on outwards; `to` is behind the block. */
      blocks: readonly { from: number; to: number }[];
    }
  | { ok: false; header: string; /** Lines (0-based) that have it, in front of where it may stand. */ inFront: readonly number[] };

const TAB_WIDTH = 4;

/**
 * Finds the lines that hunks name as headers. A header is a whole line of the file, indentation aside; where no line is, quotes,
 * dashes and spaces that look alike are taken for the same.
 */
export class HeaderIndex {
  readonly #source: SourceLines;
  readonly #exact: ReadonlyMap<string, number[]>;
  readonly #wanted: ReadonlySet<string>;
  readonly #budget: WorkBudget;
  readonly #scopes = new Map<string, HeaderScope>();
  #folded: ReadonlyMap<string, number[]> | undefined;
  #blockEnds: Int32Array | undefined;

  /** @param headers all that will be asked for, trimmed */
  constructor(source: SourceLines, headers: Iterable<string>, budget: WorkBudget) {
    this.#source = source;
    this.#wanted = new Set(headers);
    this.#exact = findLines(source, this.#wanted, (text) => text);
    this.#budget = budget;
  }

  /**
   * The scope of stacked headers, outermost first: each stands behind the one before.
   *
   * @throws BudgetExceeded
   */
  scopeOf(headers: readonly string[]): HeaderScope {
    const key = headers.join("\n");
    const known = this.#scopes.get(key) ?? this.#findScope(headers);
    this.#scopes.set(key, known);
    return known;
  }

  #findScope(headers: readonly string[]): HeaderScope {
    let from = -1;
    let headerLines: readonly number[] = [];
    let blocks: readonly { from: number; to: number }[] = [];
    for (const [depth, header] of headers.entries()) {
      const all = this.#linesOf(header);
      this.#budget.spend(all.length);
      headerLines = all.filter((line) => line > from);
      const [first] = headerLines;
      if (first === undefined) {
        return { ok: false, header, inFront: all };
      }
      from = first;
      blocks = depth === 0 ? headerLines.map((line) => this.#blockAt(line)) : this.#blocksInside(headerLines, blocks);
    }
    return { ok: true, from, headerLines, blocks };
  }

  #linesOf(header: string): readonly number[] {
    const exact = this.#exact.get(header);
    if (exact) {
      return exact;
    }
    this.#folded ??= findLines(this.#source, new Set([...this.#wanted].map(foldLookAlikes)), foldLookAlikes);
    return this.#folded.get(foldLookAlikes(header)) ?? [];
  }

  #blocksInside(lines: readonly number[], outer: readonly { from: number; to: number }[]): { from: number; to: number }[] {
    const inside: { from: number; to: number }[] = [];
    let next = 0;
    let reach = -1;
    for (const line of lines) {
      for (let block = outer[next]; block && block.from < line; block = outer[++next]) {
        reach = Math.max(reach, block.to);
      }
      if (line < reach) {
        inside.push(this.#blockAt(line));
      }
    }
    return inside;
  }

  /** A line and those behind it that are indented deeper. */
  #blockAt(line: number): { from: number; to: number } {
    this.#blockEnds ??= findBlockEnds(this.#source.texts);
    return { from: line, to: this.#blockEnds[line] ?? line + 1 };
  }
}

function findLines(source: SourceLines, wanted: ReadonlySet<string>, fold: (text: string) => string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  if (wanted.size === 0) {
    return found;
  }
  for (const [line, text] of source.texts.entries()) {
    const key = fold(text.trim());
    if (wanted.has(key)) {
      const lines = found.get(key);
      if (lines) {
        lines.push(line);
      } else {
        found.set(key, [line]);
      }
    }
  }
  return found;
}

/** For each line the next one that is not blank and not indented deeper. */
function findBlockEnds(texts: readonly string[]): Int32Array {
  const ends = new Int32Array(texts.length).fill(texts.length);
  const open: { line: number; width: number }[] = [];
  for (const [line, text] of texts.entries()) {
    if (text.trim() === "") {
      ends[line] = line + 1;
      continue;
    }
    const width = indentWidth(text);
    for (let last = open.at(-1); last && last.width >= width; last = open.at(-1)) {
      ends[last.line] = line;
      open.pop();
    }
    open.push({ line, width });
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
