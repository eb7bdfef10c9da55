import type { Printed } from "./known.js";

/**
 * Folders that a command may run in, relative to where the line starts (or absolute, or beginning with `~`). Undefined
 * after a `cd` to a place that the text does not determine.
 */
export type Folders = readonly string[] | undefined;

/** The folders after a command, if it succeeded and if it failed. `cd x && cat y` reads `y` only in `x`. */
export interface Flow {
  ok: Folders;
  fail: Folders;
  /** Its output, if it is a single command whose output is known. */
  prints?: Printed;
}

/** Maximum number of folders tracked; a line with more is not followed. */
const MAX_FOLDERS = 20;

/** Returns the flow of a command that does not change the folder. */
export function staying(folders: Folders): Flow {
  return { ok: folders, fail: folders };
}

/** Returns the union of the folders. */
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

/** Whether both are the same folders. */
export function sameFolders(one: Folders, other: Folders): boolean {
  return (
    one === other ||
    (one !== undefined &&
      other !== undefined &&
      one.length === other.length &&
      one.every((folder) => other.includes(folder)))
  );
}

/** Returns the folders after `cd target`. bash removes `..` from its folder's text, regardless of links in it. */
export function entering(folders: Folders, target: string): Folders {
  if (target === "" || target === "-" || /^[+-]/.test(target)) {
    return undefined;
  }
  return folders?.map((folder) => (/^[/~]/.test(target) ? normalised(target) : normalised(`${folder}/${target}`)));
}

/**
 * Returns the folders that a program reaches from these. A program follows `..` from where links really lead, so both
 * the textual and the real folder are returned.
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
