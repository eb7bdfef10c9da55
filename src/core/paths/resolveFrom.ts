import type { Files, GatedPath } from "../../ports/files.js";

/**
 * Opens what was found: a path that `Search.find` gave, a name that `Files.list` gave behind its folder's path, a
 * folder above. Such a path is no input: whatever it is called (`~`, `C:`, `untitled:`), it means that file. In a
 * folder outside the workspace that was let through it is a part of it.
 *
 * @param at where it was found, or another place with the same root
 * @param path as `find` gives it, or made of `at.path` by `joinPath`
 * @throws ToolError as `Files.resolve`
 */
export async function resolveFrom(files: Files, at: GatedPath, path: string): Promise<GatedPath> {
  if (at.outside && files.outside !== undefined) {
    return files.outside(path, at);
  }
  // With ./ in front no name reads as anything but a name.
  return files.resolve(at.root?.beside || path.startsWith("./") ? path : `./${path}`);
}
