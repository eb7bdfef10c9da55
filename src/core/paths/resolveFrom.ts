import type { Files, GatedPath } from "../../ports/files.js";

/**
 * Opens what was found: a path that `Search.find` returned, a name that `Files.list` returned appended to its folder's
 * path, or a parent folder. Such a path is not input: whatever its name (`~`, `C:`, `untitled:`), it means that file.
 * In an admitted folder outside the workspace it is part of that folder.
 * @param at where it was found, or another place with the same root
 * @param path as `find` returns it, or joined to `at.path` by `joinPath`
 * @throws ToolError like `Files.resolve`
 */
export async function resolveFrom(files: Files, at: GatedPath, path: string): Promise<GatedPath> {
  if (at.outside && files.outside !== undefined) {
    return files.outside(path, at);
  }
  // After ./ any name is read as a plain name.
  return files.resolve(at.root?.beside || path.startsWith("./") ? path : `./${path}`);
}
