import { parseGitConfig, settingOf, type GitSetting } from "../../../shell/gitConfig.js";
import { parseGitIndex, type IndexEntry } from "../../../shell/gitIndex.js";
import type { Files } from "../../../ports/files.js";
import { unlessMissing } from "../../errors.js";
import { joinPath, normalisePath, parentPath } from "../../paths/pathShape.js";
import { resolveAnywhere } from "../commands/resolveAnywhere.js";

/** Maximum size of a configuration file, in bytes. A longer one is not understood. */
const MAX_CONFIG = 1_000_000;
/** Maximum number of configuration files, including included ones. */
const MAX_INCLUDES = 20;
/** Maximum number of configuration files that are remembered. */
const MAX_KNOWN = 200;
/** Maximum size of an index, in bytes: about 500,000 files. */
const MAX_INDEX = 64_000_000;

/** Thrown if part of a repository cannot be read or is not understood. The message completes «`git status`: …». */
export class GitUnknown extends Error {}

/**
 * A repository with a working tree, according to its files. git is not run, and the user's and the system's
 * configuration is not read.
 */
export interface GitRepository {
  /** The folder that has the `.git`. */
  top: string;
  /** git's folder for this working tree. */
  own: string;
  /** git's folder that all working trees of a repository share. */
  shared: string;
  /** Every setting in its files and the files they include, whatever the condition. */
  settings: readonly GitSetting[];
  /**
   * Whether `settings` is complete: false if git fails on a file or we do not understand it, or a file is one of the
   * user's.
   */
  isWhole: boolean;
}

/**
 * Returns the repository that a folder is in; undefined if there is none.
 * @param folder the host's own absolute path
 * @throws GitUnknown
 */
export async function findRepository(files: Files, folder: string): Promise<GitRepository | undefined> {
  const dotGit = await dotGitAbove(files, folder);
  const found = dotGit && (await openRepository(files, dotGit.top, dotGit.kind));
  if (
    found !== undefined &&
    !(await isSure(files, found)) &&
    parentPath(found.top) !== found.top &&
    (await dotGitAbove(files, parentPath(found.top))) !== undefined
  ) {
    throw new GitUnknown("its `.git` may not be a repository: git may use the one above");
  }
  return found;
}

/** Returns the nearest folder upwards that has a `.git`, and that one's kind. */
async function dotGitAbove(files: Files, folder: string): Promise<{ top: string; kind: string } | undefined> {
  for (let at = folder; ; at = parentPath(at)) {
    const kind = await kindOf(files, joinPath(at, ".git"));
    if (kind !== undefined) {
      return { top: at, kind };
    }
    if (parentPath(at) === at) {
      return undefined;
    }
  }
}

/**
 * Whether git certainly treats this as a repository, and does not look for one above (git 2.39, `is_git_directory`).
 */
export async function isSure(files: Files, { own, shared }: GitRepository): Promise<boolean> {
  const head = await textOf(files, joinPath(own, "HEAD"));
  const kinds = await Promise.all(["objects", "refs"].map((name) => kindOf(files, joinPath(shared, name))));
  // In a folder that cannot be entered nothing can be looked up.
  await Promise.all(["objects/info", "refs/heads"].map((name) => kindOf(files, joinPath(shared, name))));
  return (
    head !== undefined &&
    /^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/.test(head) &&
    kinds.every((kind) => kind === "directory")
  );
}

/**
 * Returns the repository of a folder that has a `.git`.
 * @param kind of the `.git`
 * @throws GitUnknown
 */
export async function openRepository(files: Files, top: string, kind: string): Promise<GitRepository> {
  const dotGit = joinPath(top, ".git");
  const isFile = kind === "file";
  const link = isFile ? /^gitdir: (.+)$/.exec((await textOf(files, dotGit))?.trimEnd() ?? "")?.[1] : undefined;
  if (isFile && link === undefined) {
    throw new GitUnknown("its `.git` is not understood");
  }
  const own = link === undefined ? dotGit : from(top, link);
  const common = (await textOf(files, joinPath(own, "commondir")))?.trim();
  const shared = common === undefined ? own : from(own, common);
  return {
    top,
    own,
    shared,
    ...(await settingsOf(files, [joinPath(shared, "config"), joinPath(own, "config.worktree")])),
  };
}

/** Returns every setting in some files and the files they include, whatever the condition. */
async function settingsOf(
  files: Files,
  paths: readonly string[],
): Promise<Pick<GitRepository, "settings" | "isWhole">> {
  const settings: GitSetting[] = [];
  let isWhole = true;
  const open = [...paths];
  for (let count = 0, path = open.shift(); path !== undefined; path = open.shift(), count++) {
    const found = await settingsIn(files, path);
    if (found === undefined || count > MAX_INCLUDES) {
      return { settings, isWhole: false };
    }
    settings.push(...found);
    const included = found.filter(({ name }) => /^include(?:if\..+)?\.path$/.test(name)).map(({ value }) => value);
    isWhole &&= !included.some((value) => value.startsWith("~"));
    const folder = parentPath(path);
    open.push(...included.filter((value) => !value.startsWith("~")).map((value) => from(folder, value)));
  }
  return { settings, isWhole };
}

/** What configuration files said, by their paths, as long as they are unchanged. */
const known = new Map<string, { state: string; settings: readonly GitSetting[] | undefined }>();

