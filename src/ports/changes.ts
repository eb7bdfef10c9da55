import type { GatedPath, TextSnapshot } from "./files.js";
import type { Problem } from "./problems.js";

/** All bytes of a file that is no text, or whose text could not be written back unchanged. */
interface BytesSnapshot {
  bytes: Uint8Array;
  /** Changes with every change of the bytes. */
  version: string;
}

/** What stands in a file at one moment. */
export type Snapshot = TextSnapshot | BytesSnapshot;

/** What a new file is to hold. Without an encoding, the user's for new files. */
export type NewContent = { text: string; encoding?: string } | { bytes: Uint8Array };

/** A change of one file, worked out on what stood there. */
export type FileChange =
  /** A new file, with the folders it needs. Something there by now is a `path_conflict`. */
  | { kind: "create"; at: GatedPath; content: NewContent }
  /** @param saved whether it has to be on disk afterwards, with what the editor held unsaved before */
  | { kind: "replace"; at: GatedPath; before: TextSnapshot; text: string; saved?: true }
  /** @param folders how many of its parent folders go with it, the nearest first, when they are empty then */
  | { kind: "delete"; at: GatedPath; before: Snapshot; folders?: number }
  /**
   * A new name, and for a text another text when one is given. Something there by now is a `path_conflict`.
   *
   * @param folders how many parent folders of the old name go with it, as with a deletion
   */
  | { kind: "move"; at: GatedPath; to: GatedPath; before: Snapshot; text?: string; folders?: number };

/** What a change came to. */
export interface ChangeReport {
  /** Whether it is on disk now; false when the editor held unsaved text before and still does. */
  saved: boolean;
  /**
   * The text after the change, which differs from what was asked when saving formats the file; undefined for bytes and
   * what is gone.
   */
  text: string | undefined;
  /** Parent folders that were made for it. */
  foldersMade: number;
}

/** What is written down while changes are made, so that they are whole whatever kills the process. */
export interface ChangeKeep {
  /**
   * Called once all is ready and before the first file is changed. @param notes how the writer takes the change back;
   * its own form
   */
  staged(notes: readonly string[]): void;
  /** Called when all files are changed; a throw takes everything back. */
  made(reports: readonly ChangeReport[]): Promise<void>;
  /** Called last, when nothing that `staged` named is left to be removed. */
  cleared(): void;
}

/**
 * Applies changes of files, all or none. A host implements it; tools get `Changes`, which keeps them undoable.
 *
 * Every change is checked before the first is made, and again just before its own: a file that no longer holds
 * what `before` saw is `stale`. When one fails, those made before it are taken back. Each file is as before or as
 * asked at any moment, never between. Throws `ToolError` as `Files` does.
 */
export interface FileWriter {
  apply(changes: readonly FileChange[], signal: AbortSignal, keep?: ChangeKeep): Promise<ChangeReport[]>;
  /** How many parent folders a new file would need that are not there. */
  missingFolders(at: GatedPath): Promise<number>;
}

/** What changes came to. */
export interface ChangeOutcome {
  /** In the order of the changes. */
  files: ChangeReport[];
  /** Errors and warnings that were not there before, by path in the workspace. */
  problems: { path: string; problem: Problem }[];
}

/** Changing files in a call of a session: the only way a tool can. */
export interface Changes {
  /**
   * A file's whole text for a change. Throws `must_read` when this session has to have read it and has not,
   * `stale` with the difference when it is no longer what was read, and what `Files.readSnapshot` does.
   */
  before(at: GatedPath, maxBytes: number): Promise<TextSnapshot>;
  /** The same for a change that keeps or drops the whole file, which may be no text. */
  beforeWhole(at: GatedPath, maxBytes: number): Promise<Snapshot>;
  /** Applies changes as `FileWriter.apply` does and keeps what stood there before in the journal. */
  apply(changes: readonly FileChange[], signal: AbortSignal): Promise<ChangeOutcome>;
  /**
   * Does what changes a file that the journal does not take, while nobody else changes it: no call here, and no other
   * process of this user.
   *
   * @throws ToolError `unavailable` where changes are not kept, `conflict` when another process keeps the file, and
   * what `work` throws
   */
  alone<T>(at: GatedPath, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
