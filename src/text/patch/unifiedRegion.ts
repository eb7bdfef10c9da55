import type { HunkHeader } from "./markers.js";
import { readHunkHeader } from "./markers.js";
import type { PatchLines } from "./patchLines.js";
import { startsUnified } from "./wrapping.js";

/** The lines of one hunk of a unified diff. */
export interface HunkRegion {
  /** Index after the hunk's last line. */
  to: number;
  /** Whether the header's counts match the lines; otherwise only the lines determine where the hunk ends. */
  isComplete: boolean;
  /**
   * The numbers of lines that the header counts but the hunk lacks; absent if it has them all, or more on either side.
   */
  missing?: { old: number; new: number };
}

/**
 * Finds where a hunk ends. Its header's counts decide if the lines agree with them: then everything after is prose.
 * Never skips a changed line: if one follows the counted lines, the counts are treated as wrong. So are they if context
 * follows.
 *
 * @param from index of the first line below the header
 */
export function findHunkRegion(lines: PatchLines, from: number, header: HunkHeader): HunkRegion {
  const isCounted = header.oldCount !== undefined && header.newCount !== undefined;
  let oldLeft = header.oldCount ?? 0;
  let newLeft = header.newCount ?? 0;
  let completeAt = isCounted && oldLeft === 0 && newLeft === 0 ? from : -1;
  let end = from;
  for (; end < lines.length; end++) {
    const text = lines.textAt(end);
    if (startsHunk(text) || text.startsWith("diff --git ")) {
      break;
    }
    // A removed line that starts with two dashes and an added one with two pluses look like the next file's names.
    const areNames = startsUnified(text, lines.textAt(end + 1));
    const areBody = isCounted && oldLeft === 1 && newLeft === 1 && !nameFiles(text, lines.textAt(end + 1));
    if (areNames && !areBody && (completeAt === end || startsHunk(lines.textAt(end + 2)))) {
      break;
    }
    if (text.startsWith("\\ ")) {
      completeAt = completeAt === end ? end + 1 : completeAt;
      continue;
    }
    oldLeft -= text.startsWith("+") ? 0 : 1;
    newLeft -= text.startsWith("-") ? 0 : 1;
    if (isCounted && oldLeft === 0 && newLeft === 0) {
      completeAt = end + 1;
    }
  }
  const signature = findSignature(lines, from, end);
  const to = completeAt > signature ? end : signature;
  if (completeAt >= 0 && completeAt <= to && !hasChange(lines, completeAt, to) && !goesOn(lines, completeAt, to)) {
    return { to: completeAt, isComplete: true };
  }
  const isShort = isCounted && oldLeft >= 0 && newLeft >= 0 && oldLeft + newLeft > 0;
  return { to, isComplete: false, ...(isShort ? { missing: { old: oldLeft, new: newLeft } } : {}) };
}

/** Whether a line starts a hunk. */
export function startsHunk(line: string): boolean {
  return line.startsWith("@@") && readHunkHeader(line) !== undefined;
}

/** Whether two lines can only be the names of a file: git's, or the same one twice. */
function nameFiles(old: string, next: string): boolean {
  const names = [old, next].map((line) => line.slice(4).replace(/\t.*$/, "").trimEnd());
  const [before = "", after = ""] = names;
  return before === after || names.includes("/dev/null") || (before.startsWith("a/") && after.startsWith("b/"));
}

function hasChange(lines: PatchLines, from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    if (/^[+-]/.test(lines.raw[index] ?? "")) {
      return true;
    }
  }
  return false;
}

/** Whether the next non-blank line is context: it starts with a space, unlike prose. */
function goesOn(lines: PatchLines, from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    if (lines.textAt(index).trim() !== "") {
      return lines.textAt(index).startsWith(" ");
    }
  }
  return false;
}

/** Returns the index of the `-- ` above git format-patch's version signature; `end` if there is none. */
function findSignature(lines: PatchLines, from: number, end: number): number {
  let last = end;
  while (last > from && lines.textAt(last - 1).trim() === "") {
    last--;
  }
  const isSigned =
    last - 2 >= from &&
    /^\d+(?:\.\w+)+(?: \(.*\))?$/.test(lines.textAt(last - 1).trimEnd()) &&
    /^-- ?$/.test(lines.textAt(last - 2));
  return isSigned ? last - 2 : end;
}
