import { constants } from "node:fs";
import { isSameState, type Entry, type FileDifference } from "../../../../features/effects/snapshot.js";
import type { FileContents, LeftChange, RootContents } from "../../../../features/effects/snapshots.js";
import type { EntryState } from "../../../../ports/files.js";
import { entryOf } from "../walk.js";
import { readRegular } from "../readRegular.js";
import type { Clone } from "./clones.js";
import type { Copies } from "./copies.js";
import { objectOf, type GitFiles } from "./gitFiles.js";
import { readObjects } from "./gitObjects.js";
import { MAX_FILE } from "./keptFiles.js";
import { LargeContents } from "./largeContents.js";
import type { LargeStore } from "./largeStore.js";

/** Maximum number of files whose contents are returned, and of their bytes, before and after. */
const MAX_FILES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Which bits of a mode say what something is, and those of a link. */
const { S_IFMT: FORMAT, S_IFLNK: LINK } = constants;
/** Permission bits, including set-user-id and similar bits. */
const MODE = 0o7777;

/** What is kept of a root's files as they were before a command. */
export interface Kept {
  root: string;
  copies: Copies;
  /** Of large files, by paths in the root; undefined where its disk can make none. */
  clones: ReadonlyMap<string, Clone> | undefined;
  git: readonly GitFiles[];
}

/**
 * Returns the contents of changed files before and after, or why they are not known.
 *
 * @param git absolute path of the program; undefined if there is none
 * @param store keeps those of large files
 * @param later copies of files after the command, for those that have changed again
 */
export function contentsOf(
  kept: Kept,
  differences: readonly FileDifference[],
  git: string | undefined,
  store: LargeStore | undefined,
  later?: Pick<Kept, "copies" | "clones">,
): RootContents {
  const { root, copies, git: indexes } = kept;
  const large = store === undefined ? undefined : new LargeContents(store, kept, later?.clones);
  // Undo does not delete what a program made where nothing counts as anybody's work, and files make their folders again.
  const newFolder = 0o777 & ~process.umask();
  const own = differences.filter(
    ({ isIgnored, before, after, from, isFull, isSwapped }) =>
      (!isIgnored || before !== undefined || from !== undefined || isSwapped === true) &&
      !(isFull === true && ((before ?? after)?.mode ?? 0) % (MODE + 1) === newFolder),
  );
  const newIgnored = differences.filter(
    ({ isIgnored, before, from, isSwapped }) =>
      isIgnored && before === undefined && from === undefined && isSwapped !== true,
  );
  const objects = git === undefined ? new Map<string, Buffer>() : objectsOf(root, own, copies, indexes, git);
  let bytes = 0;
  const files: FileContents[] = [];
  const left: LeftChange[] = [];
  const same: string[] = [];
  for (const [index, difference] of own.entries()) {
    const { path, from, before, after, foldersMade, isModeOnly, modeBefore = before?.mode } = difference;
    const isTooMany = index >= MAX_FILES;
    const unknown = (why: string): void => void left.push({ path, why });
    const entries = entriesOf(difference);
    if (isTooMany) {
      unknown("too many changes");
      continue;
    }
    if (entries !== undefined) {
      if (isUndecoded(path) && entries.length > 0) {
        unknown("its name is not UTF-8");
      } else {
        files.push(...entries);
      }
      continue;
    }
    if ([before, after].some((entry) => entry?.kind === "other" && entry.target === undefined)) {
      const isLink = [before, after].some((entry) => entry !== undefined && (entry.mode & FORMAT) === LINK);
      unknown(isLink ? "its target is not UTF-8" : "not a regular file, link or folder");
      continue;
    }
    const size = Math.max(before?.size ?? 0, after?.size ?? 0);
    const fits = size <= MAX_FILE && bytes + size <= MAX_BYTES;
    const now = after && (fits ? (readNow(`${root}/${path}`, after) ?? later?.copies.get(path)?.bytes) : undefined);
    const old =
      before &&
      (copies.get(path)?.bytes ?? sameBytes(objects.get(objectOf(indexes, `${root}/${path}`, before) ?? ""), before));
    const mode = modeChange(path, modeBefore, after?.mode);
    const isSame = old !== undefined && now !== undefined && old.equals(now);
    if (isSame || (isModeOnly && (old === undefined || now === undefined))) {
      files.push(...mode);
      if (isSame && mode.length === 0) {
        same.push(path);
      }
      continue;
    }
    if (size > MAX_FILE) {
      const found = large?.of(difference, old) ?? "too large";
      if (typeof found === "string") {
        unknown(found);
      } else {
        files.push(...found, ...mode);
      }
    } else if (bytes + size > MAX_BYTES) {
      unknown("too many changes");
    } else if (after !== undefined && now === undefined) {
      unknown(isUndecoded(path) ? "its name is not UTF-8" : "it changed again");
    } else if (before !== undefined && old === undefined) {
      unknown(isUndecoded(path) ? "its name is not UTF-8" : "its earlier contents were not kept");
    } else {
      bytes += (old?.length ?? 0) + (now?.length ?? 0);
      files.push(
        {
          path,
          ...(from !== undefined && { from }),
          foldersMade,
          ...(from !== undefined && now !== undefined ? { before: now } : old !== undefined && { before: old }),
          ...(now !== undefined && { after: now }),
          ...(before !== undefined && { mode: before.mode & MODE }),
        },
        ...mode,
      );
    }
  }
  return { files, left, same, newIgnored: newIgnored.length };
}

