import { excerpt } from "../clip.js";
import type { FilePatch, Hunk } from "./filePatch.js";
import { PatchSyntaxError } from "./filePatch.js";
import { HUNK_HINT, readHunk } from "./hunkBody.js";
import type { HunkHeader } from "./markers.js";
import { readGluedHeader, readHunkHeader, readMarker } from "./markers.js";
import { readFileName, withoutPrefixes } from "./gitPath.js";
import { samePath, type Section } from "./mergeSections.js";
import { joinContent } from "./newContent.js";
import { isBlank, type PatchLines } from "./patchLines.js";

const SECTION_HINT = "Name the file first: *** Update File: path, *** Add File: path or *** Delete File: path.";

/**
 * Reads the sections of one `*** Begin Patch`, from its first line to the last of `lines`. A section's first line may
 * be indented; inside a hunk an indented marker is a line of the file.
 *
 * @param notes collects remarks on how the lines were read
 * @param isMarked whether the patch ends with `*** End Patch`, so that nothing in it can be prose
 * @throws PatchSyntaxError at the first line that makes no sense
 */
export function readBeginPatch(lines: PatchLines, notes: string[], isMarked: boolean): Section[] {
  const sections: Section[] = [];
  let index = 0;
  while (index < lines.length) {
    const text = lines.textAt(index);
    const marker = readMarker(text.trim());
    const line = lines.numberAt(index);
    if (text.trim() === "" || marker?.kind === "begin" || marker?.kind === "end") {
      index++;
      continue;
    }
    if (marker?.kind !== "add" && marker?.kind !== "delete" && marker?.kind !== "update") {
      throw new PatchSyntaxError(line, "This line does not belong to a file.", SECTION_HINT);
    }
    if (marker.path === "") {
      throw new PatchSyntaxError(line, "The path is missing.", SECTION_HINT);
    }
    const to = findSectionEnd(lines, index + 1, marker.kind);
    const isPlain = marker.kind === "add" && isMarked && isPlainContent(lines, index, to);
    if (isPlain) {
      notes.push(`${marker.path}: none of its lines starts with +, so they were taken as written.`);
    }
    const file: FilePatch = isPlain
      ? { kind: "add", path: marker.path, content: readPlainContent(lines, index, to) }
      : readSection(marker.kind, marker.path, lines, index, to);
    sections.push({ line, file });
    index = to;
  }
  return sections;
}

/** Finds the end of a section. An indented marker counts as a line of the file only where a hunk has begun. */
function findSectionEnd(lines: PatchLines, from: number, kind: "add" | "delete" | "update"): number {
  let mayBeIndented = true;
  for (let index = from; index < lines.length; index++) {
    const text = lines.textAt(index);
    const marker = readMarker(mayBeIndented ? text.trim() : text);
    if (marker && marker.kind !== "move" && marker.kind !== "end_of_file") {
      return index;
    }
    mayBeIndented &&= kind !== "update" || text.trim() === "" || marker?.kind === "move";
  }
  return lines.length;
}

function readSection(
  kind: "add" | "delete" | "update",
  path: string,
  lines: PatchLines,
  at: number,
  to: number,
): FilePatch {
  switch (kind) {
    case "add":
      return { kind, path, content: readContent(lines, at, to) };
    case "delete":
      return { kind, path, hunks: readNothing(lines, at + 1, to) };
    case "update":
      return { kind, path, ...readUpdates(lines, path, at, to) };
  }
}

/**
 * Whether a new file's lines are all without +, which can mean one thing only. Lines that all begin with a space may be
 * meant as context, and those of a diff as a diff.
 */
function isPlainContent(lines: PatchLines, at: number, to: number): boolean {
  let filled = 0;
  let indented = 0;
  for (let index = at + 1; index < to; index++) {
    const text = lines.textAt(index);
    if (/^[+\\]|^@@/.test(text) || readMarker(text.trim()) !== undefined) {
      return false;
    }
    filled += text.trim() === "" ? 0 : 1;
    indented += text.trim() !== "" && text.startsWith(" ") ? 1 : 0;
  }
  return filled > indented;
}

