import type { Printed } from "./known.js";

/**
 * Folders that a command may be in, relative to where the line starts (or absolute, or beginning with `~`). Undefined
 * when a `cd` went to a place that the text does not tell.
 */
export type Folders = readonly string[] | undefined;

/** The folders after a command: when it succeeded, and when it failed. `cd x && cat y` reads `y` in `x` alone. */
export interface Flow {
  ok: Folders;
  fail: Folders;
  /** What it prints, when it is one command of which that is known. */
  prints?: Printed;
}

/** Folders that are kept apart; a line with more is not followed. */
const MAX_FOLDERS = 20;

/** A command that leaves the folder as it is. */
export function staying(folders: Folders): Flow {
  return { ok: folders, fail: folders };
}

/** The folders of either. */
export function either(...all: readonly Folders[]): Folders {
  const joined = new Set<string>();
  for (const folders of all) {
    if (folders === undefined) {
      return undefined;
    }
    folders.forEach((folder) => joined.add(folder));
  }
  return joined.size > MAX_FOLDERS ? undefined : [...joined];
}

/** Whether two are the same folders. */
export function sameFolders(one: Folders, other: Folders): boolean {
  return (
    one === other ||
    (one !== undefined &&
      other !== undefined &&
      one.length === other.length &&
      one.every((folder) => other.includes(folder)))
  );
}

/** The folders after `cd target`. bash takes `..` off the text of the folder it is in, whatever links are in it. */
export function entering(folders: Folders, target: string): Folders {
  if (target === "" || target === "-" || /^[+-]/.test(target)) {
    return undefined;
  }
  return folders?.map((folder) => (/^[/~]/.test(target) ? normalised(target) : normalised(`${folder}/${target}`)));
}

/**
 * The folders that a program goes to from these: it leaves by `..` where the links that led there really lie, so that
 * both are looked at.
 */
export function enteringReally(folders: Folders, target: string): Folders {
  return /(?:^|\/)\.\.(?:\/|$)/.test(target)
    ? folders?.map((folder) => (/^[/~]/.test(target) ? target : `${folder}/${target}`))
    : entering(folders, target);
}

function normalised(path: string): string {
  const kept: string[] = [];
  for (const part of path.split("/").filter((name) => name !== "" && name !== ".")) {
    const last = kept.at(-1);
    if (part === ".." && last !== undefined && last !== ".." && !last.startsWith("~")) {
      kept.pop();
    } else {
      kept.push(part);
    }
  }
  return path.startsWith("/") ? `/${kept.filter((part) => part !== "..").join("/")}` : kept.join("/") || ".";
}
