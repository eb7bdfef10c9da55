import { tokensOf } from "../../text/search/tokens.js";
import type { Candidate } from "./chunkIndex.js";
import type { QueryTerm } from "./queryTerms.js";

/** Makes half of a query's information count for less than half an answer: one common word of two is not an answer. */
const STRICTNESS = 1.5;

/**
 * Scores how much of a query a chunk, its headings or its file's name contain, from 0 to 1: the found terms' share of
 * all information (`QueryTerm`), to the power of 1.5. The score is 1 if every term is there; about 0.5 of the
 * information gives 0.35.
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
