import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import type { Code } from "../../ports/code.js";
import type { Changes } from "../../ports/changes.js";
import type { Files } from "../../ports/files.js";
import type { FileEdits, LanguageServers } from "../../ports/languageServers.js";
import { count } from "../../text/words.js";
import { ToolError } from "../../core/errors.js";
import { applyPlanned } from "../fs/applyPlanned.js";
import { SERVER_TIMEOUT, theAnswer } from "./answers.js";
import { locate, SYMBOL_ALIASES, SYMBOL_FIELDS, type LocatedSymbol, type WantedSymbol } from "./locate.js";
import { changesOf, describeEdits, planFileEdits, shownEdits, writesOf, type EditedFile } from "./plannedEdits.js";

interface RenameInput extends WantedSymbol {
  new_name: string;
}

interface Given {
  files: Files;
  code: Code;
  languageServers: LanguageServers;
  signal: AbortSignal;
}

interface RenamePlan {
  files: EditedFile[];
  from: string;
}

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
  reaches: async (input, given) => writesOf((await editsFor(input, given)).edits),
  summary: ({ symbol, new_name: name }) => `Rename ${symbol} to ${name}`,
  preview: async (input, given) => {
    const plan = await planRename(input, given);
    return { language: "diff", text: shownEdits(plan.files), plan };
  },
  timeout: SERVER_TIMEOUT,
  expose: "default",
  execute: async (input, given, shown: RenamePlan | undefined) => {
    const { changes, signal } = given;
    const { plan, outcome } = await applyPlanned({
      shown,
      plan: () => planRename(input, given),
      apply: ({ files }) => changes.apply(changesOf(files), signal),
    });
    const places = plan.files.reduce((sum, each) => sum + each.places, 0);
    return {
      text: [
        `Renamed ${plan.from} to ${input.new_name}: ${count(places, "place")} in ${count(plan.files.length, "file")}.`,
        ...describeEdits(plan.files, outcome),
      ].join("\n"),
      data: {
        old_name: plan.from,
        places,
        files: plan.files.map((each, index) => ({
          ...{ path: each.at.path, places: each.places, saved: outcome.files[index]?.saved ?? true },
        })),
      },
    };
  },
});

async function editsFor(
  input: RenameInput,
  { files, code, languageServers, signal }: Given,
): Promise<{ edits: FileEdits[]; found: LocatedSymbol }> {
  const found = await locate(input, { code, files, signal });
  const { value } = theAnswer(await languageServers.rename(found.at, found.position, input.new_name, signal));
  return { edits: value, found };
}

async function planRename(input: RenameInput, given: Given & { changes: Changes }): Promise<RenamePlan> {
  const { edits, found } = await editsFor(input, given);
  const files = await planFileEdits(edits, given, found.name.replace(/^#/, ""));
  if (files.length === 0) {
    throw new ToolError("conflict", `Renaming ${found.name} to ${input.new_name} would change nothing.`);
  }
  return { files, from: found.name };
}