/** Reads a new file's lines that are written without +. */
function readPlainContent(lines: PatchLines, at: number, to: number): string {
  const indices = Array.from({ length: findLastFilled(lines, at + 1, to) - at - 1 }, (_, index) => at + 1 + index);
  return joinContent(lines, indices, { headerAt: at, isEnded: true, isPlain: true });
}

/** Reads a new file's lines. Empty ones need no +, but those after the last + are only spacing. */
function readContent(lines: PatchLines, at: number, to: number): string {
  const from = readHunkHeader(lines.textAt(at + 1)) ? at + 2 : at + 1;
  let last = findLastFilled(lines, from, to);
  if (last > from && readMarker(lines.textAt(last - 1).trim())?.kind === "end_of_file") {
    last = findLastFilled(lines, from, last - 1);
  }
  const unended = last > from && lines.textAt(last - 1).startsWith("\\ ");
  const contents: number[] = [];
  for (let index = from; index < (unended ? last - 1 : last); index++) {
    const text = lines.textAt(index);
    if (!text.startsWith("+") && text.trim() !== "") {
      throw new PatchSyntaxError(
        lines.numberAt(index),
        `This line of an added file does not start with +: ${excerpt(text)}.`,
        "Start every line of the new file with +, also those that are indented.",
      );
    }
    contents.push(index);
  }
  return joinContent(lines, contents, { headerAt: at, isEnded: !unended });
}

/** Returns the index after the last non-blank line. */
function findLastFilled(lines: PatchLines, from: number, to: number): number {
  let last = to;
  while (last > from && lines.textAt(last - 1).trim() === "") {
    last--;
  }
  return last;
}

/**
 * Checks that a deleted file's section has only removed lines: there is no content to read, but the patch may list the
 * old lines.
 */
function readNothing(lines: PatchLines, from: number, to: number): [] {
  for (let index = from; index < to; index++) {
    const text = lines.textAt(index);
    if (text.trim() !== "" && !text.startsWith("-")) {
      throw new PatchSyntaxError(
        lines.numberAt(index),
        "A section that deletes a file has no lines, and this line belongs to no other section.",
        SECTION_HINT,
      );
    }
  }
  return [];
}

/** Reads the hunks as written, and also with `@@text` read as a header. */
function readUpdates(
  lines: PatchLines,
  path: string,
  at: number,
  to: number,
): { moveTo?: string; hunks: Hunk[]; gluedHunks?: Hunk[] } {
  let hasGlued = false;
  for (let index = at + 1; index < to && !hasGlued; index++) {
    hasGlued = readGluedHeader(lines.textAt(index)) !== undefined;
  }
  if (!hasGlued) {
    return readUpdate(lines, path, at, to, readHunkHeader);
  }
  const plain = attempt(() => readUpdate(lines, path, at, to, readHunkHeader));
  const glued = attempt(() => readUpdate(lines, path, at, to, (line) => readHunkHeader(line) ?? readGluedHeader(line)));
  if (plain instanceof PatchSyntaxError) {
    if (glued instanceof PatchSyntaxError) {
      throw plain;
    }
    return glued;
  }
  return glued instanceof PatchSyntaxError ? plain : { ...plain, gluedHunks: glued.hunks };
}

function attempt<Result>(read: () => Result): Result | PatchSyntaxError {
  try {
    return read();
  } catch (error) {
    if (error instanceof PatchSyntaxError) {
      return error;
    }
    throw error;
  }
}

