import { globMatcher } from "../../core/paths/globMatcher.js";
import type { FindRequest, FindResult } from "../../ports/search.js";
import { compareCodeUnits } from "../../text/nearest.js";
import type { Ripgrep } from "./ripgrep.js";
import { namesIn } from "./arguments.js";
import { listFiles } from "./listing.js";
import { describeProblems } from "./problems.js";
import { nameBelow, type Target } from "./target.js";

/** Time limit for counting the ignored files that would be found, in ms. */
export const IGNORED_LIMIT = 3_000;

/** The notice if counting was stopped, so that nobody takes the count for "none". */
export const IGNORED_UNKNOWN = `Some ignored files may match: checking them was stopped after ${IGNORED_LIMIT / 1_000} s. Set include_ignored to search them.`;

/** Maximum paths held by one search for names: about 100 MB. */
const MAX_FOUND = 500_000;

/** Finds files by name. */
export async function findFiles(
  run: Ripgrep,
  request: FindRequest,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<FindResult> {
  const deadline = AbortSignal.timeout(request.timeLimit);
  const { full, ...found } = await findAll(run, request, targets, AbortSignal.any([signal, deadline]));
  signal.throwIfAborted();
  const ignored =
    found.paths.length === 0 && !request.includeIgnored && !deadline.aborted
      ? await countIgnoredFiles(run, request, targets, signal)
      : { count: 0, isWhole: true };
  return {
    ...found,
    problems: [...found.problems, ...(ignored.isWhole ? [] : [IGNORED_UNKNOWN])],
    partial: full || deadline.aborted,
    ignored: ignored.count,
  };
}

interface FoundFiles {
  paths: string[];
  problems: string[];
  /** Whether it was stopped because it found more than can be held. */
  full: boolean;
}

async function findAll(
  run: Ripgrep,
  request: FindRequest,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<FoundFiles> {
  // Matched here, since ripgrep's --glob would bring back files that .gitignore excludes.
  const matches = globMatcher(request.pattern);
  const include = namesIn(request.pattern);
  const paths: string[] = [];
  const problems: string[] = [];
  const full = new AbortController();
  for (const target of targets) {
    if (signal.aborted || full.signal.aborted) {
      break;
    }
    const { exitCode, errors } = await listFiles(
      run,
      { include, exclude: [], includeIgnored: request.includeIgnored },
      target,
      AbortSignal.any([signal, full.signal]),
      (name) => {
        const path = nameBelow(target, name);
        // With several folders, paths begin with a folder's name: a glob may too.
        if (matches(name) || (request.at.root === undefined && matches(path))) {
          paths.push(path);
        }
        if (paths.length >= MAX_FOUND) {
          full.abort();
        }
      },
    );
    if (exitCode === 2) {
      problems.push(...describeProblems(errors, target.prefix));
    }
  }
  return { paths: paths.sort(compareCodeUnits), problems, full: full.signal.aborted };
}

async function countIgnoredFiles(
  run: Ripgrep,
  request: FindRequest,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<{ count: number; isWhole: boolean }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(IGNORED_LIMIT)]);
  const { paths } = await findAll(run, { ...request, includeIgnored: true }, targets, limit);
  signal.throwIfAborted();
  return { count: paths.length, isWhole: !limit.aborted };
}
