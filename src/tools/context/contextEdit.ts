import * as z from "zod";
import { contextFile, contextPath } from "../../features/context/path.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import type { Changes } from "../../ports/changes.js";
import type { Files, TextSnapshot } from "../../ports/files.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { diffStat, fileDiff } from "../../text/diff/fileDiff.js";
import type { LinePatch } from "../../text/diff/linePatches.js";
import { utf8Length } from "../../text/page.js";
import { withoutMark } from "../fs/byteOrderMark.js";
import { callRemarks, savingRemarks } from "../fs/changeRemarks.js";
import { LINE_PATCHES, patchLines } from "../linePatches.js";
import { contextPlace, existingFile, namedAsContext, type ContextPlace } from "./contextStore.js";

/** Patches that are planned but not applied. */
interface EditPlan {
  place: ContextPlace;
  before: TextSnapshot;
  after: string;
}

export const contextEdit = defineTool({
  name: "context_edit",
  group: "context",
  title: "Edit in context store",
  description:
    `Change lines of a file in the context store; either all patches are applied or none. Line numbers are as shown by context_read, before any patch: ` +
    `{start_line: 3, end_line: 5, content: "new"} replaces lines 3 to 5, end_line 0 inserts before start_line, empty content deletes. ` +
    `Patches must not overlap. If one is wrong, nothing changes.`,
  input: () =>
    z.object({
      path: z.string().describe("Path of the file in the context store, such as notes/meeting.md."),
      patches: LINE_PATCHES(),
    }),
  aliases: { logical_path: "path" },
  output: () =>
    z.object({
      path: z.string(),
      bytes: z.int().describe("Size of the new text in UTF-8."),
      added: z.int().describe("Lines added."),
      removed: z.int().describe("Lines removed."),
      changed: z.boolean().describe("false when the patches changed nothing."),
    }),
  needs: ["files", "changes"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["path"],
  texts: ["patches"],
  // In a text that the caller has not seen, line numbers hit the wrong lines: ask, as for overwriting a file.
  touches: ({ path }) => [{ kind: "write", path: contextFile(contextPath(path)), overwrites: true }],
  summary: ({ path }) => `Edit ${path} in the context store`,
  preview: async (input, { files, changes }) => {
    const plan = await planEdit(input, files, changes);
    return { language: "diff", text: unifiedDiff(plan.before.text, plan.after), plan };
  },
  expose: "optional",
  execute: async (input, { files, changes, signal }, shown: EditPlan | undefined) => {
    const { place, before, after } = shown ?? (await planEdit(input, files, changes));
    const data = {
      path: place.logical,
      bytes: utf8Length(after),
      added: 0,
      removed: 0,
      changed: before.text !== after,
    };
    if (!data.changed) {
      return { text: `${place.logical} already has exactly these lines: nothing was changed.`, data };
    }
    // Not planned again if the file has changed in between: the line numbers would refer to other lines.
    const outcome = await namedAsContext(place, () =>
      changes.apply([{ kind: "replace", at: place.at, before, text: after }], signal),
    );
    const { added, removed } = diffStat(fileDiff(place.logical, before.text, after));
    const remarks = [...outcome.files.flatMap((report) => savingRemarks(after, report)), ...callRemarks(outcome)];
    return {
      text: [`Edited ${place.logical}: +${added} −${removed} lines.`, ...remarks].join("\n"),
      data: { ...data, added, removed },
    };
  },
});

async function planEdit(
  { path, patches }: { path: string; patches: readonly LinePatch[] },
  files: Files,
  changes: Changes,
): Promise<EditPlan> {
  const place = await contextPlace(files, contextPath(path));
  return namedAsContext(place, async () => {
    await existingFile(files, place);
    const before = await textBefore(changes, place);
    return { place, before, after: withoutMark(before.text, patchLines(place.logical, before.text, patches)) };
  });
}

async function textBefore(changes: Changes, { at, logical }: ContextPlace): Promise<TextSnapshot> {
  try {
    return await changes.before(at, LARGEST_CHANGED_FILE);
  } catch (error) {
    if (error instanceof ToolError && error.type === "too_large") {
      throw new ToolError(
        "too_large",
        `${error.message} Nothing was changed.`,
        `Files over ${LARGEST_CHANGED_FILE / 1e6} MB are not changed. Write the part you need to another path (query ${logical} with output_path).`,
      );
    }
    throw error;
  }
}
