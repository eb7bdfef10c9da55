import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  futimesSync,
  lstatSync,
  openSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rmdir } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { below, isSameState, type Entry, type Snapshot } from "../../../features/effects/snapshot.js";
import type { EntryState } from "../../../ports/files.js";
import { statsAt } from "../disk/entries.js";
import { removeAll } from "../disk/removeAll.js";
import { readRegular } from "../effects/readRegular.js";
import { takeSnapshot } from "../effects/walk.js";
import { hasEnded, temporaryTag } from "../state/owner.js";
import { workspaceStateFolder } from "../state/stateFolder.js";
import { BaseStore } from "./baseStore.js";
import { copyRepository, type CopiedRepository } from "./copyRepository.js";
import { KEPT_FOR } from "./keptFor.js";
import { whatToCopy } from "./whatToCopy.js";

/** Maximum number of entries of a folder that is looked at. */
const MAX_ENTRIES = 200_000;
/** Maximum bytes of a file whose contents are kept for a merge. */
const MAX_BASE = 2_000_000;
/** Maximum bytes of a changed file that is brought back. */
const MAX_FILE = 16 * 1024 * 1024;
/** How often to create the folder of all copies again. */
const MAX_TRIES = 5;
/** Files that are copied before others in this process get their turn. */
const TURN = 32;
/** Permission bits that a copy has: those that run a file as somebody else stay behind. */
const MODE = 0o777;
/** The name of a copy's folder begins with the tag of its process. */
const NAME = /^(kept-)?(\d+)-(\w+)-([0-9a-f]{8})-/;

/** What is in a copy at a place, or was when it was made; undefined for nothing. */
export type Content = Uint8Array | EntryState | undefined;

/** What a task made of a file, link or folder in its copy. */
export interface CopyChange {
  /** Relative to the folder, with `/`. */
  path: string;
  before: Content;
  after: Content;
  /** Permission bits of a file, before and after. */
  modes: { before?: number; after?: number };
  /** Whether `before` is a file whose contents were not kept, as it is large; then `before` is undefined. */
  isLarge: boolean;
}

/** All that differs in a copy from what it was, and what of it cannot be brought back, in words. */
export interface CopyChanges {
  changes: CopyChange[];
  /** Files that are too large. */
  large: string[];
  /** Files that cannot be read. */
  unread: string[];
  left: { path: string; why: string }[];
}

/** A copy of a folder as it was at one moment, with a repository of its own, in which one task works. */
export class FolderCopy {
  /** The folder of which it is a copy. */
  readonly original: string;
  /** The real path of the copy. */
  readonly folder: string;
  /** What is not in it, in words. */
  readonly left: readonly string[];
  readonly repository: CopiedRepository;
  readonly #own: string;
  readonly #base: BaseStore;
  readonly #first: Snapshot;
  /** Files of the original when they were copied, of which no contents were kept. */
  readonly #large: ReadonlyMap<string, Entry>;

  private constructor(
    { original, folder, own }: { original: string; folder: string; own: string },
    base: BaseStore,
    { left, large }: { left: readonly string[]; large: ReadonlyMap<string, Entry> },
    repository: CopiedRepository,
  ) {
    this.original = original;
    this.folder = folder;
    this.left = left;
    this.repository = repository;
    this.#own = own;
    this.#base = base;
    this.#large = large;
    this.#first = lookAt(folder);
  }

