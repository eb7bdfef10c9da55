import type { Section } from "./mergeSections.js";
import { readBeginPatch } from "./beginPatch.js";
import type { FilePatch } from "./filePatch.js";
import { PatchSyntaxError } from "./filePatch.js";
import { readMarker } from "./markers.js";
import { mergeSections } from "./mergeSections.js";
import { PatchLines } from "./patchLines.js";
import { readUnified } from "./unified.js";
import type { Block } from "./wrapping.js";
import { findBlock, startsUnified } from "./wrapping.js";

/** Longer patches are refused, because parsing them takes too long. No model writes a tenth of this. */
const MAX_PATCH_LINES = 50_000;
const MAX_FILES = 10_000;

/** Example of a patch, for callers that sent something else. */
const EXAMPLE = [
  "A patch looks like this:",
  "*** Begin Patch",
  "*** Update File: src/a.ts",
  "@@ function f() {",
  "   kept line",
  "-  removed line",
  "+  added line",
  "*** End Patch",
  "Other sections are *** Add File: path and *** Delete File: path. Unified diffs (--- a/path, +++ b/path, @@) work too.",
].join("\n");

/** A parsed patch, or why it cannot be used. */
export type ParsedPatch =
  | {
      ok: true;
      files: FilePatch[];
      /** The patch's requests that are not carried out, and what in it does not hold. */ notes: string[];
    }
  | { ok: false; error: { /** 1-based line of the patch. */ line: number; message: string; hint: string } };

/**
 * Parses a patch: `*** Begin Patch` or a unified diff, whichever comes first; also several of them, inside prose, code
 * fences and here-documents. Lenient only in form: a line that could get lost or has two meanings is an error.
 */
export function parsePatch(patch: string): ParsedPatch {
  try {
    return { ok: true, ...readPatch(patch) };
  } catch (error) {
    if (error instanceof PatchSyntaxError) {
      return { ok: false, error: { line: error.line, message: error.message, hint: error.hint } };
    }
    throw error;
  }
}

function readPatch(patch: string): { files: FilePatch[]; notes: string[] } {
  refuseTooLong(patch);
  const lines = PatchLines.of(patch);
  const sections: Section[] = [];
  const notes: string[] = [];
  let before: Block | undefined;
  let index = 0;
  for (let block = findBlock(lines, 0); block; block = findBlock(lines, index)) {
    refuseLost(lines, index, block.lines.first - 1, before);
    refuseEndless(lines, block);
    for (const section of readBlock(block, notes, !patch.endsWith("\n"))) {
      sections.push(section);
    }
    if (sections.length > MAX_FILES) {
      throw new PatchSyntaxError(
        block.lines.first,
        `The patch has more than ${MAX_FILES} sections.`,
        "Split it into several patches.",
      );
    }
    index = Math.max(block.next, index + 1);
    before = block;
  }
  refuseLost(lines, index, lines.length, before);
  if (sections.length === 0) {
    throw new PatchSyntaxError(1, notes[0] ?? noPatchMessage(lines), EXAMPLE);
  }
  return { files: mergeSections(sections), notes };
}

function readBlock({ dialect, lines, ending }: Block, notes: string[], isLineOpen: boolean): Section[] {
  if (dialect === "unified") {
    return readUnified(lines, notes, ending !== "open" ? "marked" : isLineOpen ? "within_line" : "open");
  }
  // A unified diff between the markers of the `*** Begin Patch` dialect.
  const isFirstMarker = readMarker(lines.textAt(0).trim())?.kind === "begin";
  let first = isFirstMarker ? 1 : 0;
  while (first < lines.length && lines.textAt(first).trim() === "") {
    first++;
  }
  return isFirstMarker && startsUnified(lines.textAt(first), lines.textAt(first + 1))
    ? readUnified(lines.part(first, lines.length), notes, "marked")
    : readBeginPatch(lines, notes, ending === "marked");
}

/** Refuses a patch without its end, since more may be missing: half of a file, or of a hunk. */
function refuseEndless(lines: PatchLines, { lacksEnd }: Block): void {
  if (lacksEnd) {
    throw new PatchSyntaxError(
      lines.length,
      "The patch is cut off: *** End Patch is missing.",
      "Send the whole patch again, up to *** End Patch. If it is too long for one call, split it into several patches.",
    );
  }
}

function refuseTooLong(patch: string): void {
  let lines = 0;
  for (let at = patch.indexOf("\n"); at >= 0; at = patch.indexOf("\n", at + 1)) {
    if (++lines > MAX_PATCH_LINES) {
      throw new PatchSyntaxError(
        lines,
        `The patch has more than ${MAX_PATCH_LINES} lines.`,
        "Split it into several patches.",
      );
    }
  }
}

/** Refuses anything after a patch's end that looks like more of the patch, so that it is not dropped as prose. */
function refuseLost(lines: PatchLines, from: number, to: number, before: Block | undefined): void {
  if (before === undefined || before.ending === "open") {
    return;
  }
  const lost = before.ending === "closed" ? findLine(lines, from, to, looksLost) : findLostBehindEnd(lines, from, to);
  if (lost !== undefined) {
    const closedAt = lines.numberAt(before.ending === "marked" ? before.next - 1 : before.next);
    throw new PatchSyntaxError(
      lines.numberAt(lost),
      `This looks like a patch line, but the patch ended on line ${closedAt}.`,
      "Start context lines with a space, and end the patch with *** End Patch.",
    );
  }
}

/**
 * Finds lost lines after an end marker. Any prose may follow it, but if changed lines follow directly, or another end
 * marker later, it was not the real end.
 */
function findLostBehindEnd(lines: PatchLines, from: number, to: number): number | undefined {
  if (from < to && looksLost(lines.textAt(from))) {
    return from;
  }
  const end = findLine(lines, from, to, (text) => readMarker(text)?.kind === "end");
  return end === undefined ? undefined : findLine(lines, from, end, (text) => /^[+-]/.test(text));
}

function looksLost(text: string): boolean {
  return /^(?:\+|-[^\s-]|@@ )/.test(text);
}

function findLine(lines: PatchLines, from: number, to: number, accept: (text: string) => boolean): number | undefined {
  for (let index = from; index < to; index++) {
    if (accept(lines.textAt(index))) {
      return index;
    }
  }
  return undefined;
}

function noPatchMessage(lines: PatchLines): string {
  if (lines.raw.every((line) => line.trim() === "")) {
    return "The patch is empty.";
  }
  return lines.raw.some((line) => line.startsWith("@@"))
    ? "The patch names no file."
    : "This is not a patch: no line names a file to change.";
}
