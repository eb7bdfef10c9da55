import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { SERVER_TIMEOUT } from "./answers.js";

/** Symbols in an answer by default, and at most. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

export const symbols = defineTool({
  name: "symbols",
  group: "code",
  title: "List symbols",
  description:
    "Outline a file: its classes, functions and other symbols, nested, each with its lines and first line of code. " +
    "Or, with query, find where symbols are declared in the workspace or a folder, by name or part of a name.",
  input: () =>
    z.object({
      path: z.string().optional().describe("File to outline, or folder to search. Default: the workspace."),
      query: z.string().optional().describe("Name to find: Router, Router.match."),
      kind: z.string().optional().describe("Only this kind: class, function, method, interface or another."),
      limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Symbols to return. Default: ${DEFAULT_LIMIT}.`),
      offset: z.int().min(0).optional().describe("Symbols to skip."),
    }),
  aliases: {
    ...{ name: "query", symbol: "query", pattern: "query", filePath: "path", file_path: "path", file: "path" },
    ...{ relative_path: "path", folder: "path", max_results: "limit" },
  },
  output: () =>
    z.object({
      symbols: z
        .array(
          z.object({
            name: z.string(),
            kind: z.string().describe("class, method, variable, …"),
            container: z.string().describe("Names around it, joined by dots; empty at the top."),
            path: z.string().describe("The file."),
            line: z.int().describe("Line of its name, 1-based."),
            end_line: z.int().describe("Its last line."),
            text: z.string().describe("The line of its name; empty if it cannot be read."),
          }),
        )
        .describe("The symbols returned."),
      total: z.int().describe("All that were found."),
      next_offset: z.int().nullable().describe("null when nothing follows."),
      by: z.enum(["server", "syntax"]).describe("Whether a language server or only a parser knows."),
      partial: z.boolean().describe("There may be more."),
    }),
  needs: ["files", "code"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path", "query"],
  touches: ({ path = ".", query }) => [{ kind: "read", path, ...(query !== undefined && { deep: true }) }],
  summary: ({ path, query }) =>
    query === undefined
      ? `Outline ${path ?? "a file"}`
      : `Find symbol ${query}${path === undefined ? "" : ` in ${path}`}`,
  timeout: SERVER_TIMEOUT,
  expose: "default",
  execute: async (input, given) =>
    (await import("./codeWork.js")).listSymbols({ ...input, limit: input.limit ?? DEFAULT_LIMIT }, given),
});
