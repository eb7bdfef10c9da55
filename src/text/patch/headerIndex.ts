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
  readonly #budget: WorkBudget;
  readonly #scopes = new Map<string, HeaderScope>();
  readonly #blocks: Blocks;

  constructor(source: SourceLines, budget: WorkBudget) {
    this.#source = source;
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
    const exact = this.#source.indexOf("indentation").linesOf(header);
    return exact.length > 0 ? exact : this.#source.indexOf("bodies").linesOf(foldLookAlikes(header));
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
