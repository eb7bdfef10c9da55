import { excerpt } from "../../text/clip.js";
import type { Files, GatedPath } from "../../ports/files.js";
import { ToolError } from "../errors.js";
import { pathBelow } from "./pathShape.js";
import { SecretWall } from "./secretWall.js";

/**
 * Files for one call, in which the paths that permission decided on stay what they were then: a link that is
 * exchanged between the decision and the work leads nowhere new. Other paths go through the gate as always,
 * and of those none is read that may hold secrets (`SecretWall`).
 *
 * Outside the workspace the call reaches what lies below its pins, and nothing else. The folders above a pin can be
 * looked at, as making a file there takes, but not into. What is asked for by `Files.outside` is not the call's to ask.
 *
 * @param pins by the path as the caller wrote it
 * @param wall keeps the call from secrets
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
        `${excerpt(at.path)}: it lies outside the workspace, and this call was not let into it.`,
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

/** A pin outside the workspace by its absolute name, or what lies below one; undefined for every other path. */
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

/** Only files that reach outside give a pin that lies there. */
function outsideOf(files: Files, path: string, within?: GatedPath): Promise<GatedPath> {
  return files.outside?.(path, within) ?? files.resolve(path);
}

function unlessOutside(error: unknown): undefined {
  if (!(error instanceof ToolError) || error.type !== "outside_workspace") {
    throw error;
  }
}
