import { protectedReason, secretReason } from "../../core/paths/protectedFiles.js";
import type { GatedPath } from "../../ports/files.js";
import { oneLine } from "../../text/clip.js";
import { diffStat } from "../../text/diff/fileDiff.js";
import { count } from "../../text/words.js";

/**
 * Maximum number of files listed with their counts above the diffs; the rest are summed up. Nobody reads a longer list.
 */
export const MAX_LISTED = 100;

/** The diff of one file, with its header. */
export interface ShownFile {
  /** Its place afterwards; for a deleted file, its place before. */
  at: GatedPath;
  /** The previous place of a moved file. */
  from?: GatedPath | undefined;
  kind: "new" | "deleted" | "changed";
  diff: string;
}

/**
 * Joins the diffs of several files for a person's approval: first every file with its counts, so that a diff too long
 * to show still says what it touches; then the diffs. Protected files come first, because the end may be cut off. A
 * single file is shown as its diff alone.
 */
export function showDiffs(given: readonly ShownFile[]): string {
  const files = [...given.filter(isProtected), ...given.filter((file) => !isProtected(file))];
  const diffs = files.map(({ diff }) => diff).join("\n");
  if (files.length === 1) {
    return diffs;
  }
  const listed = files.slice(0, MAX_LISTED).map((file) => ` ${nameOf(file)}: ${countsOf(file)}`);
  const rest = files.slice(MAX_LISTED);
  const more =
    rest.length === 0
      ? []
      : [` and ${count(rest.length, "more file")}: ${told(rest.map(({ diff }) => diff).join("\n"))}`];
  return [`${files.length} files: ${told(diffs)}`, ...listed, ...more, diffs].join("\n");
}

function isProtected({ at, from }: ShownFile): boolean {
  const paths = [at, from].flatMap((place) => (place === undefined ? [] : [place.path, place.realPath]));
  return paths.some((path) => (protectedReason(path) ?? secretReason(path)) !== undefined);
}

function nameOf({ at, from }: ShownFile): string {
  // A name may contain line breaks and bidirectional control characters.
  return from === undefined ? oneLine(at.path) : `${oneLine(from.path)} → ${oneLine(at.path)}`;
}

function countsOf({ kind, from, diff }: ShownFile): string {
  const action = from === undefined ? (kind === "changed" ? undefined : kind) : "moved";
  const { added, removed } = diffStat(diff);
  return [
    ...(action === undefined ? [] : [action]),
    ...(added + removed === 0 && action !== undefined ? [] : [told(diff)]),
  ].join(", ");
}

function told(diff: string): string {
  const { added, removed } = diffStat(diff);
  return `+${added} −${removed}`;
}
