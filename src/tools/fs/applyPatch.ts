import * as z from "zod";
import { ignoredIf } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import type { ImportUpdate } from "../../ports/imports.js";
import type { FilePatch } from "../../text/patch/filePatch.js";
import { shownName } from "../../text/shownName.js";
import { applyPlanned } from "./applyPlanned.js";
import { callRemarks, fileRemarks } from "./changeRemarks.js";
import { insertion } from "./insertion.js";
import { withImports } from "./patchImports.js";
import { changeOf, planPatch, readPatch, shownOf, type PatchedFile, type PatchPlan } from "./patchPlan.js";
import { searchReplace } from "./searchReplaceAlias.js";
import { showDiffs } from "./shownDiffs.js";
import { count, listed, namedLines } from "../../text/words.js";

/** Maximum number of line ranges listed per file. */
const MAX_RANGES_NAMED = 12;

export const applyPatch = defineTool({
  name: "apply_patch",
  group: "fs",
  title: "Apply patch",
  description:
    `Change one or more files with a patch, all or nothing. Format: *** Begin Patch, then *** Add File: path (+ lines), *** Delete File: path, ` +
    `*** Update File: path (with *** Move to: path to rename) and hunks: @@ with a line above the change (a function's signature), context lines with a ` +
    `space, removed lines with -, added lines with +; then *** End Patch. Unified diffs work too; their line numbers are only hints. Give about 3 lines of context ` +
    `on each side: every hunk must match exactly one place in the current file. Add File and Move to fail if the target exists.`,
  input: () =>
    z.object({
      patch: z.string().min(1).describe("The patch, with paths relative to the workspace."),
    }),
  aliases: {
    input: "patch",
    diff: "patch",
    patchText: "patch",
    patch_text: "patch",
    insert_line: insertion,
    patch: searchReplace,
    command: ignoredIf("insert"),
  },
  output: () =>
    z.object({
      files: z
        .array(
          z.object({
            path: z.string().describe("Its current path; for a deleted file, its former path."),
            action: z.enum(["added", "updated", "moved", "deleted"]).describe("What was done to it."),
            from: z.string().optional().describe("Former path of a moved file."),
            ranges: z
              .array(z.object({ start: z.int().describe("First line."), end: z.int().describe("Last line.") }))
              .describe("Changed lines in the new text, 1-based, one range per hunk."),
            added: z.int().describe("Number of lines."),
            removed: z.int().describe("Number of lines."),
            saved: z.boolean().describe("false when the editor had unsaved changes, which stay unsaved."),
            imports: z
              .boolean()
              .optional()
              .describe("true when imports of moved files were updated in it (a user setting)."),
          }),
        )
        .describe("The files changed."),
    }),
  needs: ["files", "changes", "imports"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["patch"],
  texts: ["patch"],
  // A patch that cannot be parsed touches nothing: it fails before any file is opened.
  touches: ({ patch }) => {
    const deleted = wholeFilesOf(patch, ["delete"]);
    return pathsOf(patch).map((path) => ({ kind: "write", path, ...(deleted.has(path) ? { overwrites: true } : {}) }));
  },
  withSecrets: (input, put) => ({ ...input, patch: put("patch", input.patch, { kind: "patch" }) }),
  // A file that is moved is one.
  summary: ({ patch }) => `Patch ${listed([...new Set(sectionsOf(patch).map(({ path }) => path))], 2) || "files"}`,
  preview: async ({ patch }, { files, changes, imports, signal }) => {
    const plan = await withImports(await planPatch(readPatch(patch), files, changes), imports, signal);
    return { language: "diff", text: showDiffs(plan.files.map(shownOf)), plan };
  },
  expose: "default",
  execute: async ({ patch }, { files, changes, imports, signal, session }, shown: PatchPlan | undefined) => {
    // Exactly what was shown is written; if a file has changed since, the host refuses.
    const { plan, outcome } = await applyPlanned({
      shown,
      plan: async () => withImports(await planPatch(readPatch(patch), files, changes), imports, signal),
      apply: async (worked) => {
        const settle = await imports.keepUnread(session, importsOnlyOf(worked));
        const made = await changes.apply(worked.files.map(changeOf), signal);
        await settle();
        return made;
      },
      // The caller approved, or read, the old content of a file that is deleted or moved whole: do not apply that to
      // new content.
      mayRepeat: () => wholeFilesOf(patch, ["delete", "update"]).size === 0,
    });
    const others = importsOnlyOf(plan);
    const patched = plan.files.length - others.length;
    const lines = plan.files.flatMap((file, index) => {
      const report = outcome.files[index];
      const before = file.before !== undefined && "text" in file.before ? file.before.text : undefined;
      const remarks =
        report === undefined || file.after === undefined
          ? []
          : fileRemarks((file.to ?? file.at).path, before, file.after, report);
      return [`- ${describeFile(file)}`, ...[...file.notes, ...remarks].map((remark) => `  ${remark}`)];
    });
    return {
      text: [`Applied the patch to ${count(patched, "file")}:`, ...lines, ...plan.notes, ...callRemarks(outcome)].join(
        "\n",
      ),
      data: {
        files: plan.files.map((file, index) => ({
          path: (file.to ?? file.at).path,
          action: file.action,
          ...(file.to === undefined ? {} : { from: file.at.path }),
          ranges: file.ranges,
          added: file.added,
          removed: file.removed,
          saved: outcome.files[index]?.saved ?? true,
          ...(file.imports === undefined ? {} : { imports: file.imports }),
        })),
      },
    };
  },
});

/** Returns the import updates in files that the patch does not name. */
function importsOnlyOf(plan: PatchPlan): ImportUpdate[] {
  return plan.files.flatMap(({ importsOnly }) => importsOnly ?? []);
}

/** Returns every path a patch names; empty if it cannot be parsed. */
function pathsOf(patch: string): string[] {
  return [
    ...new Set(
      sectionsOf(patch).flatMap((file) =>
        file.kind === "update" && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path],
      ),
    ),
  ];
}

