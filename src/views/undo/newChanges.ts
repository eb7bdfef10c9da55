import type { Door } from "../../core/pipeline/activity.js";
import type { PartsOfUndo } from "../../features/changes/journal/parts.js";
import { isInForce, type JournalQueries, type TurnKey } from "../../features/changes/journal/queries.js";
import type { RecordedChange, TurnFile } from "../../features/changes/journal/types.js";
import { openRest } from "./openParts.js";
import type { Kept } from "./openTurns.js";
import { SettledParts } from "./settledParts.js";

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
  /** Parts of them that are settled, if there are any. */
  parts?: PartsOfUndo;
}

/**
 * Finds the changes that agents have made since a moment, in ms since 1970, and that are neither undone nor kept. What a person did in
 * the command palette is known to that person.
 *
 * @returns undefined if there are none
 */
export function newChangesOf(
  journal: Pick<JournalQueries, "calls" | "callsAfter" | "callsOf" | "changes" | "files" | "image">,
  since: number,
  known: Kept = { isKept: () => false, parts: new SettledParts() },
): NewChanges | undefined {
  const unkept = (calls: readonly number[]): RecordedChange[] =>
    journal.changes(calls).filter((change) => isInForce(change) && !known.isKept(change));
  const standing = (calls: readonly number[]): RecordedChange[] => unkept(calls).filter((change) => !isUndone(change));
  const { parts: settled } = known;
  const calls = journal
    .callsAfter(since, MAX_CALLS)
    .filter(({ id, door }) => door !== "palette" && standing([id]).length > 0);
  const last = calls.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const turns = new Map<string, TurnKey & { door: Door; at: number; ids: number[] }>();
  for (const { id, session, turn, door, at } of calls) {
    const key = JSON.stringify([session, turn]);
    const earlier = turns.get(key);
    turns.delete(key);
    turns.set(key, { session, turn, door, at, ids: [...(earlier?.ids ?? []), id] });
  }
  const ids = calls.map(({ id }) => id);
  const changes = standing(ids);
  const listed = [...turns.values()]
    .map(({ door, at, ids: own, ...key }) => {
      const whole = unkept(journal.calls(key).map(({ id }) => id));
      const files = journal.files(standing(own));
      const isSettled = settled.concerns(whole.map(({ id }) => id));
      return {
        ...{ door, at, isSettled },
        rest: (isSettled ? asSettled(settled, files, journal.files(whole), whole) : files).flatMap(
          (file) => openRest(journal, settled, file) ?? [],
        ),
      };
    })
    .filter(({ rest, isSettled }) => rest.length > 0 || isSettled);
  const settledIn = (of: "kept" | "undone"): string[] => listed.flatMap(({ rest }) => rest.flatMap((each) => each[of]));
  const [kept, undone] = [settledIn("kept"), settledIn("undone")];
  const isCut = listed.some(({ isSettled }) => isSettled);
  // Parts belong to turns, so then each turn's change of a file is counted by itself.
  const files = isCut
    ? listed.flatMap(({ rest }) => rest.map(({ file }) => file))
    : journal.files(changes).filter(hasEffect);
  if (files.length === 0) {
    return undefined;
  }
  const left = isCut ? files.flatMap((file) => file.changes) : changes.map(({ id }) => id);
  return {
    calls: ascending([...ids, ...(isCut ? journal.callsOf(left).map(({ id }) => id) : [])]),
    ...{ changes: ascending(left), at: last.at, files },
    turns: listed
      .filter(({ rest }) => rest.length > 0)
      .reverse()
      .map(({ door, at, rest }) => ({ door, at, files: rest.map(({ file }) => file) })),
    ...(kept.length + undone.length > 0 && { parts: { kept, undone } }),
  };
}

/**
 * Returns files of a turn, those with settled parts as of the whole turn, whose parts were settled: of less, they have
 * other names. What was shown before is shown again with them.
 */
function asSettled(
  settled: SettledParts,
  files: readonly TurnFile[],
  whole: readonly TurnFile[],
  changes: readonly RecordedChange[],
): TurnFile[] {
  const undone = new Set(changes.filter(isUndone).map(({ id }) => id));
  const found = files.flatMap((file) => {
    const own = whole.filter((each) => each.changes.some((change) => file.changes.includes(change)));
    return own.some((each) => settled.concerns(each.changes))
      ? own.filter((each) => !each.changes.every((change) => undone.has(change)))
      : [file];
  });
  return [...new Set(found)];
}

function isUndone({ undoneBy }: RecordedChange): boolean {
  return undoneBy !== undefined;
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((one, other) => one - other);
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
