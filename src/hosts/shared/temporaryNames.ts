/**
 * A glob of the names that our temporary files have, which no listing and no search shows: what a change is made of is
 * not there before and after it.
 */
export const TEMPORARY_FILES = ".toolhost-*.tmp";

/** Whether an entry of a folder is such a file. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(".toolhost-") && name.endsWith(".tmp");
}
