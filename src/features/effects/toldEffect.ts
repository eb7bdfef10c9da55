// The report of a command's changes, as a caller gets it.
import type { Effect, FileEffect } from "../../ports/effects.js";
import { folderShares } from "../../text/folderShares.js";
import type { Recorded } from "./effects.js";
import { moveInWords } from "./gitMoves.js";
import { folderOf, type Uncovered } from "./snapshot.js";
import type { Compared, WatchedRoot } from "./snapshots.js";
import { isIn, retold, toldPath } from "./toldPaths.js";
import { MAX_GIT, type RootMove } from "./undoNotes.js";
import { MAX_NOT_UNDONE, named, topmost } from "./uncovered.js";

/** Maximum number of changes that an effect lists; the rest is counted. */
const MAX_CHANGES = 200;
/** Maximum number of folders named that were not looked at. */
const MAX_NOT_COVERED = 3;

/**
 * Returns a command's changes as its caller sees them.
 *
 * @param found what was found in each root
 * @param seen the only folder that the caller sees; if absent, it sees all
 */
export function toldEffect(
  found: readonly Pick<Compared, "changes" | "uncovered" | "ignored">[],
  {
    roots,
    moves,
    recorded: { lines, left, others, perhapsOthers, same },
    seen,
    isShared,
    isOfChange,
  }: {
    roots: readonly WatchedRoot[];
    moves: readonly RootMove[];
    recorded: Recorded;
    seen: string | undefined;
    isShared: boolean;
    /** Whether a tool gave a file of this path its name while it made a change. */
    isOfChange: (path: string) => boolean;
  },
): Effect {
  const told = (root: WatchedRoot | undefined, path: string): string => toldPath(root, path, seen);
  const isSeen = (root: WatchedRoot | undefined, path: string): boolean => seen === undefined || isIn(root, path, seen);
  const isOthersToo = withFolders(perhapsOthers);
  const changes: FileEffect[] = [];
  const parts: Uncovered[] = [];
  found.forEach(({ changes: own, uncovered }, at) => {
    const root = roots[at];
    for (const change of own) {
      const path = (root?.prefix ?? "") + change.path;
      const counted = linesOf(change, lines.get(path));
      const isOthers = others.has(path) || isOfChange(change.path);
      const isSame = change.kind === "changed" && change.ignored !== true && same?.has(path) === true;
      if (isSame || (isOthers && !isSeen(root, change.path))) {
        continue;
      }
      changes.push({
        ...change,
        path: told(root, change.path),
        ...(change.from !== undefined && { from: told(root, change.from) }),
        ...(counted !== undefined && { lines: counted }),
        ...(isOthers && { meanwhile: true }),
        ...(isOthersToo.has(path.replace(/\/$/, "")) && { perhapsOthers: true }),
      });
    }
    const seenParts = topmost(uncovered).filter((part) => isSeen(root, part.path));
    parts.push(...seenParts.map((part) => ({ ...part, path: told(root, part.path) })));
  });
  // Those that matter most are named.
  parts.sort((a, b) => Number(a.isIgnored) - Number(b.isIgnored));
  const seenMoves = moves.filter(({ root, path }) => isSeen(root, path));
  return {
    changes:
      changes.length <= MAX_CHANGES
        ? changes
        : folderShares(changes, ({ path }) => path, MAX_CHANGES).flatMap(({ shown }) => shown),
    more: Math.max(0, changes.length - MAX_CHANGES),
    totals: totalsOf(changes),
    ignored: found.reduce((sum, { ignored }) => sum + ignored, 0),
    notCovered: parts.slice(0, MAX_NOT_COVERED).map(({ path, why }) => `${path === "" ? "." : path} (${why})`),
    moreNotCovered: Math.max(0, parts.length - MAX_NOT_COVERED),
    git: seenMoves
      .slice(0, MAX_GIT)
      .map(({ path, root, ...move }) => moveInWords(move, told(root, path).replace(/\/$/, ""))),
    moreGit: Math.max(0, seenMoves.length - MAX_GIT),
    isPartial: parts.some(({ isIgnored }) => !isIgnored),
    isShared,
    mayBeOthers: (perhapsOthers?.size ?? 0) > 0,
    notUndone: named(left.map(({ path, why }) => ({ path: retold(path, roots, told), why }))),
    moreNotUndone: Math.max(0, left.length - MAX_NOT_UNDONE),
  };
}

/** Counts the command's own changes by their kinds. A folder that is listed as one change counts with its files. */
function totalsOf(changes: readonly FileEffect[]): NonNullable<Effect["totals"]> {
  const totals: NonNullable<Effect["totals"]> = {};
  for (const { kind, files = 1, meanwhile, perhapsOthers } of changes) {
    if (meanwhile !== true && perhapsOthers !== true) {
      totals[kind] = (totals[kind] ?? 0) + Math.max(files, 1);
    }
  }
  return totals;
}

/** Returns paths and those of all folders above them: a whole folder may be listed as one change. */
function withFolders(paths: ReadonlySet<string> | undefined): Set<string> {
  const all = new Set(paths);
  for (const path of paths ?? []) {
    for (let folder = folderOf(path); folder !== "" && !all.has(folder); folder = folderOf(folder)) {
      all.add(folder);
    }
  }
  return all;
}

/** Returns the lines that a change added and removed: something else may have been in the place of a file, or is now. */
function linesOf(
  { kind }: FileEffect,
  counted: { added: number; removed: number } | undefined,
): { added: number; removed: number } | undefined {
  const others = kind === "created" ? counted?.removed : kind === "deleted" ? counted?.added : 0;
  return others === 0 ? counted : undefined;
}
