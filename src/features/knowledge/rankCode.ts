// Ranks chunks of code: what a symbol is called says more about it than what it uses.
import { tokensOf, wordTokensOf } from "../../text/search/tokens.js";
import type { Candidate } from "./chunkIndex.js";
import type { QueryTerm } from "./queryTerms.js";

/** A part of a chunk: how much a word in it counts, how much its length counts, and how many words are usual. */
interface Field {
  weight: number;
  byLength: number;
  usual: number;
}

const FIELDS = {
  name: { weight: 12, byLength: 0.6, usual: 3 },
  container: { weight: 3, byLength: 0.5, usual: 3 },
  path: { weight: 1, byLength: 0.5, usual: 6 },
  comment: { weight: 1, byLength: 0.6, usual: 20 },
  code: { weight: 0.5, byLength: 0.75, usual: 60 },
} as const satisfies Record<string, Field>;

/** How soon more of one word says no more: BM25's constant. */
const SATURATION = 6;

/** Comments of most languages, as far as a pattern can tell them. */
const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*|(?<=^|\n)\s*#.*|"""[^]*?"""/g;

/** Returns how well a chunk fits a query: BM25 over its parts (BM25F), each with a weight of its own. */
export function codeStrength(terms: readonly QueryTerm[], { path, heading, text }: Candidate): number {
  const comments = text.match(COMMENT)?.join("\n") ?? "";
  const names = heading.split(", ").map((full) => full.split("."));
  const counted = {
    name: countsOf(names.map((parts) => parts.at(-1) ?? "").join(" ")),
    container: countsOf([...new Set(names.flatMap((parts) => parts.slice(0, -1)))].join(" ")),
    path: countsOf(path),
    comment: countsOf(comments),
    code: countsOf(text.replaceAll(COMMENT, "")),
  };
  let sum = 0;
  for (const { term, information } of terms) {
    let count = 0;
    for (const key of Object.keys(FIELDS) as (keyof typeof FIELDS)[]) {
      const { weight, byLength, usual }: Field = FIELDS[key];
      const { counts, length } = counted[key];
      const found = counts.get(term) ?? 0;
      count += found === 0 ? 0 : (weight * found) / (1 - byLength + (byLength * length) / usual);
    }
    sum += (information * count) / (SATURATION + count);
  }
  return sum;
}

function countsOf(text: string): { counts: ReadonlyMap<string, number>; length: number } {
  const counts = new Map<string, number>();
  const tokens = tokensOf(text);
  for (const token of tokens) {
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return { counts, length: tokens.length };
}

/** Maximum words of a query that are looked at. */
const MAX_WORDS = 200;

/** Adds to a query the names that two of its words make together: who asks for a scroll bar also means `scrollbar`. */
export function withCompounds(query: string, frequency: (term: string) => number): string {
  const words = (query.match(/[A-Za-z]{2,64}/g) ?? []).slice(0, MAX_WORDS);
  const pairs = words
    .slice(1)
    .map((word, index) => `${words[index]}_${word}`)
    .filter((pair) => {
      const [tokens] = wordTokensOf(pair);
      return tokens?.whole !== undefined && frequency(tokens.whole) > 0;
    });
  return [query, ...pairs].join(" ");
}
