import { statfsSync } from "node:fs";

/** A disk with fewer free bytes counts as full. */
const LEAST_FREE = 16 * 1024 * 1024;

/** Why nothing is kept where the disk with the state is full. */
export const STATE_IS_FULL = "the disk with Toolhost's state is full";

/** Whether a folder's disk has no room for more files, or nearly none. @throws Error if there is no such folder */
export function isFull(folder: string): boolean {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  // Some file systems do not count files.
  return bavail * bsize < LEAST_FREE || (files > 0 && ffree === 0);
}
