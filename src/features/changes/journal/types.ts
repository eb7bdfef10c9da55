import type { Owner } from "../../../ports/owner.js";
import type { JournalCall } from "../../../core/pipeline/changeOrigin.js";
import type { ChangeReport } from "../../../ports/changes.js";
import type { EntryState } from "../../../ports/files.js";
import type { Store } from "../../../ports/store.js";
import type { Door } from "../../../core/pipeline/activity.js";

/**
 * A file's content: its text, or only its bytes. A `Snapshot` is one, and so is a `NewContent` (which may leave the
 * encoding to the user's setting). Or what else is at a path; of a `mode`, another change has the content.
 */
export type Image =
  | { text: string; encoding?: string; /** Whether the editor had not saved it. */ unsaved?: boolean }
  | { bytes: Uint8Array }
  | { entry: EntryState };

/** An image that is at a path now, and the permission bits there if they are known. */
export type ImageNow = Image & { mode?: number };

/** An image in the journal; `JournalQueries.image` returns its content. */
export interface ImageRef {
  /** SHA-256 of the stored bytes, in hex. */
  hash: string;
  /**
   * How to read the stored bytes. Text that UTF-8 cannot hold (half a surrogate pair) is kept as UTF-16. A link is
   * stored as its target, a folder or a mode as octal digits, a large file as what is known of it, in JSON.
   */
  form: "utf8" | "utf16" | "bytes" | "link" | "folder" | "mode" | "large";
  /** Number of bytes stored. */
  size: number;
  /** For a text: how the file encodes it; undefined if the user's setting decides. */
  encoding?: string | undefined;
  unsaved?: boolean;
}

export type ChangeKind = "create" | "replace" | "delete" | "move";

/** A change to one file that is about to be made. `journalChange` makes it from a `FileChange`. */
export interface JournalChange {
  kind: ChangeKind;
  /** The file's path as people write it. */
  path: string;
  /** Its real absolute path or address: the key of locks. */
  absolute: string;
  /** For a move: the new path. */
  to?: string;
  toAbsolute?: string;
  before?: Image;
  after?: Image;
  /** Number of parent folders created for it (create, move). */
  foldersMade?: number;
  /** Permission bits of the file before, if known. */
  mode?: number;
}

/**
 * The changes in the journal that an undo takes back, and which of its own changes do so (none if the files were
 * already back).
 */
export interface UndoTarget {
  /** `RecordedChange.id`s. */
  targets: number[];
  /** Indices in the changes of the undo call. */
  changes: number[];
}

/** Outcome of a change. `unknown`: the file is neither as before nor as planned, or could not be read. */
export type ChangeState = "pending" | "applied" | "not_applied" | "unknown";

/** A change in the journal. */
export interface RecordedChange {
  id: number;
  /** `RecordedCall.id`. */
  call: number;
  kind: ChangeKind;
  path: string;
  absolute: string;
  to: string | undefined;
  toAbsolute: string | undefined;
  before: ImageRef | undefined;
  after: ImageRef | undefined;
  foldersMade: number;
  mode: number | undefined;
  state: ChangeState;
  /** The call that undid it and has not been undone itself. */
  undoneBy: number | undefined;
}

/** A call in the journal. Ids grow with time. */
export interface RecordedCall extends JournalCall {
  id: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Whether its files are being changed now. */
  pending: boolean;
}

/** The effect of a turn (or of some of its calls) on one file, from its first state to its last. */
export interface TurnFile {
  /** Its current path; its last path if it is gone. */
  path: string;
  /** Its earlier path, if it was moved. */
  from: string | undefined;
  kind: ChangeKind;
  before: ImageRef | undefined;
  after: ImageRef | undefined;
  /** Number of lines; undefined if it is not text. */
  added: number | undefined;
  removed: number | undefined;
  /** The changes that it is made of, by their ids, oldest first. */
  changes: readonly number[];
}

/** The calls of one turn that changed files. */
export interface JournalTurn {
  session: string;
  turn: string;
  door: Door;
  /** When its last change began, milliseconds since 1970. */
  at: number;
  /** In the order they were made. */
  calls: RecordedCall[];
  files: TurnFile[];
  undone: "no" | "partly" | "yes";
  /** Whether it did nothing but undo. */
  isUndo: boolean;
  /** Number of its calls that are no longer kept: undoing it restores the state before the oldest call that is kept. */
  dropped: number;
}

/** How much the journal had to forget for lack of room. */
export interface Dropped {
  calls: number;
  /** When the latest of them was made, milliseconds since 1970. */
  until: number;
}

/** Calls whose process died or could not report the outcome while changing files, and what a later check found. */
export interface Recovered {
  call: RecordedCall;
  files: { path: string; to: string | undefined; state: Exclude<ChangeState, "pending"> }[];
}

/**
 * Returns a file's current content, by its absolute path or address; undefined if there is no file.
 *
 * @param large number of bytes above which the file is a large one (`Files.entry`)
 */
export type Look = (absolute: string, large?: number) => Promise<ImageNow | undefined>;

/** A text that a killed process may have left in an open document, unsaved. */
export interface OpenText {
  /** The file's `fileKey`. */
  absolute: string;
  before: string;
  after: string;
  /** Whether the document also had unsaved text before the change. */
  wasUnsaved: boolean;
}

/** What the journal needs from a host. */
export interface JournalHost {
  store: Store;
  owner: Owner;
  /** False only for a process that is certainly gone. */
  isAlive(owner: Owner): boolean;
  look: Look;
  /**
   * Rolls back a change whose process was killed, file by file, from its writer's notes (`PendingChanges.stage`). A
   * file that somebody else has changed since stays as it is. Throws if a file cannot be read or written now: the
   * journal then tries again later.
   */
  rollBack?(notes: readonly string[]): Promise<void>;
  /**
   * Rolls back the same change in editors that still have its new texts, unsaved. What somebody typed since stays.
   * Called after `rollBack`, on hosts with editors; never throws.
   */
  takeBackOpen?: ((texts: readonly OpenText[]) => Promise<void>) | undefined;
  /** Removes the files that the writer of a completed change left behind for removal; throws if it cannot. */
  clearUp?(notes: readonly string[]): Promise<void>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether names that differ only in case are the same file. */
  foldCase?: boolean;
}

/** A call's changes between `begin` and their outcome. Exactly one of the methods ends it and unlocks its files. */
export interface PendingChanges {
  /** `RecordedCall.id`. */
  readonly id: number;
  /**
   * Records, safe from a power failure, how the writer can roll the change back if its process is killed. Called before
   * the first file is changed.
   */
  stage(notes: readonly string[]): void;
  /** Records that the changes were made; takes one report for each, in order. */
  settle(reports: readonly ChangeReport[]): Promise<void>;
  /** Records that nothing was changed. */
  drop(): void;
  /** Checks each file, because the outcome is unknown. */
  reconcile(): Promise<Recovered>;
  /** Records that everything that `stage` named for removal has been removed. */
  cleared(): void;
}
