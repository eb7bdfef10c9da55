import type { Owner } from "../../../ports/owner.js";
import type { JournalCall } from "../../../core/pipeline/changeOrigin.js";
import type { ChangeReport } from "../../../ports/changes.js";
import type { Store } from "../../../ports/store.js";
import type { Door } from "../../../core/pipeline/activity.js";

/**
 * What stood in a file, or nothing special about it but its bytes. A `Snapshot` is one, and so is a `NewContent`
 * (whose encoding may be left to the user's setting).
 */
export type Image =
  | { text: string; encoding?: string; /** Text of the editor that was not on disk. */ unsaved?: boolean }
  | { bytes: Uint8Array };

/** An image in the journal; `Journal.image` gives what it stands for. */
export interface ImageRef {
  /** SHA-256 of the stored bytes, in hex. */
  hash: string;
  /** How the stored bytes are to be read. Text that no UTF-8 can hold (half a surrogate pair) is kept as UTF-16. */
  form: "utf8" | "utf16" | "bytes";
  /** Bytes stored. */
  size: number;
  /** Of a text: how the file writes it; undefined when the user's setting decides. */
  encoding?: string | undefined;
  unsaved?: boolean;
}

export type ChangeKind = "create" | "replace" | "delete" | "move";

/** A change of one file that is about to be made. `journalChange` makes it from a `FileChange`. */
export interface JournalChange {
  kind: ChangeKind;
  /** The file as people write it. */
  path: string;
  /** Its real absolute path or address: the key of locks. */
  absolute: string;
  /** Of a move: where it goes. */
  to?: string;
  toAbsolute?: string;
  before?: Image;
  after?: Image;
  /** Parent folders that are made for it (create, move). */
  foldersMade?: number;
}

/**
 * What an undo takes back: changes of the journal, and which of its own changes do it (none: the files were so
 * already).
 */
export interface UndoTarget {
  /** `RecordedChange.id`s. */
  targets: number[];
  /** Indices in the changes of the undo call. */
  changes: number[];
}

/** What became of a change. `unknown`: the file is neither as before nor as planned, or could not be looked at. */
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
  state: ChangeState;
  /** The call that took it back and has not been taken back itself. */
  undoneBy: number | undefined;
}

/** A call in the journal. Ids grow with time. */
export interface RecordedCall extends JournalCall {
  id: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Its files are being changed now. */
  pending: boolean;
}

/** What a turn (or some of its calls) did to one file, from the first before to the last after. */
export interface TurnFile {
  /** Where it is now; where it was, when it is gone. */
  path: string;
  /** Where it was before, when it was moved. */
  from: string | undefined;
  kind: ChangeKind;
  before: ImageRef | undefined;
  after: ImageRef | undefined;
  /** Lines; undefined for what is no text. */
  added: number | undefined;
  removed: number | undefined;
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
  /** It did nothing but undo. */
  isUndo: boolean;
  /** Calls of it that are no longer kept: undoing it takes its files back to what stood before the oldest one kept. */
  dropped: number;
}

/** What the journal had to forget for want of room. */
export interface Dropped {
  calls: number;
  /** When the latest of them was made, milliseconds since 1970. */
  until: number;
}

/** Calls whose files were being changed when their process died or could not say what it did, looked at again. */
export interface Recovered {
  call: RecordedCall;
  files: { path: string; to: string | undefined; state: Exclude<ChangeState, "pending"> }[];
}

/** Gives what stands in a file now, by its absolute path or address; undefined when nothing is there. */
export type Look = (absolute: string) => Promise<Image | undefined>;

/** A text that a killed process may have left in an open document, unsaved. */
export interface OpenText {
  /** The file's `fileKey`. */
  absolute: string;
  before: string;
  after: string;
  /** The document held unsaved text before the change, too. */
  wasUnsaved: boolean;
}

/** What the journal needs of a host. */
export interface JournalHost {
  store: Store;
  owner: Owner;
  /** False only for a process that is certainly gone. */
  isAlive(owner: Owner): boolean;
  look: Look;
  /**
   * Takes a change back whose process was killed, file by file, from what its writer noted (`PendingChanges.stage`). A
   * file that somebody else has changed since stays as it is. Throws when a file cannot be read or written now: it is
   * tried again later.
   */
  rollBack?(notes: readonly string[]): Promise<void>;
  /**
   * Takes the same change back where an editor still holds its new texts, unsaved. What somebody typed since stays.
   * Called after `rollBack`, where there are editors; never throws.
   */
  takeBackOpen?: ((texts: readonly OpenText[]) => Promise<void>) | undefined;
  /** Removes what the writer of a change that was made left to be removed; throws when it cannot. */
  clearUp?(notes: readonly string[]): Promise<void>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether names that differ in case alone are one file. */
  foldCase?: boolean;
}

/** A call's changes between `begin` and what became of them. Exactly one of the methods ends it and frees its files. */
export interface PendingChanges {
  /** `RecordedCall.id`. */
  readonly id: number;
  /**
   * Writes down, safe from a power failure, how the writer takes the change back if its process is killed. Before the
   * first file is changed.
   */
  stage(notes: readonly string[]): void;
  /** The changes were made; one report for each, in their order. */
  settle(reports: readonly ChangeReport[]): Promise<void>;
  /** Nothing was changed. */
  drop(): void;
  /** It is not known what happened: looks at each file. */
  reconcile(): Promise<Recovered>;
  /** Nothing that `stage` names is left to be removed. */
  cleared(): void;
}
