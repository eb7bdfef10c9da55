import type { Door } from "../../core/pipeline/activity.js";
import { isInForce, type JournalQueries } from "../../features/changes/journal/queries.js";
import type { RecordedChange, TurnFile } from "../../features/changes/journal/types.js";

/** Maximum number of calls that are looked at: each costs a diff of its files. */
const MAX_CALLS = 200;

/** Changes that nobody has looked at and that are still in files. */
export interface NewChanges {
  /** Ids in the journal, oldest first. */
  calls: number[];
  /** The ids of the changes that these calls made: others of theirs are kept. */
  changes: number[];
  /** When the last of them began, in ms since 1970. */
  at: number;
  /** What they did in all. */
  files: TurnFile[];
  /** What each turn did, newest first. */
  turns: { door: Door; at: number; files: TurnFile[] }[];
}

/**
 * Finds the changes that agents have made since a moment, in ms since 1970, and that are neither undone nor kept. What a person did in
 * the command palette is known to that person.
 *
 * @returns undefined if there are none
 */
export function newChangesOf(
  journal: Pick<JournalQueries, "callsAfter" | "changes" | "files">,
  since: number,
  isKept: (change: RecordedChange) => boolean = () => false,
): NewChanges | undefined {
  const standing = (calls: readonly number[]): RecordedChange[] =>
    journal.changes(calls).filter((change) => isInForce(change) && change.undoneBy === undefined && !isKept(change));
  const calls = journal
    .callsAfter(since, MAX_CALLS)
    .filter(({ id, door }) => door !== "palette" && standing([id]).length > 0);
  const last = calls.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const turns = new Map<string, { door: Door; at: number; ids: number[] }>();
  for (const { id, session, turn, door, at } of calls) {
    const key = JSON.stringify([session, turn]);
    const known = turns.get(key);
    turns.delete(key);
    turns.set(key, { door, at, ids: [...(known?.ids ?? []), id] });
  }
  const ids = calls.map(({ id }) => id);
  const changes = standing(ids);
  const files = journal.files(changes).filter(hasEffect);
  if (files.length === 0) {
    return undefined;
  }
  return {
    ...{ calls: ids, changes: changes.map(({ id }) => id), at: last.at, files },
    turns: [...turns.values()]
      .reverse()
      .map(({ door, at, ids: own }) => ({ door, at, files: journal.files(standing(own)) })),
  };
}

/** Whether all of them are among changes that were shown. */
export function areShown({ files }: NewChanges, shown: readonly TurnFile[]): boolean {
  const isSame = (one: TurnFile["after"], other: TurnFile["after"]): boolean =>
    one?.hash === other?.hash && one?.form === other?.form;
  return files.every(({ path, before, after }) =>
    shown.some((each) => each.path === path && isSame(each.before, before) && isSame(each.after, after)),
  );
}

/** Whether a file is another than before: later changes may have taken back earlier ones. */
export function hasEffect({ from, before, after }: TurnFile): boolean {
  return from !== undefined || before?.hash !== after?.hash || before?.form !== after?.form;
}
