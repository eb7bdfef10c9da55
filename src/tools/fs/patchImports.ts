import type { Imports } from "../../ports/imports.js";
import { diffStat, fileDiff } from "../../text/diff/fileDiff.js";
import type { PatchedFile, PatchPlan } from "./patchPlan.js";
import { namedLines } from "../../text/words.js";

/** Adds import updates for moved files to a plan, if the user wants that. */
export async function withImports(plan: PatchPlan, imports: Imports, signal: AbortSignal): Promise<PatchPlan> {
  const updates = await imports.plan(
    plan.files.map(({ action, at, to, after, ranges }) => ({
      from: action === "added" ? undefined : at,
      to: action === "deleted" ? undefined : (to ?? at),
      text: after,
      written: ranges,
    })),
    signal,
  );
  if (updates === undefined) {
    return plan;
  }
  const files = plan.files.map((file, index) => {
    const update = updates.planned[index];
    return update === undefined
      ? file
      : {
          ...withText(file, update.text, update.lines),
          notes: [...file.notes, `Imports updated: ${namedLines(update.lines)}.`],
        };
  });
  const others = updates.others.map(({ at, before, text, lines }) => {
    const file: PatchedFile = {
      action: "updated",
      at,
      to: undefined,
      before,
      after: undefined,
      ranges: [],
      added: 0,
      removed: 0,
      notes: [],
      importsOnly: { at, before, text, lines },
    };
    return withText(file, text, lines);
  });
  return { files: [...files, ...others], notes: [...plan.notes, ...updates.notes] };
}

function withText(file: PatchedFile, text: string, lines: readonly number[]): PatchedFile {
  const before = file.before !== undefined && "text" in file.before ? file.before.text : undefined;
  const own = lines.filter((line) => !file.ranges.some(({ start, end }) => start <= line && line <= end));
  const ranges = [...file.ranges, ...own.map((line) => ({ start: line, end: line }))].sort((a, b) => a.start - b.start);
  return { ...file, after: text, imports: true, ranges, ...diffStat(fileDiff(file.at.path, before, text)) };
}
