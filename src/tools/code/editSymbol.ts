import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import type { SymbolEdit } from "../../text/symbolEdits.js";
import { SERVER_TIMEOUT } from "./answers.js";
import { SYMBOL_ALIASES, SYMBOL_FIELDS } from "./symbolFields.js";
import type { PlannedSymbolEdit } from "./work/editDeclaration.js";

/** Characters of a new text: the same as for edit. */
const MAX_TEXT = 1_000_000;

const ACTIONS = ["replace", "insert_before", "insert_after", "delete"] as const;

export const editSymbol = defineTool({
  name: "edit_symbol",
  group: "code",
  title: "Edit symbol",
  description:
    "Replace, delete or add next to a whole declaration (function, class, method, …), by its name: no old text to quote. " +
    "replace takes the whole declaration, signature and modifiers included; comments above it stay. " +
    "delete takes its comments, too, and fails if it is used.",
  input: () =>
    z.object({
      ...SYMBOL_FIELDS(),
      path: z.string().describe("File that declares it."),
      line: z.int().min(1).optional().describe("Line of its declaration, if several have the name."),
      action: z.enum(ACTIONS).describe("What to do."),
      text: z.string().max(MAX_TEXT).optional().describe("The new declaration, for all but delete."),
      even_if_used: z.boolean().optional().describe("delete: also if it is used. Default: false."),
    }),
  aliases: {
    ...SYMBOL_ALIASES,
    ...{ body: "text", content: "text", new_text: "text", code: "text", operation: "action" },
    ...{ force: "even_if_used" },
  },
  output: () =>
    z.object({
      path: z.string().describe("The file."),
      symbol: z.string().describe("The symbol, with the names around it."),
      start_line: z.int().describe("First line of the declaration before, 1-based."),
      end_line: z.int().describe("Its last line before."),
      saved: z.boolean().describe("false when the editor had unsaved changes, which stay unsaved."),
      by: z.enum(["server", "syntax"]).describe("Whether a language server or only a parser knows its lines."),
    }),
  needs: ["files", "changes", "code"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["symbol", "path", "action"],
  texts: ["text"],
  touches: ({ path }) => [{ kind: "write", path }],
  withSecrets: (input, put) => ({
    ...input,
    ...(input.text !== undefined && { text: put("text", input.text, { kind: "file", path: input.path }) }),
  }),
  summary: ({ symbol, path, action }) => `${SUMMARIES[action]} ${symbol} in ${path}`,
  preview: async (input, given) => ({
    language: "diff",
    ...(await (await import("./codeWork.js")).previewSymbolEdit(input, given)),
  }),
  timeout: SERVER_TIMEOUT,
  expose: "default",
  execute: async (input, given, shown: PlannedSymbolEdit | undefined) =>
    (await import("./codeWork.js")).applySymbolEdit(input, given, shown),
});

const SUMMARIES: Record<SymbolEdit, string> = {
  replace: "Replace",
  insert_before: "Insert before",
  insert_after: "Insert after",
  delete: "Delete",
};
