import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isElsewhere } from "./disk/networkLinks.js";
import { readRegular } from "./effects/readRegular.js";

/** Maximum bytes of a file with one path. */
const MAX_LINK = 64_000;

/** Where a repository keeps what is a working tree's own, such as its index, and what it shares with its others. */
export interface GitPlace {
  own: string;
  common: string;
}

/** Returns the working tree of Git that contains a folder. */
export function topAbove(folder: string): string | undefined {
  for (let at = folder; ; at = resolve(at, "..")) {
    if (statSync(join(at, ".git"), { throwIfNoEntry: false }) !== undefined) {
      return at;
    }
    if (at === resolve(at, "..")) {
      return undefined;
    }
  }
}

/** Reads where a working tree's repository is, without running Git. @param git its `.git`, a folder or a file */
export function placeOf(git: string): GitPlace | undefined {
  const stats = statSync(git, { throwIfNoEntry: false });
  const own = stats?.isDirectory() === true ? git : stats?.isFile() === true ? linked(git, /^gitdir: (.+)/) : undefined;
  return own === undefined ? undefined : { own, common: linked(join(own, "commondir"), /^(.+)/) ?? own };
}

/** Whether two folders are in different working trees of one repository. @param folder its real path, as the other's */
export function areTreesOfOne(folder: string, other: string): boolean {
  const [top, otherTop] = [topAbove(folder), topAbove(other)];
  if (top === undefined || otherTop === undefined || top === otherTop) {
    return false;
  }
  const [place, otherPlace] = [placeOf(join(top, ".git")), placeOf(join(otherTop, ".git"))];
  return place !== undefined && otherPlace !== undefined && real(place.common) === real(otherPlace.common);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function linked(file: string, form: RegExp): string | undefined {
  const target = form.exec(readRegular(file, MAX_LINK)?.bytes.toString("utf8") ?? "")?.[1];
  // Windows would sign in at another machine to look there.
  return target === undefined || (process.platform === "win32" && isElsewhere(target, file))
    ? undefined
    : resolve(file, "..", target);
}
