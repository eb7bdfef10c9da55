import { foldLookAlikes } from "../match/lookAlikes.js";
import type { Block } from "./blocks.js";
import { Blocks } from "./blocks.js";
import type { SourceLines } from "./sourceLines.js";
import type { WorkBudget } from "./workBudget.js";

/** The lines on which a hunk's headers allow it to start. */
export type HeaderScope =
  | {
      ok: true;
      /** The first line on which the hunk may start: the innermost header's. */
      from: number;
      /** The innermost header's lines after the others, ascending. */
      headerLines: readonly number[];
      /** The blocks of these lines that are nested in a block of the previous header, and so on outwards. */
      blocks: readonly Block[];
      /** Whether the hunk must start in one of the blocks, because some of them have more than their first line. */
      isBounded: boolean;
    }
  | {
      ok: false;
      header: string;
      /** Lines (0-based) that match, but not after the previous header, or outside its block. */ elsewhere: readonly number[];
    };

/**
 * Finds the lines that hunks name as headers. A header matches a whole line of the file, ignoring indentation; if no
 * line matches, look-alike quotes, dashes and spaces are treated as equal.
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
   * Returns the scope of stacked headers, outermost first: each is after the previous one.
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
