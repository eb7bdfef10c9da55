import type { SimpleCommand, Steering } from "../../../shell/analysis.js";
import { joinPath, parentPath } from "../../paths/pathShape.js";
import { kindOf, textOf } from "../git/repository.js";
import { PLACE_COST, type CommandPlaces } from "./places.js";

/** Marks a command as no longer proven to only read if a file in the workspace changes its effect. */
export async function steered(
  simple: SimpleCommand,
  places: CommandPlaces,
  exported: readonly string[],
): Promise<SimpleCommand> {
  if (simple.effect !== "reads" || simple.steeredBy === undefined) {
    return simple;
  }
  const { files, variables = [], why } = simple.steeredBy;
  const variable = variables.find((name) => exported.includes(name));
  const named = simple.paths.flatMap(({ path, bases }) =>
    bases.map((base) => (places.isAbsolute(path) ? path : joinPath(base, path)).replace(/\/?[^/]*[*?[\\].*$/, "")),
  );
  const found =
    variable === undefined
      ? await findAbove(places, [...new Set([...simple.bases, ...named])], files).catch(() => "the folder it runs in")
      : `\`${variable}\``;
  return found === undefined ? simple : { ...simple, effect: "unknown", why: `${found} ${why}` };
}

/**
 * Marks a package runner as no longer proven to only read if its program is not installed, and is therefore downloaded.
 * No rule for its first words covers that.
 */
export async function installed(simple: SimpleCommand, places: CommandPlaces): Promise<SimpleCommand> {
  const { installedAs: name } = simple;
  const isThere =
    name === undefined || (await findAbove(places, simple.bases, [{ name }]).catch(() => undefined)) !== undefined;
  return isThere
    ? simple
    : {
        ...withoutLocal(simple),
        effect: "unknown",
        why: `there is no \`${name}\`, so it is downloaded`,
        beyondPrefix: true,
        prefix: 0,
      };
}

function withoutLocal({ local: _, ...simple }: SimpleCommand): SimpleCommand {
  return simple;
}

/**
 * Returns the first of some files that is in one of these folders or their parents.
 * @param bases as in `PathUse`
 * @returns its name, as shown in a reason
 */
async function findAbove(
  places: CommandPlaces,
  bases: readonly string[],
  names: Steering["files"],
): Promise<string | undefined> {
  for (const folder of await places.foldersOf(bases)) {
    for (let at = folder; ; at = parentPath(at)) {
      for (const { name, harmless } of names) {
        places.count(PLACE_COST);
        const path = joinPath(at, name);
        if (
          harmless === undefined
            ? (await kindOf(places.files, path)) !== undefined
            : !harmless.test((await textOf(places.files, path)) ?? "")
        ) {
          return `\`${name}\``;
        }
      }
      if (parentPath(at) === at) {
        break;
      }
    }
  }
  return undefined;
}
