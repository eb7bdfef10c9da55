/** The items of a list that are in one folder: the first of them, and how many more there are. */
export interface FolderShare<T> {
  /** Ends with `/`; empty for those in no folder of their own. */
  folder: string;
  shown: T[];
  more: number;
}

/**
 * Chooses items of a long list so that each folder has its share, and none is hidden by a large one. Folders are those
 * right below the folder that has all items.
 *
 * @param most maximum number of items chosen; where there are more folders, each of the first has one
 */
export function folderShares<T>(items: readonly T[], pathOf: (item: T) => string, most: number): FolderShare<T>[] {
  const paths = items.map(pathOf);
  const above = commonFolder(paths);
  const groups = new Map<string, T[]>();
  for (const [index, item] of items.entries()) {
    const path = paths[index] ?? "";
    const end = path.replace(/\/$/, "").indexOf("/", above.length);
    const folder = end < 0 ? "" : path.slice(0, end + 1);
    const group = groups.get(folder);
    if (group === undefined) {
      groups.set(folder, [item]);
    } else {
      group.push(item);
    }
  }
  const counts = new Map([...groups.keys()].map((folder) => [folder, 0]));
  let left = Math.min(most, items.length);
  while (left > 0) {
    for (const [folder, group] of groups) {
      const count = counts.get(folder) ?? 0;
      if (left > 0 && count < group.length) {
        counts.set(folder, count + 1);
        left--;
      }
    }
  }
  return [...groups].map(([folder, group]) => {
    const count = counts.get(folder) ?? 0;
    return { folder, shown: group.slice(0, count), more: group.length - count };
  });
}

/** Returns the deepest folder that has all paths, with `/` at its end; empty for none. */
function commonFolder([first = "", ...rest]: readonly string[]): string {
  let end = first.replace(/\/$/, "").lastIndexOf("/") + 1;
  while (end > 0 && !rest.every((path) => path.startsWith(first.slice(0, end)))) {
    end = first.lastIndexOf("/", end - 2) + 1;
  }
  return first.slice(0, end);
}
