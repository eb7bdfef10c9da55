// Changes by others in a file that a session read earlier and now changes in another place.
import type { ReplacedPlace } from "../../ports/changes.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { lineHunks } from "../../text/diff/lineHunks.js";
import { splitLines } from "../../text/splitLines.js";

/** Maximum characters of a diff in the answer of a change that was made: each such answer is paid for. */
const MAX_DIFF = 4_000;
/** Maximum number of line ranges named instead. */
const MAX_RANGES = 12;

/**
 * Whether none of the places has lines that changed since the text was read, or that are next to such lines: who
 * changes neighbouring lines has usually changed the same thing.
 */
export function isUntouched(readText: string, now: string, places: readonly ReplacedPlace[]): boolean {
  const hunks = lineHunks(splitLines(readText), splitLines(now));
  return !places.some(({ startLine, endLine }) =>
    hunks.some(({ newStart, newEnd }) => newStart <= endLine && startLine - 1 <= newEnd),
  );
}

/**
 * Says what has changed in a file since it was read.
 *
 * @param readText undefined if it is no longer known
 * @returns the remark, and whether it shows all of it
 */
export function changedElsewhere(readText: string | undefined, now: string): { remark: string; isWhole: boolean } {
  if (readText === undefined) {
    return {
      remark: "It has also changed since you read it: read it again before you rely on the rest.",
      isWhole: false,
    };
  }
  const diff = unifiedDiff(readText, now);
  if (diff.length <= MAX_DIFF) {
    return { remark: `It had changed elsewhere since you read it:\n${diff}`, isWhole: true };
  }
  const ranges = lineHunks(splitLines(readText), splitLines(now)).map(({ newStart, newEnd }) =>
    newEnd > newStart + 1 ? `${newStart + 1}-${newEnd}` : `${newStart + 1}`,
  );
  const named = `lines ${ranges.slice(0, MAX_RANGES).join(", ")}${ranges.length > MAX_RANGES ? ` and ${ranges.length - MAX_RANGES} more` : ""}`;
  return {
    remark: `It had changed elsewhere since you read it (${named} before this change): read it again before you rely on the rest.`,
    isWhole: false,
  };
}
