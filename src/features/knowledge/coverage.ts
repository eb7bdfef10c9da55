import { tokensOf } from "../../text/search/tokens.js";
import type { Candidate } from "./chunkIndex.js";
import type { QueryTerm } from "./queryTerms.js";

/** Makes half of a query's information count for less than half of an answer: one common word of two is no answer. */
const STRICTNESS = 1.5;

/**
 * How much of what a query asks for stands in a chunk, its headings or its file's name: 0 to 1, the found terms' share
 * of all information (`QueryTerm`), to the power of 1.5. 1 when every term is there. About 0.5 of the information gives
 * 0.35.
 */
export function coverageScore(
  terms: readonly QueryTerm[],
  chunk: Pick<Candidate, "path" | "heading" | "text">,
): number {
  const stands = new Set(tokensOf(`${chunk.path}\n${chunk.heading}\n${chunk.text}`));
  let all = 0;
  let found = 0;
  for (const { term, information, whole } of terms) {
    all += information;
    if (stands.has(term) || (whole !== undefined && stands.has(whole))) {
      found += information;
    }
  }
  return all === 0 ? 0 : (found / all) ** STRICTNESS;
}
