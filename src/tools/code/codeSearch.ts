import * as z from "zod";
import { onlyOf } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";

/** Symbols in an answer by default, and at most. */
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
/** Maximum characters of a query. */
const MAX_QUERY = 10_000;
/** Time limit in ms: the first call reads the whole workspace. */
const TIMEOUT = 60_000;

export const codeSearch = defineTool({
  name: "code_search",
  group: "code",
  title: "Search code",
  description:
    "Find code by what it does, in plain words: functions, classes and other symbols whose names, comments and code fit best. " +
    "If you know the name, use symbols; for exact text, grep. Searches files as saved, without ignored ones.",
  input: () =>
    z.object({
      query: z.string().min(1).max(MAX_QUERY).describe("What the code does: parse a query string."),
      path: z.string().optional().describe("File or folder to search. Default: the workspace."),
      limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Symbols to return. Default: ${DEFAULT_LIMIT}.`),
    }),
  aliases: {
    ...{ q: "query", question: "query", text: "query", max_results: "limit", top_k: "limit" },
    ...{ folder: "path", filePath: "path", file_path: "path", relative_path: "path" },
    target_directories: onlyOf("path", "takes one folder per call, or none for the whole workspace"),
  },
  output: () =>
    z.object({
      hits: z
        .array(
          z.object({
            path: z.string().describe("The file."),
            symbol: z.string().describe("The symbol, with the names around it; several, or none, between longer ones."),
            start_line: z.int().describe("1-based."),
            end_line: z.int().describe("Its last line."),
            score: z.number().describe("0 to 1: how much of the query it has."),
            snippet: z.string().describe("Some of its lines."),
          }),
        )
        .describe("Best first."),
      ranking: z.enum(["lexical", "hybrid"]).describe("hybrid: by embeddings, too."),
      note: z.string().nullable().describe("What is not in the index, and why."),
    }),
  needs: ["files", "codeIndex"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["query", "path"],
  touches: ({ path = "." }) => [{ kind: "read", path, deep: true }],
  summary: ({ query }) => `Search code for ${query}`,
  timeout: TIMEOUT,
  expose: "optional",
  execute: async (input, given) =>
    (await import("./codeWork.js")).searchCode({ ...input, limit: input.limit ?? DEFAULT_LIMIT }, given),
});
