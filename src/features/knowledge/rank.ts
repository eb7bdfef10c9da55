import { tokensOf } from "../../text/search/tokens.js";
import type { Candidate, ChunkIndex } from "./chunkIndex.js";
import { fuseRankings, OF_CODE, OF_TEXTS, type Fusion } from "./fuse.js";
import { codeStrength, withCompounds } from "./rankCode.js";
import { queryTerms, type QueryTerm } from "./queryTerms.js";
import type { Near } from "./vectors.js";

/** Number of chunks that are scored in detail; more of code, of which the words alone say less. */
const CANDIDATES = 50;
const CODE_CANDIDATES = 200;
/**
 * Maximum occurrences of terms that BM25 processes, a few milliseconds' worth: a query's common words are not searched
 * for if its rarer ones find enough; they then only count within the results of the rarer ones.
 */
const MAX_PLACES = 10_000;
/** Makes half of a query's information count for less than half an answer: one common word of two is not an answer. */
const STRICTNESS = 1.5;

/** A chunk and how well it matches. */
interface Ranked {
  chunk: Candidate;
  score: number;
}

export interface Ranking {
  hits: Ranked[];
  /** The terms that were searched for. */
  terms: readonly QueryTerm[];
}

/**
 * Returns the chunks that match a query best, best first: by BM25 and by how much of the query they cover; with
 * vectors, by both rankings combined.
 *
 * @param below a file or folder; empty for all
 * @param near chunks close in meaning, closest first; only those of `below`
 * @param isCode whether the headings are names of symbols, which say most of what a chunk is
 */
export function rankChunks(
  index: ChunkIndex,
  query: string,
  below: string,
  limit: number,
  near: readonly Near[] = [],
  isCode = false,
): Ranking {
  const frequency = (term: string): number => index.frequency(term);
  const terms = queryTerms(isCode ? withCompounds(query, frequency) : query, index.count(), frequency);
  const searched = selective(terms);
  const most = Math.max(isCode ? CODE_CANDIDATES : CANDIDATES, limit);
  const found = searched.length === 0 ? [] : index.matching(searched, below, most);
  const lexical = found
    .map((chunk) => ({ chunk, score: coverageScore(terms, chunk) }))
    .map((hit) => ({ ...hit, strength: isCode ? codeStrength(terms, hit.chunk) * (1 + hit.score) : strength(hit) }))
    .sort((a, b) => b.strength - a.strength);
  return { hits: near.length === 0 ? lexical : fused(lexical, near, index, terms, isCode ? OF_CODE : OF_TEXTS), terms };
}

/**
 * Combines BM25 with coverage, which separates chunks that repeat one word of the query from those that contain
 * several.
 */
function strength({ chunk, score }: Ranked): number {
  return chunk.weight * (0.5 + score);
}

/** Chooses the terms to search for: from the rarest on, while that takes little time. */
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
  fusion: Fusion,
): Ranked[] {
  const all = new Map(lexical.map(({ chunk, score }) => [chunk.id, { chunk, score }]));
  const missing = index.byId(near.map(({ chunk }) => chunk).filter((id) => !all.has(id)));
  for (const chunk of missing) {
    all.set(chunk.id, { chunk, score: coverageScore(terms, chunk) });
  }
  for (const { chunk, nearness } of near) {
    const hit = all.get(chunk);
    if (hit !== undefined) {
      // An answer in other words counts too.
      hit.score = Math.max(hit.score, nearness);
    }
  }
  const [words, meant] = [lexical.map(({ chunk }) => chunk.id), near.map(({ chunk }) => chunk)];
  return fuseRankings(words, meant, fusion).flatMap((id) => all.get(id) ?? []);
}

/**
 * Scores how much of a query a chunk, its headings or its file's name contain, from 0 to 1: the found terms' share of
 * all information (`QueryTerm`), to the power of 1.5. The score is 1 if every term is there; about 0.5 of the
 * information gives 0.35.
 */
function coverageScore(terms: readonly QueryTerm[], chunk: Pick<Candidate, "path" | "heading" | "text">): number {
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
