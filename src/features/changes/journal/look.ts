import type { EntryState, Files, GatedPath } from "../../../ports/files.js";
import { ToolError, unlessMissing } from "../../../core/errors.js";
import { fileKey } from "../../../core/paths/fileKey.js";
import type { ImageNow } from "./types.js";

/** Maximum size of a file that is read: changes to larger files are not in the journal. */
const MAX_LOOKED_AT = 40_000_000;

/**
 * Reads a file's current content as the journal keeps it; undefined if there is no file.
 *
 * @param key the file's `fileKey`
 * @param large see `Files.entry`
 */
export async function lookAt(files: Files, key: string, large?: number): Promise<ImageNow | undefined> {
  return unlessMissing(async () => {
    const own = await files.resolveEntry?.(key).catch(() => undefined);
    // A folder above may be a link by now: what is there has other names.
    const entry = own !== undefined && fileKey(own) === key ? await files.entry?.(own, large) : undefined;
    if (entry !== undefined && !("mode" in entry)) {
      return entryNow(entry);
    }
    const at = await placeOf(files, key);
    if (fileKey(at) !== key) {
      return undefined;
    }
    try {
      return { ...(await files.readSnapshot(at, MAX_LOOKED_AT)), ...entry };
    } catch (error) {
      if (error instanceof ToolError && (error.type === "binary" || error.type === "unsupported")) {
        return { bytes: await files.readBytes(at, MAX_LOOKED_AT), ...entry };
      }
      throw error;
    }
  });
}

/** Returns what is at a path that has no contents of its own, or large ones. */
export function entryNow(entry: EntryState): { entry: EntryState; mode?: number } {
  return {
    entry,
    ...("folder" in entry && { mode: entry.folder }),
    ...("large" in entry && { mode: entry.large.mode }),
  };
}

/**
 * Resolves a file's key.
 *
 * @throws ToolError `outside_workspace` if its path now leads to another file
 */
export async function placeOf(files: Files, key: string): Promise<GatedPath> {
  const at = await (files.outside?.(key) ?? files.resolve(key));
  if (at.outside && fileKey(at) !== key) {
    throw new ToolError("outside_workspace", `${key} leads to another file now.`);
  }
  return at;
}
