import { FUNCTION_WORDS } from "../../text/search/functionWords.js";
import { tokensOf } from "../../text/search/tokens.js";

/** Weight of a query word by the best place where it occurs. */
const WEIGHT = { name: 8, described: 4, body: 1 } as const;

/** The parts of a document that a search reads. */
export interface Searchable {
  name: string;
  /** Descriptions, titles, arguments. */
  described: readonly string[];
  body: string;
}

/**
 * Returns a function that scores a document against a query's words: 0 if it has none of them. Function words (`the`)
 * count only if there are no others.
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
