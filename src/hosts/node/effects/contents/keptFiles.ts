import { LARGE } from "../../../../features/changes/journal/limits.js";
import {
  below,
  folderOf,
  isSameState,
  type Entry,
  type Folder,
  type Snapshot,
} from "../../../../features/effects/snapshot.js";
import { entryOf } from "../walk.js";
import type { Named } from "../named.js";
import { readRegular } from "../readRegular.js";
import { Copies } from "./copies.js";
import { isSameGit, objectOf, type GitFiles } from "./gitFiles.js";

/** Maximum bytes of a file that is copied, and of all copies. */
export const MAX_FILE = LARGE;
const MAX_COPIES = 64 * 1024 * 1024;
/** The same for ignored files, which are mostly results of programs; and how many of them are copied. */
const MAX_IGNORED_FILE = 1024 * 1024;
const MAX_IGNORED_COPIES = 16 * 1024 * 1024;
const MAX_IGNORED = 2_000;
const MAX_IGNORED_AT_TOP = 4_000;

/** A file's contents in one state. */
interface Copy {
  entry: Entry;
  bytes: Buffer;
}

/** A file that neither Git keeps nor a copy. */
interface Missing {
  path: string;
  entry: Entry;
  isIgnored: boolean;
}

/** The copies of a folder's files, as long as neither the folder differs nor what Git keeps. */
interface FolderCopies {
  folder: Folder;
  git: readonly GitFiles[];
  /** Both by name. */
  copies: Map<string, Copy>;
  missing: Map<string, Missing>;
  sum: Sum;
}

/** Bytes of copies, and of those the ignored files: how many they are, and their bytes. */
interface Sum {
  bytes: number;
  ignored: number;
  ignoredBytes: number;
}

/**
 * Keeps copies, in memory, of the files that Git does not keep: untracked and changed ones, and ignored ones as far as
 * they are few and small. A copy serves until its file changes.
 */
export class KeptFiles {
  /** By root, then by folder in it. */
  readonly #roots = new Map<string, ReadonlyMap<string, FolderCopies>>();

