import type { ActivityLog, Door } from "../../core/pipeline/activity.js";
import type { ChangeKeeper, Undone } from "../../features/changes/changes.js";
import { ToolError } from "../../core/errors.js";
import { UNDO_TOOL, type JournalQueries, type TurnKey } from "../../features/changes/journal/queries.js";
import type { RecordedCall, RecordedChange } from "../../features/changes/journal/types.js";
import { OTHERS_ALONE, type UndoWhat } from "../../features/changes/journal/undo.js";
import type { UndoPlan } from "../../features/changes/journal/undoPlan.js";
import { newId } from "../../core/pipeline/newId.js";
import type { Files } from "../../ports/files.js";
import type { ManagedProcess } from "../../ports/processes.js";
import { oneLine, shorten } from "../../text/clip.js";
import { countChanges } from "./calls.js";
import { undoSteps, type Direction, type UndoStep } from "./steps.js";
import { shownPath } from "../shared/words.js";
import { changesInFiles } from "./question.js";
import { listed } from "../../text/words.js";
import { l10n } from "../shared/l10n.js";

/** Maximum number of files that a remark names. */
const MAX_NAMED = 5;
/** Maximum length of a command that a remark names, in characters. */
const MAX_COMMAND = 80;

export interface UndoHost {
  changes: ChangeKeeper;
  files: Files;
  activity: ActivityLog;
  isTrusted(): boolean;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The commands that are running now, where this process has any. */
  running?(): readonly Pick<ManagedProcess, "id" | "command" | "owner">[];
  /** Called after changes were undone or redone. */
  onUndone?(): void;
}

/** The caller of an undo. */
export interface UndoCaller {
  door: Door;
  session: string;
  signal: AbortSignal;
  /** How to undo some of the files alone, as the door calls it; `no` if it cannot. If absent, it says so elsewhere. */
  alone?: string | undefined;
}

/** A finished undo, for a door to report. */
export interface ToldUndo {
  /** Undoing this turn undoes the undo; undefined if the undo changed nothing. */
  key: TurnKey | undefined;
  steps: UndoStep[];
  /** `Undid 3 changes in 2 files.` */
  headline: string;
  /** Further remarks, one sentence each. */
  remarks: string[];
}

/**
 * Undoes changes, or an undo. The undo is a turn in the journal, too.
 *
 * @throws ToolError as `ChangeKeeper.undo` does, and `untrusted` in Restricted Mode
 */
export async function undo(
  host: UndoHost,
  { door, session, signal, alone }: UndoCaller,
  what: UndoWhat,
  direction: Direction,
): Promise<ToldUndo> {
  const turn = newId();
  const started = host.now();
  const record = (outcome: "ok" | ToolError["type"]): void => {
    host.activity.record({
      callId: turn,
      parentId: undefined,
      session,
      door,
      tool: UNDO_TOOL,
      input: what,
      started,
      duration: host.now() - started,
      outcome,
      bytes: 0,
    });
  };
  try {
    checkTrust(host);
    const summary = direction === "undo" ? l10n.t("Undoing changes") : l10n.t("Redoing changes");
    const undone = await host.changes.undo({ session, turn, callId: turn, door, summary }, what, host.files, signal);
    const journal = await host.changes.journal();
    const changes = countChanges(
      journal,
      undone.undoes.flatMap(({ targets }) => targets),
    );
    record("ok");
    host.onUndone?.();
    const { kept = [] } = what.parts ?? {};
    const notes =
      direction === "undo"
        ? [
            ...keptParts(kept.length),
            ...notesOf(journal, undone, what),
            ...stillRunning(host.running?.() ?? [], journal, undone),
          ]
        : [];
    return tell(undone, changes, direction, { session, turn }, notes);
  } catch (error) {
    record(error instanceof ToolError ? error.type : "internal_error");
    throw error instanceof ToolError && alone !== undefined ? withWay(error, alone) : error;
  }
}

/** Says in a conflict's hint how the door undoes the other files alone. */
function withWay(error: ToolError, alone: string): ToolError {
  const { type, message, hint } = error;
  if (type !== "conflict" || hint?.startsWith(OTHERS_ALONE) !== true) {
    return error;
  }
  return new ToolError(
    type,
    message,
    alone === "no" ? "Change these by hand first." : hint.replace(OTHERS_ALONE, `${OTHERS_ALONE} with ${alone}`),
  );
}

/** @throws ToolError `untrusted` in Restricted Mode, where Toolhost changes no files */
export function checkTrust(host: Pick<UndoHost, "isTrusted">): void {
  if (!host.isTrusted()) {
    throw new ToolError(
      "untrusted",
      "Nothing was undone: in Restricted Mode Toolhost changes no files.",
      "Trust the workspace first (command “Workspaces: Manage Workspace Trust”).",
    );
  }
}

/**
 * Returns what people should know of the calls that an undo takes back: what it does not cover, and what it leaves. Calls
 * that were undone before are no part of it.
 */
