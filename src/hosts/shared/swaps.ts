// Folders that swap places with files or links in one call of a writer.
import { parentPath } from "../../core/paths/pathShape.js";
import type { FileChange } from "../../ports/changes.js";
import type { EntryState } from "../../ports/files.js";

/** Returns the places where a call's changes put a folder in place of something else, or something else in place of a folder. */
export function swapsOf(changes: readonly FileChange[]): Set<string> {
  const sides = new Map<string, { folder: boolean; other: boolean }>();
  const note = (place: string, isFolder: boolean): void => {
    const known = sides.get(place) ?? { folder: false, other: false };
    sides.set(place, { folder: known.folder || isFolder, other: known.other || !isFolder });
  };
  for (const change of changes) {
    if (change.kind !== "entry") {
      note(change.at.absolute, false);
      continue;
    }
    for (const entry of [change.before, change.after]) {
      if (entry !== undefined && !("mode" in entry)) {
        note(change.at.absolute, isFolder(entry));
      }
    }
  }
  return new Set([...sides].flatMap(([place, { folder, other }]) => (folder && other ? [place] : [])));
}

/**
 * Returns the topmost swapped place that a change is below. What is prepared for it, and what is kept of it until the call
 * is done, is next to that place, not in it: there is no such folder yet, or it has to be empty.
 */
export function topOf({ at }: FileChange, swaps: ReadonlySet<string>): string | undefined {
  let top: string | undefined;
  for (let path = at.absolute; swaps.size > 0 && parentPath(path) !== path; path = parentPath(path)) {
    if (path !== at.absolute && swaps.has(path)) {
      top = path;
    }
  }
  return top;
}

function isFolder(entry: EntryState): boolean {
  return "folder" in entry;
}
