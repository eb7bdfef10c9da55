import type { Files, GatedPath } from "../../../ports/files.js";
import { ToolError, unlessMissing } from "../../../core/errors.js";
import { fileKey } from "../../../core/paths/fileKey.js";
import type { Image } from "./types.js";

/** The largest file that is looked at: a change of a larger one is not in the journal. */
const MAX_LOOKED_AT = 40_000_000;

/**
 * What stands in a file now, as the journal keeps it; undefined when nothing is there.
 *
 * @param key the file's `fileKey`
 */
export async function lookAt(files: Files, key: string): Promise<Image | undefined> {
  return unlessMissing(async () => {
    const at = await placeOf(files, key);
    try {
      return await files.readSnapshot(at, MAX_LOOKED_AT);
    } catch (error) {
      if (error instanceof ToolError && (error.type === "binary" || error.type === "unsupported")) {
        return { bytes: await files.readBytes(at, MAX_LOOKED_AT) };
      }
      throw error;
    }
  });
}

/**
 * The file that a key tells.
 *
 * @throws ToolError `outside_workspace` when its path leads to another file now
 */
export async function placeOf(files: Files, key: string): Promise<GatedPath> {
  const at = await (files.outside?.(key) ?? files.resolve(key));
  if (at.outside && fileKey(at) !== key) {
    throw new ToolError("outside_workspace", `${key}: leads to another file now.`);
  }
  return at;
}
