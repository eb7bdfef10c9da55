import { baseName, joinPath, parentPath } from "../../core/paths/pathShape.js";
import type { SearchRequest } from "../../ports/search.js";
import type { RipgrepSearchHost, UnsavedText } from "./host.js";
import { endsLogLine } from "./log.js";
import type { Found, MatchSearch } from "./matches.js";
import { nameBelow, type Target } from "./target.js";

/** Milliseconds spent on telling that there would be matches in ignored files. */
export const IGNORED_LIMIT = 3_000;

/** What a search says whose look into ignored files was ended: that nothing would match there is not known. */
export const IGNORED_UNKNOWN = `Whether ignored files match is not known for all of them: that look was ended after ${IGNORED_LIMIT / 1_000} s. Set include_ignored to search them.`;

/** What is to be searched of each folder for matches that rules leave out. */
export async function ignoredParts(
  host: RipgrepSearchHost,
  request: SearchRequest,
  folders: readonly Target[],
  { unsearched }: Found,
): Promise<Target[]> {
  return request.includeIgnored
    ? []
    : Promise.all(folders.map((folder) => ignoredPart(host, folder, unsearched.get(folder)?.ignored)));
}

/**
 * How many more lines would match with ignored files, and whether all of them were looked at.
 *
 * @param parts what is to be searched for them of the folders
 */
export async function countIgnored(
  matches: MatchSearch,
  request: SearchRequest,
  folders: readonly Target[],
  parts: readonly Target[],
  unsaved: readonly UnsavedText[],
  signal: AbortSignal,
): Promise<{ count: number; isWhole: boolean }> {
  const all = { ...request, includeIgnored: true, context: 0 };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(IGNORED_LIMIT)]);
  let found = await matches.searchAll(
    all,
    parts.filter(({ operands }) => operands.length > 0),
    unsaved,
    limit,
  );
  // A file that is named is searched past a NUL, too, where a search of its folder ends.
  if (found.cutShort && parts.some((part) => !folders.includes(part))) {
    found = await matches.searchAll(all, folders, unsaved, limit);
  }
  signal.throwIfAborted();
  return { count: [...found.files.values()].reduce((sum, file) => sum + file.matchCount, 0), isWhole: !limit.aborted };
}

/** All of a folder where what rules leave out is not known for sure. */
async function ignoredPart(
  host: RipgrepSearchHost,
  folder: Target,
  names: readonly string[] | undefined,
): Promise<Target> {
  if (names === undefined) {
    return folder;
  }
  const parents = [...new Set(names.map(parentPath))];
  const entries = new Map(
    await Promise.all(parents.map(async (parent) => [parent, await plainEntries(host, folder, parent)] as const)),
  );
  const areKnown = names.every((name) => entries.get(parentPath(name))?.has(baseName(name)));
  return areKnown ? { ...folder, operands: names.map((name) => `./${name}`) } : folder;
}

/**
 * Files and folders in a folder below the one that is searched. Further down ripgrep follows no link and passes pipes
 * over; but a link that it is given it follows, and at a pipe it waits.
 */
async function plainEntries(host: RipgrepSearchHost, folder: Target, below: string): Promise<ReadonlySet<string>> {
  try {
    const at = await host.resolve(nameBelow(folder, below));
    const entries = (at.absolute === joinPath(folder.cwd, below) && (await host.files?.list(at))) || [];
    return new Set(
      entries.some(({ name }) => endsLogLine(name))
        ? []
        : entries.filter(({ kind, link }) => !link && kind !== "other").map(({ name }) => name),
    );
  } catch {
    return new Set();
  }
}
