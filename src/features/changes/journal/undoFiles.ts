import type { Snapshot } from "../../../ports/changes.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import { contentVersion } from "../../../text/contentVersion.js";
import { joinPath } from "../../../core/paths/pathShape.js";
import { ToolError } from "../../../core/errors.js";
import { MAX_IMAGE } from "./limits.js";
import { entryNow } from "./look.js";
import type { UndoFiles } from "./undo.js";
import type { PlaceNow } from "./undoPlan.js";

/** Yields the paths of all that is in a folder, below it, with links not followed. */
async function* entriesBelow(files: Files, folder: GatedPath): AsyncGenerator<string> {
  const open = [""];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const at = path === "" ? folder : await files.resolve(joinPath(folder.absolute, path));
    for (const { name, kind, link } of await files.list(at)) {
      const below = path === "" ? name : joinPath(path, name);
      yield below;
      if (kind === "directory" && !link) {
        open.push(below);
      }
    }
  }
}

/** Adapts a host's files for undo. A file may have grown since the tool changed it: reads up to twice MAX_IMAGE. */
export function undoFiles(files: Files): UndoFiles {
  const maxBytes = 2 * MAX_IMAGE;
  const content = async (at: GatedPath): Promise<Snapshot | undefined> => {
    try {
      return await files.readSnapshot(at, maxBytes);
    } catch (error) {
      const type = error instanceof ToolError ? error.type : undefined;
      if (type === "not_found") {
        return undefined;
      }
      if (type !== "binary" && type !== "unsupported") {
        throw error;
      }
    }
    const bytes = await files.readBytes(at, maxBytes);
    return { bytes, version: await contentVersion(bytes) };
  };
  const current = async (at: GatedPath, large?: number): Promise<PlaceNow["now"]> => {
    const entry = await files.entry?.(at, large);
    if (entry !== undefined && !("mode" in entry)) {
      return entryNow(entry);
    }
    const now = await content(at);
    return now && { ...now, ...entry };
  };
  return {
    resolve: (path) => files.resolve(path),
    ...(files.resolvePlace !== undefined && {
      resolvePlace: (path) => files.resolvePlace?.(path) ?? files.resolve(path),
    }),
    below: (at) => entriesBelow(files, at),
    resolveEntry: (path) => files.resolveEntry?.(path) ?? files.resolve(path),
    outside: (path) => files.outside?.(path) ?? files.resolve(path),
    current,
  };
}
