import { below, isSameState, type Entry, type Snapshot } from "../../../../features/effects/snapshot.js";
import { entryOf } from "../walk.js";
import { readRegular } from "../readRegular.js";
import { objectOf, type GitFiles } from "./gitFiles.js";

/** Maximum bytes of a file that is copied, and of all copies. */
export const MAX_FILE = 12 * 1024 * 1024;
const MAX_COPIES = 64 * 1024 * 1024;
/** The same for ignored files, which are mostly results of programs; and how many of them are copied. */
const MAX_IGNORED_FILE = 1024 * 1024;
const MAX_IGNORED_COPIES = 16 * 1024 * 1024;
const MAX_IGNORED = 2_000;

/** A file's contents in one state. */
interface Copy {
  entry: Entry;
  bytes: Buffer;
  /** Whether Git has it, too. */
  isInGit: boolean;
}

interface Candidate {
  path: string;
  entry: Entry;
  isIgnored: boolean;
  /** Whether it must be copied. */
  isNamed: boolean;
  isInGit: boolean;
}

/**
 * Keeps copies, in memory, of the files that Git does not keep: untracked and changed ones, and ignored ones as far as
 * they are few and small. A copy serves until its file changes.
 */
export class KeptFiles {
  /** By root, then by path in it. */
  readonly #roots = new Map<string, ReadonlyMap<string, Copy>>();

  /**
   * Returns the copies for a snapshot, after copying what is missing, small files first.
   *
   * @param until when to stop copying, as `performance.now()` counts
   * @param isNamed whether the command names a path as a file that it changes: these are copied first, whatever the time
   *   and however much is kept already; those that Git has, too, next, as far as time and room allow
   */
  keep(
    root: string,
    snapshot: Snapshot,
    git: readonly GitFiles[],
    until: number,
    isNamed: (path: string) => boolean = () => false,
  ): ReadonlyMap<string, Copy> {
    const known = this.#roots.get(root);
    const copies = new Map<string, Copy>();
    const missing: Candidate[] = [];
    let bytes = 0;
    let ignored = 0;
    let ignoredBytes = 0;
    const counted = (path: string, copy: Copy, isIgnored: boolean): void => {
      copies.set(path, copy);
      bytes += copy.bytes.length;
      ignored += isIgnored ? 1 : 0;
      ignoredBytes += isIgnored ? copy.bytes.length : 0;
    };
    for (const [folder, { entries, ignores }] of snapshot.folders) {
      for (const [name, entry] of entries) {
        if (entry.kind !== "file") {
          continue;
        }
        const path = below(folder, name);
        const copy = known?.get(path);
        if (copy !== undefined && isSameState(copy.entry, entry) && (!copy.isInGit || isNamed(path))) {
          counted(path, copy, ignores(path, false));
          continue;
        }
        const isInGit = objectOf(git, `${root}/${path}`, entry) !== undefined;
        const isWanted = isNamed(path);
        // Objects of Git may be missing: what the command names is copied all the same, while there is time.
        if (!isInGit || isWanted) {
          missing.push({ path, entry, isIgnored: ignores(path, false), isNamed: isWanted && !isInGit, isInGit });
        }
      }
    }
    missing.sort(
      (a, b) =>
        Number(b.isNamed) - Number(a.isNamed) ||
        Number(b.isInGit) - Number(a.isInGit) ||
        Number(a.isIgnored) - Number(b.isIgnored) ||
        a.entry.size - b.entry.size,
    );
    let named = 0;
    for (const { path, entry, isIgnored, isNamed: isWanted, isInGit } of missing) {
      if (!isWanted && performance.now() > until) {
        break;
      }
      const { size } = entry;
      named += isWanted ? size : 0;
      const isTooMuch = isWanted
        ? size > MAX_FILE || named > MAX_COPIES
        : size > MAX_FILE ||
          bytes + size > MAX_COPIES ||
          (isIgnored &&
            (size > MAX_IGNORED_FILE || ignored >= MAX_IGNORED || ignoredBytes + size > MAX_IGNORED_COPIES));
      const read = isTooMuch ? undefined : readRegular(`${root}/${path}`, size);
      if (read !== undefined && isSameState(entry, entryOf(read.stats))) {
        counted(path, { entry, bytes: read.bytes, isInGit }, isIgnored);
      }
    }
    this.#roots.set(root, copies);
    return copies;
  }
}
