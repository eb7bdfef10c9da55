import { SEARCH_PROVIDERS, type SearchProvider, type WebSearch } from "../../ports/webSearch.js";

/** Where the services are; SearXNG runs where the user says. */
const ADDRESSES: Readonly<Record<SearchProvider, string | undefined>> = {
  brave: "https://api.search.brave.com",
  tavily: "https://api.tavily.com",
  searxng: undefined,
};

/** What the user's settings say of searches of the web, unchecked. */
export interface SearchSettings {
  provider: unknown;
  /** The service's address, for SearXNG or a server between. */
  url: unknown;
}

/**
 * Returns the service that the user has chosen; undefined if they have chosen none, or one whose address is missing or
 * wrong.
 */
export function chosenSearch(
  { provider, url }: SearchSettings,
  key: (provider: SearchProvider) => Promise<string | undefined>,
  keyAdvice: (provider: SearchProvider) => string,
): WebSearch | undefined {
  const chosen = SEARCH_PROVIDERS.find((each) => each === provider);
  const given = typeof url === "string" ? url.trim().replace(/\/+$/, "") : "";
  const address = chosen === undefined || given !== "" ? given : (ADDRESSES[chosen] ?? "");
  return chosen !== undefined && /^https?:\/\//i.test(address) && URL.canParse(address)
    ? { provider: chosen, url: address, key: () => key(chosen), keyAdvice: keyAdvice(chosen) }
    : undefined;
}
