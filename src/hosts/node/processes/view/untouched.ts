import { lstatSync, readdirSync, type BigIntStats } from "node:fs";
import { dirname } from "node:path";

/** The moment from which on changes count as somebody else's. */
export interface Moment {
  /** By the clock of the file systems, in nanoseconds since 1970. */
  at: bigint;
  /** By how much that clock was ahead of one that nobody sets, in ms. */
  ahead: number;
}

/** A folder at a moment. In it things may be created and removed by others, and so it is told by more than its time. */
export interface Top extends Pick<BigIntStats, "ino" | "dev"> {
  names: ReadonlySet<string>;
}

/** Returns what a folder is now. */
export function topOf(folder: string): Top {
  const { ino, dev } = lstatSync(folder, { bigint: true });
  return { ino, dev, names: new Set(readdirSync(folder)) };
}

/** How far a clock may be set back, in ms, before nothing is known of the order of changes. */
const MAX_BACK = 20;

/** Returns the moment at which a file or folder was last changed. No program can set this time, but the clock. */
export function momentOf({ ctimeNs }: BigIntStats): Moment {
  return { at: ctimeNs, ahead: ahead() };
}

/**
 * Returns what somebody else changed since a moment, of files and the folders above them: its path, or another reason.
 * A folder counts as changed when something was created, renamed or removed in it, or it was moved: then another one
 * may have taken its place.
 *
 * @param paths absolute, in folders
 * @param tops folders as they were then; only these count as the same if something in them changed
 */
export function changedSince(
  { at, ahead: before }: Moment,
  paths: readonly string[],
  tops: ReadonlyMap<string, Top>,
): string | undefined {
  if (ahead() < before - MAX_BACK) {
    return "the system's clock was set back since it started";
  }
  for (const [top, { ino, dev, names }] of tops) {
    const now = lstatSync(top, { bigint: true, throwIfNoEntry: false });
    if (now?.ino !== ino || now.dev !== dev) {
      return `${top} was replaced since it started`;
    }
    const present = new Set(readdirSync(top));
    const used = new Set(paths.flatMap((path) => (path.startsWith(`${top}/`) ? [firstIn(path, top)] : [])));
    const removed = [...used].find((name) => names.has(name) && !present.has(name));
    if (removed !== undefined) {
      return `${top}/${removed} was removed by somebody else since it started`;
    }
  }
  const seen = new Set<string>();
  for (const path of paths) {
    for (let each = path; !seen.has(each) && !tops.has(each) && dirname(each) !== each; each = dirname(each)) {
      seen.add(each);
      const info = infoOf(each);
      if (info !== undefined && info.ctimeNs > at) {
        return `${each} was changed by somebody else since it started`;
      }
    }
  }
  return undefined;
}

function firstIn(path: string, top: string): string {
  return path.slice(top.length + 1).replace(/\/.*/s, "");
}

function infoOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    // A file in the place of a folder above it, which is looked at as well.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") {
      return undefined;
    }
    throw error;
  }
}

function ahead(): number {
  return Date.now() - performance.now();
}
