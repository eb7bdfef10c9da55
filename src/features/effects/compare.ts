import type { FileEffect } from "../../ports/effects.js";
import { below, folderOf, type Entry, type FileDifference, type Snapshot, type Uncovered } from "./snapshot.js";

/** A folder that was created or deleted with more files than this is reported as one change. */
const MAX_TOLD_APART = 5;
/** Up to this number, ignored files are reported one by one; more are counted. */
const MAX_IGNORED = 5;
/** Permission bits, including set-user-id and similar bits. */
const MODE = 0o7777;

/** What differs between two snapshots of a root. */
export interface Differences {
  changes: FileEffect[];
  ignored: number;
  uncovered: Uncovered[];
  /** Each of them, alone or as part of a folder; what is gone comes before what took its place. */
  files: FileDifference[];
}

/** An entry that is in one snapshot only. */
interface Lone {
  path: string;
  entry: Entry;
  isIgnored: boolean;
}

/**
 * Returns what happened between two snapshots of a root, of which the second covers what the first does.
 *
 * @param period when the command had ended and when the second snapshot was complete, in milliseconds since 1970: what
 *   changed in between is not the command's
 */
export function compare(before: Snapshot, after: Snapshot, period = { ended: Infinity, seen: Infinity }): Differences {
  const created = new Map<string, Lone>();
  const deleted = new Map<string, Lone>();
  const changes: FileEffect[] = [];
  const uncovered = new Map(before.uncovered);
  const lost = new Set<string>();
  const files: FileDifference[] = [];
  // A clock that is ahead, as of a server's disk, says nothing. Those of files count parts of milliseconds, too.
  const isLate = ({ kind, changed }: Entry): boolean =>
    kind !== "folder" && changed >= period.ended + 1 && changed < period.seen + 1;
  const made = new Set([...after.folders.keys()].filter((path) => !before.folders.has(path)));
  for (const [path, folder] of before.folders) {
    const now = after.folders.get(path);
    if (now === undefined && !deleted.has(path) && !(path === "" && !after.uncovered.has(path))) {
      if (path === "" || !lost.has(folderOf(path))) {
        uncovered.set(path, after.uncovered.get(path) ?? { path, why: "it could not be read again", isIgnored: false });
      }
      lost.add(path);
      continue;
    }
    // Snapshots share what has not changed.
    if (now?.entries === folder.entries) {
      continue;
    }
    for (const [name, old] of folder.entries) {
      const entry = now?.entries.get(name);
      if (entry === old) {
        continue;
      }
      const at = below(path, name);
      if (entry?.kind === old.kind) {
        const change = changeOf(old, entry);
        if (change !== undefined) {
          const isIgnored = folder.ignores(at, entry.kind === "folder");
          const meanwhile = isLate(entry) && { meanwhile: true as const };
          changes.push({ ...change, path: shown(at, entry), ...(isIgnored && { ignored: true }), ...meanwhile });
          if (meanwhile === false) {
            const isModeOnly = change.kind === "mode" && { isModeOnly: true as const };
            files.push({ path: at, before: old, after: entry, isIgnored, foldersMade: 0, ...isModeOnly });
          }
        }
        continue;
      }
      deleted.set(at, { path: at, entry: old, isIgnored: folder.ignores(at, old.kind === "folder") });
      if (entry !== undefined) {
        created.set(at, { path: at, entry, isIgnored: folder.ignores(at, entry.kind === "folder") });
      }
    }
  }
  for (const [path, folder] of after.folders) {
    const old = before.folders.get(path);
    for (const [name, entry] of old?.entries === folder.entries ? [] : folder.entries) {
      const at = below(path, name);
      if (old?.entries.has(name) !== true && !created.has(at) && !before.uncovered.has(at)) {
        created.set(at, { path: at, entry, isIgnored: folder.ignores(at, entry.kind === "folder") });
      }
    }
  }
  for (const [path, part] of after.uncovered) {
    if (path === "" || !lost.has(folderOf(path))) {
      uncovered.set(path, part);
    }
  }
  const isSwapped = swappedBelow(created, deleted);
  const difference = ({ path, isIgnored }: Lone): FileDifference => ({
    path,
    isIgnored,
    foldersMade: newFolders(path, made),
    ...(isSwapped(path) && { isSwapped: true }),
  });
  const movedFiles: FileDifference[] = [];
  const [foldersAdded, foldersGone] = [created, deleted].map(foldersIn) as [Lone[], Lone[]];
  const moved = moves(created, deleted, before, (old, lone) =>
    movedFiles.push({ ...difference(lone), from: old.path, after: lone.entry, modeBefore: old.entry.mode }),
  );
  for (const [path, lone] of created) {
    if (isLate(lone.entry)) {
      created.delete(path);
      changes.push({ kind: "created", path, meanwhile: true, ...(lone.isIgnored && { ignored: true }) });
    }
  }
  changes.push(...moved, ...told("created", created), ...told("deleted", deleted));
  const alone = (all: Map<string, Lone>): Lone[] => [...all.values()].filter(({ entry }) => entry.kind !== "folder");
  const gone = alone(deleted).map((lone) => ({ ...difference(lone), before: lone.entry, foldersMade: 0 }));
  const added = alone(created).map((lone) => ({ ...difference(lone), after: lone.entry }));
  const movedFrom = movedFiles.map(({ from = "" }) => from);
  const fullBefore = foldersAbove([...gone.map(({ path }) => path), ...movedFrom]);
  const fullAfter = foldersAbove([...added, ...movedFiles].flatMap(({ path, isIgnored }) => (isIgnored ? [] : path)));
  const folder = (lone: Lone, full: ReadonlySet<string>): FileDifference => ({
    ...{ ...difference(lone), foldersMade: 0 },
    isFull: full.has(lone.path) && !isSwapped(lone.path),
  });
  files.push(
    ...gone,
    ...foldersGone.map((lone) => ({ ...folder(lone, fullBefore), before: lone.entry })),
    ...movedFiles,
    ...added,
    ...foldersAdded
      .filter(({ path, isIgnored }) => !isIgnored || isSwapped(path))
      .map((lone) => ({ ...folder(lone, fullAfter), after: lone.entry })),
  );
  const isIgnored = ({ ignored }: FileEffect): boolean => ignored === true;
  const ignored = changes.filter(isIgnored).reduce((sum, { files = 1 }) => sum + files, 0);
  return {
    changes: ignored > MAX_IGNORED ? changes.filter((change) => !isIgnored(change)) : changes,
    ignored,
    uncovered: [...uncovered.values()],
    files: files.map((file) => {
      const folder = folderOf(file.path);
      const { isIgnored: isInIgnored = false } = after.folders.get(folder) ?? before.folders.get(folder) ?? {};
      return isInIgnored ? { ...file, isInIgnored } : file;
    }),
  };
}

