import type { EntryState, GatedPath, TextSnapshot } from "./files.js";
import type { Asked, Problem } from "./problems.js";

/** All bytes of a file that is not text, or whose text could not be written back unchanged. */
interface BytesSnapshot {
  bytes: Uint8Array;
  /** Changes whenever the bytes change. */
  version: string;
}

/** A file's content at one moment. */
export type Snapshot = TextSnapshot | BytesSnapshot;

/** A new file's content. The default encoding is the user's for new files. */
export type NewContent = { text: string; encoding?: string } | { bytes: Uint8Array };

/** A file's content as it is on disk: its text, or its bytes if that is none. */
export type DecodedContent = { text: string; encoding: string } | { bytes: Uint8Array };

/** A planned change of one file, based on the file's content when it was planned. */
export type FileChange =
  /** Creates a file, with the folders it needs. `path_conflict` if something is there by now. */
  /** @param mode permission bits. Default: those of new files */
  | { kind: "create"; at: GatedPath; content: NewContent; mode?: number }
  /** Replaces a whole file, which is not text before or afterwards. */
  | { kind: "overwrite"; at: GatedPath; before: Snapshot; content: NewContent }
  /** @param saved whether it must be on disk afterwards, including changes that were unsaved before */
  /** @param parts whether the caller only knows the parts of the text that it names */
  | { kind: "replace"; at: GatedPath; before: TextSnapshot; text: string; saved?: true; parts?: true }
  /**
   * @param folders how many parent folders to remove, nearest first, if that leaves them empty
   * @param mode its permission bits, if they are known, with which an undo restores it
   */
  | { kind: "delete"; at: GatedPath; before: Snapshot; folders?: number; mode?: number }
  /**
   * Renames a file, and changes its text if one is given. `path_conflict` if something is there by now.
   *
   * @param folders how many of the old path's parent folders to remove, as for `delete`
   * @param parts as for `replace`
   */
  | { kind: "move"; at: GatedPath; to: GatedPath; before: Snapshot; text?: string; folders?: number; parts?: true }
  /**
   * Creates, changes or removes what is not a file's contents: a link, a folder or a mode. A folder is only removed if
   * it is empty, and stays otherwise; one that is there already gets the mode.
   *
   * @param at as `Files.resolveEntry` returns it
   * @param folders as for `delete`
   */
  | { kind: "entry"; at: GatedPath; before?: EntryState; after?: EntryState; folders?: number };

/** The result of one change. */
export interface ChangeReport {
  /** Whether the change is on disk now; false if the editor had unsaved changes before and keeps them. */
  saved: boolean;
  /**
   * The text after the change, which differs from the requested one if saving formats the file; undefined for bytes and
   * deleted files.
   */
  text: string | undefined;
  /** Number of parent folders created for it. */
  foldersMade: number;
}

/** Recovery records kept while changes are made, so that they stay all-or-none even if the process is killed. */
export interface ChangeKeep {
  /** Called with the number of changes that are ready, while files are written next to their places. */
  ready?(count: number): void;
  /**
   * Called when everything is ready, before the first file is changed.
   *
   * @param notes how to revert the changes, in the writer's own format
   */
  staged(notes: readonly string[]): void;
  /** Called when all files are changed; if it throws, everything is reverted. */
  made(reports: readonly ChangeReport[]): Promise<void>;
  /** Called last, when everything that `staged` named has been removed. */
  cleared(): void;
}

/**
 * Applies all file changes, or none. A host implements it; tools get `Changes`, which makes them undoable.
 *
 * Checks every change before making the first, and again just before its own turn: a file that no longer has the
 * content in `before` is `stale`. If one fails, those already made are reverted. At any moment each file is either as
 * before or as requested, never in between. Throws the same errors as `Files`.
 */
export interface FileWriter {
  apply(changes: readonly FileChange[], signal: AbortSignal, keep?: ChangeKeep): Promise<ChangeReport[]>;
  /** Returns a file's content from its bytes; text only if it could be written back unchanged. */
  decode(at: GatedPath, bytes: Uint8Array): Promise<DecodedContent>;
  /** Counts the missing parent folders of a new file. */
  missingFolders(at: GatedPath): Promise<number>;
}

/** The result of applying several changes. */
export interface ChangeOutcome {
  /** In the order of the changes. */
  files: ChangeReport[];
  /** Errors and warnings that the changes introduced, with their workspace paths. */
  problems: { path: string; problem: Problem }[];
  /** Which files a language server was asked about, and whether it answered; undefined if none was. */
  asked?: Asked;
}

/** A place whose text a change replaces: lines of the text before, 1-based. */
export interface ReplacedPlace {
  startLine: number;
  endLine: number;
  /** Whether the caller quoted its text exactly, and no other place has that text. */
  quoted: boolean;
}

/** A text to change in parts, and what the session knows of it. */
export interface PartsBefore {
  before: TextSnapshot;
  /** Whether the session knows the whole text, so that every place may be replaced. */
  isKnown: boolean;
  /**
   * Checks that the session knows the places it replaces: it quoted them, or was shown these lines, and nobody changed
   * them since it read the file.
   *
   * @param places undefined if the text to replace was not found
   * @returns a remark for the answer on what has changed elsewhere in the file since it was read; undefined if nothing
   *   has
   * @throws ToolError `must_read`, or `stale` with the difference
   */
  check(places: readonly ReplacedPlace[] | undefined): string | undefined;
}

/** Changes files in a session's call: the only way a tool can. */
export interface Changes {
  /**
   * Returns a file's whole text, to plan a change of it. Throws `must_read` if this session must read it first, `stale`
   * with the difference if it has changed since the session read it, and the errors of `Files.readSnapshot`.
   */
  before(at: GatedPath, maxBytes: number): Promise<TextSnapshot>;
  /** Returns a file's whole text, to replace parts of it that the caller names. Throws the errors of `Files.readSnapshot`. */
  beforeParts(at: GatedPath, maxBytes: number): Promise<PartsBefore>;
  /** Like `before`, for a change that keeps or deletes the whole file, which need not be text. */
  beforeWhole(at: GatedPath, maxBytes: number): Promise<Snapshot>;
  /** Applies changes like `FileWriter.apply`, and records the previous content in the journal. */
  apply(changes: readonly FileChange[], signal: AbortSignal, ready?: ChangeKeep["ready"]): Promise<ChangeOutcome>;
  /**
   * Runs `work`, which changes a file that the journal does not record, while no other call here and no other process
   * of this user can change it.
   *
   * @throws ToolError `unavailable` without an undo journal, which every change needs, even one that it does not
   * record; `conflict` if another process holds the file, and the
   * errors of `work`
   */
  alone<T>(at: GatedPath, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
