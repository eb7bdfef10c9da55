import type { CodeSymbol } from "../../ports/code.js";
import { chunksOf, type Chunk } from "../../text/search/chunks.js";
import { declarationLines } from "../../text/symbolEdits.js";
import { TextPlaces } from "../../text/textPlaces.js";

/** Lines from which on a declaration, with its comments, is a chunk of its own. */
const LEAST_LINES = 3;
/** Maximum names of short declarations in the heading of the chunk that has them. */
const MAX_NAMES = 8;

/** Consecutive lines of one declaration, without those of the longer ones in it. */
interface Run {
  /** 1-based, inclusive. */
  first: number;
  last: number;
  owner: CodeSymbol | undefined;
}

/**
 * Splits a source text at its declarations: each longer function, class or other symbol is a chunk, with its comments
 * and under its name; what is between them belongs to the symbol around it, or is under the names that it declares.
 *
 * @param path the file's name
 * @param symbols in the order of the text, those inside of others after them
 */
export function symbolChunks(path: string, text: string, symbols: readonly CodeSymbol[]): Chunk[] {
  const places = new TextPlaces(text);
  const owners = Array.from<CodeSymbol | undefined>({ length: places.lineCount });
  const short: CodeSymbol[] = [];
  for (const symbol of symbols) {
    const { top, last } = declarationLines(places, symbol.range, symbol.nameAt.line, path);
    if (last - top + 1 < LEAST_LINES) {
      short.push(symbol);
    } else {
      owners.fill(symbol, top - 1, last);
    }
  }
  return runsOf(owners).flatMap((run) => chunksOfRun(run, places, short));
}

function runsOf(owners: readonly (CodeSymbol | undefined)[]): Run[] {
  const runs: Run[] = [];
  for (const [index, owner] of owners.entries()) {
    const before = runs.at(-1);
    if (before !== undefined && before.owner === owner) {
      before.last = index + 1;
    } else {
      runs.push({ first: index + 1, last: index + 1, owner });
    }
  }
  return runs;
}

function chunksOfRun({ first, last, owner }: Run, places: TextPlaces, short: readonly CodeSymbol[]): Chunk[] {
  const lines = Array.from({ length: last - first + 1 }, (_, index) => places.line(first + index) ?? "");
  if (!lines.some((line) => /[\p{L}\p{N}]/u.test(line))) {
    return [];
  }
  const heading = headingOf({ first, last, owner }, short);
  return chunksOf(lines.join("\n"), false).map((chunk) => ({
    ...{ text: chunk.text, heading },
    ...{ startLine: chunk.startLine + first - 1, endLine: chunk.endLine + first - 1 },
  }));
}

/** Returns the names of what lines declare, or of the symbol that they are a part of. */
function headingOf({ first, last, owner }: Run, short: readonly CodeSymbol[]): string {
  const isIn = ({ nameAt }: CodeSymbol): boolean => first <= nameAt.line && nameAt.line <= last;
  const declared = [...(owner !== undefined && isIn(owner) ? [owner] : []), ...short.filter(isIn)];
  return (declared.length > 0 || owner === undefined ? declared : [owner])
    .slice(0, MAX_NAMES)
    .map(({ container, name }) => [...container, name].join("."))
    .join(", ");
}
