import { structuredPatch } from "diff";

/** A diff is drawn in an editor's thread: past this it shows the whole changed region instead of the least one. */
const MAX_DIFF_MILLISECONDS = 200;
const CONTEXT_LINES = 3;

/** Stands behind a last line that has no newline; no text has it (NUL makes a file binary). */
const UNENDED = "\0";

/**
 * A unified diff of two texts, without a file header; empty when they are equal. Lines that only differ in
 * their ending show as changed, and a last line without a newline says so, as `diff -u` does.
 */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) {
    return "";
  }
  const old = toLines(before);
  const changed = toLines(after);
  const shared = Math.min(old.length, changed.length);
  let head = 0;
  while (head < shared && old[head] === changed[head]) {
    head++;
  }
  let tail = 0;
  while (tail < shared - head && old[old.length - 1 - tail] === changed[changed.length - 1 - tail]) {
    tail++;
  }
  // Only the region that changed is compared, whatever the size of the file.
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

/** A side without lines is placed behind the line before it. */
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
