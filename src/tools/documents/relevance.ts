import { FUNCTION_WORDS } from "../../text/search/functionWords.js";
import { tokensOf } from "../../text/search/tokens.js";

/** What a word of a query counts where it is found first. */
const WEIGHT = { name: 8, described: 4, body: 1 } as const;

/** A document as a search sees it. */
export interface Searchable {
  name: string;
  /** Descriptions, titles, arguments. */
  described: readonly string[];
  body: string;
}

/**
 * Gives how well a document fits the words of a query: 0 when it has none of them. Words that say nothing (`the`) count
 * only when there are no others.
 */
export function relevance(query: string): (document: Searchable) => number {
  const all = [...new Set(tokensOf(query))];
  const telling = all.filter((token) => !FUNCTION_WORDS.has(token));
  const wanted = telling.length > 0 ? telling : all;
  return ({ name, described, body }) => {
    const places = [
      { tokens: new Set(tokensOf(name)), weight: WEIGHT.name },
      { tokens: new Set(described.flatMap((text) => tokensOf(text))), weight: WEIGHT.described },
      { tokens: new Set(tokensOf(body)), weight: WEIGHT.body },
    ];
    return wanted.reduce((sum, token) => sum + (places.find(({ tokens }) => tokens.has(token))?.weight ?? 0), 0);
  };
}
