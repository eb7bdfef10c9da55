import type { Section } from "./mergeSections.js";
import type { Hunk } from "./filePatch.js";
import { PatchSyntaxError } from "./filePatch.js";
import type { FileHeader } from "./gitHeader.js";
import { readFileHeader } from "./gitHeader.js";
import { HUNK_HINT, readHunk } from "./hunkBody.js";
import type { HunkHeader } from "./markers.js";
import { readHunkHeader } from "./markers.js";
import { joinContent } from "./newContent.js";
import { isBlank, type PatchLines } from "./patchLines.js";
import { findHunkRegion, startsHunk } from "./unifiedRegion.js";
import { startsUnified } from "./wrapping.js";

interface Region {
  start: number;
  from: number;
  to: number;
  isComplete: boolean;
  oldStart?: number;
  oldCount?: number;
  newCount?: number;
  headers: string[];
}

/**
 * Where a diff ends: at a line that says so, or only because the text does, behind a whole line or perhaps within one.
 * In the latter cases its last hunk may have been cut off.
 */
export type DiffEnd = "marked" | "open" | "within_line";

/**
 * Reads the files of a unified diff, from its first line to the last of `lines`.
 *
 * @param notes receives requests in the patch that will not be carried out, and counts that do not hold
 * @throws PatchSyntaxError at the first line that makes no sense
 */
export function readUnified(lines: PatchLines, notes: string[], end: DiffEnd): Section[] {
  const sections: Section[] = [];
  let index = 0;
  while (index < lines.length) {
    if (!startsUnified(lines.textAt(index), lines.textAt(index + 1))) {
      refuseStray(lines, index);
      index++;
      continue;
    }
    const header = readFileHeader(lines, index);
    refuseStray(lines, header.next, "merge");
    const { regions, next } = readRegions(lines, header.next, end, notes);
    index = next;
    const section = readSection(lines, header, regions);
    if (header.changesMode) {
      notes.push(`${header.paths.new ?? header.paths.old ?? ""}: its file mode change was ignored.`);
    }
    if (section) {
      sections.push(section);
    }
  }
  return sections;
}

/** Refuses a hunk between two files, where only prose belongs: the line that names its file was lost. */
function refuseStray(lines: PatchLines, index: number, what: "merge" | "any" = "any"): void {
  if (what === "any" && startsHunk(lines.textAt(index))) {
    throw new PatchSyntaxError(
      lines.numberAt(index),
      "This hunk does not belong to a file.",
      "Name the file first: --- a/path and +++ b/path.",
    );
  }
  if (lines.textAt(index).startsWith("@@@ ")) {
    throw new PatchSyntaxError(
      lines.numberAt(index),
      "A combined diff of a merge has no single original.",
      "Give a diff against one version.",
    );
  }
}

function readRegions(
  lines: PatchLines,
  from: number,
  end: DiffEnd,
  notes: string[],
): { regions: Region[]; next: number } {
  const regions: Region[] = [];
  let index = from;
  let start = -1;
  let headers: string[] = [];
  while (index < lines.length) {
    const header = readHunkHeader(lines.textAt(index));
    // A first hunk may have lost its @@ line.
    const isHeaderless = regions.length === 0 && start < 0 && /^[+\- ]/.test(lines.textAt(index));
    if (!(header && startsHunk(lines.textAt(index))) && !isHeaderless) {
      break;
    }
    if (startsUnified(lines.textAt(index), lines.textAt(index + 1))) {
      break;
    }
    const known: HunkHeader = header ?? {};
    const bodyFrom = header ? index + 1 : index;
    start = start < 0 ? index : start;
    if (known.text !== undefined) {
      headers.push(known.text);
    }
    const { to, isComplete, missing } = findHunkRegion(lines, bodyFrom, known);
    const isShort = end !== "marked" && missing !== undefined && isBlank(lines, to, lines.length);
    if (isShort) {
      notes.push(acceptShort(lines, { start, from: bodyFrom, to }, end, known, missing));
    }
    const isEmpty = isBlank(lines, bodyFrom, to);
    index = to;
    if (isEmpty && startsHunk(lines.textAt(index))) {
      continue;
    }
    if (isEmpty) {
      throw new PatchSyntaxError(lines.numberAt(start), "The hunk has no lines.", HUNK_HINT);
    }
    // Numbers that do not hold do not decide between several places.
    regions.push({ start, from: bodyFrom, to, isComplete, headers, ...(isShort ? {} : numbersOf(known)) });
    [start, headers] = [-1, []];
    index = skipProse(lines, index);
  }
  return { regions, next: index };
}

