// Copies of large files that share their contents on the disk until one of them changes: made in no time, whatever the size.
import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, constants, copyFileSync, fstatSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MAX_LARGE } from "../../../../features/changes/journal/limits.js";
import { below, isSameState, type Entry, type Folder, type Snapshot } from "../../../../features/effects/snapshot.js";
import { makeFolderSync } from "../../disk/parentFolders.js";
import { errorCode } from "../../disk/diskErrors.js";
import type { Named } from "../named.js";
import { entryOf } from "../walk.js";
import { MAX_FILE } from "./keptFiles.js";

/** Maximum bytes of all clones. */
const MAX_CLONES = 4 * 1024 ** 3;

/** A copy of a file in one state. */
export interface Clone {
  /** Absolute path of the copy. */
  file: string;
}

/**
 * Makes a copy that shares its contents with a file.
 *
 * @returns `no` if the file has changed or cannot be read, `unable` if the disk cannot do it between these places
 */
export type CloneFile = (path: string, entry: Entry, to: string) => "yes" | "no" | "unable";

/** Keeps clones of the large files of roots. A clone serves until its file changes. */
export class Clones {
  readonly #folder: string;
  readonly #clone: CloneFile;
  /** By root, then by path in it. */
  readonly #roots = new Map<string, ReadonlyMap<string, Clone & { entry: Entry }>>();
  /** Roots on disks that cannot make any. */
  readonly #unable = new Set<string>();
  readonly #files = new Set<string>();

  /** @param folder where they are made */
  constructor(folder: string, clone: CloneFile = cloneFile) {
    this.#folder = folder;
    this.#clone = clone;
  }

  /**
   * Returns the clones for a snapshot by paths, after making what is missing; undefined where the disk cannot make any.
   *
   * @param until when to stop, as `performance.now()` counts
   * @param named the files that come first, whatever the time
   */
  keep(root: string, snapshot: Snapshot, until: number, named: Named): ReadonlyMap<string, Clone> | undefined {
    if (this.#unable.has(root)) {
      return undefined;
    }
    const known = this.#roots.get(root);
    const kept = new Map<string, Clone & { entry: Entry }>();
    const missing: { path: string; entry: Entry; isNamed: boolean; isIgnored: boolean }[] = [];
    let bytes = 0;
    for (const [folderPath, folder] of snapshot.folders) {
      for (const [name, entry] of largeIn(folder)) {
        const path = below(folderPath, name);
        const clone = known?.get(path);
        if (clone !== undefined && isSameState(clone.entry, entry)) {
          kept.set(path, clone);
          bytes += entry.size;
        } else {
          missing.push({ path, entry, isNamed: named.has(path), isIgnored: folder.ignores(path, false) });
        }
      }
    }
    this.#roots.set(root, kept);
    missing.sort(
      (a, b) =>
        Number(b.isNamed) - Number(a.isNamed) ||
        Number(a.isIgnored) - Number(b.isIgnored) ||
        a.entry.size - b.entry.size,
    );
    for (const { path, entry, isNamed } of missing) {
      if (!isNamed && performance.now() > until) {
        break;
      }
      if (bytes + entry.size > MAX_CLONES) {
        continue;
      }
      makeFolderSync(this.#folder, 0o700);
      // Clones of a thread that hung may be there: its snapshots are on the disk, too.
      const file = join(this.#folder, `${randomBytes(6).toString("hex")}.clone`);
      const made = this.#clone(`${root}/${path}`, entry, file);
      if (made === "unable") {
        this.#unable.add(root);
        return undefined;
      }
      if (made === "yes") {
        this.#files.add(file);
        kept.set(path, { file, entry });
        bytes += entry.size;
      }
    }
    return kept;
  }

  /** Removes those that are neither of the last snapshots nor among others. */
  sweep(others: Iterable<ReadonlyMap<string, Clone>>): void {
    if (this.#files.size === 0) {
      return;
    }
    const used = new Set(
      [...this.#roots.values(), ...others].flatMap((each) => [...each.values()].map(({ file }) => file)),
    );
    for (const file of this.#files) {
      if (!used.has(file)) {
        rmSync(file, { force: true });
        this.#files.delete(file);
      }
    }
  }
}

const large = new WeakMap<Folder, readonly (readonly [string, Entry])[]>();

/** Returns the large files of a folder that are not too large. Most folders are the same in the next snapshot. */
function largeIn(folder: Folder): readonly (readonly [string, Entry])[] {
  const known = large.get(folder);
  if (known !== undefined) {
    return known;
  }
  const found = [...folder.entries].filter(
    ([, { kind, size }]) => kind === "file" && size > MAX_FILE && size <= MAX_LARGE,
  );
  large.set(folder, found);
  return found;
}

/**
 * What the system says where copies cannot share contents: another disk, or one whose file system does not know how. Not
 * what it says of one file, as of those that btrfs writes in place (EINVAL).
 */
const UNABLE = ["EXDEV", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "ENOTTY"];

/** Implements `CloneFile`: by reflink. A hard link would change with the file. */
export const cloneFile: CloneFile = (path, entry, to) => {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const opened = file;
    const isAsSeen = (): boolean => isSameState(entry, entryOf(fstatSync(opened)));
    if (!isAsSeen()) {
      return "no";
    }
    // The open file, whatever takes its name meanwhile.
    copyFileSync(process.platform === "linux" ? `/proc/self/fd/${opened}` : path, to, FORCED);
    chmodSync(to, 0o600);
    if (isAsSeen()) {
      return "yes";
    }
    rmSync(to, { force: true });
    return "no";
  } catch (error) {
    rmSync(to, { force: true });
    return UNABLE.includes(errorCode(error) ?? "") ? "unable" : "no";
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
};

const FORCED = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE;
