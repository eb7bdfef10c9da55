import { coverageScore } from "./coverage.js";
import type { Candidate, ChunkIndex } from "./chunkIndex.js";
import { queryTerms, type QueryTerm } from "./queryTerms.js";
import type { Near } from "./vectors.js";

/** Chunks that are looked at closely. */
const CANDIDATES = 50;
/**
 * Places of terms that BM25 goes through, a few milliseconds' worth: the common words of a query are not searched for
 * when its rarer ones find enough, and count only among what those find.
 */
const MAX_PLACES = 10_000;
/** Fusion by ranks (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009), with their constant. */
const FUSION = 60;

/** A chunk and how well it answers. */
interface Ranked {
  chunk: Candidate;
  score: number;
}

export interface Ranking {
  hits: Ranked[];
  /** What was searched for. */
  terms: readonly QueryTerm[];
}

/**
 * The chunks that answer a query best, best first: by BM25 and by how much of the query they cover; with vectors by
 * both rankings together.
 *
 * @param below a file or folder; empty for all
 * @param near chunks that are close in meaning, the closest first; only those of `below`
 */
export function rankChunks(
  index: ChunkIndex,
  query: string,
  below: string,
  limit: number,
  near: readonly Near[] = [],
): Ranking {
  const terms = queryTerms(query, index.count(), (term) => index.frequency(term));
  const searched = selective(terms);
  const found = searched.length === 0 ? [] : index.matching(searched, below, Math.max(CANDIDATES, limit));
  const lexical = found
    .map((chunk) => ({ chunk, score: coverageScore(terms, chunk) }))
    .sort((a, b) => strength(b) - strength(a));
  return { hits: near.length === 0 ? lexical : fused(lexical, near, index, terms), terms };
}

/** Coverage tells apart what repeats one word of the query from what has several. */
function strength({ chunk, score }: Ranked): number {
  return chunk.weight * (0.5 + score);
}

/** The terms to search for: from the rarest on, for as long as that takes little time. */
function selective(terms: readonly QueryTerm[]): string[] {
  const chosen: string[] = [];
  let places = 0;
  for (const { term, frequency } of terms) {
    places += frequency;
    if (chosen.length > 0 && places > MAX_PLACES) {
      break;
    }
    if (frequency > 0) {
      chosen.push(term);
    }
  }
  return chosen;
}

function fused(
  lexical: readonly Ranked[],
  near: readonly Near[],
  index: ChunkIndex,
  terms: readonly QueryTerm[],
): Ranked[] {
  const all = new Map(lexical.map((hit, rank) => [hit.chunk.id, { ...hit, share: 1 / (FUSION + rank + 1) }]));
  const missing = index.byId(near.map(({ chunk }) => chunk).filter((id) => !all.has(id)));
  for (const chunk of missing) {
    all.set(chunk.id, { chunk, score: coverageScore(terms, chunk), share: 0 });
  }
  near.forEach(({ chunk, nearness }, rank) => {
    const hit = all.get(chunk);
    if (hit !== undefined) {
      hit.share += 1 / (FUSION + rank + 1);
      // What is said in other words is said.
      hit.score = Math.max(hit.score, nearness);
    }
  });
  return [...all.values()].sort((a, b) => b.share - a.share);
}
