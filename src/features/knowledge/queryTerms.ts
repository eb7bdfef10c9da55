import { FUNCTION_WORDS } from "../../text/search/functionWords.js";
import { wordTokensOf } from "../../text/search/tokens.js";

/** Maximum characters of a query that are read: one page of text is enough to show its topic. */
const MAX_QUERY = 20_000;
/** Maximum terms that are searched for, rarest first. */
const MAX_TERMS = 64;
/** Weight of a whole name compared with its parts, which are searched for too. */
const WHOLE = 0.5;
/** Weight of a word that occurs in every text. */
const FUNCTION_WORD = 0.05;
/**
 * Weight of a word that occurs nowhere: questions use other words than the notes that answer them, so a
 * missing word says little about the others. It only ranks one query below another.
 */
const UNKNOWN_WORD = 0.05;

/** A term of a query and how much information it carries. */
export interface QueryTerm {
  term: string;
  /** Its rarity: above 0, higher for rarer terms; very little for a term that occurs nowhere. */
  information: number;
  /** Number of chunks that contain it. */
  frequency: number;
  /** The name it is part of: where the whole name occurs, so does this term. */
  whole?: string;
}

/**
 * Splits a query into terms, those with most information first. Nothing in it is an operator.
 *
 * @param chunks total number of chunks
 * @param frequency number of chunks that contain a term
 */
export function queryTerms(query: string, chunks: number, frequency: (term: string) => number): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add = (term: string, share: number, whole?: string): void => {
    if (terms.has(term)) {
      return;
    }
    const count = frequency(term);
    // BM25's own measure of rarity (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009), kept above
    // 0.
    const rarity = Math.log(1 + (Math.max(chunks, count) - count + 0.5) / (count + 0.5));
    const weight = FUNCTION_WORDS.has(term) ? FUNCTION_WORD : count === 0 ? UNKNOWN_WORD : 1;
    const information = rarity * share * weight;
    terms.set(term, { term, information, frequency: count, ...(whole === undefined ? {} : { whole }) });
  };
  for (const { whole, parts } of wordTokensOf(query.slice(0, MAX_QUERY))) {
    if (whole !== undefined) {
      add(whole, WHOLE);
    }
    for (const part of parts) {
      add(part, 1, whole);
    }
  }
  return [...terms.values()].sort((a, b) => b.information - a.information).slice(0, MAX_TERMS);
}
