import type { Differences } from "./compare.js";

/** A root of the workspace on this machine's disk. */
export interface WatchedRoot {
  /** Its absolute path. */
  folder: string;
  /** What people write before paths in it: nothing, or its name and `/`. */
  prefix: string;
}

/** Takes snapshots of folders, in a bounded time. */
export interface Snapshots {
  /**
   * Takes a snapshot of folders and keeps it for `compare` or `drop`.
   *
   * @returns a number for it; if it cannot be taken, the reason
   */
  take(folders: readonly string[]): Promise<number | { unknown: string }>;
  /** Compares folders with their snapshot and forgets it. Returns a result for each folder, with its real path. */
  compare(snapshot: number): Promise<(Differences & { real: string })[] | { unknown: string }>;
}
