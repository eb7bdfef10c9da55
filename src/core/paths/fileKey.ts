import type { GatedPath } from "../../ports/files.js";

/**
 * Returns a key that distinguishes a file from all others in a workspace, on disk or not: used for locks, the journal
 * and the ledger of what was read.
 */
export function fileKey(at: GatedPath): string {
  const scheme = at.root?.scheme ?? "file";
  return scheme === "file" ? at.absolute : `${scheme}:${at.absolute}`;
}