/** Returns the files that a patch deletes or moves without quoting any of their lines. */
function wholeFilesOf(patch: string, kinds: readonly FilePatch["kind"][]): Set<string> {
  return new Set(
    sectionsOf(patch).flatMap((file) =>
      file.kind !== "add" && kinds.includes(file.kind) && file.hunks.length === 0 ? [file.path] : [],
    ),
  );
}

function sectionsOf(patch: string): readonly FilePatch[] {
  try {
    return readPatch(patch).files;
  } catch {
    return [];
  }
}

function describeFile({ action, at, to, ranges, added, removed, importsOnly }: PatchedFile): string {
  if (importsOnly !== undefined) {
    return `updated imports in ${shownName(at.path)}: ${namedLines(importsOnly.lines)}`;
  }
  const counts = `+${added} −${removed}`;
  switch (action) {
    case "added":
      return `added ${shownName(at.path)} (${count(added, "line")})`;
    case "deleted":
      return `deleted ${shownName(at.path)}`;
    case "updated":
      return `updated ${shownName(at.path)}: ${namedRanges(ranges)} (${counts})`;
    case "moved":
      return `moved ${shownName(at.path)} to ${shownName(to?.path ?? "")}${ranges.length === 0 ? "" : `: ${namedRanges(ranges)} (${counts})`}`;
  }
}

function namedRanges(ranges: PatchedFile["ranges"]): string {
  const named = ranges
    .slice(0, MAX_RANGES_NAMED)
    .map(({ start, end }) => (end > start ? `${start}-${end}` : `${start}`));
  const rest = ranges.length - named.length;
  return `line${named.length === 1 && !named[0]?.includes("-") ? "" : "s"} ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