  /**
   * @param original the folder's real path
   * @param place the folder of all copies
   * @throws Error that says why there is none
   */
  static async make(original: string, place: string, signal: AbortSignal): Promise<FolderCopy> {
    // Both may have either of Windows' separators, in either case.
    const way = relative(original, place);
    if (!isAbsolute(way) && way.split(sep)[0] !== "..") {
      throw new Error("The folder holds Toolhost's own copies, so that it cannot be copied.");
    }
    const own = await newFolder(place);
    const folder = join(own, basename(original) || "root");
    let base: BaseStore | undefined;
    try {
      mkdirSync(folder, { mode: 0o700 });
      base = new BaseStore(join(own, "base"));
      const copied = await fill(folder, original, own, base, signal);
      return new FolderCopy({ original, folder, own }, base, copied, copyRepository(original, folder));
    } catch (error) {
      // Windows removes no folder with a file that is open.
      base?.close();
      await removeAll(own).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Returns what was changed since the copy was made. Nothing may change it meanwhile.
   *
   * @param most maximum number of entries that are looked at
   */
  changes(most = MAX_ENTRIES): CopyChanges {
    const now = takeSnapshot(this.folder, Infinity, most);
    const found: CopyChanges = { changes: [], large: [], unread: [], left: [] };
    for (const { path, why } of now.uncovered.values()) {
      if (this.#first.uncovered.get(path)?.why !== why) {
        found.left.push({ path, why });
      }
    }
    for (const top of now.repositories) {
      if (!this.#first.repositories.has(top) && now.folders.get(top)?.isIgnored !== true) {
        found.left.push({ path: below(top, ".git"), why: "a repository" });
      }
    }
    for (const folder of new Set([...this.#first.folders.keys(), ...now.folders.keys()])) {
      const [before, after] = [this.#first.folders.get(folder), now.folders.get(folder)];
      // What cannot be seen is not gone: it must not be deleted in the folder.
      if (after === undefined && isUncovered(folder, now)) {
        continue;
      }
      // What is made in ignored folders, such as a build, stays in the copy.
      if ((after ?? before)?.isIgnored === true) {
        continue;
      }
      for (const name of new Set([...(before?.entries.keys() ?? []), ...(after?.entries.keys() ?? [])])) {
        const path = below(folder, name);
        const [old, entry] = [before?.entries.get(name), after?.entries.get(name)];
        if (isSame(old, entry) || (entry === undefined && now.uncovered.has(path))) {
          continue;
        }
        if (old === undefined && after?.ignores(path, entry?.kind === "folder") === true) {
          found.left.push({ path: entry?.kind === "folder" ? `${path}/` : path, why: "it is ignored" });
          continue;
        }
        this.#compare(path, old, entry, found);
      }
    }
    return found;
  }

  #compare(path: string, old: Entry | undefined, entry: Entry | undefined, found: CopyChanges): void {
    const after = entry && this.#contentNow(path, entry);
    if (entry !== undefined && after === undefined) {
      if (entry.kind === "file") {
        (entry.size > MAX_FILE ? found.large : found.unread).push(path);
      } else {
        found.left.push({ path, why: "it is no file, folder or link" });
      }
      return;
    }
    const isLarge = this.#large.has(path);
    const before = old?.kind === "file" ? this.#base.get(path) : old && stateOf(old, (link) => this.#mapped(link));
    const modes = {
      ...(old?.kind === "file" && { before: old.mode & MODE }),
      ...(entry?.kind === "file" && { after: entry.mode & MODE }),
    };
    if (isSameContent(before, after) && modes.before === modes.after && !isLarge) {
      return;
    }
    found.changes.push({ path, before, after, modes, isLarge });
  }

  #contentNow(path: string, entry: Entry): Content {
    return entry.kind === "file"
      ? readRegular(join(this.folder, path), MAX_FILE)?.bytes
      : stateOf(entry, (link) => this.#mapped(link));
  }

  /** Returns where a link of the copy leads in the original. */
  #mapped(link: string): string {
    return moved(link, this.folder, this.original);
  }

  /** Whether a large file of the original is as it was when it was copied. */
  isUntouched(path: string): boolean {
    const entry = this.#large.get(path);
    const now = statsAt(join(this.original, path));
    return (
      entry !== undefined &&
      now !== undefined &&
      now.ino === entry.number &&
      now.ctimeMs === entry.changed &&
      now.size === entry.size
    );
  }

  /** Leaves the copy to the user for as long as what cannot be merged is kept, and returns where it is. It takes no room on the disk. */
  setAside(): string {
    this.#base.close();
    const now = new Date();
    utimesSync(this.#own, now, now);
    const to = join(dirname(this.#own), `kept-${basename(this.#own)}`);
    renameSync(this.#own, to);
    return join(to, basename(this.folder));
  }

  /** Removes the copy, and the state of the workspace that was opened on it. */
  async remove(): Promise<void> {
    this.#base.close();
    await removeCopy(this.#own);
  }
}

/** Creates a folder for this user alone, whatever the copied files' modes allow to others. */
async function newFolder(place: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      await mkdir(place, { recursive: true, mode: 0o700 });
      return await mkdtemp(join(place, `${temporaryTag()}-`));
    } catch (error) {
      // The last copy of another process may have gone, and the folder of all with it.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries >= MAX_TRIES) {
        throw error;
      }
    }
  }
}

/**
 * Removes the copies that killed processes left, and after a while those that were set aside, and others of whose processes
 * nothing can be known: the machine was restarted since.
 */
export async function removeLeftCopies(place: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const [, kept, pid = "", ticks = "", where = ""] = NAME.exec(name) ?? [];
    const isLeft = pid !== "" && kept === undefined && hasEnded(Number(pid), ticks, where);
    if (isLeft || (pid !== "" && isOld(join(place, name)))) {
      await removeCopy(join(place, name)).catch(() => undefined);
    }
  }
}

function isOld(path: string): boolean {
  const made = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Date.now() - made > KEPT_FOR;
}

async function removeCopy(own: string): Promise<void> {
  const folders = (await readdir(own, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    await removeAll(workspaceStateFolder([join(own, name)]));
  }
  await removeAll(own);
  // None is left if this was the last one.
  await rmdir(dirname(own)).catch(() => undefined);
}

/** Whether a folder, or one that it is in, could not be looked at. */
function isUncovered(folder: string, seen: Snapshot): boolean {
  return seen.uncovered.has(folder) || (folder !== "" && isUncovered(parentOf(folder), seen));
}

function lookAt(folder: string): Snapshot {
  return takeSnapshot(folder, Infinity, MAX_ENTRIES);
}

/** Copies what is in a folder now: a file that is changed meanwhile is copied as it was before or afterwards. */
async function fill(
  folder: string,
  original: string,
  own: string,
  base: BaseStore,
  signal: AbortSignal,
): Promise<{ left: string[]; large: Map<string, Entry> }> {
  const seen = lookAt(original);
  const { folders, files, left } = whatToCopy(seen, sharesContents(own));
  const large = new Map<string, Entry>();
  const modes: [path: string, mode: number][] = [];
  for (const path of folders) {
    if (path !== "") {
      const entry = seen.folders.get(parentOf(path))?.entries.get(nameOf(path));
      mkdirSync(join(folder, path), { mode: 0o700 });
      modes.push([join(folder, path), (entry?.mode ?? 0o755) & MODE]);
    }
  }
  for (const [index, { path, entry }] of files.entries()) {
    if (index % TURN === 0) {
      signal.throwIfAborted();
      await setImmediate();
    }
    const [from, to] = [join(original, path), join(folder, path)];
    if (entry.target !== undefined) {
      symlinkSync(moved(entry.target, original, folder), to);
    } else if (entry.size <= MAX_BASE) {
      const read = readRegular(from, MAX_BASE);
      if (read === undefined) {
        if (statsAt(from) !== undefined) {
          left.push(`${path} (it cannot be read)`);
        }
        continue;
      }
      base.set(path, read.bytes);
      writeCopy(to, read.bytes, read.stats.mode & MODE, read.stats.mtimeMs);
    } else if (copyLarge(from, to, entry)) {
      large.set(path, entry);
    } else {
      left.push(`${path} (it was changed while it was copied)`);
    }
  }
  // A mode may forbid to write into a folder.
  modes.reverse().forEach(([path, mode]) => chmodSync(path, mode));
  return { left, large };
}

function writeCopy(to: string, bytes: Uint8Array, mode: number, modified: number): void {
  const file = openSync(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    for (let written = 0; written < bytes.length;) {
      written += writeSync(file, bytes, written, bytes.length - written, written);
    }
    fchmodSync(file, mode);
    futimesSync(file, modified / 1000, modified / 1000);
  } finally {
    closeSync(file);
  }
}

/** Copies a file, with shared contents if the disk can; false if something else was there before or afterwards. */
function copyLarge(from: string, to: string, entry: Entry): boolean {
  const isAsSeen = (): boolean => {
    const now = statsAt(from);
    return now?.isFile() === true && now.ino === entry.number && now.ctimeMs === entry.changed;
  };
  if (!isAsSeen()) {
    return false;
  }
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  if (!isAsSeen()) {
    rmSync(to);
    return false;
  }
  chmodSync(to, entry.mode & MODE);
  utimesSync(to, entry.modified / 1000, entry.modified / 1000);
  return true;
}

/** Whether copies of files on a folder's disk share their contents until one of them changes. */
function sharesContents(own: string): boolean {
  const [from, to] = [join(own, "probe"), join(own, "probe-copy")];
  try {
    writeFileSync(from, "x", { mode: 0o600 });
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(from, { force: true });
    rmSync(to, { force: true });
  }
}

/** Makes an absolute path into one folder a path into another; a relative one leads within its own. */
function moved(link: string, from: string, to: string): string {
  return link === from || link.startsWith(`${from}/`) ? to + link.slice(from.length) : link;
}

function stateOf({ kind, mode, target }: Entry, mapped: (link: string) => string): EntryState | undefined {
  return kind === "folder" ? { folder: mode & MODE } : target === undefined ? undefined : { link: mapped(target) };
}

function isSame(old: Entry | undefined, entry: Entry | undefined): boolean {
  return old !== undefined && entry !== undefined
    ? old.mode === entry.mode && old.target === entry.target && (old.kind === "folder" || isSameState(old, entry))
    : old === entry;
}

/** Whether two contents are the same bytes, link or folder. */
export function isSameContent(one: Content, other: Content): boolean {
  if (one instanceof Uint8Array || other instanceof Uint8Array) {
    return one instanceof Uint8Array && other instanceof Uint8Array && Buffer.compare(one, other) === 0;
  }
  return JSON.stringify(one) === JSON.stringify(other);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
