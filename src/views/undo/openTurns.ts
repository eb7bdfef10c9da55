import { isInForce, type JournalQueries, type TurnKey } from "../../features/changes/journal/queries.js";
import type { JournalTurn, RecordedChange, TurnFile } from "../../features/changes/journal/types.js";
import { LISTED_TURNS } from "./calls.js";
import { hasEffect } from "./newChanges.js";
import { openRest } from "./openParts.js";
import type { PartsOfUndo } from "../../features/changes/journal/parts.js";
import type { SettledParts } from "./settledParts.js";

/** Number of latest turns in which open ones are looked for: most turns may be kept. */
const LOOKED_AT_TURNS = 500;

/** A file of a turn, as far as its changes are not kept. */
export interface OpenFile {
  file: TurnFile;
  changes: RecordedChange[];
  isUndone: boolean;
  /** Keys of parts of it that are kept. */
  kept: readonly string[];
  /** Keys of parts of it that were undone one by one. */
  undone: readonly string[];
  /** How many parts it has in all, if any is kept or undone. */
  parts: number;
}

/** A turn with changes that are not kept. */
export interface OpenTurn {
  turn: JournalTurn;
  files: OpenFile[];
  /** All of these changes, whatever file they belong to; those without a net effect belong to none. */
  changes: RecordedChange[];
  /** Whether the changes of the files are undone. */
  undone: JournalTurn["undone"];
  /** Whether other changes of the turn are kept. */
  isPartlyKept: boolean;
  /** Whether each changed file still has something to keep or undo. */
  isWhole: boolean;
}

/** What the user has kept, or undone part by part. */
export interface Kept {
  isKept(change: RecordedChange): boolean;
  parts: SettledParts;
}

/** Lists the latest turns with changes that the user has not kept, newest first. */
export function openTurns(journal: JournalQueries, kept: Kept): OpenTurn[] {
  const open: OpenTurn[] = [];
  for (const key of journal.turnKeys(LOOKED_AT_TURNS)) {
    const turn = openTurn(journal, key, kept);
    if (turn !== undefined && open.push(turn) === LISTED_TURNS) {
      break;
    }
  }
  return open;
}

/** Names what an undo of a turn, or of one of its files, takes back: what its row shows, and nothing that is kept. */
export function undoOf(
  open: OpenTurn,
  file?: OpenFile,
): TurnKey & { calls?: number[]; changes?: number[]; parts?: PartsOfUndo } {
  const { session, turn } = open.turn;
  // Of what was undone, nothing is left to take back.
  const files = (file === undefined ? open.files : [file]).filter((each) => !each.isUndone);
  const [kept, undone] = [files.flatMap((each) => each.kept), files.flatMap((each) => each.undone)];
  const parts = kept.length + undone.length === 0 ? {} : { parts: { kept, undone } };
  // A file whose parts are all settled has no row.
  if (file === undefined && open.undone === "no" && !open.isPartlyKept && open.isWhole) {
    return { session, turn, ...parts };
  }
  const shown = shownChanges(open, file);
  return { session, turn, calls: callsOf(shown), changes: shown.map(({ id }) => id), ...parts };
}

/** Lists the changes that the rows of a turn show, or that of one of its files, oldest first. */
export function shownChanges({ files, changes }: OpenTurn, file?: OpenFile): RecordedChange[] {
  const shown = new Set((file === undefined ? files : [file]).flatMap((each) => each.changes));
  return changes.filter((change) => shown.has(change));
}

/** Lists the calls that made changes. */
export function callsOf(changes: readonly RecordedChange[]): number[] {
  return [...new Set(changes.map(({ call }) => call))];
}

function openTurn(journal: JournalQueries, key: TurnKey, kept: Kept): OpenTurn | undefined {
  const all = journal.changes(journal.calls(key).map(({ id }) => id)).filter(isInForce);
  const changes = all.filter((change) => !kept.isKept(change));
  // Diffs take time, so only of what may be listed.
  const turn = changes.length === 0 ? undefined : journal.turn(key);
  if (turn === undefined || turn.isUndo) {
    return undefined;
  }
  const changed = journal.files(changes).filter(hasEffect);
  const files = changed.flatMap((file): OpenFile[] => {
    const own = ownChanges(kept.parts, file, changed, changes);
    const rest = openRest(journal, kept.parts, file);
    return rest === undefined ? [] : [{ ...rest, changes: own, isUndone: own.every(isUndone) }];
  });
  if (files.length === 0) {
    return undefined;
  }
  const isWhole = files.length === changed.length;
  const shown = files.flatMap((file) => file.changes);
  const undone = shown.every(isUndone) ? "yes" : shown.some(isUndone) ? "partly" : "no";
  return { turn, files, changes, undone, isPartlyKept: changes.length < all.length, isWhole };
}

/**
 * Returns the changes that the row of a file stands for: all that made it what it is, also where a person's edits between
 * them make several rows of it. Where parts are settled, a row stands for its own: it knows the parts of no other.
 */
function ownChanges(
  settled: SettledParts,
  file: TurnFile,
  changed: readonly TurnFile[],
  changes: readonly RecordedChange[],
): RecordedChange[] {
  const own = changesOf(file, changes);
  if (!settled.concerns(own.map(({ id }) => id))) {
    return own;
  }
  const others = new Set(changed.filter((each) => each !== file).flatMap((each) => each.changes));
  return own.filter(({ id }) => !others.has(id));
}

function isUndone({ undoneBy }: RecordedChange): boolean {
  return undoneBy !== undefined;
}

/** Finds the changes that made a file what it is, those under its earlier names among them. */
function changesOf({ path, from }: TurnFile, changes: readonly RecordedChange[]): RecordedChange[] {
  const names = new Set([path, ...(from === undefined ? [] : [from])]);
  const isOwn = (change: RecordedChange): boolean =>
    names.has(change.path) || (change.to !== undefined && names.has(change.to));
  // A name in between leads to the next one.
  for (let known = 0; known < names.size;) {
    known = names.size;
    for (const { path: was, to } of changes.filter(isOwn)) {
      names.add(was).add(to ?? was);
    }
  }
  return changes.filter(isOwn);
}
