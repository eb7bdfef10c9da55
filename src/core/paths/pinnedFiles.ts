import { excerpt } from "../../text/clip.js";
import type { Files, GatedPath } from "../../ports/files.js";
import { ToolError } from "../errors.js";
import { pathBelow } from "./pathShape.js";
import { SecretWall } from "./secretWall.js";

/**
 * Returns the files for one call, in which the paths that permission decided on keep their meaning, even if a link is
 * swapped between the decision and the work. Other paths go through the gate as always, and those that may hold secrets
 * are not read (`SecretWall`).
 *
 * Outside the workspace the call reaches only what is below its pins. It can stat the folders above a pin, as creating
 * a file there requires, but not open them. Calls cannot use `Files.outside`.
 *
 * @param pins by the path as the caller wrote it
 * @param wall keeps the call away from secrets
 */
export function pinFiles(
  files: Files,
  pins: ReadonlyMap<string, GatedPath>,
  wall = new SecretWall(pins.values()),
): Files {
  const outer = [...pins.values()].filter(({ outside }) => outside);
  const above = new WeakSet<GatedPath>();
  const opened = (at: GatedPath): GatedPath => {
    if (above.has(at)) {
      throw new ToolError(
        "outside_workspace",
        `${excerpt(at.path)}: it lies outside the workspace, and this call may not open it.`,
      );
    }
    return at;
  };
  const resolveOther = async (path: string): Promise<GatedPath> => {
    const found = await resolveBelow(files, outer, path);
    if (found !== undefined) {
      return found;
    }
    try {
      return await files.resolve(path);
    } catch (error) {
      if (!outer.some((pin) => pathBelow(path, pin.path, false) !== undefined)) {
        throw error;
      }
    }
    const folder = await outsideOf(files, path);
    above.add(folder);
    return folder;
  };
  return {
    roots: () => files.roots(),
    resolve: async (path) => pins.get(path) ?? resolveOther(path),
    stat: (at) => files.stat(at),
    readChunks: (at, signal) => files.readChunks(wall.pass(opened(at)), signal),
    readBytes: async (at, maxBytes) => files.readBytes(wall.pass(opened(at)), maxBytes),
    readSnapshot: async (at, maxBytes) => files.readSnapshot(wall.pass(opened(at)), maxBytes),
    list: async (at, sized) => files.list(opened(at), sized),
  };
}

/** Returns a pin outside the workspace by its absolute name, or a path below one; undefined for any other path. */
async function resolveBelow(files: Files, outer: readonly GatedPath[], path: string): Promise<GatedPath | undefined> {
  const pin = outer.find((each) => each.path === path);
  if (pin !== undefined) {
    return pin;
  }
  for (const folder of outer) {
    const found =
      pathBelow(folder.path, path, false) === undefined
        ? undefined
        : await outsideOf(files, path, folder).catch(unlessOutside);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** Resolves a path that may be outside the workspace. Only files that reach outside have pins there. */
function outsideOf(files: Files, path: string, within?: GatedPath): Promise<GatedPath> {
  return files.outside?.(path, within) ?? files.resolve(path);
}

function unlessOutside(error: unknown): undefined {
  if (!(error instanceof ToolError) || error.type !== "outside_workspace") {
    throw error;
  }
}
