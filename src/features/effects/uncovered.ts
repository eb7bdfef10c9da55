// What undo does not cover, in words and in folders.
import type { Uncovered } from "./snapshot.js";
import type { LeftChange } from "./snapshots.js";

/** Maximum number of changes named that cannot be undone. */
export const MAX_NOT_UNDONE = 5;

/** Says to people which changes cannot be undone; nothing if there are none. */
export function notCovered(left: readonly LeftChange[]): string[] {
  const more = left.length - MAX_NOT_UNDONE;
  return left.length === 0
    ? []
    : [`Not covered by undo: ${named(left).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
}

/** Returns the first of some changes, each with why it cannot be undone. */
export function named(left: readonly LeftChange[]): string[] {
  return left.slice(0, MAX_NOT_UNDONE).map(({ path, why }) => `${path === "." ? "all of it" : path} (${why})`);
}

/** Returns the folders at the top that hold what was not covered, each once: thousands may be below one. */
export function topmost(uncovered: readonly Uncovered[]): Uncovered[] {
  const tops = new Map<string, Uncovered>();
  for (const part of uncovered) {
    const path = part.path.split("/")[0] ?? "";
    const earlier = tops.get(path);
    tops.set(path, { ...part, path, isIgnored: part.isIgnored && earlier?.isIgnored !== false });
  }
  return [...tops.values()];
}
