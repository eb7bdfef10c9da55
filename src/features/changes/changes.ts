import type { ChangeOrigin, JournalCall } from "../../core/pipeline/changeOrigin.js";
import type {
  ChangeOutcome,
  ChangeReport,
  Changes,
  FileChange,
  FileWriter,
  PartsBefore,
  Snapshot,
} from "../../ports/changes.js";
import type { FileEffect } from "../../ports/effects.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import type { Problems, ProblemsByFile } from "../../ports/problems.js";
import type { Reads } from "../../ports/reads.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { shownFormatting } from "../../text/formatting.js";
import { lineMap, type LineMap } from "../../text/diff/lineMap.js";
import { newProblems } from "../../text/problems.js";
import { contentVersion, textVersion } from "../../text/contentVersion.js";
import { NotTakenBack, ToolError } from "../../core/errors.js";
import { fileKey } from "../../core/paths/fileKey.js";
import { baseName } from "../../core/paths/pathShape.js";
import { journalChange } from "./journal/images.js";
import type { Journal } from "./journal/journal.js";
import { UNDO_TOOL, type JournalQueries } from "./journal/queries.js";
import type { JournalChange } from "./journal/types.js";
import { undoFiles } from "./journal/undoFiles.js";
import { conflictError, planUndo, type UndoWhat } from "./journal/undo.js";
import type { UndoPlan } from "./journal/undoPlan.js";
import type { ViewChange } from "./publication.js";
import type { CommandChange, CommandFiles, Meanwhile, RecordedCommand } from "./commandChanges.js";
import { KeyedLock } from "./keyedLock.js";
import { changedElsewhere, isUntouched } from "./elsewhere.js";
import type { Ledger, ReadState } from "./ledger.js";
import { ShownLines } from "./shownLines.js";
import { ShownTexts } from "./shownTexts.js";

/** How long to wait for language servers after a change, in ms (issue 4). */
const PROBLEMS_LIMIT = 1_000;
/** Maximum characters of a diff in an error. A longer diff is not shown, and the file has to be read. */
const MAX_DIFF = 10_000;
/** Maximum number of problems reported after a change: if there are more, they usually have one cause. */
const MAX_PROBLEMS = 20;

