import { HOOKS_OF_READING, runningSetting, settingOf } from "../../../shell/gitConfig.js";
import type { Files } from "../../../ports/files.js";
import { joinPath, normalisePath } from "../../paths/pathShape.js";
import { elsewhereDoubt } from "./elsewhere.js";
import {
  findRepository,
  GitUnknown,
  hasFlagRefs,
  hooksFolder,
  kindOf,
  openRepository,
  trackedBy,
  type GitRepository,
} from "./repository.js";

/** Maximum number of nested repositories that are checked, at any depth; with more, the call asks. */
const MAX_INNER = 100;

/**
 * Returns why git may run a program of a folder's repository, or look elsewhere, during a read-only subcommand: because
 * of its configuration and hooks, and those of the repositories that it tracks (submodules), which `git status` and
 * `git diff` enter.
 * @param folder the host's own absolute path
 * @returns undefined if there is no repository, or nothing in it runs anything
 */
export async function repositoryDoubt(files: Files, folder: string): Promise<string | undefined> {
  try {
    const outer = await findRepository(files, folder);
    return outer === undefined ? undefined : ((await doubtOf(files, outer)) ?? (await innerDoubt(files, outer)));
  } catch (error) {
    return error instanceof GitUnknown ? error.message : "the repository's configuration cannot be read";
  }
}

async function innerDoubt(files: Files, outer: GitRepository): Promise<string | undefined> {
  const open = [outer];
  let count = 0;
  for (let repository = open.pop(); repository !== undefined; repository = open.pop()) {
    for (const { path } of (await trackedBy(files, repository)).entries.filter(({ isRepository }) => isRepository)) {
      const top = joinPath(repository.top, path);
      count += 1;
      if (count > MAX_INNER) {
        return "it has more submodules than are checked";
      }
      // A submodule that was not fetched has none, and git does not enter it.
      const dotGit = await kindOf(files, joinPath(top, ".git"));
      if (dotGit !== undefined) {
        const inner = await openRepository(files, top, dotGit);
        const doubt = await doubtOf(files, inner);
        if (doubt !== undefined) {
          return `in the submodule \`${path}\`, ${doubt}`;
        }
        open.push(inner);
      }
    }
  }
  return undefined;
}

async function doubtOf(files: Files, repository: GitRepository): Promise<string | undefined> {
  const { settings, isWhole, own, top } = repository;
  if (!isWhole) {
    return "the repository's configuration is not understood";
  }
  const running = runningSetting(settings);
  if (running !== undefined) {
    return `the repository's configuration ${running}`;
  }
  const worktree = settingOf(settings, "core.worktree");
  if (
    worktree !== undefined &&
    normalisePath(worktree.startsWith("/") ? worktree : joinPath(own, worktree)) !== normalisePath(top)
  ) {
    return "the repository's configuration has core.worktree, which makes git look elsewhere";
  }
  if (await hasFlagRefs(files, repository)) {
    return "the repository may have a branch or tag whose name begins with a dash, which a command reads as a flag";
  }
  const hooks = hooksFolder(repository);
  if (hooks === undefined) {
    return "its hooks are in a folder that is not checked";
  }
  for (const hook of HOOKS_OF_READING) {
    if ((await kindOf(files, joinPath(hooks, hook))) !== undefined) {
      return `git runs the repository's hook ${hook}`;
    }
  }
  return elsewhereDoubt(files, repository);
}
