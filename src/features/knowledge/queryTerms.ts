import { FUNCTION_WORDS } from "../../text/search/functionWords.js";
import { wordTokensOf } from "../../text/search/tokens.js";

/** Characters of a query that are looked at: a page of text says what it is about. */
const MAX_QUERY = 20_000;
/** Terms that are searched for, the rarest first. */
const MAX_TERMS = 64;
/** How much a name as a whole counts beside its parts, which are there, too. */
const WHOLE = 0.5;
/** How much a word counts that stands in every text. */
const FUNCTION_WORD = 0.05;

/** A term of a query and how much it says. */
export interface QueryTerm {
  term: string;
  /** Its rarity: above 0, the higher the rarer, and of a term that stands nowhere highest. */
  information: number;
  /** In how many chunks it stands. */
  frequency: number;
  /** The name it is a part of: where that stands as a whole, so does this. */
  whole?: string;
}

/**
 * What a query asks for, the most telling terms first. Nothing in it is an operator.
 *
 * @param chunks how many there are in all
 * @param frequency in how many of them a term stands
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
    const information = rarity * share * (FUNCTION_WORDS.has(term) ? FUNCTION_WORD : 1);
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
