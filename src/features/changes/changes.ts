import type { ChangeOrigin, JournalCall } from "../../core/pipeline/changeOrigin.js";
import type {
  ChangeKeep,
  ChangeOutcome,
  ChangeReport,
  Changes,
  FileChange,
  FileWriter,
  Snapshot,
} from "../../ports/changes.js";
import type { FileEffect } from "../../ports/effects.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import type { Problems } from "../../ports/problems.js";
import type { Reads } from "../../ports/reads.js";
import { contentVersion } from "../../text/contentVersion.js";
import { NotTakenBack, ToolError } from "../../core/errors.js";
import { fileKey } from "../../core/paths/fileKey.js";
import { journalChange } from "./journal/images.js";
import type { Journal } from "./journal/journal.js";
import { UNDO_TOOL, type JournalQueries } from "./journal/queries.js";
import type { JournalChange } from "./journal/types.js";
import { undoFiles } from "./journal/undoFiles.js";
import { conflictError, planUndo, type UndoWhat } from "./journal/undo.js";
import type { UndoPlan } from "./journal/undoPlan.js";
import type { ViewChange } from "./publication.js";
import type { ChangedText, CommandChange, CommandFiles, Meanwhile, RecordedCommand } from "./commandChanges.js";
import { KeyedLock } from "./keyedLock.js";
import { placeAfter } from "./fileChange.js";
import { KnownTexts } from "./knownTexts.js";
import type { Ledger } from "./ledger.js";
import { watchProblems } from "./problemsOfChange.js";

/** For calls that undo nothing. */
const NO_UNDO: Pick<UndoPlan, "undoes" | "files"> = { undoes: [], files: [] };

/** A workspace's undo journal and locks. */
export interface ChangeState {
  /** The undo journal, for writing and for queries; undefined if the state cannot be kept. */
  journal: { entries: Journal; queries: JournalQueries } | undefined;
  /** Why there is no journal. */
  reason: ToolError | undefined;
  ledger: Ledger;
  /**
   * Keeps other workspaces, windows and processes away from the files of a change; undefined if nothing else can reach
   * them.
   */
  locks?: FileLocks | undefined;
  /** Keeps the state open, even if it is asked to close, until the returned function is called. */
  hold?(): () => void;
}

/** Locks on this machine's files that are being changed, whichever workspace they are seen from. */
export interface FileLocks {
  /**
   * Locks the files of a change, waiting a few seconds for others to finish.
   *
   * @returns a function that releases them
   * @throws ToolError `conflict` that names the file if another process holds one, `unavailable` if locks cannot be
   *   kept
   */
  take(tool: string, changes: readonly JournalChange[], signal: AbortSignal): Promise<() => void>;
}

/** An undo that was carried out, and its outcome. */
export interface Undone extends UndoPlan {
  outcome: ChangeOutcome;
}

export interface ChangeKeeperHost {
  writer: FileWriter;
  /** @param again if there is no journal, whether to check if there can be one now */
  state(again?: boolean): Promise<ChangeState>;
  problems?: Problems;
  /** Whether the user wants new problems reported after a change. */
  tellsProblems(): boolean;
  /** Is called after each change of files, undos among them. */
  onChanged?(): void;
  /** Returns a path as the journal's lists show it, if callers see another one. */
  listedPath?(at: GatedPath): string;
}

/**
 * Makes the changes of all calls: one at a time for each file, recorded in the undo journal, and only on texts that
 * were read.
 */
export class ChangeKeeper {
  readonly #host: ChangeKeeperHost;
  readonly #locks: KeyedLock;
  readonly #known: KnownTexts;

  /** @param other one that changes the same files: no file is changed by both at once */
  constructor(host: ChangeKeeperHost, other?: ChangeKeeper) {
    this.#host = host;
    this.#known = new KnownTexts(() => host.state());
    this.#locks = other === undefined ? new KeyedLock() : other.#locks;
  }

  /** Whether changes are recorded in the undo journal here. */
  async undoable(): Promise<boolean> {
    return (await this.refusal()) === undefined;
  }

  /** Returns why no file can be changed here; undefined if changes are recorded. */
  async refusal(): Promise<ToolError | undefined> {
    const { journal, reason } = await this.#host.state(true);
    return journal === undefined ? unkept(reason) : undefined;
  }