/** Returns the old side's start and the counts of a header. */
function numbersOf({
  oldStart,
  oldCount,
  newCount,
}: HunkHeader): Pick<HunkHeader, "oldStart" | "oldCount" | "newCount"> {
  return oldStart === undefined || oldCount === undefined || newCount === undefined
    ? {}
    : { oldStart, oldCount, newCount };
}

/**
 * Accepts a last hunk that has fewer lines than its header counts, as models miscount them often, and returns a note
 * about it.
 *
 * @throws PatchSyntaxError if it was cut off: most of its lines are missing, its last added line may be half of one, or
 *   lines are removed whose counted replacement does not follow
 */
function acceptShort(
  lines: PatchLines,
  { start, from, to }: Pick<Region, "start" | "from" | "to">,
  end: DiffEnd,
  { oldCount = 0, newCount = 0 }: HunkHeader,
  missing: { old: number; new: number },
): string {
  const counted = `${oldCount} old and ${newCount} new lines`;
  const found = `${oldCount - missing.old} and ${newCount - missing.new}`;
  let last = to;
  while (last > from && lines.textAt(last - 1).trim() === "") {
    last--;
  }
  const mark = lines.textAt(last - 1).slice(0, 1);
  const lacksReplacement = mark === "-" && missing.new > missing.old;
  const lacksMost = 2 * (missing.old + missing.new) > oldCount + newCount;
  if (lacksMost || (mark === "+" && end === "within_line") || lacksReplacement) {
    throw new PatchSyntaxError(
      lines.numberAt(start),
      `The patch is cut off: its last hunk should have ${counted}, and has ${found}.`,
      "Send the whole patch again. If it is whole, correct the counts, or write @@ without numbers.",
    );
  }
  return `The last hunk has ${found} lines where its header counts ${counted}; it was applied as written.`;
}

/** Returns the next meaningful line after a hunk. */
function skipProse(lines: PatchLines, from: number): number {
  let index = from;
  while (
    index < lines.length &&
    !startsHunk(lines.textAt(index)) &&
    !startsUnified(lines.textAt(index), lines.textAt(index + 1))
  ) {
    index++;
  }
  return index;
}

function readSection(lines: PatchLines, header: FileHeader, regions: readonly Region[]): Section | undefined {
  const { line, paths } = header;
  if (paths.old === null && paths.new !== null) {
    return { line, file: { kind: "add", path: paths.new, content: readContent(lines, regions) } };
  }
  const hunks = regions.map(({ start, from, to, isComplete, headers, ...numbers }): Hunk =>
    readHunk(lines, { index: start, headers, ...numbers }, from, to, { atEnd: false, isComplete }),
  );
  const path = paths.old ?? "";
  if (paths.new === null) {
    return { line, file: { kind: "delete", path, hunks } };
  }
  if (hunks.length === 0 && !header.isRenamed) {
    if (header.changesMode) {
      return undefined;
    }
    throw new PatchSyntaxError(line, "The file is to be changed, but there is no hunk.", HUNK_HINT);
  }
  return { line, file: { kind: "update", path, ...(header.isRenamed ? { moveTo: paths.new } : {}), hunks } };
}

function readContent(lines: PatchLines, regions: readonly Region[]): string {
  const [region, second] = regions;
  if (!region) {
    return "";
  }
  if (second) {
    throw new PatchSyntaxError(
      lines.numberAt(second.start),
      "A new file has a second hunk.",
      "Give the whole new file in one hunk.",
    );
  }
  const contents: number[] = [];
  let isEnded = true;
  let last = region.to;
  while (last > region.from && lines.textAt(last - 1).trim() === "") {
    last--;
  }
  for (let index = region.from; index < last; index++) {
    const text = lines.textAt(index);
    if (text.startsWith("\\ ") && index === last - 1) {
      isEnded = false;
    } else if (text.startsWith("+") || text === "") {
      contents.push(index);
    } else {
      throw new PatchSyntaxError(
        lines.numberAt(index),
        "A line of a new file does not start with +.",
        "Start every line of the new file with +.",
      );
    }
  }
  return joinContent(lines, contents, { headerAt: region.start, isEnded });
}
