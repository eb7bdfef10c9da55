import { ToolError } from "../../errors.js";
import { joinPath, parentPath } from "../../paths/pathShape.js";
import { kindOf, openRepository, textOf } from "../git/repository.js";
import type { ReachedFile } from "../touches.js";
import { ANY_NAME, broughtBack, IGNORE_FILES } from "../unhidden.js";
import { PLACE_COST, type CommandPlaces } from "./places.js";

/** Maximum size of an ignore file, in bytes; a longer one may bring anything back. */
export const MAX_IGNORE_FILE = 200_000;

/** Returns what a folder's ignore files bring back; any name if one cannot be read. */
export async function broughtBackBy(
  places: CommandPlaces,
  folder: ReachedFile,
  entries: readonly { name: string }[],
): Promise<readonly string[]> {
  const patterns: string[] = [];
  for (const { name } of entries.filter((entry) => IGNORE_FILES.has(entry.name))) {
    places.count(PLACE_COST);
    try {
      const bytes = await places.files.readBytes(
        await places.files.resolve(joinPath(folder.absolute, name)),
        MAX_IGNORE_FILE,
      );
      patterns.push(...broughtBack(new TextDecoder().decode(bytes)));
    } catch {
      patterns.push(ANY_NAME);
    }
  }
  if (entries.some(({ name }) => name === ".git")) {
    patterns.push(...(await broughtBackByGit(places, folder.absolute)));
  }
  return patterns;
}

/** Like `broughtBackBy`, for the list next to a repository's configuration (gitignore(5)). */
async function broughtBackByGit(places: CommandPlaces, top: string): Promise<readonly string[]> {
  places.count(PLACE_COST);
  try {
    const kind = (await kindOf(places.files, joinPath(top, ".git"))) ?? "other";
    const { own, shared } = await openRepository(places.files, top, kind);
    const texts = await Promise.all(
      [...new Set([own, shared])].map((folder) => textOf(places.files, joinPath(folder, "info/exclude"))),
    );
    return texts.flatMap((text) => (text === undefined ? [] : broughtBack(text)));
  } catch {
    return [ANY_NAME];
  }
}

/** Like `broughtBackBy`, for the parent folders. */
export async function broughtBackAbove(
  places: CommandPlaces,
  folders: readonly ReachedFile[],
): Promise<readonly string[]> {
  const patterns: string[] = [];
  const seen = new Set<string>();
  for (const folder of folders) {
    let at = await places.place(parentPath(folder.absolute));
    for (
      ;
      !at.outside && !seen.has(at.absolute) && parentPath(at.absolute) !== at.absolute;
      at = await places.place(parentPath(at.absolute))
    ) {
      seen.add(at.absolute);
      patterns.push(...(await broughtBackBy(places, at, await places.list(at))));
    }
    // Ignore files apply up to the top of the disk; those above the workspace may be of the same repository.
    for (let above = at.absolute; at.outside && !seen.has(above); above = parentPath(above)) {
      seen.add(above);
      patterns.push(...(await broughtBackOutside(places, above)));
    }
  }
  return patterns;
}

/** Returns what the ignore files of a folder above the workspace bring back. */
async function broughtBackOutside(places: CommandPlaces, folder: string): Promise<readonly string[]> {
  places.count(PLACE_COST);
  const texts = await Promise.all(
    [...IGNORE_FILES].map((name) =>
      textOf(places.files, joinPath(folder, name)).catch((error: unknown) =>
        error instanceof ToolError && error.type === "outside_workspace" ? undefined : `!${ANY_NAME}`,
      ),
    ),
  );
  const hasGit = (await kindOf(places.files, joinPath(folder, ".git")).catch(() => undefined)) !== undefined;
  return [
    ...texts.flatMap((text) => (text === undefined ? [] : broughtBack(text))),
    ...(hasGit ? await broughtBackByGit(places, folder) : []),
  ];
}
