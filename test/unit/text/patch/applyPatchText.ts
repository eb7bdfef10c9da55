import type { FilePatch } from "../../../../src/text/patch/filePatch.js";
import type { AppliedHunks } from "../../../../src/text/patch/applyHunks.js";
import { applyHunks } from "../../../../src/text/patch/applyHunks.js";
import { parsePatch } from "../../../../src/text/patch/parsePatch.js";

/** The files of a patch that must be well-formed. */
export function filesOf(patch: string): FilePatch[] {
  const parsed = parsePatch(patch);
  if (!parsed.ok) {
    throw new Error(`line ${parsed.error.line}: ${parsed.error.message}`);
  }
  return parsed.files;
}

/** A patch of one file that exists, applied to its text. */
export function applyPatchText(original: string, patch: string): AppliedHunks {
  const [file, second] = filesOf(patch);
  if (file?.kind !== "update" || second) {
    throw new Error("The patch does not update one file.");
  }
  return applyHunks(original, file.hunks);
}

/** The text that a patch of one file leaves; the type of the first error where it leaves none. */
export function resultOf(original: string, patch: string): string {
  const applied = applyPatchText(original, patch);
  return applied.ok ? applied.text : `error: ${applied.errors[0]?.type ?? "none"}`;
}
