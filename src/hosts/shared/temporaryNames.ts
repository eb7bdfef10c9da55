/**
 * A glob for the names of our temporary files. No listing or search shows them: before and after a change, they do not
 * exist.
 */
export const TEMPORARY_FILES = ".toolhost-*.tmp";

/** Whether the name of a folder's entry is that of such a file. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(".toolhost-") && name.endsWith(".tmp");
}
