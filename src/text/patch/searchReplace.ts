/** Lines to find in a file, and what comes in their place. */
export interface SearchReplace {
  search: readonly string[];
  replace: readonly string[];
  /** Where the lines are said to be, 1-based; a hint. */
  line: number | undefined;
}

/** `------- SEARCH` of Cline, `<<<<<<< SEARCH` of its older versions, Roo Code and others. */
const START = /^(?:-{5,9}|<{5,9}) ?SEARCH>?\s*$/;
const MIDDLE = /^={5,9}\s*$/;
const END = /^(?:\+{5,9}|>{5,9}) ?REPLACE>?\s*$/;
/** Roo Code's lines between `SEARCH` and the text. */
const HINT = /^:(?:start|end)_line: ?(\d{1,9})\s*$/;
const HINT_END = /^-{5,9}\s*$/;
/** What may be around blocks: blank lines, and a fence. */
const AROUND = /^\s*(?:```\w*\s*)?$/;

/** Whether a text is written in blocks of `SEARCH` and `REPLACE`. */
export function hasSearchReplace(text: string): boolean {
  return text.split(/\r?\n/).some((line) => START.test(line));
}

/** Reads blocks of `SEARCH` and `REPLACE`; a string says why they cannot be understood without a guess. */
export function parseSearchReplace(text: string): SearchReplace[] | string {
  const blocks: SearchReplace[] = [];
  let search: string[] | undefined;
  let replace: string[] | undefined;
  let line: number | undefined;
  let mayHint = false;
  for (const [index, each] of text.split(/\r?\n/).entries()) {
    if (search === undefined) {
      if (START.test(each)) {
        [search, line, mayHint] = [[], undefined, true];
      } else if (!AROUND.test(each)) {
        return `line ${index + 1} is outside of the blocks`;
      }
      continue;
    }
    if (START.test(each)) {
      return `the block before line ${index + 1} has no REPLACE line`;
    }
    if (replace === undefined) {
      const hint = mayHint ? HINT.exec(each)?.[1] : undefined;
      if (hint !== undefined) {
        line ??= Number(hint);
      } else if (MIDDLE.test(each)) {
        replace = [];
      } else if (END.test(each)) {
        return `the block that ends in line ${index + 1} has no ======= line`;
      } else if (line === undefined || !HINT_END.test(each) || search.length > 0) {
        mayHint = false;
        search.push(each);
      }
    } else if (MIDDLE.test(each)) {
      return `a block has a second ======= line (line ${index + 1}), so where its SEARCH part ends is not clear`;
    } else if (END.test(each)) {
      if (search.length === 0) {
        return `the block that ends in line ${index + 1} has nothing to search for`;
      }
      blocks.push({ search, replace, line });
      [search, replace] = [undefined, undefined];
    } else {
      replace.push(each);
    }
  }
  return search === undefined ? blocks : "the last block has no REPLACE line, so it may be cut off";
}

/** Writes blocks for a file as a patch. Lines that both parts of a block begin and end with are its context. */
export function asPatch(path: string, blocks: readonly SearchReplace[]): string {
  const hunks = blocks.flatMap(({ search, replace, line }) => {
    const shared = Math.min(search.length, replace.length);
    let head = 0;
    while (head < shared && search[head] === replace[head]) {
      head++;
    }
    let tail = 0;
    while (tail < shared - head && search.at(-1 - tail) === replace.at(-1 - tail)) {
      tail++;
    }
    return [
      line === undefined ? "@@" : `@@ -${line},${search.length} +${line},${replace.length} @@`,
      ...search.slice(0, head).map((each) => ` ${each}`),
      ...search.slice(head, search.length - tail).map((each) => `-${each}`),
      ...replace.slice(head, replace.length - tail).map((each) => `+${each}`),
      ...search.slice(search.length - tail).map((each) => ` ${each}`),
    ];
  });
  return ["*** Begin Patch", `*** Update File: ${path}`, ...hunks, "*** End Patch", ""].join("\n");
}