/**
 * Returns whether a path is one where a file or link took the place of a folder, or the other way round, or is below it.
 * Not where the folder is an ignored one that is new: undo does not delete what is in it.
 */
function swappedBelow(
  created: ReadonlyMap<string, Lone>,
  deleted: ReadonlyMap<string, Lone>,
): (path: string) => boolean {
  const swapped = new Set(
    [...created.values()].flatMap(({ path, entry, isIgnored }) => {
      const old = deleted.get(path)?.entry.kind;
      const isFolder = entry.kind === "folder";
      return old !== undefined && isFolder !== (old === "folder") && !(isFolder && isIgnored) ? [path] : [];
    }),
  );
  return (path) => {
    for (let at = path; swapped.size > 0 && at !== ""; at = folderOf(at)) {
      if (swapped.has(at)) {
        return true;
      }
    }
    return false;
  };
}

function foldersIn(lone: ReadonlyMap<string, Lone>): Lone[] {
  return [...lone.values()].filter(({ entry }) => entry.kind === "folder");
}

/** Returns all folders above paths. */
function foldersAbove(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = folderOf(path); folder !== "" && !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder);
    }
  }
  return folders;
}

/** Counts the new folders above a file, nearest first. */
function newFolders(path: string, made: ReadonlySet<string>): number {
  let count = 0;
  for (let folder = folderOf(path); folder !== "" && made.has(folder); folder = folderOf(folder)) {
    count++;
  }
  return count;
}

function changeOf(old: Entry, now: Entry): Pick<FileEffect, "kind" | "mode"> | undefined {
  const sameText =
    old.kind === "folder" ||
    (old.size === now.size && old.modified === now.modified && (old.number === now.number || old.kind === "other"));
  const mode = (old.mode & MODE) === (now.mode & MODE) ? {} : { mode: `${octal(old.mode)}→${octal(now.mode)}` };
  if (sameText && mode.mode !== undefined) {
    return { kind: "mode", ...mode };
  }
  // A program can set back the time of its change, but not this. A new hard link changes it, too.
  const isTouched = old.changed !== now.changed && old.links === now.links && old.kind === "file";
  if (sameText && !isTouched) {
    return undefined;
  }
  return { kind: "changed", ...mode };
}

