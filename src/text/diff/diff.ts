import { sharedEnds } from "../sharedEnds.js";
import { structuredPatch } from "diff";

/**
 * Diffs are computed on an editor's thread: after this time, show the whole changed region instead of a minimal diff.
 */
const MAX_DIFF_MILLISECONDS = 200;
const CONTEXT_LINES = 3;

/** Marks a last line without a newline; no text contains it, because NUL makes a file binary. */
const UNENDED = "\0";

/**
 * Returns a unified diff of two texts, without a file header; empty if they are equal. Lines that differ only in their
 * ending count as changed, and a last line without a newline is marked, as in `diff -u`.
 */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) {
    return "";
  }
  const old = toLines(before);
  const changed = toLines(after);
  const { head, tail } = sharedEnds(old, changed);
  // Compare only the region that changed, whatever the size of the file.
  const from = Math.max(0, head - CONTEXT_LINES);
  const behind = Math.max(0, tail - CONTEXT_LINES);
  const region = (lines: string[]): string[] => lines.slice(from, lines.length - behind);
  const hunks = diffRegion(region(old), region(changed));
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${place(oldStart + from, oldLines)} +${place(newStart + from, newLines)} @@`, ...lines].join("\n"),
    )
    .join("\n")
    .replaceAll(UNENDED, "\n\\ No newline at end of file");
}

function toLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, last + UNENDED];
}

/** Formats a hunk's range. A side without lines is given the number of the line before it. */
function place(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

function diffRegion(before: string[], after: string[]): Hunk[] {
  const patch = structuredPatch("", "", joined(before), joined(after), "", "", {
    context: CONTEXT_LINES,
    timeout: MAX_DIFF_MILLISECONDS,
  });
  return (
    patch?.hunks ?? [
      {
        oldStart: 1,
        oldLines: before.length,
        newStart: 1,
        newLines: after.length,
        lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
      },
    ]
  );
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
