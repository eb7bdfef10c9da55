import type { PathUse } from "../../../shell/analysis.js";
import type { CommandUse } from "../touches.js";
import { anyOf } from "./listedNames.js";
import { handedOn } from "./handedOn.js";
import { FlagName, PLACE_COST, TooMany, type CommandPlaces } from "./places.js";
import { secretsBelow } from "./secretsBelow.js";

/** Files that every process has, without contents. */
const HARMLESS = new Set(["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"]);

/** Returns the files that a path in a command's words leads to, from each folder the command may run in. */
export async function findUse(
  places: CommandPlaces,
  {
    kind,
    path,
    bases,
    deep = false,
    shownOnly,
    ordinaryOnly = false,
    leftOut,
    links = false,
    flagLike = false,
    anyCase = false,
    listed,
    moved,
  }: PathUse,
): Promise<CommandUse> {
  const use = {
    kind,
    written: path,
    deep,
    ...(flagLike ? { mayBeFlag: true } : {}),
    ...(moved === true ? { moved } : {}),
  };
  if (HARMLESS.has(path)) {
    return { ...use, files: [] };
  }
  try {
    // Before any work starts, because there may be thousands of words.
    places.count(PLACE_COST);
    const found = await Promise.all(
      (places.isAbsolute(path) ? ["."] : bases).map((base) => places.locate(base, path, flagLike, anyCase)),
    );
    const files = found.flat();
    if (listed !== undefined) {
      // A deep read of a listed folder may reach any file in it.
      return await handedOn(places, { ...use, files }, deep ? anyOf(listed) : listed, bases);
    }
    const hidden =
      deep && kind === "read" ? await secretsBelow(places, files, { shownOnly, links, ordinaryOnly, leftOut }) : {};
    return { ...use, files, ...hidden };
  } catch (error) {
    const problem =
      error instanceof TooMany
        ? tooMany(path)
        : error instanceof FlagName
          ? error.message
          : `\`${path}\` cannot be located`;
    return { ...use, files: [], problem };
  }
}

function tooMany(path: string): string {
  return `\`${path}\` is, or matches, more files than are checked`;
}
