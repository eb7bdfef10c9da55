import { ToolError } from "../../core/errors.js";
import type { SearchRequest, SearchResult } from "../../ports/search.js";
import { PatternRefused } from "./ripgrep.js";

/** Matches the default engine's messages about features that it lacks and PCRE2 supports. */
const ONLY_PCRE2 = /look-around|backreferences/;

/**
 * Searches with the default engine, which takes linear time, and with PCRE2 if that one rejects the pattern: for
 * look-around, backreferences, and characters that every other engine reads literally, such as a `{` that is not a
 * quantifier. PCRE2 has its own limit per match, and the search has its time limit.
 *
 * @throws ToolError `invalid_input` with the default engine's message if both reject it
 */
export async function withEngines(
  request: SearchRequest,
  search: (request: SearchRequest) => Promise<SearchResult>,
): Promise<SearchResult> {
  if (request.engine !== undefined) {
    return search(request);
  }
  return eitherEngine(
    () => search(request),
    async (reason) => ({ ...(await search({ ...request, engine: "pcre2" })), pcre2: reason }),
  );
}

/** Does the same for any use of a pattern. @param pcre2 called with the reason why the default engine rejects it */
export async function eitherEngine<T>(plain: () => Promise<T>, pcre2: (reason: string) => Promise<T>): Promise<T> {
  try {
    return await plain();
  } catch (refused) {
    if (!(refused instanceof PatternRefused)) {
      throw refused;
    }
    const reason = /^error: (.*)$/m.exec(refused.message)?.[1] ?? "it is not its syntax";
    try {
      return await pcre2(reason);
    } catch (error) {
      if (!(error instanceof PatternRefused)) {
        throw error;
      }
      const isMissing = error.message.includes("not available") && ONLY_PCRE2.test(reason);
      throw new ToolError(
        "invalid_input",
        refused.message,
        isMissing
          ? "It needs PCRE2, which the installed ripgrep lacks: search for a simpler pattern and check what it finds."
          : refused.hint,
      );
    }
  }
}
