import { oneLine } from "../../text/clip.js";
import { diffStat } from "../../text/fileDiff.js";

/** Files listed with their counts above the diffs; the rest are summed up. A reader who is shown more reads none. */
const MAX_LISTED = 100;

/** The diff of one file, with its header. */
export interface ShownFile {
  /** Where it is afterwards; where it was, when it is deleted. */
  path: string;
  /** Where a moved file was. */
  from?: string | undefined;
  kind: "new" | "deleted" | "changed";
  diff: string;
}

/**
 * Diffs of several files as a person is asked about them: first every file with its counts, so that a diff too long to show
 * still says what it touches; then the diffs. The diff alone of a single file.
 */
export function showDiffs(files: readonly ShownFile[]): string {
  const diffs = files.map(({ diff }) => diff).join("\n");
  if (files.length === 1) {
    return diffs;
  }
  const listed = files.slice(0, MAX_LISTED).map((file) => ` ${nameOf(file)}: ${countsOf(file)}`);
  const rest = files.slice(MAX_LISTED);
  const more = rest.length === 0 ? [] : [` and ${rest.length} more file${rest.length === 1 ? "" : "s"}: ${told(rest.map(({ diff }) => diff).join("\n"))}`];
  return [`${files.length} files: ${told(diffs)}`, ...listed, ...more, diffs].join("\n");
}

function nameOf({ path, from }: ShownFile): string {
  // A name may hold line ends and marks that turn the writing direction.
  return from === undefined ? oneLine(path) : `${oneLine(from)} → ${oneLine(path)}`;
}

function countsOf({ kind, from, diff }: ShownFile): string {
  const action = from === undefined ? (kind === "changed" ? undefined : kind) : "moved";
  const { added, removed } = diffStat(diff);
  return [...(action === undefined ? [] : [action]), ...(added + removed === 0 && action !== undefined ? [] : [told(diff)])].join(", ");
}

function told(diff: string): string {
  const { added, removed } = diffStat(diff);
  return `+${added} −${removed}`;
}
