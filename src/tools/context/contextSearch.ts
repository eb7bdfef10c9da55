import * as z from "zod";
import { contextFile, contextFolder } from "../../features/context/path.js";
import { remarkOnLiteral } from "../../text/search/literalPattern.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { KnowledgeHit } from "../../ports/knowledge.js";
import { shownName } from "../../text/shownName.js";
import { count } from "../../text/words.js";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
/** Maximum characters of a query: a longer one is a mistake; the index only uses its first words. */
const MAX_QUERY = 100_000;
/** A passage with a lower score shares only common words with the query. */
const MIN_SCORE = 0.1;
/** Milliseconds: files changed on disk are indexed first, and there may be many. */
const TIMEOUT = 60_000;

export const contextSearch = defineTool({
  name: "context_search",
  group: "context",
  title: "Search context store",
  description:
    `Search the files in the context store. Give either query (ranked by matching words, in any order and inflection) ` +
    `or pattern (literal text, ignoring case). Each hit has a path, lines, a score from 0 to 1 and a snippet; context_read shows more. ` +
    `Recent changes are included; files that may hold secrets are skipped.`,
  input: () =>
    z.object({
      query: z.string().max(MAX_QUERY).optional().describe("What to look for, in words."),
      pattern: z
        .string()
        .max(MAX_QUERY)
        .optional()
        .describe("Literal text to find, ignoring case. Give either query or pattern."),
      path: z.string().optional().describe("File or folder in the context store to search. Default: the whole store."),
      limit: z
        .int()
        .min(1)
        .max(MAX_LIMIT)
        .optional()
        .describe(`Number of hits to return, up to ${MAX_LIMIT}. Default: ${DEFAULT_LIMIT}.`),
    }),
  aliases: { logical_path: "path", path_prefix: "path", max_results: "limit", top_k: "limit" },
  output: () =>
    z.object({
      hits: z.array(
        z.object({
          path: z.string(),
          start_line: z.int(),
          end_line: z.int(),
          score: z.number().describe("0 to 1: how much of the query the hit covers; 1 for a pattern."),
          snippet: z.string(),
        }),
      ),
      ranking: z.enum(["lexical", "hybrid", "pattern"]),
      note: z.string().nullable(),
    }),
  needs: ["knowledge"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["query"],
  touches: ({ path }) => [{ kind: "read", path: contextFile(contextFolder(path)), deep: true }],
  summary: ({ query, pattern }) => `Search the context store for ${query ?? pattern ?? ""}`,
  timeout: TIMEOUT,
  expose: "optional",
  execute: async ({ query, pattern, path, limit = DEFAULT_LIMIT }, { knowledge, signal }) => {
    const what = wanted(query, pattern);
    const folder = contextFolder(path);
    const {
      hits,
      ranking,
      note: said,
      unsearched,
    } = await knowledge.search(
      { area: "context", ...what, ...(folder === "." ? {} : { path: folder }), limit, minScore: MIN_SCORE },
      signal,
    );
    const literal = hits.length === 0 && "pattern" in what ? remarkOnLiteral(what.pattern) : undefined;
    const remarks = [said, literal, unsearched].filter((remark) => remark !== undefined);
    const note = remarks.length === 0 ? undefined : remarks.join(" ");
    return {
      text: [
        ...hits.map(describe),
        hits.length === 0
          ? "[Nothing found.]"
          : `[${count(hits.length, "hit")}${hits.length === limit ? `; there may be more, set limit up to ${MAX_LIMIT}` : ""}.]`,
        ...(note === undefined ? [] : [`[${note}]`]),
      ].join("\n"),
      data: {
        hits: hits.map(({ path: file, startLine, endLine, score, snippet }) => ({
          path: file,
          start_line: startLine,
          end_line: endLine,
          score,
          snippet,
        })),
        ranking,
        note: note ?? null,
      },
    };
  },
});

/** Requires exactly one of the two to be non-blank; models also write an empty text for "none". */
function wanted(query: string | undefined, pattern: string | undefined): { query: string } | { pattern: string } {
  const [asWords, asText] = [query?.trim() ?? "", pattern ?? ""];
  if (asWords !== "" && asText !== "") {
    throw new ToolError(
      "invalid_input",
      "context_search: query and pattern were both given.",
      "Give query to rank by words, or pattern to find literal text.",
    );
  }
  if (asWords === "" && asText === "") {
    throw new ToolError(
      "invalid_input",
      "context_search: neither query nor pattern was given.",
      "Give query: a few words describing what you look for.",
    );
  }
  return asWords !== "" ? { query: asWords } : { pattern: asText };
}

function describe({ path, startLine, endLine, score, snippet }: KnowledgeHit): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return [`${shownName(path)}:${lines} (${score.toFixed(2)})`, ...snippet.split("\n").map((line) => `  ${line}`)].join(
    "\n",
  );
}
