/** The services that search the web. */
export const SEARCH_PROVIDERS = ["brave", "tavily", "searxng"] as const;
export type SearchProvider = (typeof SEARCH_PROVIDERS)[number];

/** The service that the user has chosen for searches of the web. */
export interface WebSearch {
  provider: SearchProvider;
  /** The service's address, without a slash at its end: `https://api.search.brave.com`. */
  url: string;
  /** Returns the user's key; undefined if none is set. */
  key(): Promise<string | undefined>;
  /** How the user sets a key, as a sentence. */
  keyAdvice: string;
}
