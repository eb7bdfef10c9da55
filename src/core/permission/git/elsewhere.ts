import { settingOf } from "../../../shell/gitConfig.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import { unlessMissing } from "../../errors.js";
import { joinPath, normalisePath, pathBelow } from "../../paths/pathShape.js";
import { secretReason } from "../../paths/protectedFiles.js";
import { textOf, type GitRepository } from "./repository.js";
import { resolveAnywhere } from "../commands/resolveAnywhere.js";

/**
 * git's own folders with files that git prints parts of, including in error messages about them (git 2.39: `bad graft
 * data: …`).
 */
const PRINTED = ["", "info", "objects/info", "rebase-merge", "rebase-apply", "sequencer"];

/** Entries that git never prints anything from. */
const NEVER_PRINTED = new Set(["hooks", "lfs"]);

/** Settings that name files of which git prints parts, including in messages. */
const FILES = ["blame.ignorerevsfile", "mailmap.file", "core.excludesfile"];

/** Maximum number of object stores that borrow from each other. */
const MAX_ALTERNATES = 10;

/**
 * Returns why a repository may make git print something from outside the workspace, or from a file that may be secret:
 * through the locations of its folder and objects, or links among its files, all of which whoever made the repository
 * chose. Undefined if it does not.
 */
export async function elsewhereDoubt(files: Files, repository: GitRepository): Promise<string | undefined> {
  const { top, own, shared, settings } = repository;
  const [atTop, atOwn, atShared] = await Promise.all([
    placeOf(files, top),
    placeOf(files, own),
    placeOf(files, shared),
  ]);
  if (atTop === undefined || atOwn === undefined || atShared === undefined) {
    return undefined;
  }
  const isOwn =
    atOwn.absolute === joinPath(atTop.absolute, ".git") ||
    settingOf(settings, "core.worktree") !== undefined ||
    (await pointsBack(files, own, atTop));
  if (atOwn.outside === true && !isOwn) {
    return "its `.git` leads to a repository outside the workspace that does not point back";
  }
  if (
    atShared.outside === true &&
    atShared.absolute !== atOwn.absolute &&
    pathBelow(joinPath(atShared.absolute, "worktrees"), atOwn.absolute, false) === undefined
  ) {
    return "its `commondir` leads to a repository outside the workspace";
  }
  const strays = ({ outside, absolute, path, realPath }: GatedPath): boolean =>
    (outside === true &&
      [atOwn, atShared].every((folder) => pathBelow(folder.absolute, absolute, false) === undefined)) ||
    secretReason(path) !== undefined ||
    secretReason(realPath) !== undefined;
  return (
    (await linkDoubt(files, [...new Set([own, shared])], strays)) ??
    (await settingDoubt(files, repository, strays)) ??
    alternateDoubt(files, joinPath(shared, "objects"), strays)
  );
}

/** Whether git's folder of a working tree points back to this working tree. */
async function pointsBack(files: Files, own: string, top: GatedPath): Promise<boolean> {
  const text = (await textOf(files, joinPath(own, "gitdir")))?.trim();
  const at = text === undefined ? undefined : await placeOf(files, from(own, text));
  return at?.absolute === joinPath(top.absolute, ".git");
}

async function linkDoubt(
  files: Files,
  folders: readonly string[],
  strays: (at: GatedPath) => boolean,
): Promise<string | undefined> {
  for (const folder of folders.flatMap((each) => PRINTED.map((name) => (name === "" ? each : joinPath(each, name))))) {
    const at = await placeOf(files, folder);
    const links =
      at === undefined
        ? []
        : ((await unlessMissing(() => files.list(at)))?.filter(({ link, name }) => link && !NEVER_PRINTED.has(name)) ??
          []);
    for (const { name } of links) {
      const target = await placeOf(files, joinPath(folder, name));
      if (target !== undefined && strays({ ...target, path: target.realPath })) {
        return `\`${name}\` in git's own folder is a link out of it, whose target git may print`;
      }
    }
  }
  return undefined;
}

async function settingDoubt(
  files: Files,
  { top, settings }: GitRepository,
  strays: (at: GatedPath) => boolean,
): Promise<string | undefined> {
  for (const { name, value } of settings.filter((setting) => FILES.includes(setting.name) && setting.value !== "")) {
    const at = /^[~%:]/.test(value) ? undefined : await placeOf(files, from(top, value));
    if (/^[~%:]/.test(value) || (at !== undefined && strays(at))) {
      return `the repository's configuration has ${name}, which names a file that git may print`;
    }
  }
  return undefined;
}

/** Reports objects borrowed from another repository (gitrepository-layout(5), "objects/info/alternates"). */
async function alternateDoubt(
  files: Files,
  objects: string,
  strays: (at: GatedPath) => boolean,
): Promise<string | undefined> {
  const open = [objects];
  for (let count = 0, folder = open.shift(); folder !== undefined; folder = open.shift(), count++) {
    const lines = ((await textOf(files, joinPath(folder, "info/alternates"))) ?? "")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    for (const line of lines) {
      const path = from(folder, line);
      const at = line.startsWith('"') || count >= MAX_ALTERNATES ? undefined : await placeOf(files, path);
      if (at !== undefined && files.roots().some(({ borrows }) => borrows === at.absolute)) {
        // What that borrows itself asks as it does in the folder.
        open.push(path);
        continue;
      }
      if (line.startsWith('"') || count >= MAX_ALTERNATES || (at !== undefined && strays(at))) {
        return "it borrows objects from a repository outside the workspace";
      }
      open.push(path);
    }
  }
  return undefined;
}

/** Locates a path, following links; undefined if there is nothing. */
async function placeOf(files: Files, path: string): Promise<GatedPath | undefined> {
  return unlessMissing(() => resolveAnywhere(files, path));
}

function from(folder: string, path: string): string {
  return normalisePath(path.startsWith("/") ? path : joinPath(folder, path));
}
