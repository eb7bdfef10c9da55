import { findRepository, textOf } from "../core/permission/git/repository.js";
import { joinPath } from "../core/paths/pathShape.js";
import type { Files } from "../ports/files.js";
import { oneLine, shorten } from "../text/clip.js";

/** Maximum characters of a branch's name. */
const MAX_BRANCH = 200;

/**
 * Returns the line of the system prompt about the machine, and the date and branch when a session began: what is said
 * of a session stays the same from request to request, so that providers' caches of its beginning hold.
 *
 * @param platform such as `linux`; unknown if undefined
 * @param began milliseconds since 1970
 * @param hasBranch whether to name the branch: a repository chooses it, so the user must trust it
 */
export async function describeSurroundings(
  files: Files,
  { platform, began, hasBranch }: { platform: string | undefined; began: number; hasBranch: boolean },
): Promise<string> {
  const branch = hasBranch ? await branchOf(files) : undefined;
  const then = [`the date was ${localDate(began)}`, ...(branch === undefined ? [] : [`the Git branch ${branch}`])];
  return [
    ...(platform === undefined ? [] : [`The platform is ${platform}.`]),
    `When this session began, ${then.join(" and ")}.`,
  ].join(" ");
}

function localDate(at: number): string {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/** Returns the branch of the only folder; undefined if there is none, or it is unknown. */
async function branchOf(files: Files): Promise<string | undefined> {
  const [root, another] = files.roots().filter(({ beside }) => beside !== true);
  if (root?.scheme !== "file" || another !== undefined) {
    return undefined;
  }
  try {
    const repository = await findRepository(files, root.path);
    const head = repository && (await textOf(files, joinPath(repository.own, "HEAD")));
    const name = /^ref: refs\/heads\/(\S+)\s*$/.exec(head ?? "")?.[1];
    return name === undefined ? undefined : shorten(oneLine(name), MAX_BRANCH);
  } catch {
    return undefined;
  }
}
