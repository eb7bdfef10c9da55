import { ToolError } from "../../core/errors.js";
import type { Search, SearchRequest } from "../../ports/search.js";
import { unwrapped } from "../../text/search/unwrapped.js";

/** Time limit, in ms, for finding out why a pattern matches nothing. */
const TIME_LIMIT = 3_000;

interface Guess {
  change: Partial<SearchRequest>;
  says: (count: string) => string;
}

/**
 * Explains why a pattern matches nothing, if another reading of it would match: in a different case, as plain text, or
 * with one level of escaping less.
 *
 * @returns a sentence; undefined if no reading matches, or time ran out
 */
export async function advisePattern(
  search: Search,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const until = Date.now() + TIME_LIMIT;
  for (const { change, says } of guesses(request)) {
    const timeLimit = until - Date.now();
    if (timeLimit <= 0) {
      return undefined;
    }
    const count = await matches(search, { ...request, ...change, context: 0, timeLimit }, signal);
    if (count > 0) {
      return says(`${count} line${count === 1 ? "" : "s"}`);
    }
  }
  return undefined;
}

function guesses({ pattern, literal, ignoreCase }: SearchRequest): Guess[] {
  const once = pattern.replaceAll("\\\\", "\\");
  // As written in JavaScript (/x/i), or in quotes.
  const meant = unwrapped(pattern);
  return [
    ...(ignoreCase || !/\p{Letter}/u.test(pattern)
      ? []
      : [
          {
            change: { ignoreCase: true },
            says: (lines: string) => `With other case it matches ${lines}: set ignore_case.`,
          },
        ]),
    ...(meant === undefined
      ? []
      : [
          {
            change: { pattern: meant.pattern, ...(meant.ignoreCase ? { ignoreCase: true } : {}) },
            says: (lines: string) =>
              `${meant.shape} is searched as it is: ${meant.pattern} matches ${lines}${meant.ignoreCase ? " with ignore_case" : ""}.`,
          },
        ]),
    ...(once === pattern || literal
      ? []
      : [{ change: { pattern: once }, says: (lines: string) => `It is escaped twice: ${once} matches ${lines}.` }]),
    ...(literal || !pattern.includes("\\|")
      ? []
      : [
          {
            change: { pattern: pattern.replaceAll("\\|", "|") },
            says: (lines: string) => `\\| is a literal |: with | for alternatives it matches ${lines}.`,
          },
        ]),
    ...(literal || !/[\\^$.|?*+()[\]{}]/.test(pattern)
      ? []
      : [{ change: { literal: true }, says: (lines: string) => `As plain text it matches ${lines}: set literal.` }]),
    ...(literal && /[\\|*+()[\]]/.test(pattern)
      ? [
          {
            change: { literal: false },
            says: (lines: string) => `As a regular expression it matches ${lines}: omit literal.`,
          },
        ]
      : []),
  ];
}

async function matches(search: Search, request: SearchRequest, signal: AbortSignal): Promise<number> {
  try {
    const { files } = await search.search(request, signal);
    return files.reduce((sum, { matchCount }) => sum + matchCount, 0);
  } catch (error) {
    if (error instanceof ToolError) {
      return 0;
    }
    throw error;
  }
}
