import { ToolError } from "../../../core/errors.js";
import type { Changes } from "../../../ports/changes.js";
import type { Code } from "../../../ports/code.js";
import type { Files } from "../../../ports/files.js";
import type { FileEdits, LanguageServers } from "../../../ports/languageServers.js";
import { count } from "../../../text/words.js";
import { applyPlanned } from "../../fs/applyPlanned.js";
import { sourceRemarks, theAnswer } from "../answers.js";
import { locate, type LocatedSymbol, type WantedSymbol } from "./locate.js";
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

export interface RenamePlan {
  files: EditedFile[];
  from: string;
  /** Why there may be more places. */
  partial?: string | undefined;
}

interface RenameAnswer {
  text: string;
  data: { old_name: string; places: number; files: { path: string; places: number; saved: boolean }[] };
}

/** Returns the files that a rename changes, as permission decides on them. */
export async function renameWrites(input: RenameInput, given: Given): Promise<ReturnType<typeof writesOf>> {
  return writesOf((await editsFor(input, given)).edits);
}

/** Plans a rename, and shows it as a diff. */
export async function previewRename(
  input: RenameInput,
  given: Given & { changes: Changes },
): Promise<{ text: string; plan: RenamePlan }> {
  const plan = await planRename(input, given);
  return { text: shownEdits(plan.files), plan };
}

/** Renames a symbol. @param shown the plan that a person was shown */
export async function rename(
  input: RenameInput,
  given: Given & { changes: Changes },
  shown: RenamePlan | undefined,
): Promise<RenameAnswer> {
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
      ...sourceRemarks("server", plan.partial),
    ].join("\n"),
    data: {
      old_name: plan.from,
      places,
      files: plan.files.map((each, index) => ({
        ...{ path: each.at.path, places: each.places, saved: outcome.files[index]?.saved ?? true },
      })),
    },
  };
}

async function editsFor(
  input: RenameInput,
  { files, code, languageServers, signal }: Given,
): Promise<{ edits: FileEdits[]; found: LocatedSymbol; partial?: string | undefined }> {
  const found = await locate(input, { code, files, signal, isExact: true });
  const { value, partial } = theAnswer(await languageServers.rename(found.at, found.position, input.new_name, signal));
  return { edits: value, found, partial };
}

async function planRename(input: RenameInput, given: Given & { changes: Changes }): Promise<RenamePlan> {
  const { edits, found, partial } = await editsFor(input, given);
  const files = await planFileEdits(edits, given, found.name.replace(/^#/, ""));
  if (files.length === 0) {
    throw new ToolError("conflict", `Renaming ${found.name} to ${input.new_name} would change nothing.`);
  }
  return { files, from: found.name, partial };
}
