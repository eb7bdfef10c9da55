import { unifiedDiff } from "./diff.js";

/** A file's path, or both if it moves; relative, with `/`. */
export type DiffPath = string | { from: string; to: string };

/**
 * Returns a unified diff of one file with its header, as git and patch read it. An undefined side does not exist and is
 * `/dev/null`: the file is created or deleted. A move starts with git's rename lines. Empty if nothing changes.
 *
 * Join the diffs of several files with a newline.
 */
export function fileDiff(path: DiffPath, before: string | undefined, after: string | undefined): string {
  const { from, to } = typeof path === "string" ? { from: path, to: path } : path;
  const hunks = unifiedDiff(before ?? "", after ?? "");
  const isMove = from !== to && before !== undefined && after !== undefined;
  const header = [];
  if (isMove) {
    header.push(`rename from ${quoted(from)}`, `rename to ${quoted(to)}`);
  }
  if (hunks !== "" || (before === undefined) !== (after === undefined)) {
    header.push(
      `--- ${before === undefined ? "/dev/null" : quoted(`a/${from}`)}`,
      `+++ ${after === undefined ? "/dev/null" : quoted(`b/${to}`)}`,
    );
  }
  return [...header, ...(hunks === "" ? [] : [hunks])].join("\n");
}

/** Counts the lines that a diff adds and removes: one of `unifiedDiff`, of `fileDiff`, or of several files. */
export function diffStat(diff: string): { added: number; removed: number } {
  const stat = { added: 0, removed: 0 };
  // Count only within hunks, by their headers: a removed line `-- x` looks like a file header.
  let [oldLeft, newLeft] = [0, 0];
  for (const line of diff.split("\n")) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const [, oldLines = "1", newLines = "1", isHunk] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? (@@)/.exec(line) ?? [];
      [oldLeft, newLeft] = isHunk ? [Number(oldLines), Number(newLines)] : [0, 0];
    } else if (line.startsWith("-")) {
      stat.removed++;
      oldLeft--;
    } else if (line.startsWith("+")) {
      stat.added++;
      newLeft--;
    } else if (!line.startsWith("\\")) {
      oldLeft--;
      newLeft--;
    }
  }
  return stat;
}

/**
 * Formats a path like git: C-quoted, byte by byte, if it contains a character that could end the header line or make it
 * look like something else.
 */
function quoted(path: string): string {
  if (!/["\\\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(path)) {
    return path;
  }
  const escaped = path
    .replaceAll(/["\\]/g, "\\$&")
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) =>
      [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
    );
  return `"${escaped}"`;
}
