import type { GatedPath } from "../../ports/files.js";

/**
 * What tells one file from all others of a workspace, on a disk or not: locks, the journal and what was read go by it.
 */
export function fileKey(at: GatedPath): string {
  const scheme = at.root?.scheme ?? "file";
  return scheme === "file" ? at.absolute : `${scheme}:${at.absolute}`;
}
