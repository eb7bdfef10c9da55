import { tokensOf } from "../../text/search/tokens.js";
import { queryTerms } from "./queryTerms.js";

/** BM25's usual constants (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
const K1 = 1.2;
const B = 0.75;
/** Maximum characters of a text that are read. */
const MAX_TEXT = 5_000;

/**
 * Ranks the texts that contain words of a query, best first by BM25. For a few hundred short texts: nothing is cached
 * between two calls.
 *
 * @returns indices in `texts`, without those that contain no word of the query
 */
export function rankTexts(query: string, texts: readonly string[]): { index: number; score: number }[] {
  const counted = texts.map((text) => countOf(tokensOf(text.slice(0, MAX_TEXT))));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const terms = queryTerms(query, counted.length, (term) => counted.filter(({ counts }) => counts.has(term)).length);
  return counted
    .map(({ counts, length }, index) => {
      const norm = K1 * (1 - B + (B * length) / Math.max(1, average));
      const score = terms.reduce((sum, { term, information }) => {
        const count = counts.get(term) ?? 0;
        return sum + (information * count * (K1 + 1)) / (count + norm);
      }, 0);
      return { index, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index);
}

function countOf(tokens: readonly string[]): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  for (const token of tokens) {
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return { counts, length: tokens.length };
}