/** The server that can be asked, as it names itself in reports. */
const ASKED_SOURCE = "ts";

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
  readonly #shown = new ShownLines();
  readonly #shownWhole = new ShownTexts();

  /** @param other one that changes the same files: no file is changed by both at once */
  constructor(host: ChangeKeeperHost, other?: ChangeKeeper) {
    this.#host = host;
    this.#locks = other === undefined ? new KeyedLock() : other.#locks;
  }

  /** Whether changes are recorded in the undo journal here. */
  async undoable(): Promise<boolean> {
    return (await this.#host.state(true)).journal !== undefined;
  }

  /** Rolls back, once, the changes that killed processes left half done; if that fails, reading continues. */
  async recovered(): Promise<void> {
    await this.#host.state().catch(() => undefined);
  }

  async shown(session: string, text: string, call: unknown): Promise<void> {
    this.#shown.add(session, text);
    this.#shownWhole.add(session, text, JSON.stringify(call));
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
        await this.#checkRead(origin, at, snapshot);
        return snapshot;
      });
    return {
      changes: {
        before,
        beforeParts: (at, maxBytes) =>
          settled(at, async () => this.#parts(origin, at, await files.readSnapshot(at, maxBytes))),
        beforeWhole: (at, maxBytes) =>
          before(at, maxBytes).catch((error: unknown) => wholeBytes(files, at, maxBytes, error)),
        apply: (changes, signal) => this.#apply(origin, changes, signal),
        alone: (at, work, signal) => this.#locks.runAll([fileKey(at)], () => this.#alone(origin, at, work, signal)),
      },
      reads: {
        note: async (at, seen) => (await this.#host.state()).ledger.note(readerOf(origin), fileKey(at), seen),
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
    call: JournalCall,
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

  async #checkRead(origin: ChangeOrigin, at: GatedPath, now: TextSnapshot): Promise<void> {
    if (origin.reads !== "must") {
      return;
    }
    const { ledger } = await this.#host.state();
    const state = this.#readState(origin, ledger, at, now);
    if (state === "unread") {
      throw new ToolError(
        "must_read",
        `${at.path} has not been read in this session. Nothing was changed.`,
        "Read it first, then make the change on its current text.",
      );
    }
    if (state !== "same") {
      throw this.#stale(origin, ledger, at, now, state.readText);
    }
  }

  /** Compares a file with what the session has seen of it: read, or shown as a whole in an answer. */
  #readState(origin: ChangeOrigin, ledger: Ledger, at: GatedPath, now: TextSnapshot): ReadState {
    const session = readerOf(origin);
    const state = ledger.check(session, fileKey(at), now);
    if (state === "same") {
      return state;
    }
    if (this.#shownWhole.has(session, baseName(at.path), now.text)) {
      ledger.note(session, fileKey(at), now);
      return "same";
    }
    // An empty file has nothing to lose.
    return state === "unread" && now.text === "" ? "same" : state;
  }

  /** Builds the error for a file that has changed since it was read. Its current text counts as read if it is shown. */
  #stale(origin: ChangeOrigin, ledger: Ledger, at: GatedPath, now: TextSnapshot, readText?: string): ToolError {
    const since = readText === undefined ? undefined : unifiedDiff(readText, now.text);
    const isShown = since !== undefined && since.length <= MAX_DIFF;
    if (isShown && origin.isPreview !== true) {
      // The caller has just got this text: it may base its next change on it.
      ledger.note(readerOf(origin), fileKey(at), now);
    }
    return new ToolError(
      "stale",
      `${at.path} has changed since it was read. Nothing was changed.${isShown ? ` What changed since:\n${since}` : ""}`,
      isShown ? "Make the change again on the current text." : "Read it again, then make the change.",
    );
  }

  /**
   * Implements `Changes.beforeParts`. Who quotes a text exactly cannot lose another one: the quote itself proves what is
   * replaced, whether or not the file was read.
   */
  async #parts(origin: ChangeOrigin, at: GatedPath, before: TextSnapshot): Promise<PartsBefore> {
    const session = readerOf(origin);
    const { ledger } = await this.#host.state();
    const state = origin.reads === "must" ? this.#readState(origin, ledger, at, before) : "same";
    return {
      before,
      isKnown: state === "same",
      check: (places) => {
        if (state === "same") {
          return undefined;
        }
        const unseen = places?.filter((place) => !this.#shown.has(session, before.text, place));
        if (state === "unread") {
          if (unseen?.every(({ quoted }) => quoted) === false) {
            throw new ToolError(
              "must_read",
              `${at.path} has not been read in this session, and the call does not quote exactly one place of it. Nothing was changed.`,
              "Read it first (at least the lines to replace), then call again.",
            );
          }
          return undefined;
        }
        const { readText } = state;
        const mayChange =
          unseen !== undefined &&
          (unseen.length === 0 ||
            (readText !== undefined &&
              unseen.every(({ quoted }) => quoted) &&
              isUntouched(readText, before.text, unseen)));
        if (!mayChange) {
          throw this.#stale(origin, ledger, at, before, readText);
        }
        return changedElsewhere(readText, before.text).remark;
      },
    };
  }

  async #apply(
    origin: ChangeOrigin,
    changes: readonly FileChange[],
    signal: AbortSignal,
    undo = NO_UNDO,
  ): Promise<ChangeOutcome> {
    const problems = this.#host.tellsProblems() ? this.#host.problems : undefined;
    // Whoever moves or removes files changes which others can be found. An undo puts back what was there, and is not
    // waited for.
    const check =
      undo === NO_UNDO && changes.every(canBeChecked)
        ? await problems?.check?.(
            changes.map(({ at }) => at),
            signal,
          )
        : undefined;
    const known = await problems?.now();
    const keys = changes.flatMap((change) =>
      change.kind === "move" ? [fileKey(change.at), fileKey(change.to)] : [fileKey(change.at)],
    );
    const files = await this.#locks.runAll(keys, () => this.#applyLocked(origin, changes, signal, undo));
    if (problems === undefined || known === undefined) {
      return { files, problems: [] };
    }
    const changed = changes.map(placeAfter);
    const [reported, asked] = await Promise.all([
      problems.settled(changed, PROBLEMS_LIMIT, signal),
      check?.after(changed, signal),
    ]);
    const before = check === undefined ? known : withAsked(known, check.before);
    const after = asked === undefined ? reported : withAsked(reported, asked.problems);
    return {
      ...{ files, problems: newOnes(changes, files, before, after) },
      ...(asked !== undefined && { asked: asked.asked }),
    };
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
  ): Promise<ChangeReport[]> {
    signal.throwIfAborted();
    const state = await this.#host.state(true);
    const release = state.hold?.();
    try {
      return await this.#applyHeld(state, origin, changes, signal, undo);
    } finally {
      release?.();
    }
  }

  async #applyHeld(
    { journal, ledger, reason, locks }: ChangeState,
    origin: ChangeOrigin,
    changes: readonly FileChange[],
    signal: AbortSignal,
    undo: typeof NO_UNDO,
  ): Promise<ChangeReport[]> {
    if (journal === undefined) {
      throw unkept(reason);
    }
    const planned = await Promise.all(changes.map((change) => this.#planned(change)));
    const unlock = await locks?.take(origin.tool, planned, signal);
    try {
      return await this.#applyAlone(journal, ledger, origin, changes, planned, signal, undo);
    } finally {
      unlock?.();
    }
  }

  async #applyAlone(
    journal: NonNullable<ChangeState["journal"]>,
    ledger: Ledger,
    origin: ChangeOrigin,
    changes: readonly FileChange[],
    planned: readonly JournalChange[],
    signal: AbortSignal,
    undo: typeof NO_UNDO,
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
      return files;
    }
    await noteAll(ledger, origin, changes, files);
    // A file that an undo merged contains changes by others, which the caller has not seen.
    const merged = new Set(undo.files.flatMap(({ path, outcome }) => (outcome === "merged" ? [path] : [])));
    changes
      .map(placeAfter)
      .filter(({ path }) => merged.has(path))
      .forEach((at) => ledger.forget(readerOf(origin), fileKey(at)));
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

function readerOf({ reader, session }: ChangeOrigin): string {
  return reader ?? session;
}

/** Records that a session knows the texts it wrote itself, as saving left them if the writer reported that. */
async function noteAll(
  ledger: Ledger,
  origin: ChangeOrigin,
  changes: readonly FileChange[],
  reports: readonly ChangeReport[],
): Promise<void> {
  const session = readerOf(origin);
  for (const [index, change] of changes.entries()) {
    const isKnown = knowsRest(ledger, origin, change);
    const saved = reports[index]?.text;
    const asked = askedText(change);
    // An unreported text has not been seen: the session's next change is then stale and comes with a diff.
    const text =
      saved === undefined || asked === undefined || saved === asked || shownFormatting(asked, saved) !== undefined
        ? saved
        : asked;
    if (change.kind === "delete" || change.kind === "move") {
      ledger.forget(session, fileKey(change.at));
    }
    if (!isKnown) {
      ledger.forget(session, fileKey(placeAfter(change)));
    } else if (change.kind !== "delete" && text !== undefined) {
      ledger.note(session, fileKey(placeAfter(change)), { text, version: await textVersion(text) });
    }
  }
}

/**
 * Whether a session knows the parts of a text that its change left alone. If not, the file does not count as read
 * afterwards: a later `write` would replace what the session has never seen.
 */
function knowsRest(ledger: Ledger, origin: ChangeOrigin, change: FileChange): boolean {
  if ((change.kind !== "replace" && change.kind !== "move") || change.parts !== true || !("text" in change.before)) {
    return true;
  }
  const state = ledger.check(readerOf(origin), fileKey(change.at), change.before);
  return (
    state === "same" ||
    (state !== "unread" && origin.reads === "must" && changedElsewhere(state.readText, change.before.text).isWhole)
  );
}

/** Returns the text that a change is meant to leave; undefined if it leaves none. */
function askedText(change: FileChange): string | undefined {
  switch (change.kind) {
    case "create":
      return "text" in change.content ? change.content.text : undefined;
    case "overwrite":
      return "text" in change.content ? change.content.text : undefined;
    case "replace":
      return change.text;
    case "move":
      return change.text ?? ("text" in change.before ? change.before.text : undefined);
    case "delete":
    case "entry":
      return undefined;
  }
}

/** Returns a changed file's place after the change. */
function placeAfter(change: FileChange): GatedPath {
  return change.kind === "move" ? change.to : change.at;
}

/** Returns a file's bytes for a change that keeps or drops it as a whole, such as a file that is not text. */
async function wholeBytes(files: Files, at: GatedPath, maxBytes: number, error: unknown): Promise<Snapshot> {
  if (!(error instanceof ToolError) || !["binary", "unsupported"].includes(error.type)) {
    throw error;
  }
  const bytes = await files.readBytes(at, maxBytes);
  return { bytes, version: await contentVersion(bytes) };
}

/** The line map of a file that was not changed. */
const SAME_LINES: LineMap = { toAfter: (line) => line, changeOfOld: () => undefined, changeOfNew: () => undefined };

/** A server can be asked about a file that stays where it is, or is new. */
function canBeChecked({ kind }: FileChange): boolean {
  return kind === "replace" || kind === "create" || kind === "overwrite";
}

/** Puts what a server answered in place of what it reported of these files; others report beside it. */
function withAsked(reported: ProblemsByFile, asked: ProblemsByFile): ProblemsByFile {
  const all = new Map(reported);
  for (const [path, problems] of asked) {
    const sources = new Set(problems.map(({ source }) => source).concat(ASKED_SOURCE));
    all.set(path, [...problems, ...(reported.get(path) ?? []).filter(({ source }) => !sources.has(source))]);
  }
  return all;
}

/**
 * Returns the problems reported now that were not reported before. In changed files, old problems are compared by the
 * lines they moved to.
 */
function newOnes(
  changes: readonly FileChange[],
  reports: readonly ChangeReport[],
  before: ProblemsByFile,
  after: ProblemsByFile,
): ChangeOutcome["problems"] {
  const moved = new Map<string, { from: string; lines: LineMap }>();
  for (const [index, change] of changes.entries()) {
    const text = reports[index]?.text;
    if ((change.kind === "replace" || change.kind === "move") && text !== undefined && "text" in change.before) {
      moved.set(placeAfter(change).path, { from: change.at.path, lines: lineMap(change.before.text, text) });
    }
  }
  const told = [...after].flatMap(([path, now]) => {
    const { from, lines } = moved.get(path) ?? { from: path, lines: SAME_LINES };
    return newProblems(before.get(from) ?? [], now, lines).map((problem) => ({ path, problem }));
  });
  return told.slice(0, MAX_PROBLEMS);
}
