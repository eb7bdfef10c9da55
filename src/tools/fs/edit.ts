import * as z from "zod";
import { ignored, ignoredIf } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import type { Changes } from "../../ports/changes.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { MATCH_TIERS } from "../../text/match/match.js";
import { shownName } from "../../text/shownName.js";
import { applyPlanned } from "./applyPlanned.js";
import { callRemarks, fileRemarks } from "./changeRemarks.js";
import { EDIT_NAMES, expectedReplacements, onlyEdit } from "./editAliases.js";
import { statEdited, withChangeHint } from "./existing.js";
import { replaceKnown } from "./knownPlaces.js";
import { describePlaces, escapeRemark, tierRemark, type Replaced, type Replacing } from "./replaceText.js";

interface EditInput extends Replacing {
  path: string;
}

/** An edit that is planned but not made. */
interface EditPlan extends Replaced {
  at: GatedPath;
  before: TextSnapshot;
  /** A remark on what has changed elsewhere in the file since it was read. */
  since: string | undefined;
}

export const edit = defineTool({
  name: "edit",
  group: "fs",
  title: "Edit file",
  description:
    `Replace text in a file. old_text must occur exactly once; add surrounding lines until it does, or set replace_all. ` +
    `Copy it exactly from read, without the line numbers. Other line endings, trailing whitespace, a uniform indentation shift, ` +
    `look-alike quotes, dashes and spaces are tolerated if exactly one place matches; the result says so.`,
  input: () =>
    z.object({
      path: z.string().describe("File to edit, relative to the workspace."),
      old_text: z.string().describe("Text to replace, exactly as in the file."),
      new_text: z.string().describe("Replacement text; empty to delete."),
      replace_all: z.boolean().optional().describe("Replace every occurrence instead of exactly one."),
      expected_count: z
        .int()
        .min(1)
        .optional()
        .describe("With replace_all, fail unless there are exactly this many occurrences."),
    }),
  aliases: {
    ...EDIT_NAMES,
    file: "path",
    allow_multiple: "replace_all",
    expected_replacements: expectedReplacements,
    edits: onlyEdit,
    command: ignoredIf("str_replace"),
    insert_line: {
      read: () => undefined,
      refuses: () => "edit replaces text. Call apply_patch with path, insert_line and insert_text",
    },
    diff: {
      read: () => undefined,
      refuses: () => "edit replaces one text. Call apply_patch with path and diff",
    },
    instruction: ignored,
  },
  output: () =>
    z.object({
      path: z.string().describe("The file."),
      replacements: z.int().describe("Number of places changed."),
      start_line: z.int().describe("Line of the first replacement, 1-based."),
      tier: z.enum(MATCH_TIERS).describe("Which differences were ignored to find old_text."),
      saved: z.boolean().describe("false when the editor had unsaved changes, which stay unsaved."),
    }),
  needs: ["files", "changes"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["path"],
  texts: ["old_text", "new_text"],
  touches: ({ path }) => [{ kind: "write", path }],
  withSecrets: (input, put) => ({
    ...input,
    old_text: put("old_text", input.old_text, { kind: "quote", path: input.path }),
    new_text: put("new_text", input.new_text, { kind: "file", path: input.path }),
  }),
  summary: ({ path }) => `Edit ${path}`,
  preview: async (input, { files, changes }) => {
    const plan = await planEdit(input, files, changes);
    return { language: "diff", text: unifiedDiff(plan.before.text, plan.after), plan };
  },
  expose: "default",
  execute: async (input, { files, changes, signal }, shown: EditPlan | undefined) => {
    // Exactly what was shown is written; if the file has changed since, the host refuses.
    const { plan, outcome } = await applyPlanned({
      shown,
      plan: () => planEdit(input, files, changes),
      apply: ({ at, before, after }) =>
        changes.apply([{ kind: "replace", at, before, text: after, parts: true }], signal),
    });
    const { at, before, after, places, tier, since } = plan;
    const report = outcome.files[0] ?? { saved: true, text: after, foldersMade: 0 };
    const startLine = places[0]?.startLine ?? 1;
    const remark = tierRemark(tier, places);
    const escape = escapeRemark(input);
    const remarks = [
      ...(remark === undefined ? [] : [remark]),
      ...(escape === undefined ? [] : [escape]),
      ...fileRemarks(at.path, before.text, after, report),
      ...callRemarks(outcome),
      ...(since === undefined ? [] : [since]),
    ];
    return {
      text: [`Edited ${shownName(at.path)}: ${describePlaces(places)}.`, ...remarks].join("\n"),
      data: { path: at.path, replacements: places.length, start_line: startLine, tier, saved: report.saved },
    };
  },
});

async function planEdit(input: EditInput, files: Files, changes: Changes): Promise<EditPlan> {
  const at = await files.resolve(input.path);
  await statEdited(files, at, input.old_text);
  const parts = await withChangeHint(changes.beforeParts(at, LARGEST_CHANGED_FILE));
  return { at, before: parts.before, ...replaceKnown(shownName(at.path), parts, input) };
}