  /** Rolls back, once, the changes that killed processes left half done; if that fails, reading continues. */
  async recovered(): Promise<void> {
    await this.#host.state().catch(() => undefined);
  }

  async shown(session: string, text: string, call: unknown): Promise<void> {
    this.#known.noteShown(session, text, call);
  }

  /** Lets another process go on with a session: what it has read is stored, and known from there. */
  async release(session: string): Promise<void> {
    await (await this.#host.state()).ledger.release(session);
  }

  /** Whether a session has seen a file's current state. */
  async hasSeen(session: string, at: GatedPath, now: TextSnapshot): Promise<boolean> {
    return (await this.#host.state()).ledger.check(session, fileKey(at), now) === "same";
  }

  /** @param files as the call sees them, with the paths that permission decided on pinned */
  forCall(origin: ChangeOrigin, files: Files): { changes: Changes; reads: Reads } {
    // While a call changes the file, its new text may be there before the session is known to have written it.
    const settled = <T>(at: GatedPath, read: () => Promise<T>): Promise<T> => this.#locks.run(fileKey(at), read);
    const before = (at: GatedPath, maxBytes: number): Promise<TextSnapshot> =>
      settled(at, async () => {
        const snapshot = await files.readSnapshot(at, maxBytes);
        await this.#known.check(origin, at, snapshot);
        return snapshot;
      });
    return {
      changes: {
        before,
        beforeParts: (at, maxBytes) =>
          settled(at, async () => this.#known.parts(origin, at, await files.readSnapshot(at, maxBytes))),
        beforeWhole: (at, maxBytes) =>
          before(at, maxBytes).catch((error: unknown) => wholeBytes(files, at, maxBytes, error)),
        apply: (changes, signal, ready) => this.#apply(origin, changes, signal, NO_UNDO, ready),
        alone: (at, work, signal) => this.#locks.runAll([fileKey(at)], () => this.#alone(origin, at, work, signal)),
      },
      reads: {
        note: (at, seen) => this.#known.noteRead(origin, at, seen),
      },
    };
  }

  /**
   * Returns the queries on the undo journal.
   *
   * @throws ToolError `unavailable`, with the reason, if there is no journal
   */
  async journal(): Promise<JournalQueries> {
    return (await this.#journal()).queries;
  }

  /** Returns the journal's ids of calls that are changing files now. @throws ToolError as `journal` does */
  async unfinished(): Promise<number[]> {
    return (await this.#journal()).entries.unfinished();
  }

  /**
   * Records changes that a command has made, so that they can be undone: not what others did meanwhile.
   *
   * @param notes given what could not be recorded, returns sentences for people who undo it
   * @throws ToolError `unavailable` if there is no journal, and what `Journal.begin` throws
   */
  async recordCommand(
    call: JournalCall & { reader?: string },
    changes: readonly CommandChange[],
    meanwhile: Meanwhile,
    files: Files,
    notes: (left: RecordedCommand["left"]) => string[],
  ): Promise<RecordedCommand> {
    const { recordCommand } = await import("./commandChanges.js");
    const { entries } = await this.#journal();
    const keys = changes.map(({ absolute }) => absolute);
    const recorded = await this.#locks.runAll(keys, () =>
      recordCommand(entries, call, changes, meanwhile, this.#commandFiles(files), notes),
    );
    await this.#known.noteCommand(call, recorded.texts);
    this.#host.onChanged?.();
    return recorded;
  }

  /**
   * Makes what a contained command changed in its view, in the workspace: all of it or nothing, recorded like an edit.
   *
   * @param newFolder the mode of new folders
   * @param untouched called once the files were read on which the changes are based: returns what somebody else changed
   *   since the command started, as a sentence
   * @returns the changes, or why none was made, as a sentence
   */
  async publish(
    call: JournalCall,
    changes: readonly ViewChange[],
    files: Files,
    newFolder: number,
    untouched: () => string | undefined,
  ): Promise<{ changes: FileEffect[] } | { dropped: string }> {
    try {
      const { planPublication } = await import("./publication.js");
      const plan = await planPublication(changes, this.#commandFiles(files), newFolder);
      const dropped = untouched();
      if (dropped !== undefined) {
        return { dropped };
      }
      if (plan.changes.length > 0) {
        const keys = plan.changes.map(({ at }) => fileKey(at));
        const origin: ChangeOrigin = { ...call, reads: "free", isCommand: true };
        const { signal } = new AbortController();
        await this.#locks.runAll(keys, () => this.#applyLocked(origin, plan.changes, signal, NO_UNDO));
      }
      return { changes: plan.effects };
    } catch (error) {
      return { dropped: error instanceof Error ? error.message : String(error) };
    }
  }

  /**
   * Returns what `publish` would change, with the diffs of texts; the first of them, if they are long. Changes nothing.
   *
   * @throws ToolError if a path leads elsewhere, an editor has unsaved text of a file, or a file cannot be read
   */
  async shownPublication(
    changes: readonly ViewChange[],
    files: Files,
    newFolder: number,
  ): Promise<{ changes: FileEffect[]; diff: string }> {
    const { planPublication, publicationDiff } = await import("./publication.js");
    const plan = await planPublication(changes, this.#commandFiles(files), newFolder);
    return { changes: plan.effects, diff: publicationDiff(plan) };
  }

  #commandFiles(files: Files): CommandFiles {
    return { files, decode: (at, bytes) => this.#host.writer.decode(at, bytes) };
  }

  /**
   * Plans an undo, including its conflicts. Changes nothing.
   *
   * @throws ToolError as `undo` does, except `conflict`
   */
  async planUndo(what: UndoWhat, files: Files): Promise<UndoPlan> {
    return planUndo(await this.journal(), what, undoFiles(files));
  }

  /**
   * Undoes changes: everything that was asked for, or nothing. The undo itself is recorded in the journal, so it can be
   * undone too.
   *
   * @throws ToolError `conflict` if the files have been changed since, `not_found` if there is nothing to undo, and
   *   whatever `FileWriter.apply` throws
   */
  async undo(call: Omit<JournalCall, "tool">, what: UndoWhat, files: Files, signal: AbortSignal): Promise<Undone> {
    const plan = await this.planUndo(what, files);
    const refused = conflictError(plan);
    if (refused !== undefined) {
      throw refused;
    }
    const origin: ChangeOrigin = { ...call, tool: UNDO_TOOL, reads: "free" };
    return { ...plan, outcome: await this.#apply(origin, plan.changes, signal, plan) };
  }

  async #journal(): Promise<NonNullable<ChangeState["journal"]>> {
    const { journal, reason } = await this.#host.state();
    if (journal === undefined) {
      throw reason ?? new ToolError("unavailable", "There is no undo journal here.");
    }
    return journal;
  }

  async #apply(
    origin: ChangeOrigin,
    changes: readonly FileChange[],
    signal: AbortSignal,
    undo = NO_UNDO,
    ready?: ChangeKeep["ready"],
  ): Promise<ChangeOutcome> {
    const problems = this.#host.tellsProblems() ? this.#host.problems : undefined;
    // An undo puts back what was there, and is not waited for.
    const watch = await watchProblems(problems, changes, undo === NO_UNDO, signal);
    const keys = changes.flatMap((change) =>
      change.kind === "move" ? [fileKey(change.at), fileKey(change.to)] : [fileKey(change.at)],
    );
    const files = await this.#locks.runAll(keys, () => this.#applyLocked(origin, changes, signal, undo, ready));
    return { files, ...(await watch(files)) };
  }

  /**
   * Implements `Changes.alone`. Without a journal nothing is changed, so that one rule holds for everything that
   * changes files.
   */
  async #alone<T>(
    { tool }: ChangeOrigin,
    { path, absolute }: GatedPath,
    work: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted();
    const state = await this.#host.state(true);
    if (state.journal === undefined) {
      throw unkept(state.reason);
    }
    const release = state.hold?.();
    try {
      const unlock = await state.locks?.take(tool, [{ kind: "replace", path, absolute }], signal);
      try {
        return await work();
      } finally {
        unlock?.();
      }
    } finally {
      release?.();
    }
  }

  async #applyLocked(
    origin: ChangeOrigin,
    changes: readonly FileChange[],
    signal: AbortSignal,
    undo: typeof NO_UNDO,
    ready?: ChangeKeep["ready"],
  ): Promise<ChangeReport[]> {
    signal.throwIfAborted();
    const state = await this.#host.state(true);
    const release = state.hold?.();
    try {
      return await this.#applyHeld(state, origin, changes, signal, undo, ready);
    } finally {
      release?.();
    }
  }

  async #applyHeld(
    { journal, reason, locks }: ChangeState,
    origin: ChangeOrigin,
    changes: readonly FileChange[],
    signal: AbortSignal,
    undo: typeof NO_UNDO,
    ready?: ChangeKeep["ready"],
  ): Promise<ChangeReport[]> {
    if (journal === undefined) {
      throw unkept(reason);
    }
    const planned = await Promise.all(changes.map((change) => this.#planned(change)));
    const unlock = await locks?.take(origin.tool, planned, signal);
    try {
      return await this.#applyAlone(journal, origin, changes, planned, signal, undo, ready);
    } finally {
      unlock?.();
    }
  }

  async #applyAlone(
    journal: NonNullable<ChangeState["journal"]>,
    origin: ChangeOrigin,
    changes: readonly FileChange[],
    planned: readonly JournalChange[],
    signal: AbortSignal,
    undo: typeof NO_UNDO,
    ready?: ChangeKeep["ready"],
  ): Promise<ChangeReport[]> {
    // Recorded before anything is touched: whatever kills us, the journal knows what was there.
    const pending = await journal.entries.begin(origin, planned, signal, undo.undoes);
    let files: ChangeReport[];
    let isSettled = false;
    const made = async (reports: readonly ChangeReport[]): Promise<void> => {
      await pending.settle(reports);
      isSettled = true;
    };
    try {
      files = await this.#host.writer.apply(changes, signal, {
        ...(ready && { ready }),
        staged: (notes) => pending.stage(notes),
        made,
        cleared: () => pending.cleared(),
      });
      if (!isSettled) {
        await made(files);
      }
    } catch (error) {
      if (error instanceof NotTakenBack) {
        // If the journal cannot be written now, it checks these files when they are next changed.
        await pending.reconcile().catch(() => undefined);
      } else {
        // Believe the writer's report: if a file holds the intended text anyway, somebody else wrote it.
        pending.drop();
      }
      throw error;
    }
    this.#host.onChanged?.();
    if (origin.isCommand === true) {
      await this.#known.noteCommand(origin, changedTexts(changes));
      return files;
    }
    await this.#known.noteWritten(origin, changes, files, undo.files);
    return files;
  }

  #listed(change: FileChange): JournalChange {
    const planned = journalChange(change);
    const listed = (at: GatedPath): string => this.#host.listedPath?.(at) ?? at.path;
    return { ...planned, path: listed(change.at), ...(change.kind === "move" && { to: listed(change.to) }) };
  }

  /**
   * Converts a change to the journal's form, with the folders it will create: rolling back after a crash removes those
   * too.
   */
  async #planned(change: FileChange): Promise<JournalChange> {
    const planned = this.#listed(change);
    const isNew = change.kind === "create" || change.kind === "move" || planned.kind === "create";
    return isNew ? { ...planned, foldersMade: await this.#host.writer.missingFolders(placeAfter(change)) } : planned;
  }
}

/** Returns the texts that a command has changed and left at their places, by real paths. */
function changedTexts(changes: readonly FileChange[]): Map<string, ChangedText> {
  return new Map(
    changes.flatMap((change) =>
      change.kind === "replace" ? [[fileKey(change.at), { before: change.before.text, after: change.text }]] : [],
    ),
  );
}

/**
 * Builds the error for a change that could be neither rolled back after a crash nor protected from others: it is not
 * made.
 */
function unkept(reason: ToolError | undefined): ToolError {
  const why = reason ?? new ToolError("unavailable", "There is no undo journal here.");
  return new ToolError(
    "unavailable",
    `Nothing was changed: files are only changed if the undo journal can record it. ${why.message}`,
    why.hint,
  );
}

/** Returns a file's bytes for a change that keeps or drops it as a whole, such as a file that is not text. */
async function wholeBytes(files: Files, at: GatedPath, maxBytes: number, error: unknown): Promise<Snapshot> {
  if (!(error instanceof ToolError) || !["binary", "unsupported"].includes(error.type)) {
    throw error;
  }
  const bytes = await files.readBytes(at, maxBytes);
  return { bytes, version: await contentVersion(bytes) };
}
