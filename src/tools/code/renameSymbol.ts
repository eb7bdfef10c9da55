import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { SERVER_TIMEOUT } from "./answers.js";
import { SYMBOL_ALIASES, SYMBOL_FIELDS } from "./symbolFields.js";
import type { RenamePlan } from "./work/rename.js";

export const renameSymbol = defineTool({
  name: "rename_symbol",
  group: "code",
  title: "Rename symbol",
  description:
    "Rename a symbol with all its references, in every file, as the language server knows them; all or nothing. " +
    "Comments, strings and other things of the same name stay. The result lists the files, and new problems.",
  input: () => z.object({ ...SYMBOL_FIELDS(), new_name: z.string().min(1).max(1_000).describe("The new name.") }),
  aliases: { ...SYMBOL_ALIASES, text: "symbol", newName: "new_name", to: "new_name", old_name: "symbol" },
  output: () =>
    z.object({
      old_name: z.string().describe("The name until now."),
      places: z.int().describe("Places changed."),
      files: z
        .array(
          z.object({
            path: z.string().describe("The file."),
            places: z.int().describe("Places changed in it."),
            saved: z.boolean().describe("false when the editor had unsaved changes, which stay unsaved."),
          }),
        )
        .describe("The files changed."),
    }),
  needs: ["files", "changes", "code", "languageServers"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["symbol", "new_name"],
  touches: ({ path = "." }) => [
    { kind: "read", path },
    { kind: "read", path: ".", deep: true },
  ],
  reaches: async (input, given) => (await import("./codeWork.js")).renameWrites(input, given),
  summary: ({ symbol, new_name: name }) => `Rename ${symbol} to ${name}`,
  preview: async (input, given) => ({
    language: "diff",
    ...(await (await import("./codeWork.js")).previewRename(input, given)),
  }),
  timeout: SERVER_TIMEOUT,
  expose: "default",
  instead: "Language servers run in VS Code. Here, find the uses with references and change them with multi_edit.",
  execute: async (input, given, shown: RenamePlan | undefined) =>
    (await import("./codeWork.js")).rename(input, given, shown),
});
