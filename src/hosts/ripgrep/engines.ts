import { ToolError } from "../../core/errors.js";
import type { SearchRequest, SearchResult } from "../../ports/search.js";
import { bracketsAsText } from "../../text/search/bracketsAsText.js";
import { PatternRefused } from "./ripgrep.js";

/** Matches the default engine's messages about features that it lacks and PCRE2 supports. */
const ONLY_PCRE2 = /look-around|backreferences/;

/** A way to match a pattern. */
export interface Reading {
  pattern: string;
  /** By default ripgrep's own, which takes linear time. */
  engine?: "pcre2";
}

/** How a pattern was read that the default engine rejects. */
type ReadAs = Pick<SearchResult, "pcre2" | "asText">;

/**
 * Searches for a pattern; if the default engine rejects it, as `anyReading` does.
 *
 * @throws ToolError `invalid_input` with the default engine's message if no reading is accepted
 */
export async function withEngines(
  request: SearchRequest,
  search: (request: SearchRequest) => Promise<SearchResult>,
): Promise<SearchResult> {
  if (request.engine !== undefined) {
    return search(request);
  }
  const { found, as } = await anyReading(request.pattern, (reading) => search({ ...request, ...reading }));
  return { ...found, ...as };
}

/**
 * Matches a pattern with the default engine. If that one rejects it: with the brackets that can only be text as text,
 * then with PCRE2, for look-around and backreferences. PCRE2 has its own limit per match, and a search its time limit.
 *
 * @throws ToolError `invalid_input` with the default engine's message if no reading is accepted
 */
export async function anyReading<T>(
  pattern: string,
  match: (reading: Reading) => Promise<T>,
): Promise<{ found: T; as: ReadAs }> {
  const first = await unlessRefused(() => match({ pattern }));
  if (!(first instanceof PatternRefused)) {
    return { found: first, as: {} };
  }
  const reason =
    /^error: (.*)$/m.exec(first.message)?.[1] ??
    /the literal .* is not allowed/.exec(first.message)?.[0] ??
    "it is not its syntax";
  const asText = bracketsAsText(pattern);
  const inText = asText === undefined ? [] : [{ pattern: asText, as: { asText } }];
  const readings: (Reading & { as: ReadAs })[] = [
    ...inText,
    ...[{ pattern, as: {} }, ...inText].map(({ as, ...reading }) => ({
      ...{ ...reading, engine: "pcre2" as const },
      as: { ...as, pcre2: reason },
    })),
  ];
  let isMissing = false;
  for (const { as, ...reading } of readings) {
    const found = await unlessRefused(() => match(reading));
    if (!(found instanceof PatternRefused)) {
      return { found, as };
    }
    isMissing ||= found.message.includes("not available") && ONLY_PCRE2.test(reason);
  }
  throw new ToolError(
    "invalid_input",
    first.message,
    isMissing
      ? "It needs PCRE2, which the installed ripgrep lacks: search for a simpler pattern and check what it finds."
      : first.hint,
  );
}

async function unlessRefused<T>(match: () => Promise<T>): Promise<T | PatternRefused> {
  try {
    return await match();
  } catch (error) {
    if (error instanceof PatternRefused) {
      return error;
    }
    throw error;
  }
}
