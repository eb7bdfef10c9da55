import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { fileKey } from "../../core/paths/fileKey.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import type { Changes, FileChange, PartsBefore, ReplacedPlace } from "../../ports/changes.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { MATCH_TIERS } from "../../text/match/match.js";
import { shownName } from "../../text/shownName.js";
import { addWritten, type WrittenRange } from "../../text/diff/writtenRanges.js";
import { applyPlanned } from "./applyPlanned.js";
import { callRemarks, fileRemarks } from "./changeRemarks.js";
import { EDIT_NAMES, pathOfAll } from "./editAliases.js";
import { statEdited, withChangeHint } from "./existing.js";
import { joinFailures } from "./joinFailures.js";
import { orStale, placesInFile } from "./knownPlaces.js";
import { describePlaces, escapeRemark, replaceText, tierRemark, type Replaced } from "./replaceText.js";
import { showDiffs } from "./shownDiffs.js";
import { count, listed } from "../../text/words.js";

/** Maximum number of edits per call; a model that sends more should write a program. */
const MAX_EDITS = 500;
/** Maximum total number of characters of all files after the edits. Both versions are held until the change is made. */
const MAX_RESULTS = 100_000_000;
/** Maximum number of places replaced by all edits together; each is kept with its lines. */
const MAX_ALL_PLACES = 300_000;
/** Maximum number of files named that were not read or have changed. */
const MAX_FAILURES = 10;

interface MultiEditInput {
  edits: { path: string; old_text: string; new_text: string; replace_all?: boolean | undefined }[];
}

/** A file with the edits made to it so far. */
interface EditedFile {
  at: GatedPath;
  before: TextSnapshot;
  after: string;
  /** The ranges these edits wrote. */
  written: readonly WrittenRange[];
  parts: PartsBefore;
  /** What the edits replace, in the file's text; not collected if the session knows all of it. */
  places: ReplacedPlace[];
}

/** Edits that are planned but not made. */
interface MultiEditPlan {
  files: EditedFile[];
  edits: (Pick<Replaced, "places" | "tier"> & {
    at: GatedPath;
    /** A remark on the most likely mistake in it. */
    escape: string | undefined;
  })[];
  /** Files whose edits cancel each other out. */
  untouched: GatedPath[];
  /** Remarks on what has changed elsewhere in files since they were read. */
  since: string[];
}

