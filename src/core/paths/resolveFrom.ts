import type { Files, GatedPath } from "../../ports/files.js";

/**
 * A path that was found in a folder, through the gate: in a folder outside the workspace that was let through, as a
 * part of it.
 *
 * @param path as `folder.path` and `joinPath` make it
 */
export async function resolveFrom(files: Files, folder: GatedPath, path: string): Promise<GatedPath> {
  if (folder.outside && files.outside !== undefined) {
    return files.outside(path, folder);
  }
  // With ./ in front no name reads as anything but a name (~, C:, untitled:).
  return files.resolve(folder.root?.beside || path.startsWith("./") ? path : `./${path}`);
}