function octal(mode: number): string {
  return (mode & MODE).toString(8).padStart(3, "0");
}

/**
 * Takes what was moved out of what was created and deleted: a folder with everything in it.
 *
 * @param onFile called for each file in it, with what it was
 */
function moves(
  created: Map<string, Lone>,
  deleted: Map<string, Lone>,
  before: Snapshot,
  onFile: (old: Lone, lone: Lone) => void,
): FileEffect[] {
  const gone = new Map([...deleted.values()].map((each) => [identity(each.entry), each] as const));
  const moved: FileEffect[] = [];
  /** Where folders were, and the effect that reports them. */
  const origins = new Map<string, { path: string; effect: FileEffect & { files: number } }>();
  // Folders come before what is in them.
  for (const lone of [...created.values()]) {
    const { path, entry, isIgnored } = lone;
    const isFolder = entry.kind === "folder";
    let from: Lone;
    const within = origins.get(folderOf(path));
    const was = within && below(within.path, path.slice(folderOf(path).length + 1));
    const same = was === undefined ? undefined : deleted.get(was);
    if (within !== undefined && was !== undefined && same !== undefined && identity(same.entry) === identity(entry)) {
      within.effect.files += isFolder ? 0 : 1;
      from = same;
      if (isFolder) {
        origins.set(path, { ...within, path: was });
      }
    } else if (within !== undefined && was !== undefined && !before.folders.has(folderOf(was))) {
      // It was not covered where it was, so nobody knows whether it is new.
      if (isFolder) {
        origins.set(path, { ...within, path: was });
      }
      created.delete(path);
      continue;
    } else {
      const old = gone.get(identity(entry));
      if (old === undefined || !deleted.has(old.path)) {
        continue;
      }
      const slash = isFolder ? "/" : "";
      const ignored = isIgnored && old.isIgnored && { ignored: true as const };
      const effect: FileEffect = { kind: "moved", path: path + slash, from: old.path + slash, ...ignored };
      if (isFolder) {
        const counted = Object.assign(effect, { files: 0 });
        origins.set(path, { path: old.path, effect: counted });
      }
      moved.push(effect);
      from = old;
    }
    if (!isFolder) {
      onFile(from, lone);
    }
    created.delete(path);
    // Only what was moved: another file may have been deleted where it is now, or where it would have been.
    deleted.delete(from.path);
  }
  return moved;
}

/** A number alone is not enough: a new file often has that of one that was just deleted. */
function identity({ kind, number, born, size, modified }: Entry): string {
  return kind === "folder" ? `d ${number} ${born}` : `${number} ${born} ${size} ${modified}`;
}

/** Lists what was created or deleted, folders with many files as one. */
function told(kind: "created" | "deleted", all: ReadonlyMap<string, Lone>): FileEffect[] {
  const tops = new Map<string, Lone[]>();
  const topOf = new Map<string, string>();
  // Folders come before what is in them.
  for (const lone of all.values()) {
    const top = topOf.get(folderOf(lone.path)) ?? lone.path;
    if (lone.entry.kind === "folder") {
      topOf.set(lone.path, top);
    }
    const group = tops.get(top);
    if (group === undefined) {
      tops.set(top, [lone]);
    } else {
      group.push(lone);
    }
  }
  return [...tops.values()].flatMap((group) => ofGroup(kind, group));
}

function ofGroup(kind: "created" | "deleted", group: readonly Lone[]): FileEffect[] {
  const [top] = group;
  if (top === undefined) {
    return [];
  }
  const effect = ({ path, entry, isIgnored }: Lone): FileEffect => ({
    kind,
    path: shown(path, entry),
    ...(isIgnored && { ignored: true }),
  });
  const files = group.filter(({ entry }) => entry.kind !== "folder");
  const ignored = files.filter(({ isIgnored }) => isIgnored).length;
  const isMixed = ignored > 0 && !top.isIgnored;
  if (top.entry.kind !== "folder" || (files.length > 0 && files.length <= MAX_TOLD_APART)) {
    return files.map(effect);
  }
  const count = isMixed ? files.length - ignored : files.length;
  return [
    { ...effect(top), ...(count > 0 && { files: count }) },
    ...(isMixed ? files.filter(({ isIgnored }) => isIgnored).map(effect) : []),
  ];
}

function shown(path: string, { kind }: Entry): string {
  return kind === "folder" ? `${path}/` : path;
}