  /**
   * Returns the copies for a snapshot, after copying what is missing, small files first; of ignored ones, those at the top
   * first, of which there may be more than the limit.
   *
   * @param until when to stop copying, as `performance.now()` counts
   * @param named the files that the command names as those that it changes: these are copied first, whatever the time and
   *   however much is kept already; those that Git keeps, too, next, as far as time and room allow
   */
  keep(root: string, snapshot: Snapshot, git: readonly GitFiles[], until: number, named: Named): Copies<Copy> {
    const known = this.#roots.get(root);
    const folders = new Map<string, FolderCopies>();
    const sum: Sum = { bytes: 0, ignored: 0, ignoredBytes: 0 };
    for (const [path, folder] of snapshot.folders) {
      const last = known?.get(path);
      const isSame = last?.folder === folder && isSameGit(last.git, git);
      const own = isSame ? last : copiesOf(root, path, folder, git, last?.copies);
      folders.set(path, own);
      sum.bytes += own.sum.bytes;
      sum.ignored += own.sum.ignored;
      sum.ignoredBytes += own.sum.ignoredBytes;
    }
    this.#roots.set(root, folders);
    const missing = [...folders.values()].flatMap((own) =>
      [...own.missing].flatMap(([name, each]) => {
        const isWanted = named.has(each.path);
        return isWanted || isFitting(each, sum) ? [{ ...each, name, own, isWanted, isSpare: false }] : [];
      }),
    );
    // Of files that Git keeps, too: its objects may be gone.
    const spare: { folder: string; name: string; copy: Copy }[] = [];
    for (const [folder, own] of folders) {
      for (const [name, entry] of named.leadsTo(folder) ? own.folder.entries : []) {
        const path = below(folder, name);
        const isLone = own.copies.has(name) || own.missing.has(name);
        if (entry.kind === "file" && !isLone && named.has(path)) {
          missing.push({ ...{ path, name, entry, own }, isIgnored: false, isWanted: false, isSpare: true });
        }
      }
    }
    missing.sort(
      (a, b) =>
        Number(b.isWanted) - Number(a.isWanted) ||
        Number(b.isSpare) - Number(a.isSpare) ||
        Number(a.isIgnored) - Number(b.isIgnored) ||
        // Programs put thousands of ignored files into folders below; those at the top are more likely somebody's own.
        (a.isIgnored ? depthOf(a.path) - depthOf(b.path) : 0) ||
        a.entry.size - b.entry.size,
    );
    let wanted = 0;
    for (const each of missing) {
      const { path, name, entry, isIgnored, own, isWanted, isSpare } = each;
      if (!isWanted && performance.now() > until) {
        break;
      }
      const { size } = entry;
      wanted += isWanted ? size : 0;
      const isKept = isWanted ? size <= MAX_FILE && wanted <= MAX_COPIES : isFitting(each, sum);
      const read = isKept ? readRegular(`${root}/${path}`, size) : undefined;
      if (read !== undefined && isSameState(entry, entryOf(read.stats))) {
        count(sum, size, isIgnored);
        if (isSpare) {
          spare.push({ folder: folderOf(path), name, copy: { entry, bytes: read.bytes } });
          continue;
        }
        own.copies.set(name, { entry, bytes: read.bytes });
        own.missing.delete(name);
        count(own.sum, size, isIgnored);
      }
    }
    const shown = new Map([...folders].map(([path, { copies }]) => [path, copies]));
    for (const { folder, name, copy } of spare) {
      const own = shown.get(folder);
      // The folder's own copies serve later snapshots as well.
      const joined = own === folders.get(folder)?.copies ? new Map(own) : own;
      shown.set(folder, (joined ?? new Map<string, Copy>()).set(name, copy));
    }
    return new Copies(shown);
  }
}

/** Finds the copies of a folder's files among those that it had, and the files that have none. */
function copiesOf(
  root: string,
  folderPath: string,
  folder: Folder,
  git: readonly GitFiles[],
  known: ReadonlyMap<string, Copy> | undefined,
): FolderCopies {
  const own: FolderCopies = {
    ...{ folder, git, copies: new Map(), missing: new Map() },
    sum: { bytes: 0, ignored: 0, ignoredBytes: 0 },
  };
  for (const [name, entry] of folder.entries) {
    if (entry.kind !== "file") {
      continue;
    }
    const path = below(folderPath, name);
    const copy = known?.get(name);
    if (copy !== undefined && isSameState(copy.entry, entry)) {
      own.copies.set(name, copy);
      count(own.sum, copy.bytes.length, folder.ignores(path, false));
    } else if (objectOf(git, `${root}/${path}`, entry) === undefined) {
      own.missing.set(name, { path, entry, isIgnored: folder.ignores(path, false) });
    }
  }
  return own;
}

/** Whether there is room for a copy. */
function isFitting({ path, entry: { size }, isIgnored }: Missing, { bytes, ignored, ignoredBytes }: Sum): boolean {
  return (
    size <= MAX_FILE &&
    bytes + size <= MAX_COPIES &&
    (!isIgnored ||
      (size <= MAX_IGNORED_FILE &&
        ignored < (depthOf(path) === 0 ? MAX_IGNORED_AT_TOP : MAX_IGNORED) &&
        ignoredBytes + size <= MAX_IGNORED_COPIES))
  );
}

/** Returns how many folders of its root a file is below. */
function depthOf(path: string): number {
  return path.split("/").length - 1;
}

function count(sum: Sum, bytes: number, isIgnored: boolean): void {
  sum.bytes += bytes;
  sum.ignored += isIgnored ? 1 : 0;
  sum.ignoredBytes += isIgnored ? bytes : 0;
}
