/**
 * A glob for the names of our temporary files, which no listing or search shows: before and after a change, they do not
 * exist.
 */
export const TEMPORARY_FILES = ".toolhost-*.tmp";

/** Whether a folder's entry is such a file. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(".toolhost-") && name.endsWith(".tmp");
}
