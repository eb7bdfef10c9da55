import { ToolError } from "../../core/errors.js";
import { joinPath } from "../../core/paths/pathShape.js";
import { secretGlobs } from "../../core/paths/protectedFiles.js";
import type { SearchRequest } from "../../ports/search.js";
import { anyCase } from "./arguments.js";
import type { RipgrepSearchHost } from "./host.js";
import { listFiles } from "./listing.js";
import type { Found, Unsearched } from "./matches.js";
import { admits, isAmong, nameBelow, type Target } from "./target.js";
import { IGNORED_LIMIT } from "./unsearched.js";

/** What a search says that could not count all files that may hold secrets. */
export const WITHHELD_UNKNOWN = `There may be more files that may hold secrets, which are not searched: the look for them was ended after ${IGNORED_LIMIT / 1_000} s.`;

/**
 * Files that were not searched because `admits` refuses them. Whether the pattern stands in one has no part in it.
 * `isWhole`: all were looked at.
 */
export async function countWithheld(
  host: RipgrepSearchHost,
  request: SearchRequest,
  folders: readonly Target[],
  { unsearched }: Found,
  signal: AbortSignal,
): Promise<{ count: number; isWhole: boolean }> {
  let count = 0;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(IGNORED_LIMIT)]);
  for (const folder of folders) {
    if (limit.aborted) {
      break;
    }
    const known = unsearched.get(folder);
    count +=
      (await countFiles(host, folder, known?.refused)) ?? (await countListed(host, request, folder, known, limit));
  }
  signal.throwIfAborted();
  return { count, isWhole: !limit.aborted };
}

/** How many entries are files, as a walk would list them; undefined where that cannot be told of each. */
async function countFiles(
  host: RipgrepSearchHost,
  folder: Target,
  names: readonly string[] | undefined,
): Promise<number | undefined> {
  const areFiles = names && (await Promise.all([...new Set(names)].map((name) => isPlainFile(host, folder, name))));
  return areFiles?.includes(undefined) ? undefined : areFiles?.filter(Boolean).length;
}

/** Neither folder nor link: a walk follows none. */
async function isPlainFile(host: RipgrepSearchHost, folder: Target, name: string): Promise<boolean | undefined> {
  try {
    const at = await host.resolve(nameBelow(folder, name));
    // What the gate takes for another name is not looked at.
    return at.lexical.endsWith(`/${name}`)
      ? at.absolute === joinPath(folder.cwd, name) && (await host.kindOf(at)) === "file"
      : undefined;
  } catch (error) {
    if (error instanceof ToolError) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Of a folder, listing only what may be secret: `admits` refuses nothing else. To print all names and look at each
 * takes longer than the walk.
 */
async function countListed(
  { run }: RipgrepSearchHost,
  request: SearchRequest,
  target: Target,
  known: Unsearched | undefined,
  signal: AbortSignal,
): Promise<number> {
  const count = async (include: readonly string[], leftOut: readonly string[]): Promise<number> => {
    let refused = 0;
    await listFiles(run, { ...request, include }, target, signal, (name) => {
      refused += admits(request, target, name) || isAmong(name, leftOut) ? 0 : 1;
    });
    return refused;
  };
  const globs = request.include.length === 0 ? secretGlobs([target.prefix, target.realPrefix]) : undefined;
  if (globs === undefined) {
    return count(request.include, []);
  }
  // Such globs bring back what rules leave out.
  const leftOut = request.includeIgnored ? [] : known?.ignored;
  const refused = await count(globs.map(anyCase), leftOut ?? []);
  return refused === 0 || leftOut !== undefined || signal.aborted ? refused : count([], []);
}
