import { unlessMissing } from "../../errors.js";
import { joinPath } from "../../paths/pathShape.js";
import { protectedReason } from "../../paths/protectedFiles.js";
import { guardOfChange, secretOf, type CommandUse, type ReachedFile } from "../touches.js";
import { below, inFolder, PLACE_COST, TooMany, type CommandPlaces } from "./places.js";

/**
 * Maximum size of a file that a command may change unasked, in bytes: less than what is kept for undo when a command
 * starts (`hosts/node/effects/contents`).
 */
const LARGEST_RESTORED = 8_000_000;

/** Marks the changes to files that undo might not take back. */
export async function restorable(
  uses: readonly CommandUse[],
  places: CommandPlaces,
  changesNamed: boolean,
): Promise<readonly CommandUse[]> {
  const targets = uses.filter(({ kind, moved }) => kind === "write" && moved !== true).flatMap(({ files }) => files);
  return Promise.all(
    uses.map(async (use) => {
      const why =
        changesNamed && use.kind === "write"
          ? await beyondUndo(places, use.files, use.moved === true ? targets : undefined)
          : undefined;
      return why === undefined ? use : { ...use, beyondUndo: why };
    }),
  );
}

/**
 * Returns why a change to files might not be taken back by undo, or reaches more than they say; undefined if nothing
 * speaks against it.
 *
 * @param targets where the files are moved to, if they are moved
 */
async function beyondUndo(
  places: CommandPlaces,
  files: readonly ReachedFile[],
  targets: readonly ReachedFile[] | undefined,
): Promise<string | undefined> {
  try {
    for (const at of files) {
      const why =
        at.path === at.realPath ? await undoDoubt(places, at, targets) : `\`${at.path}\` is, or is behind, a link`;
      if (why !== undefined) {
        return why;
      }
    }
    return undefined;
  } catch (error) {
    return error instanceof TooMany ? "it reaches more files than are checked" : "a file cannot be looked up";
  }
}

async function undoDoubt(
  places: CommandPlaces,
  at: ReachedFile,
  targets: readonly ReachedFile[] | undefined,
): Promise<string | undefined> {
  places.count(PLACE_COST);
  const path = await places.files.resolve(at.absolute);
  const info = await unlessMissing(() => places.files.stat(path));
  if (info === undefined) {
    return undefined;
  }
  if (info.kind === "directory") {
    return targets === undefined ? undefined : moveDoubt(places, at, targets);
  }
  if (info.kind !== "file") {
    return `\`${at.path}\` is not an ordinary file`;
  }
  return info.size > LARGEST_RESTORED ? `\`${at.path}\` is too large for undo` : undefined;
}

/** Returns why a folder cannot be moved like a file: something in it would be, or is, more than a file by its name. */
async function moveDoubt(
  places: CommandPlaces,
  folder: ReachedFile,
  targets: readonly ReachedFile[],
): Promise<string | undefined> {
  const open: { at: ReachedFile; within: string }[] = [{ at: folder, within: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { name, kind, link } of await places.list(next.at)) {
      const at = below(next.at, name);
      const within = next.within === "" ? name : joinPath(next.within, name);
      if (link || (kind !== "file" && kind !== "directory")) {
        return `\`${at.path}\`, which is moved with it, is not an ordinary file`;
      }
      const guard =
        guardOfChange(at) ??
        secretOf(at) ??
        targets.map(({ path }) => protectedReason(inFolder(path, within))).find((why) => why !== undefined);
      if (guard !== undefined) {
        return `\`${at.path}\`, which is moved with it, is protected: ${guard}`;
      }
      if (kind === "directory") {
        open.push({ at, within });
      }
    }
  }
  return undefined;
}
