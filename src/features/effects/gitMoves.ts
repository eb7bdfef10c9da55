import { quoteWord } from "../../text/commandLine.js";
import { shownName } from "../../text/shownName.js";

/** Characters of a commit's name that are shown: few, and still the only one in large repositories. */
const SHORT = 10;

/** What the files of a repository say of its branches, tags and stashes. */
export interface GitState {
  /** The name of the branch that is checked out, as `refs/heads/main`; a commit's name if there is none. */
  head: string;
  /** The names of commits (or of tags' own objects), by the full names of refs. */
  refs: ReadonlyMap<string, string>;
  /** The names of the stashes' commits, oldest first. */
  stashes: readonly string[];
  /** What is in progress, as the command that goes on with it: `rebase`. */
  going: string | undefined;
}

/** What happened to a repository apart from its files. */
export interface GitMove {
  what: string;
  /** The command that takes it back, without `git`; undefined if none is known to. */
  back?: string;
  /** The command that does so once the files are as they were. */
  backWithoutFiles?: string;
  /** The same where `back` refuses to overwrite these files: it is only told with an undo. */
  backAfterUndo?: readonly string[];
  /** Whether taking it back leaves commits behind that were made since. */
  leavesCommits?: true;
}

/**
 * Describes a move for people and models.
 *
 * @param where the repository's folder, as people write it; empty for `.`
 * @param isWithUndo whether people read it when they undo the files
 */
export function moveInWords(move: GitMove, where: string, isWithUndo = false): string {
  const { what, back, backWithoutFiles, backAfterUndo } = move;
  const git = where === "" ? "git" : `git -C ${quoteWord(where)}`;
  const after = (isWithUndo ? backAfterUndo : undefined) ?? (backWithoutFiles === undefined ? [] : [backWithoutFiles]);
  const once =
    after.length === 0 ? "" : `; once the files are undone, ${after.map((words) => `${git} ${words}`).join(" && ")}`;
  const told = back === undefined ? what : `${what} (${git} ${back} takes that back${once})`;
  return where === "" ? told : `${shownName(where)}: ${told}`;
}

/** Returns what happened to the refs and the stash of a repository, and the commands that take it back. */
export function gitMoves(before: GitState, after: GitState | undefined): GitMove[] {
  if (after === undefined) {
    return [{ what: "the repository's own files (.git) are gone" }];
  }
  const { going } = after;
  if (going !== undefined && going !== before.going) {
    // Taking it back moves HEAD back, too.
    return [{ what: `a ${going} is in progress`, back: `${going} --abort` }];
  }
  return [...headMoves(before, after), ...refMoves(before, after), ...stashMoves(before, after)];
}

function headMoves({ head, refs }: GitState, after: GitState): GitMove[] {
  const isUnborn = head.startsWith("refs/") && !refs.has(head);
  // Without a branch, a commit moves HEAD itself: a checkout would take the commit's files back with it.
  const isDetached = !head.startsWith("refs/") && !after.head.startsWith("refs/");
  const back = isUnborn
    ? `symbolic-ref HEAD ${quoteWord(head)}`
    : `${isDetached ? "reset" : "checkout"} ${checkedOut(head)}`;
  const backAfterUndo = head.startsWith("refs/heads/")
    ? [`symbolic-ref HEAD ${quoteWord(head)}`, "reset -q"]
    : undefined;
  const what = `HEAD moved from ${shown(head)} to ${shown(after.head)}`;
  return head === after.head
    ? []
    : [{ what, back, ...(backAfterUndo !== undefined && !isUnborn && { backAfterUndo }) }];
}

function checkedOut(head: string): string {
  return head.startsWith("refs/heads/") ? quoteWord(head.slice("refs/heads/".length)) : head.slice(0, SHORT);
}

function shown(head: string): string {
  return head.startsWith("refs/") ? short(head) : head.slice(0, SHORT);
}

function refMoves(before: GitState, after: GitState): GitMove[] {
  const names = [...new Set([...before.refs.keys(), ...after.refs.keys()])].filter(
    // A fetch changes these, and stashes are reported separately.
    (name) => !name.startsWith("refs/remotes/") && name !== "refs/stash",
  );
  const made = names.filter((name) => !before.refs.has(name));
  // Where HEAD has moved, taking that back comes first.
  const current = before.head === after.head ? after.head : undefined;
  const moves: GitMove[] = [];
  for (const name of names) {
    const [old, now] = [before.refs.get(name), after.refs.get(name)];
    if (old === undefined || old === now) {
      continue;
    }
    const renamed = made.findIndex((other) => now === undefined && after.refs.get(other) === old && isBranch(other));
    if (renamed >= 0 && isBranch(name)) {
      const [other = ""] = made.splice(renamed, 1);
      const back = `branch -m ${word(other)} ${word(name)}`;
      moves.push({ what: `branch ${short(name)} was renamed to ${short(other)}`, back });
    } else {
      moves.push(now === undefined ? deleted(name, old) : moved(name, old, now, current));
    }
  }
  return [...moves, ...made.map((name) => created(name, current))];
}

function moved(name: string, old: string, now: string, head: string | undefined): GitMove {
  const [from, to] = [old.slice(0, SHORT), now.slice(0, SHORT)];
  const what = `${kind(name)}${short(name)} moved from ${from} to ${to}`;
  if (name === head) {
    // Without --hard: files are what undo is for, and it must not overwrite what that has brought back.
    return { what: `HEAD of ${short(name)} moved from ${from} to ${to}`, back: `reset ${from}`, leavesCommits: true };
  }
  const set = isBranch(name) ? "branch -f" : isTag(name) ? "tag -f" : "update-ref";
  return { what, back: `${set} ${word(name)} ${from}`, ...(!isTag(name) && { leavesCommits: true }) };
}

function deleted(name: string, old: string): GitMove {
  const from = old.slice(0, SHORT);
  const set = isBranch(name) ? "branch" : isTag(name) ? "tag" : "update-ref";
  return { what: `${kind(name)}${short(name)} (${from}) was deleted`, back: `${set} ${word(name)} ${from}` };
}

function created(name: string, head: string | undefined): GitMove {
  const remove = isTag(name) ? "tag -d" : isBranch(name) && name !== head ? "branch -D" : undefined;
  const back = remove === undefined ? `update-ref -d ${quoteWord(name)}` : `${remove} ${word(name)}`;
  return { what: `${kind(name)}${short(name)} is new`, back, ...(!isTag(name) && { leavesCommits: true }) };
}

function stashMoves(before: GitState, after: GitState): GitMove[] {
  const added = after.stashes.filter((stash) => !before.stashes.includes(stash));
  const dropped = before.stashes.filter((stash) => !after.stashes.includes(stash));
  return [
    ...dropped.map((stash) => ({
      what: `stash ${stash.slice(0, SHORT)} was dropped`,
      back: `stash store ${stash.slice(0, SHORT)}`,
    })),
    ...added.map((stash) => ({
      ...{ what: `stash ${stash.slice(0, SHORT)} is new`, back: "stash pop", backWithoutFiles: "stash drop" },
    })),
  ];
}

function isBranch(name: string): boolean {
  return name.startsWith("refs/heads/");
}

function isTag(name: string): boolean {
  return name.startsWith("refs/tags/");
}

function kind(name: string): string {
  return isBranch(name) ? "branch " : isTag(name) ? "tag " : "";
}

function short(name: string): string {
  return name.replace(/^refs\/(?:heads|tags)\//, "");
}

/** Returns a ref's name as a command takes it. */
function word(name: string): string {
  return quoteWord(short(name));
}
