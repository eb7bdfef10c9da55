import { below, folderOf, type Entry, type Snapshot } from "../../../features/effects/snapshot.js";
import { count } from "../../../text/words.js";

/** Maximum number of files, folders and links of a copy that are not ignored, and of their bytes. */
const MAX_ENTRIES = 100_000;
const MAX_BYTES = 2_000_000_000;
/** Maximum number of ignored ones that are copied, smallest folders first, and of their bytes where each byte is written. */
const MAX_IGNORED = 20_000;
const MAX_IGNORED_BYTES = 256_000_000;
/** Maximum number of places that are named. */
const MAX_NAMED = 5;

/** What a copy of a folder gets, and what it does not, in words. */
export interface ToCopy {
  folders: string[];
  files: { path: string; entry: Entry }[];
  left: string[];
}

/** What is in an ignored folder, or an ignored file. */
interface Group extends Pick<ToCopy, "folders" | "files"> {
  bytes: number;
}

/**
 * Chooses what of a folder is copied: all that is not ignored, and as much of the rest as there is room for.
 *
 * @param isCheap whether the disk shares the contents of files that are copied
 * @throws Error if it is too large, as a sentence
 */
export function whatToCopy({ folders, uncovered }: Snapshot, isCheap: boolean): ToCopy {
  const chosen: ToCopy = { folders: [], files: [], left: [] };
  const ignored = new Map<string, Group>();
  let [entries, bytes] = [0, 0];
  for (const [folder, { entries: inside, isIgnored, ignores }] of folders) {
    const top = isIgnored ? topIgnored(folder, folders) : undefined;
    if (top === undefined) {
      chosen.folders.push(folder);
    } else {
      groupOf(ignored, top).folders.push(folder);
    }
    for (const [name, entry] of inside) {
      const path = below(folder, name);
      if (entry.kind === "folder") {
        continue;
      }
      if (entry.kind === "other" && entry.target === undefined) {
        chosen.left.push(`${path} (neither a file, a folder nor a link)`);
      } else if (top !== undefined || ignores(path, false)) {
        const group = groupOf(ignored, top ?? path);
        group.files.push({ path, entry });
        group.bytes += entry.size;
      } else {
        chosen.files.push({ path, entry });
        entries++;
        bytes += entry.size;
      }
    }
  }
  const cut = [...uncovered.values()].find(({ isIgnored, why }) => !isIgnored && why === "too many files");
  if (cut !== undefined || entries + chosen.folders.length > MAX_ENTRIES || bytes > MAX_BYTES) {
    throw new Error(
      `The folder is too large to copy for each task: more than ${MAX_ENTRIES} files or ${MAX_BYTES / 1e9} GB that are not ignored.`,
    );
  }
  chosen.left.push(...[...uncovered.values()].map(({ path, why }) => `${path || "."} (${why})`));
  addIgnored(chosen, ignored, isCheap);
  return { ...chosen, left: named(chosen.left) };
}

function addIgnored(chosen: ToCopy, ignored: ReadonlyMap<string, Group>, isCheap: boolean): void {
  let [room, bytesLeft] = [MAX_IGNORED, isCheap ? Infinity : MAX_IGNORED_BYTES];
  for (const [top, group] of [...ignored].sort(([, one], [, other]) => sizeOf(one) - sizeOf(other))) {
    if (sizeOf(group) > room || group.bytes > bytesLeft) {
      chosen.left.push(`${top}${group.folders.length > 0 ? "/" : ""} (ignored, and large)`);
      continue;
    }
    room -= sizeOf(group);
    bytesLeft -= group.bytes;
    chosen.folders.push(...group.folders);
    chosen.files.push(...group.files);
  }
}

function sizeOf({ folders, files }: Group): number {
  return folders.length + files.length;
}

function groupOf(groups: Map<string, Group>, top: string): Group {
  const group = groups.get(top) ?? { folders: [], files: [], bytes: 0 };
  groups.set(top, group);
  return group;
}

/** Returns the outermost ignored folder that a folder is in. */
function topIgnored(folder: string, folders: Snapshot["folders"]): string {
  let top = folder;
  for (let at = folder; at !== ""; at = folderOf(at)) {
    top = folders.get(at)?.isIgnored === true ? at : top;
  }
  return top;
}

function named(left: readonly string[]): string[] {
  const more = left.length - MAX_NAMED;
  return more > 0 ? [...left.slice(0, MAX_NAMED), `${count(more, "more place")}`] : [...left];
}
