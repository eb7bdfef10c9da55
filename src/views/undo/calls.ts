import type { JournalQueries, TurnKey } from "../../features/changes/journal/queries.js";
import type { Dropped, ImageRef, JournalTurn, RecordedCall, TurnFile } from "../../features/changes/journal/types.js";
import type { UndoWhat } from "../../features/changes/journal/undo.js";
import { ToolError } from "../../core/errors.js";
import { isInForce, UNDO_TOOL } from "../../features/changes/journal/queries.js";
import type { Direction } from "./steps.js";
import { doorName, shownPath, when } from "../shared/words.js";
import { l10n } from "../shared/l10n.js";

/** Number of latest turns in lists: nobody reads more, and each turn costs a diff of its files. */
export const LISTED_TURNS = 50;
/** Maximum number of files that a line names. */
const NAMED_FILES = 2;

/** What is not a file, by the form of its image. */
const ENTRY_WORDS: Partial<Record<ImageRef["form"], string>> = { link: "link", folder: "folder", mode: "mode" };

/** A call in a list. */
export interface ListedCall {
  call: RecordedCall;
  /** The turn it belongs to. */
  turn: JournalTurn;
  files: TurnFile[];
  undone: "no" | "partly" | "yes";
}

/** Lists the latest turns that did more than undo, newest first. */
export function listTurns(journal: JournalQueries): JournalTurn[] {
  return journal.turns(LISTED_TURNS).filter(({ isUndo }) => !isUndo);
}

/** Lists the calls of the latest turns, newest first within each turn. */
export function listCalls(journal: JournalQueries): ListedCall[] {
  return listTurns(journal).flatMap((turn) =>
    turnCalls(journal, turn)
      .filter(({ call }) => call.tool !== UNDO_TOOL)
      .toReversed(),
  );
}

/** Lists the calls of a turn, oldest first. */
export function turnCalls(journal: JournalQueries, turn: JournalTurn): ListedCall[] {
  return turn.calls.map((call) => {
    const changes = journal.changes([call.id]).filter(isInForce);
    const standing = changes.filter(({ undoneBy }) => undoneBy === undefined);
    return {
      call,
      turn,
      files: journal.files(changes),
      undone: standing.length === changes.length ? "no" : standing.length === 0 ? "yes" : "partly",
    };
  });
}

/** Finds the latest turn with changes to undo, in one session or in all. @throws ToolError `not_found` if there is none */
export function lastTurn(journal: JournalQueries, now: number, session?: string): TurnKey {
  const key = journal.lastTurn(session);
  if (key === undefined) {
    const where = session === undefined ? "in this workspace" : "in this chat";
    throw new ToolError(
      "not_found",
      `Nothing to undo: no change that Toolhost's tools made ${where} is left to undo.${droppedNote(journal.dropped(), now)}`,
    );
  }
  return key;
}

/** Returns what to undo to redo undone calls: the calls that undid them, limited to their files. */
export function bringBack(journal: JournalQueries, calls: readonly number[]): UndoWhat {
  const undone = journal.changes(calls).filter((change) => isInForce(change) && change.undoneBy !== undefined);
  return {
    calls: [...new Set(undone.flatMap(({ undoneBy }) => undoneBy ?? []))],
    files: [...new Set(undone.map(({ path }) => path))],
  };
}

/** Returns the effect of undoing a call: undoing an undo redoes, and undoing that undoes again. */
export function directionOf(journal: JournalQueries, call: number): Direction {
  const undoes = (change: number): number => {
    const [target] = journal.targets(change);
    return target === undefined ? 0 : 1 + undoes(target);
  };
  const [first] = journal.changes([call]);
  return first !== undefined && undoes(first.id) % 2 === 1 ? "bring_back" : "undo";
}

/** Counts the tools' changes that an undo, or an undo of an undo, affects. */
export function countChanges(journal: JournalQueries, targets: readonly number[]): number {
  const made = (change: number): number[] => {
    const undone = journal.targets(change);
    return undone.length === 0 ? [change] : undone.flatMap(made);
  };
  return new Set(targets.flatMap(made)).size;
}

/** Formats the note on dropped calls: ` 3 older calls, until yesterday at 10:31, were dropped…`; empty if none were. */
export function droppedNote({ calls, until }: Dropped, now: number): string {
  return calls === 0
    ? ""
    : ` ${l10n.many(calls, "{0} older call, until {1}, was dropped from the undo journal to make room.", "{0} older calls, until {1}, were dropped from the undo journal to make room.", when(until, now))}`;
}

/** Describes who made a call and when: `@toolhost, 5 minutes ago`. */
export function whoAndWhen({ door, at }: Pick<RecordedCall, "door" | "at">, now: number): string {
  return `${doorName(door)}, ${when(at, now)}`;
}

/** Lists files: `src/a.ts, src/b.ts and 3 more`. */
export function fileNames(files: readonly Pick<TurnFile, "path">[]): string {
  const shown = files.length <= NAMED_FILES ? files : files.slice(0, 1);
  const names = shown.map(({ path }) => shownPath(path)).join(", ");
  return files.length > shown.length
    ? l10n.t("{0} and {1} more", names, files.length - shown.length)
    : names || l10n.t("no file");
}

/** Describes changes of files for a list: `new, +10`, `moved from src/b.ts, +3 −1`, `+3 −1 in 2 files`. */
export function changeWords(files: readonly TurnFile[]): string {
  const [only] = files;
  if (only === undefined) {
    return l10n.t("no effect");
  }
  if (files.length > 1) {
    return linesInFiles(files, files.length);
  }
  const kind = {
    create: l10n.t("new"),
    delete: l10n.t("deleted"),
    move: l10n.t("moved from {0}", shownPath(only.from ?? "")),
    replace: "",
  }[only.kind];
  const lines =
    only.added === undefined || only.removed === undefined
      ? (ENTRY_WORDS[(only.after ?? only.before)?.form ?? "bytes"] ?? l10n.t("not text"))
      : lineWords(only.added, only.removed, only.kind);
  return [kind, lines].filter((words) => words !== "").join(", ");
}

/** Returns how many lines changed in how many files: `+3 −1 in 2 files`. */
export function linesInFiles(changed: readonly TurnFile[], files: number): string {
  return l10n.many(files, "{1} in {0} file", "{1} in {0} files", linesChanged(changed));
}

/** Returns how many lines changed in all: `+3 −1`. */
export function linesChanged(files: readonly TurnFile[]): string {
  const texts = files.filter(({ added }) => added !== undefined);
  return lineWords(sum(texts.map(({ added }) => added)), sum(texts.map(({ removed }) => removed)));
}

function lineWords(added: number, removed: number, kind: TurnFile["kind"] = "replace"): string {
  const shown = kind === "replace" ? { added, removed } : { added: added || undefined, removed: removed || undefined };
  return [shown.added === undefined ? "" : `+${added}`, shown.removed === undefined ? "" : `−${removed}`]
    .filter((part) => part !== "")
    .join(" ");
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
}
