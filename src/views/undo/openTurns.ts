import { isInForce, type JournalQueries } from "../../features/changes/journal/queries.js";
import type { JournalTurn, RecordedChange, TurnFile } from "../../features/changes/journal/types.js";
import { listTurns } from "./calls.js";

/** A file of a turn, as far as its changes are not kept. */
export interface OpenFile {
  file: TurnFile;
  changes: RecordedChange[];
  isUndone: boolean;
}

/** A turn with changes that are not kept. */
export interface OpenTurn {
  turn: JournalTurn;
  files: OpenFile[];
  /** All of these changes, whatever file they belong to. */
  changes: RecordedChange[];
  undone: JournalTurn["undone"];
}

/** Lists the latest turns with changes that the user has not kept, newest first. */
export function openTurns(journal: JournalQueries, isKept: (change: RecordedChange) => boolean): OpenTurn[] {
  return listTurns(journal).flatMap((turn) => {
    const changes = journal
      .changes(turn.calls.map(({ id }) => id))
      .filter((change) => isInForce(change) && !isKept(change));
    if (changes.length === 0) {
      return [];
    }
    const files = journal.files(changes).map((file): OpenFile => {
      const own = changesOf(file, changes);
      return { file, changes: own, isUndone: own.every(isUndone) };
    });
    const standing = changes.filter((change) => !isUndone(change));
    const undone = standing.length === 0 ? "yes" : standing.length === changes.length ? "no" : "partly";
    return [{ turn, files, changes, undone }];
  });
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
