import { foldLookAlikes } from "../match/lookAlikes.js";
import type { Block } from "./blocks.js";
import { Blocks } from "./blocks.js";
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
      /** Of these, the ones whose block lies in a block of the header before, and so on outwards. */
      blocks: readonly Block[];
      /** Whether the hunk must start in one of the blocks: some of them are more than their first line. */
      isBounded: boolean;
    }
  | {
      ok: false;
      header: string;
      /** Lines (0-based) that have it, but not behind the header before it, or outside its block. */ elsewhere: readonly number[];
    };

/**
 * Finds the lines that hunks name as headers. A header is a whole line of the file, indentation aside; where no line
 * is, quotes, dashes and spaces that look alike are taken for the same.
 */
export class HeaderIndex {
  readonly #source: SourceLines;
  readonly #exact: ReadonlyMap<string, number[]>;
  readonly #wanted: ReadonlySet<string>;
  readonly #budget: WorkBudget;
  readonly #scopes = new Map<string, HeaderScope>();
  #folded: ReadonlyMap<string, number[]> | undefined;
  readonly #blocks: Blocks;

  /** @param headers all that will be asked for, trimmed */
  constructor(source: SourceLines, headers: Iterable<string>, budget: WorkBudget) {
    this.#source = source;
    this.#wanted = new Set(headers);
    this.#exact = findLines(source, this.#wanted, (text) => text);
    this.#budget = budget;
    this.#blocks = new Blocks(source, budget);
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
    let blocks: readonly Block[] = [];
    for (const [depth, header] of headers.entries()) {
      const all = this.#linesOf(header);
      this.#budget.spend(all.length);
      headerLines = all.filter((line) => line > from);
      const inside =
        depth === 0 ? headerLines.map((line) => this.#blocks.blockAt(line)) : this.#blocksInside(headerLines, blocks);
      const [first] = isBounded(blocks) ? inside.map((block) => block.from) : headerLines;
      if (first === undefined) {
        return { ok: false, header, elsewhere: all };
      }
      from = first;
      blocks = inside;
    }
    return { ok: true, from, headerLines, blocks, isBounded: isBounded(blocks) };
  }

  #linesOf(header: string): readonly number[] {
    const exact = this.#exact.get(header);
    if (exact) {
      return exact;
    }
    this.#folded ??= findLines(this.#source, new Set([...this.#wanted].map(foldLookAlikes)), foldLookAlikes);
    return this.#folded.get(foldLookAlikes(header)) ?? [];
  }

  #blocksInside(lines: readonly number[], outer: readonly Block[]): Block[] {
    const inside: Block[] = [];
    let next = 0;
    let reach = -1;
    for (const line of lines) {
      for (let block = outer[next]; block && block.from < line; block = outer[++next]) {
        reach = Math.max(reach, block.to);
      }
      if (line < reach) {
        inside.push(this.#blocks.blockAt(line));
      }
    }
    return inside;
  }
}

function isBounded(blocks: readonly Block[]): boolean {
  return blocks.some(({ from, to }) => to > from + 1);
}

function findLines(
  source: SourceLines,
  wanted: ReadonlySet<string>,
  fold: (text: string) => string,
): Map<string, number[]> {
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
