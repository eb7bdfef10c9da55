import { folderOf, type FileDifference, type Snapshot } from "./snapshot.js";

/** Differences that were there at a moment, and the paths of those that may be later. */
export interface Settled {
  files: FileDifference[];
  late: string[];
}

/**
 * Tells which differences were there at a moment: only those of which nothing has changed since, neither the file itself
 * nor, where something appeared or disappeared, the names in the folders that it appeared in or disappeared from. Who
 * deletes or moves a file leaves no other trace.
 *
 * @param before the snapshot that was compared
 * @param after what is there now
 * @param rootModified when names in the root changed last, in milliseconds since 1970, as those of entries
 * @param at the moment, in milliseconds since 1970
 */
export function settledAt(
  files: readonly FileDifference[],
  before: Snapshot,
  after: Snapshot,
  rootModified: number,
  at: number,
): Settled {
  // Clocks of files count parts of milliseconds, too.
  const isLate = (time: number): boolean => time >= at + 1;
  const modified = (folder: string): number => {
    if (folder === "") {
      return rootModified;
    }
    const name = folder.slice(folderOf(folder).length).replace("/", "");
    return after.folders.get(folderOf(folder))?.entries.get(name)?.modified ?? Infinity;
  };
  /** Whether no names have changed in the folders above a path, up to the first one that was there before. */
  const isStill = (path: string): boolean => {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if (after.uncovered.has(folder) || (after.folders.has(folder) && isLate(modified(folder)))) {
        return false;
      }
      if (folder === "" || (after.folders.has(folder) && before.folders.has(folder))) {
        return true;
      }
    }
  };
  const isSettled = ({ path, from, before: old, after: now }: FileDifference): boolean =>
    !(now !== undefined && isLate(now.changed)) &&
    ((old !== undefined && now !== undefined) || isStill(path)) &&
    (from === undefined || isStill(from));
  return {
    files: files.filter(isSettled),
    late: files.filter((file) => !isSettled(file)).map(({ path }) => path),
  };
}
