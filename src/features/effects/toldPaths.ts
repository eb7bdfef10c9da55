// The paths of changes as callers read them.
import type { WatchedRoot } from "./snapshots.js";

/** Returns a root's path as a caller reads it who sees one folder alone, or all roots. */
export function toldPath(root: WatchedRoot | undefined, path: string, seen: string | undefined): string {
  const { folder = "", prefix = "" } = root ?? {};
  return seen === undefined
    ? prefix + path
    : isIn(root, path, seen)
      ? `${folder}/${path}`.slice(seen.length + 1)
      : `${folder}/${path}`;
}

/** Whether a path of a root is in a folder, given by its absolute path. */
export function isIn(root: WatchedRoot | undefined, path: string, seen: string): boolean {
  return `${root?.folder ?? ""}/${path}`.startsWith(`${seen}/`);
}

/** Returns a path of the list of changes as a caller reads it. */
export function retold(
  path: string,
  roots: readonly WatchedRoot[],
  told: (root: WatchedRoot, path: string) => string,
): string {
  const root = roots.find(({ prefix }) => prefix !== "" && path.startsWith(prefix));
  return root === undefined ? path : told(root, path.slice(root.prefix.length));
}