/** Returns the changes of a link or a folder; undefined for any other. A moved link is one that is gone and a new one. */
function entriesOf({ path, from, before, after, foldersMade }: FileDifference): FileContents[] | undefined {
  const [old, now] = [before, after].map((entry) => entry && stateOf(entry));
  if (before?.kind === "folder" && after?.kind === "folder") {
    return modeChange(path, before.mode, after.mode);
  }
  if ((before !== undefined && old === undefined) || (after !== undefined && now === undefined)) {
    return undefined;
  }
  if (from !== undefined && now !== undefined) {
    return [
      { path: from, before: now, foldersMade: 0 },
      { path, after: now, foldersMade },
    ];
  }
  return before?.target !== undefined && before.target === after?.target
    ? []
    : [{ path, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }), foldersMade }];
}

function stateOf({ kind, mode, target }: Entry): EntryState | undefined {
  return kind === "folder" ? { folder: mode & MODE } : target === undefined ? undefined : { link: target };
}

function modeChange(path: string, before: number | undefined, after: number | undefined): FileContents[] {
  return before === undefined || after === undefined || (before & MODE) === (after & MODE)
    ? []
    : [{ path, before: { mode: before & MODE }, after: { mode: after & MODE }, foldersMade: 0 }];
}

/** Reads what Git keeps of the files that are not copied. */
function objectsOf(
  root: string,
  differences: readonly FileDifference[],
  copies: Kept["copies"],
  indexes: readonly GitFiles[],
  git: string,
): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const index of indexes) {
    const names = differences
      .slice(0, MAX_FILES)
      .flatMap(({ path, before }) =>
        before?.kind !== "file" || copies.get(path) ? [] : (objectOf([index], `${root}/${path}`, before) ?? []),
      );
    readObjects(git, index.objects, [...new Set(names)], MAX_BYTES).forEach((bytes, name) => found.set(name, bytes));
  }
  return found;
}

/**
 * Returns a file's bytes from those that Git keeps. Git may store LF for CRLF: with as many bytes more as there are
 * lines, every line end was CRLF, since Git found no other difference. What is neither is not known.
 */
function sameBytes(object: Buffer | undefined, { size }: Entry): Buffer | undefined {
  if (object === undefined || object.length === size) {
    return object;
  }
  const isText = !object.includes(0) && !object.includes(13);
  const crlf = isText ? Buffer.from(object.toString("latin1").replaceAll("\n", "\r\n"), "latin1") : object;
  return crlf.length === size ? crlf : undefined;
}

/** Whether a path may represent one with bytes that are not UTF-8, so that no file has it. */
function isUndecoded(path: string): boolean {
  return /\\x[0-9A-F]{2}/.test(path);
}

function readNow(path: string, after: Entry): Buffer | undefined {
  const read = readRegular(path, after.size);
  return read !== undefined && isSameState(after, entryOf(read.stats)) ? read.bytes : undefined;
}
