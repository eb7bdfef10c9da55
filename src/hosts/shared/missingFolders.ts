import { parentPath } from "../../core/paths/pathShape.js";
import type { GatedPath } from "../../ports/files.js";

/**
 * Counts the folders above a file that do not exist.
 *
 * @param look throws if nothing exists at a path
 */
export async function countMissing(at: GatedPath, look: (folder: string) => PromiseLike<unknown>): Promise<number> {
  let count = 0;
  for (let folder = parentPath(at.absolute); parentPath(folder) !== folder; folder = parentPath(folder)) {
    if (
      await look(folder).then(
        () => true,
        () => false,
      )
    ) {
      break;
    }
    count += 1;
  }
  return count;
}