/** Returns the settings in one file, none if there is no file; undefined if it is not understood. */
async function settingsIn(files: Files, path: string): Promise<readonly GitSetting[] | undefined> {
  if (files.isMissing?.(path) === true) {
    return [];
  }
  const found = await unlessMissing(async () => {
    const at = await resolveAnywhere(files, path);
    const { state } = await files.stat(at);
    const last = known.get(at.absolute);
    if (state !== undefined && last?.state === state) {
      return last;
    }
    const settings = parseGitConfig((await files.readSnapshot(at, MAX_CONFIG)).text);
    if (state !== undefined) {
      if (known.size >= MAX_KNOWN) {
        known.clear();
      }
      known.set(at.absolute, { state, settings });
    }
    return { settings };
  });
  return found === undefined ? [] : found.settings;
}

/** Returns the folder with the hooks: the configured one, or git's own; undefined if it is in a home folder. */
export function hooksFolder({ top, shared, settings }: GitRepository): string | undefined {
  const path = settingOf(settings, "core.hookspath") ?? "";
  return path.startsWith("~") ? undefined : path === "" ? joinPath(shared, "hooks") : from(top, path);
}

/** What a repository tracks. */
export interface Tracked {
  entries: readonly IndexEntry[];
  /** When the index was written, in milliseconds since 1970. */
  written: number;
}

/**
 * Returns the tracked files, and the repositories among them.
 * @throws GitUnknown
 */
export async function trackedBy(files: Files, { own, settings }: GitRepository): Promise<Tracked> {
  const nameBytes = settingOf(settings, "extensions.objectformat") === "sha256" ? 32 : 20;
  const entries: IndexEntry[] = [];
  let written = 0;
  // A shared index does not refer to another.
  for (let name: string | undefined = "index", count = 0; name !== undefined && count < 2; count++) {
    const path = joinPath(own, name);
    const bytes = await bytesOf(files, path);
    const index = bytes === undefined ? undefined : parseGitIndex(bytes, nameBytes);
    if (bytes !== undefined && index === undefined) {
      throw new GitUnknown("the repository's index is not understood");
    }
    written = Math.max(
      written,
      bytes === undefined ? 0 : (await files.stat(await resolveAnywhere(files, path))).modified,
    );
    entries.push(...(index?.entries ?? []));
    name = index?.sharedBy === undefined ? undefined : `sharedindex.${index.sharedBy}`;
  }
  return { entries, written };
}

/**
 * Whether a branch or tag has a name that a command reads as a flag (`git show $(git describe)`): a clone includes
 * names that others chose.
 * @returns also true if refs are stored in another format
 */
export async function hasFlagRefs(files: Files, { own, shared, settings }: GitRepository): Promise<boolean> {
  const packed = await bytesOf(files, joinPath(shared, "packed-refs"));
  const texts = [
    packed === undefined ? "" : new TextDecoder().decode(packed),
    (await textOf(files, joinPath(own, "HEAD"))) ?? "",
  ];
  const names = await Promise.all(
    ["heads", "tags"].map((kind) =>
      unlessMissing(async () =>
        (await files.list(await resolveAnywhere(files, joinPath(shared, `refs/${kind}`)))).map(({ name }) => name),
      ),
    ),
  );
  return (
    (settingOf(settings, "extensions.refstorage") ?? "files") !== "files" ||
    texts.some((text) => /\srefs\/(?:heads|tags)\/-/.test(text)) ||
    names.flat().some((name) => name?.startsWith("-") === true)
  );
}

/**
 * Returns why the output of `git describe` may not be a ref's name; undefined if it is. For an annotated tag Git prints
 * the name inside the tag object, which can be any text and need not match the ref (builtin/describe.c, `append_name`).
 * Only packed refs show which tags are annotated (packed-refs, `fully-peeled`).
 */
export async function tagDoubt(files: Files, folder: string): Promise<string | undefined> {
  try {
    const repository = await findRepository(files, folder);
    if (repository === undefined) {
      return undefined;
    }
    const loose = await unlessMissing(async () =>
      files.list(await resolveAnywhere(files, joinPath(repository.shared, "refs/tags"))),
    );
    const packed = await bytesOf(files, joinPath(repository.shared, "packed-refs"));
    const lines = packed === undefined ? [] : new TextDecoder().decode(packed).split("\n");
    const isTag = (line: string | undefined): boolean => /^[0-9a-f]+ refs\/tags\//.test(line ?? "");
    const isPlain =
      !lines.some(isTag) ||
      (/^# pack-refs with:.* fully-peeled /.test(lines[0] ?? "") &&
        !lines.some((line, at) => line.startsWith("^") && isTag(lines[at - 1])));
    return (loose ?? []).length === 0 && isPlain
      ? undefined
      : "the repository may have an annotated tag, and git describe prints the name inside it, which another command may read as a flag";
  } catch {
    return "the repository's tags cannot be read";
  }
}

function from(folder: string, path: string): string {
  return normalisePath(path.startsWith("/") ? path : joinPath(folder, path));
}

/** Returns a file's kind; undefined if there is no file. */
export async function kindOf(files: Files, path: string): Promise<string | undefined> {
  if (files.isMissing?.(path) === true) {
    return undefined;
  }
  return unlessMissing(async () => (await files.stat(await resolveAnywhere(files, path))).kind);
}

/** Returns a file's text; undefined if there is no file. */
export async function textOf(files: Files, path: string): Promise<string | undefined> {
  if (files.isMissing?.(path) === true) {
    return undefined;
  }
  return unlessMissing(async () => (await files.readSnapshot(await resolveAnywhere(files, path), MAX_CONFIG)).text);
}

async function bytesOf(files: Files, path: string): Promise<Uint8Array | undefined> {
  return unlessMissing(async () => files.readBytes(await resolveAnywhere(files, path), MAX_INDEX));
}
