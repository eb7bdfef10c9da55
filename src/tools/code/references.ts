import * as z from "zod";
import type { Aliases } from "../../core/aliases.js";
import { choice } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { SERVER_TIMEOUT } from "./answers.js";
import { SYMBOL_ALIASES, SYMBOL_FIELDS } from "./symbolFields.js";

/** Places in an answer by default, and at most. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Levels of callers of callers. */
const MAX_DEPTH = 4;

const KINDS = ["references", "definition", "implementations", "callers"] as const;

const ALIASES: Aliases = {
  ...SYMBOL_ALIASES,
  text: "symbol",
  ...{ find: "kind", what: "kind", relation: "kind" },
  kind: choice({
    usages: { kind: "references" },
    uses: { kind: "references" },
    definitions: { kind: "definition" },
    declaration: { kind: "definition" },
    implementation: { kind: "implementations" },
    incoming_calls: { kind: "callers" },
    calls: { kind: "callers" },
  }),
};

export const references = defineTool({
  name: "references",
  group: "code",
  title: "Find references",
  description:
    "Find all references of a symbol, its definition, its implementations or its callers. " +
    "A language server finds them, without other things of the same name, comments and strings; where none runs, names are compared, which the answer says. " +
    "Name the symbol, or give a line where it is used. " +
    "If several symbols have the name, the error lists them.",
  input: () =>
    z.object({
      ...SYMBOL_FIELDS(),
      kind: z.enum(KINDS).optional().describe("What to find. Default: references."),
      depth: z.int().min(1).max(MAX_DEPTH).optional().describe("callers: levels of callers. Default: 1."),
      detail: z.boolean().optional().describe("definition: also its type and documentation."),
      limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`Places to return. Default: ${DEFAULT_LIMIT}.`),
      offset: z.int().min(0).optional().describe("Places to skip."),
    }),
  aliases: ALIASES,
  output: () =>
    z.object({
      symbol: z.string().describe("The symbol, with the names around it if they are known."),
      places: z
        .array(
          z.object({
            path: z.string().describe("The file; absolute if it is outside the workspace."),
            line: z.int().describe("1-based."),
            column: z.int().describe("1-based."),
            end_line: z.int().describe("Last line of a definition; else the same line."),
            text: z.string().describe("The line; empty if it cannot be read."),
            test: z.boolean().describe("Its file is a test, by its name."),
            caller: z.string().optional().describe("callers: the function that calls."),
            depth: z.int().optional().describe("callers: 1 for direct ones."),
          }),
        )
        .describe("The places returned."),
      total: z.int().describe("All that were found."),
      files: z.int().describe("Files with any of these."),
      next_offset: z.int().nullable().describe("null when nothing follows."),
      by: z.enum(["server", "syntax"]).describe("Whether a language server or only a parser knows."),
      partial: z.boolean().describe("There may be more."),
      hover: z.string().optional().describe("With detail, in Markdown."),
    }),
  needs: ["files", "code"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["symbol", "path"],
  touches: ({ path = "." }) => [
    { kind: "read", path },
    { kind: "read", path: ".", deep: true },
  ],
  summary: ({ symbol, kind = "references" }) => `Find ${kind} of ${symbol}`,
  timeout: SERVER_TIMEOUT,
  expose: "default",
  execute: async (input, given) =>
    (await import("./codeWork.js")).findReferences({ ...input, limit: input.limit ?? DEFAULT_LIMIT }, given),
});
