import type { TrackedUse } from "../../../shell/analysis.js";
import { addressWithCredentials } from "../../../shell/gitConfig.js";
import type { IndexEntry } from "../../../shell/gitIndex.js";
import type { Files } from "../../../ports/files.js";
import { secretReason } from "../../paths/protectedFiles.js";
import { joinPath, normalisePath } from "../../paths/pathShape.js";
import { findRepository, GitUnknown, kindOf, trackedBy, type GitRepository, type Tracked } from "./repository.js";
import { matchesParts } from "../rules/patterns.js";
import { resolveAnywhere } from "../commands/resolveAnywhere.js";

/**
 * Returns why a git command that prints remote addresses may print a password; undefined if none of the repository's
 * addresses contains one.
 */
export async function addressDoubt(files: Files, folder: string): Promise<string | undefined> {
  try {
    const repository = await findRepository(files, folder);
    const name = repository && addressWithCredentials(repository.settings);
    return name === undefined ? undefined : `the address in ${name} contains a password or token, which it may print`;
  } catch {
    return "the repository's configuration cannot be read";
  }
}

/**
 * Returns the objection to a git command that prints the contents of tracked files; undefined if none of them may be
 * secret.
 */
export async function trackedDoubt(files: Files, folder: string, use: TrackedUse): Promise<string | undefined> {
  try {
    const repository = await findRepository(files, folder);
    return repository === undefined ? undefined : await doubtOf(files, repository, folder, use);
  } catch (error) {
    return error instanceof GitUnknown ? error.message : "the repository's index cannot be read";
  }
}

async function doubtOf(
  files: Files,
  repository: GitRepository,
  folder: string,
  use: TrackedUse,
): Promise<string | undefined> {
  const tracked = await trackedBy(files, repository);
  const secrets = tracked.entries.filter(({ path }) => secretReason(path) !== undefined);
  if (secrets.length === 0) {
    return undefined;
  }
  const within = await rangeOf(files, repository, folder, use);
  for (const secret of secrets) {
    const path = joinPath(repository.top, secret.path);
    if (within.has(path) && !(within.isUnstaged && (await isUnchanged(files, path, secret, tracked)))) {
      return `it may print \`${secret.path}\`, which Git tracks: name other files after \`--\`, or exclude it with \`':!${secret.path}'\``;
    }
  }
  return undefined;
}

interface Range {
  has: (path: string) => boolean;
  /** Whether only unstaged changes are printed. */
  isUnstaged: boolean;
}

/** Returns which files a command is about, according to its words. */
async function rangeOf(
  files: Files,
  { top }: GitRepository,
  folder: string,
  { words, paths, atTop, except, unstaged }: TrackedUse,
): Promise<Range> {
  const named: string[] = [];
  let isOther = false;
  for (const word of words) {
    // If a word names a file, Git does not treat it as a revision, or fails.
    if (
      word !== "" &&
      (/[*?[]/.test(word) || (await kindOf(files, from(folder, word)).catch(() => undefined)) !== undefined)
    ) {
      named.push(from(folder, word));
    } else {
      isOther = true;
    }
  }
  const ranges = [...named, ...paths.map((path) => from(folder, path))];
  const inCommits = atTop.flatMap((path) => [from(top, path), from(folder, path)]);
  const isAll = ranges.length === 0 && (inCommits.length === 0 || isOther);
  const left = except.map((path) => from(folder, path));
  return {
    has: (path) =>
      !left.some((each) => !/[*?[\\]/.test(each) && isBelow(path, each)) &&
      (isAll || [...ranges, ...inCommits].some((each) => matches(path, each))),
    isUnstaged: unstaged === true && !isOther && inCommits.length === 0,
  };
}

/**
 * Whether a pathspec may match a path. In doubt it matches: everything from a bracket on counts as any text, and case
 * is ignored.
 */
function matches(path: string, pathspec: string): boolean {
  const pattern = pathspec
    .toLowerCase()
    .replace(/[[\\].*$/s, "*")
    .replaceAll("?", "*");
  return pattern.includes("*")
    ? matchesParts(pattern.split("*"), path.toLowerCase()) ||
        matchesParts(`${pattern}/*`.split("*"), path.toLowerCase())
    : isBelow(path.toLowerCase(), pattern);
}

function from(folder: string, path: string): string {
  return normalisePath(path.startsWith("/") ? path : joinPath(folder, path));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/**
 * Whether a file is unchanged since git last saw it, by git's own criteria: size and time, and a time before the
 * index's.
 */
async function isUnchanged(
  files: Files,
  path: string,
  { size, modified }: IndexEntry,
  { written }: Tracked,
): Promise<boolean> {
  try {
    const now = await files.stat(await resolveAnywhere(files, path));
    return now.size === size && Math.abs(now.modified - modified) < 1 && modified < written;
  } catch {
    return false;
  }
}
