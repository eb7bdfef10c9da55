import { HOOKS_OF_READING, parseGitConfig, runningSetting, settingOf, type GitSetting } from "../../command/gitConfig.js";
import type { Files } from "../../ports/files.js";
import { ToolError } from "../errors.js";
import { joinPath, normalisePath, parentPath } from "../pathShape.js";
import { resolveAnywhere } from "./resolveAnywhere.js";

/** Bytes of a configuration file that is read. A longer one asks. */
const MAX_CONFIG = 1_000_000;
/** Files that include each other. */
const MAX_INCLUDES = 20;

/**
 * Why git may run a program of the repository that a folder is in, or look elsewhere, although its subcommand only looks: its own
 * configuration and hooks are read as text, git is not run. The user's and the system's configuration are theirs.
 *
 * @param folder the host's own absolute path
 * @returns undefined where there is no repository, or none of its settings runs anything
 */
export async function repositoryDoubt(files: Files, folder: string): Promise<string | undefined> {
  try {
    const top = await findTop(files, folder);
    return top === undefined ? undefined : await doubtOf(files, top);
  } catch {
    return "the configuration of the repository cannot be read";
  }
}

/** The nearest folder upwards that has a `.git`. */
async function findTop(files: Files, folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = parentPath(at)) {
    if ((await kindOf(files, joinPath(at, ".git"))) !== undefined) {
      return at;
    }
    if (parentPath(at) === at) {
      return undefined;
    }
  }
}

async function doubtOf(files: Files, top: string): Promise<string | undefined> {
  const dotGit = joinPath(top, ".git");
  const isFile = (await kindOf(files, dotGit)) === "file";
  const link = isFile ? /^gitdir: (.+?)\s*$/.exec((await textOf(files, dotGit)) ?? "")?.[1] : undefined;
  if (isFile && link === undefined) {
    return "its `.git` is not understood";
  }
  const own = link === undefined ? dotGit : from(top, link);
  const common = (await textOf(files, joinPath(own, "commondir")))?.trim();
  const shared = common === undefined ? own : from(own, common);
  const settings = await settingsOf(files, [joinPath(shared, "config"), joinPath(own, "config.worktree")]);
  if (settings === undefined) {
    return "the configuration of the repository is not understood";
  }
  const running = runningSetting(settings);
  if (running !== undefined) {
    return `the configuration of the repository ${running}`;
  }
  const worktree = settingOf(settings, "core.worktree");
  if (worktree !== undefined && from(own, worktree) !== normalisePath(top)) {
    return "the configuration of the repository has core.worktree, which makes git look elsewhere";
  }
  return hookDoubt(files, settingOf(settings, "core.hookspath"), top, shared);
}

/** Every setting of some files and of those that they include, whatever the condition; undefined when one is not understood. */
async function settingsOf(files: Files, paths: readonly string[]): Promise<readonly GitSetting[] | undefined> {
  const settings: GitSetting[] = [];
  const open = [...paths];
  for (let count = 0, path = open.shift(); path !== undefined; path = open.shift(), count++) {
    const text = await textOf(files, path);
    const found = text === undefined ? [] : parseGitConfig(text);
    const includes = found?.filter(({ name }) => /^include(?:if\..+)?\.path$/.test(name)) ?? [];
    if (found === undefined || count > MAX_INCLUDES || includes.some(({ value }) => value.startsWith("~"))) {
      return undefined;
    }
    settings.push(...found);
    const folder = parentPath(path);
    open.push(...includes.map(({ value }) => from(folder, value)));
  }
  return settings;
}

/** A hook that runs when git looks at the state of files, in the folder that is configured or in git's own. */
async function hookDoubt(files: Files, hooksPath: string | undefined, top: string, shared: string): Promise<string | undefined> {
  if (hooksPath?.startsWith("~") === true) {
    return "its hooks lie in a folder that is not looked into";
  }
  const folder = hooksPath === undefined || hooksPath === "" ? joinPath(shared, "hooks") : from(top, hooksPath);
  for (const hook of HOOKS_OF_READING) {
    if ((await kindOf(files, joinPath(folder, hook))) !== undefined) {
      return `git runs the hook ${hook} of the repository`;
    }
  }
  return undefined;
}

function from(folder: string, path: string): string {
  return normalisePath(path.startsWith("/") ? path : joinPath(folder, path));
}

/** What kind of file there is; undefined when there is none. */
export async function kindOf(files: Files, path: string): Promise<string | undefined> {
  return unlessMissing(async () => (await files.stat(await resolveAnywhere(files, path))).kind);
}

/** The text of a file; undefined when there is none. */
export async function textOf(files: Files, path: string): Promise<string | undefined> {
  return unlessMissing(async () => (await files.readSnapshot(await resolveAnywhere(files, path), MAX_CONFIG)).text);
}

async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ToolError && error.type === "not_found") {
      return undefined;
    }
    throw error;
  }
}