export const multiEdit = defineTool({
  name: "multi_edit",
  group: "fs",
  title: "Edit files",
  description:
    `Make several replacements in one or more files; either all are applied or none. Edits are applied in order, each to the result of the ones before it. ` +
    `An edit may match all or part of text that an earlier edit wrote, but must not straddle its boundary. ` +
    `As in edit, old_text must occur exactly once unless replace_all is true. At most ${MAX_EDITS} edits.`,
  input: () =>
    z.object({
      edits: z
        .array(
          // Strict: a field this tool does not support (such as expected_count) is rejected, not ignored.
          z.strictObject({
            path: z.string().describe("File to edit, relative to the workspace."),
            // Every list with this tool has edit, too, and every request pays for the words.
            old_text: z.string().describe("See edit."),
            new_text: z.string().describe("See edit."),
            replace_all: z.boolean().optional().describe("See edit."),
          }),
        )
        .min(1)
        .max(MAX_EDITS)
        .describe("The replacements, in order."),
    }),
  aliases: {
    replacements: "edits",
    ...Object.fromEntries(Object.entries(EDIT_NAMES).map(([name, field]) => [`edits[].${name}`, field])),
    "edits[].file": "path",
    path: pathOfAll,
    filePath: pathOfAll,
    file_path: pathOfAll,
  },
  output: () =>
    z.object({
      files: z
        .array(
          z.object({
            path: z.string().describe("The file."),
            saved: z.boolean().describe("false when the editor had unsaved changes, which stay unsaved."),
          }),
        )
        .describe("The files changed."),
      edits: z
        .array(
          z.object({
            path: z.string().describe("The file."),
            replacements: z.int().describe("Number of places changed."),
            start_line: z
              .int()
              .describe("Line of the first replacement, 1-based, in the text this edit was applied to."),
            tier: z.enum(MATCH_TIERS).describe("Which differences were ignored to find old_text."),
          }),
        )
        .describe("The edits, in the order given."),
    }),
  needs: ["files", "changes"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  texts: ["edits"],
  touches: ({ edits }) => [...new Set(edits.map(({ path }) => path))].map((path) => ({ kind: "write", path })),
  withSecrets: (input, put) => ({
    ...input,
    edits: input.edits.map((each, index) => ({
      ...each,
      old_text: put(`edits[${index}].old_text`, each.old_text, { kind: "quote", path: each.path }),
      new_text: put(`edits[${index}].new_text`, each.new_text, { kind: "file", path: each.path }),
    })),
  }),
  summary: ({ edits }) => `Edit ${listed([...new Set(edits.map(({ path }) => path))], 2)}`,
  preview: async (input, { files, changes }) => {
    const plan = await planEdits(input, files, changes);
    return {
      language: "diff",
      text: showDiffs(
        plan.files.map(({ at, before, after }) => ({
          at,
          kind: "changed",
          diff: fileDiff(at.path, before.text, after),
        })),
      ),
      plan,
    };
  },
  expose: "default",
  execute: async (input, { files, changes, signal }, shown: MultiEditPlan | undefined) => {
    // Exactly what was shown is written; if a file has changed since, the host refuses.
    const { plan, outcome } = await applyPlanned({
      shown,
      plan: () => planEdits(input, files, changes),
      apply: (worked) =>
        changes.apply(
          worked.files.map(({ at, before, after }): FileChange => ({
            kind: "replace",
            at,
            before,
            text: after,
            parts: true,
          })),
          signal,
        ),
    });
    const remarks = plan.files.flatMap(({ at, before, after }, index) => {
      const report = outcome.files[index];
      return report === undefined
        ? []
        : fileRemarks(at.path, before.text, after, report).map((remark) => `${shownName(at.path)}: ${remark}`);
    });
    return {
      text: [
        `Made ${count(plan.edits.length, "edit")} in ${count(plan.files.length, "file")}:`,
        ...plan.edits.map(describeEdit),
        ...plan.untouched.map(describeUntouched),
        ...remarks,
        ...callRemarks(outcome),
        ...plan.since,
      ].join("\n"),
      data: {
        files: plan.files.map(({ at }, index) => ({ path: at.path, saved: outcome.files[index]?.saved ?? true })),
        edits: plan.edits.map(({ at, places, tier }) => ({
          path: at.path,
          replacements: places.length,
          start_line: places[0]?.startLine ?? 1,
          tier,
        })),
      },
    };
  },
});

async function planEdits({ edits }: MultiEditInput, files: Files, changes: Changes): Promise<MultiEditPlan> {
  const byFile = new Map<string, EditedFile>();
  const planned: MultiEditPlan["edits"] = [];
  const failures: ToolError[] = [];
  const failed = new Set<string>();
  const untried: number[] = [];
  let replaced = 0;
  for (const [index, edit] of edits.entries()) {
    const at = await files.resolve(edit.path);
    // By real location: two spellings of a path are one file.
    const key = fileKey(at);
    // It may build on what the failed edit was to write. What a failure shows of a file counts as read, so don't
    // collect failures that won't be reported.
    if (failed.has(key) || failures.length === MAX_FAILURES) {
      untried.push(index);
      continue;
    }
    const where = edits.length === 1 ? shownName(at.path) : `${shownName(at.path)}: edits[${index}]`;
    try {
      const file = byFile.get(key) ?? (await openFile(files, changes, at, edit.old_text));
      byFile.set(key, file);
      const others = [...byFile.values()].reduce((sum, other) => (other === file ? sum : sum + other.after.length), 0);
      const left = { result: Math.max(0, MAX_RESULTS - others), places: Math.max(0, MAX_ALL_PLACES - replaced) };
      const { places, tier } = planEdit(file, edit, { index, where, left: edits.length === 1 ? undefined : left });
      replaced += places.length;
      planned.push({ at: file.at, places, tier, escape: escapeRemark(edit) });
    } catch (error) {
      if (!(error instanceof ToolError)) {
        throw error;
      }
      failures.push(error);
      failed.add(key);
    }
  }
  if (failures.length > 0) {
    const rest =
      untried.length === 0
        ? []
        : [
            `Not tried because of ${failures.length === 1 ? "this" : "these"}: ${untried.map((at) => `edits[${at}]`).join(", ")}.`,
          ];
    throw joinFailures(failures, `${count(failures.length, "edit")} cannot be made`, rest);
  }
  const all = [...byFile.values()];
  const since = checkKnown(all);
  const changed = all.filter(({ before, after }) => before.text !== after);
  if (changed.length === 0) {
    throw new ToolError("invalid_input", "The edits cancel each other out, so there is nothing to change.");
  }
  return {
    files: changed,
    edits: planned,
    untouched: all.filter((file) => !changed.includes(file)).map(({ at }) => at),
    since,
  };
}

/** Makes one edit on what the ones before it left of the file. */
function planEdit(
  file: EditedFile,
  edit: MultiEditInput["edits"][number],
  { index, where, left }: { index: number; where: string; left: Parameters<typeof replaceText>[3] },
): Pick<MultiEditPlan["edits"][number], "places" | "tier"> {
  const replacement = orStale(file.parts, () => replaceText(where, file.after, edit, left));
  const { after, places, tier, replacements } = replacement;
  if (!file.parts.isKnown) {
    file.places.push(...placesInFile(file.parts, file.after, replacement));
  }
  const written = addWritten(file.written, replacements, index);
  if ("overlapped" in written) {
    throw new ToolError(
      "invalid_input",
      `${where}: old_text overlaps what edits[${written.overlapped.edit}] wrote, but is neither all nor a part of it. Nothing was changed.`,
      "Merge the two edits, or remove the shared lines from one of them.",
    );
  }
  file.written = written.ranges;
  file.after = after;
  return { places, tier };
}

/**
 * Returns remarks on what has changed elsewhere in the files since they were read.
 *
 * @throws ToolError `must_read` or `stale` that names every file whose places the session does not know
 */
function checkKnown(files: readonly EditedFile[]): string[] {
  const failures: ToolError[] = [];
  const remarks = files.flatMap(({ at, parts, places }) => {
    // What an error shows of a file counts as read, so don't collect failures that won't be reported.
    if (failures.length === MAX_FAILURES) {
      return [];
    }
    try {
      const since = parts.check(places);
      return since === undefined ? [] : [`${shownName(at.path)}: ${since}`];
    } catch (error) {
      if (!(error instanceof ToolError)) {
        throw error;
      }
      failures.push(error);
      return [];
    }
  });
  if (failures.length > 0) {
    throw joinFailures(failures, `${count(failures.length, "file")} cannot be changed`);
  }
  return remarks;
}

async function openFile(files: Files, changes: Changes, at: GatedPath, oldText: string): Promise<EditedFile> {
  await statEdited(files, at, oldText);
  const parts = await withChangeHint(changes.beforeParts(at, LARGEST_CHANGED_FILE));
  const { before } = parts;
  return { at, before, after: before.text, written: [], parts, places: [] };
}

function describeEdit({ at, places, tier, escape }: MultiEditPlan["edits"][number]): string {
  const remarks = [tierRemark(tier, places), escape].filter((remark) => remark !== undefined);
  return `- ${shownName(at.path)}: ${describePlaces(places)}${remarks.map((remark) => `; ${remark}`).join("")}`;
}

function describeUntouched({ path }: GatedPath): string {
  return `${shownName(path)}: its edits cancel each other out, so it was not changed.`;
}