export function notesOf(journal: JournalQueries, { undoes, perhapsOthers = [] }: UndoPlan, what: UndoWhat): string[] {
  const targets = new Set(undoes.flatMap((undo) => undo.targets));
  const undone = journal.callsOf([...targets]);
  const calls = [...undone, ...("turn" in what && what.files === undefined ? notedWith(journal, what, undone) : [])];
  const unsure = new Set(calls.flatMap(({ id, perhapsOthers: isUnsure }) => (isUnsure === true ? [id] : [])));
  const taken = journal.changes([...unsure]).filter(({ id }) => targets.has(id));
  return [
    ...new Set([
      ...calls.flatMap(({ notes = [] }) => notes),
      ...(taken.length === 0
        ? []
        : [l10n.t("While a command ran, others may have changed these: {0}.", listed(pathsOf(taken), MAX_NAMED))]),
      ...leftToOthers(perhapsOthers),
    ]),
  ];
}

function keptParts(kept: number): string[] {
  return kept === 0 ? [] : [l10n.many(kept, "{0} part that you kept stays.", "{0} parts that you kept stay.")];
}

/** Says which commands run on after what they changed so far was taken back. */
function stillRunning(
  running: ReturnType<NonNullable<UndoHost["running"]>>,
  journal: JournalQueries,
  { undoes }: UndoPlan,
): string[] {
  const undone = new Set(journal.callsOf(undoes.flatMap(({ targets }) => targets)).map(({ callId }) => callId));
  return running
    .filter(({ owner }) => undone.has(owner.callId))
    .map(({ id, command }) =>
      l10n.t(
        "The command {0} ({1}) is still running and may change files again.",
        shorten(oneLine(command), MAX_COMMAND),
        id,
      ),
    );
}

/** Returns the calls of a turn that changed nothing that undo takes back, but for those that were told with an earlier undo. */
function notedWith(journal: JournalQueries, turn: TurnKey, undone: readonly RecordedCall[]): RecordedCall[] {
  const ids = new Set(undone.map(({ id }) => id));
  const [first = Infinity] = ids;
  const before = journal.calls(turn).findLast(({ id }) => id < first && !ids.has(id));
  return journal.noted(turn).filter(({ id }) => id > (before?.id ?? 0));
}

function pathsOf(changes: readonly RecordedChange[]): string[] {
  return [...new Set(changes.map(({ path, to }) => shownPath(to ?? path)))];
}

/** Says which changes of a turn stay, as others may have made them. */
function leftToOthers(changes: readonly RecordedChange[]): string[] {
  return changes.length === 0
    ? []
    : [
        l10n.t(
          "Left as they are, since others may have changed them while a command ran: {0}. To take them back, too: Undo Change…, or toolhost undo --id {1}",
          listed(pathsOf(changes), MAX_NAMED),
          [...new Set(changes.map((change) => change.call))].join(", --id "),
        ),
      ];
}

function tell(undone: Undone, changes: number, direction: Direction, key: TurnKey, notes: readonly string[]): ToldUndo {
  const steps = undoSteps(undone);
  const changed = steps.filter(({ did }) => did !== "already").length;
  const again = direction === "bring_back";
  const headline =
    changed === 0
      ? nothingToChange(steps.length, direction)
      : undone.parts !== undefined
        ? partsUndone(undone.parts, steps)
        : again
          ? l10n.t("Redid {0}.", changesInFiles(changes, changed))
          : l10n.t("Undid {0}.", changesInFiles(changes, changed));
  return { key: changed > 0 ? key : undefined, steps, headline, remarks: [...remarksOf(undone, steps), ...notes] };
}

/** Says that parts of changes were undone, and that others may stand. */
function partsUndone(parts: number, steps: readonly UndoStep[]): string {
  const files = listed(
    steps.map(({ path }) => shownPath(path)),
    MAX_NAMED,
  );
  return l10n.many(parts, "Undid {0} part of the change in {1}.", "Undid {0} parts of the changes in {1}.", files);
}

/** Says that an undo or a redo has nothing to do. @param files how many it is about */
function nothingToChange(files: number, direction: Direction): string {
  return direction === "bring_back"
    ? l10n.many(
        files,
        "Nothing to change: the file is already as after the change.",
        "Nothing to change: the files are already as after the change.",
      )
    : l10n.many(
        files,
        "Nothing to change: the file is already as before.",
        "Nothing to change: the files are already as before.",
      );
}

function remarksOf({ changes, dropped, outcome }: Undone, steps: readonly UndoStep[]): string[] {
  const merged = steps.filter((step) => step.merged).map(({ path }) => shownPath(path));
  const unsaved = changes.flatMap((change, index) =>
    outcome.files[index]?.saved === false ? [shownPath(change.at.path)] : [],
  );
  return [
    ...(merged.length > 0 ? [l10n.t("Later changes in {0} were kept.", listed(merged, 3))] : []),
    ...(unsaved.length > 0
      ? [
          l10n.many(
            unsaved.length,
            "{1} held unsaved text and is not saved.",
            "{1} held unsaved text and are not saved.",
            listed(unsaved, 3),
          ),
        ]
      : []),
    ...(dropped > 0 ? [droppedOfTurn(dropped)] : []),
    ...(outcome.problems.length > 0
      ? [
          l10n.many(
            outcome.problems.length,
            "There is {0} new problem: see the Problems view.",
            "There are {0} new problems: see the Problems view.",
          ),
        ]
      : []),
  ];
}

/** Describes the calls of a turn that can no longer be undone. */
export function droppedOfTurn(dropped: number): string {
  return l10n.many(
    dropped,
    "{0} earlier call of this turn is no longer in the undo journal and stays as it is.",
    "{0} earlier calls of this turn are no longer in the undo journal and stay as they are.",
  );
}