function readUpdate(
  lines: PatchLines,
  path: string,
  at: number,
  to: number,
  readHeader: (line: string) => HunkHeader | undefined,
): { moveTo?: string; hunks: Hunk[] } {
  let moveTo: string | undefined;
  let headers: string[] = [];
  let numbers: Pick<HunkHeader, "oldStart" | "oldCount" | "newCount"> = {};
  let startIndex = -1;
  let bodyFrom = skipFileNames(lines, path, at + 1, to);
  const hunks: Hunk[] = [];

  /** Ends the hunk whose lines reach up to an index, if any of them is not blank. */
  const close = (end: number, atEnd: boolean): boolean => {
    if (isBlank(lines, bodyFrom, end)) {
      return false;
    }
    const index = startIndex < 0 ? bodyFrom : startIndex;
    hunks.push(readHunk(lines, { index, headers, ...numbers }, bodyFrom, end, { atEnd, isComplete: false }));
    [headers, numbers, startIndex] = [[], {}, -1];
    return true;
  };
  /** A hunk with only context changes nothing; before another hunk it locates that one, like headers. */
  const closeBefore = (end: number): void => {
    const context = startIndex < 0 || numbers.oldStart !== undefined ? [] : contextOf(lines, bodyFrom, end);
    if (context.length === 0) {
      close(end, false);
    } else {
      headers.push(...context);
    }
  };
  const refuseEmpty = (index: number): never => {
    throw new PatchSyntaxError(lines.numberAt(index), "The hunk has no lines.", HUNK_HINT);
  };

  for (let index = bodyFrom; index < to; index++) {
    const text = lines.textAt(index);
    // Before the first hunk, no line can be one of the file, so the marker may be indented.
    const marker = readMarker(bodyFrom === index && hunks.length === 0 && startIndex < 0 ? text.trim() : text);
    const header = readHeader(text);
    if (marker?.kind === "move") {
      close(index, false);
      if (marker.path === "" || (moveTo !== undefined && moveTo !== marker.path)) {
        const message = marker.path === "" ? "The path is missing." : "The file is moved to two paths.";
        throw new PatchSyntaxError(lines.numberAt(index), message, "Give one path: *** Move to: path.");
      }
      moveTo = marker.path;
      bodyFrom = index + 1;
    } else if (marker?.kind === "end_of_file") {
      if (!close(index, true) && startIndex >= 0) {
        refuseEmpty(startIndex);
      }
      bodyFrom = index + 1;
    } else if (header) {
      closeBefore(index);
      startIndex = startIndex < 0 ? index : startIndex;
      if (header.text !== undefined) {
        headers.push(header.text);
      }
      numbers = header.oldStart === undefined ? numbers : numbersOf(header);
      bodyFrom = index + 1;
    } else if (text.trim() === "" && bodyFrom === index && hunks.length === 0 && startIndex < 0) {
      // This is spacing after the file's name, before any hunk.
      bodyFrom = index + 1;
    }
  }
  if (!close(to, false) && startIndex >= 0) {
    refuseEmpty(startIndex);
  }
  if (hunks.length === 0 && moveTo === undefined) {
    throw new PatchSyntaxError(lines.numberAt(at), "The file is to be updated, but there is no hunk.", HUNK_HINT);
  }
  return { ...(moveTo === undefined ? {} : { moveTo }), hunks };
}

function numbersOf({
  oldStart = 0,
  oldCount = 1,
  newCount = 1,
}: HunkHeader): Pick<HunkHeader, "oldStart" | "oldCount" | "newCount"> {
  return { oldStart, oldCount, newCount };
}

/** Returns the non-blank lines, trimmed, if all of them are context. */
function contextOf(lines: PatchLines, from: number, to: number): string[] {
  const context: string[] = [];
  for (let index = from; index < to; index++) {
    const text = lines.textAt(index);
    if (/^[+\-\\]/.test(text)) {
      return [];
    }
    if (text.trim() !== "") {
      context.push(text.trim());
    }
  }
  return context;
}

/**
 * Skips a unified diff's two name lines after the section's own. If they name other files, they are a removed and an
 * added line.
 */
function skipFileNames(lines: PatchLines, path: string, from: number, to: number): number {
  const [first, second] = [lines.textAt(from), lines.textAt(from + 1)];
  if (
    from + 2 >= to ||
    !first.startsWith("--- ") ||
    !second.startsWith("+++ ") ||
    !readHunkHeader(lines.textAt(from + 2))
  ) {
    return from;
  }
  const [old, changed] = [readFileName(first.slice(4)), readFileName(second.slice(4))];
  const names = withoutPrefixes({ old: old ?? "", new: changed ?? "" });
  return samePath(names.old ?? "") === samePath(path) && samePath(names.new ?? "") === samePath(path) ? from + 2 : from;
}
