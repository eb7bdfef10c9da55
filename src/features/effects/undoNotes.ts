// What people should know who undo a command.
import { hadCompany, type Period } from "./authorship.js";
import { moveInWords, type GitMove } from "./gitMoves.js";
import type { FileContents, LeftChange, WatchedRoot } from "./snapshots.js";
import { notCovered } from "./uncovered.js";

/** Maximum number of moves of refs and stashes that are reported. */
export const MAX_GIT = 8;

/** A command that takes less than this part of `Period.alone` is too short for others to save a file meanwhile. */
const BRIEF = 1 / 5;

const AS_AT_START =
  "What the command deleted comes back as it was when the command began, without what others wrote into it meanwhile.";
const LATER_GO = " Look at git log first: commits made since are left behind.";

/** A move of a repository below a root. */
export type RootMove = GitMove & {
  /** The repository's path in its root. */
  path: string;
  root: WatchedRoot | undefined;
};

/** Returns sentences for people who undo a command. */
export function undoNotes({
  left,
  files,
  moves,
  period,
}: {
  left: readonly LeftChange[];
  files: readonly (Pick<FileContents, "before" | "after"> & { perhapsOthers: boolean })[];
  moves: readonly RootMove[];
  period: Period;
}): string[] {
  const isDeleting = files.some(({ before, after }) => before !== undefined && after === undefined);
  return [
    ...notCovered(left),
    ...(hadCompany(period) && isDeleting ? [AS_AT_START] : []),
    ...ownAnyway(files, period),
    ...gitNote(moves),
  ];
}

/** Says that what others changed soon after the command's start counts as its changes. */
function ownAnyway(
  files: readonly { perhapsOthers: boolean; after?: unknown }[],
  { started, ended, alone, inBackground }: Period,
): string[] {
  const ran = Math.min(ended - started, alone);
  const isOwn = files.some(({ perhapsOthers, after }) => !perhapsOthers && after !== undefined);
  return inBackground || !isOwn || ran < alone * BRIEF
    ? []
    : [`What others changed outside of Toolhost in its first ${Math.round(ran / 1_000)} s counts as its changes, too.`];
}

function gitNote(moves: readonly RootMove[]): string[] {
  const told = moves
    .slice(0, MAX_GIT)
    .map(({ path, root, ...move }) => moveInWords(move, ((root?.prefix ?? "") + path).replace(/\/$/, ""), true));
  const more = moves.length > MAX_GIT ? [`${moves.length - MAX_GIT} more`] : [];
  const leaves = moves.some(({ leavesCommits }) => leavesCommits === true);
  return told.length === 0
    ? []
    : [`Undo does not take back what else Git did: ${[...told, ...more].join(", ")}.${leaves ? LATER_GO : ""}`];
}
