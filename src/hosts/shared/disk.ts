import type { EntryState } from "../../ports/files.js";

/**
 * The capabilities of a local disk that VS Code's workspace FS API lacks. Implemented in `hosts/node`, and passed to
 * the vscode host.
 *
 * Paths use `/`, on Windows too. Methods throw `ToolError` (`not_found`, `io_error`, `is_directory`, `stale`).
 */
export interface Disk {
  readonly windows: boolean;
  readonly foldCase: boolean;
  /** Returns the path with every link resolved; undefined if nothing exists there. A broken link throws `not_found`. */
  realPath(path: string): Promise<string | undefined>;
  /** Whether nothing, not even a link, has this name. False if that cannot be determined. */
  isMissing(path: string): boolean;
  /** Returns what is at a path, links resolved, without opening it. */
  stat(path: string): Promise<DiskInfo>;
  /** See `Files.entry`. */
  entry(path: string, large?: number): EntryState | undefined | Promise<EntryState | undefined>;
  /**
   * Reads the file's bytes in chunks, after checking that it is the file that `path` names and not a link put in its
   * place. A chunk is only valid until the next one is requested.
   */
  chunks(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  readAll(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Lists the entries of a folder, sorted by name, the first `sized` of them with their sizes. */
  list(path: string, sized?: number): Promise<DiskEntry[]>;
  /**
   * Prepares new bytes for a file: a temporary file in the same folder with the old one's mode. `commit`
   * renames it over the file. Throws if the file may not be written.
   *
   * @param unchanged called by `commit` just before the change; if it throws, nothing has changed
   */
  stageReplace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<Step>;
  /**
   * Prepares a new file and creates its parent folders; `commit` throws `path_conflict` if something exists there.
   *
   * @param mode permission bits. Default: those of new files
   * @param top the place above it that a folder takes or gives in the same call (`swapsOf`)
   */
  stageCreate(path: string, bytes: Uint8Array, mode?: number, top?: string): Promise<CreateStep>;
  /**
   * Prepares the removal of a file, and of up to `folders` parent folders, nearest first, that are empty then.
   *
   * @param top the place above it that a folder takes or gives in the same call (`swapsOf`)
   */
  stageRemove(path: string, folders: number, unchanged: () => Promise<void>, top?: string): Promise<Step>;
  /**
   * Prepares a new name for a file, keeping its mode, and its bytes unless `bytes` are given, and creates the parent
   * folders; `commit` throws `path_conflict` if something exists there.
   *
   * @param folders how many parent folders of the old name to remove, nearest first, if they are empty then
   */
  stageMove(
    from: string,
    to: string,
    bytes: Uint8Array | undefined,
    folders: number,
    unchanged: () => Promise<void>,
  ): Promise<CreateStep>;
  /**
   * Prepares a change of an entry, as `FileChange` describes it, and creates the parent folders of a new one; `commit`
   * throws `stale` or `path_conflict` if something else is there.
   *
   * @param top the place above it that a folder takes or gives in the same call (`swapsOf`)
   */
  stageEntry(
    path: string,
    before: EntryState | undefined,
    after: EntryState | undefined,
    folders: number,
    top?: string,
  ): Promise<CreateStep>;
  /**
   * Records how to roll back a file that another program is about to overwrite in place, as VS Code does when saving:
   * neither `commit` nor `undo` does anything.
   *
   * @param bytes what the file will contain; any other content was written by somebody else and is not rolled back
   */
  stageBySave(path: string, bytes: Uint8Array): Promise<Step>;
  /** Removes the files that a killed process left next to a file while changing it. */
  sweep(path: string): Promise<void>;
}

/** One change that is ready: nothing changes before `commit`. */
export interface Step {
  /** Resolves when the prepared bytes are on disk, which goes on after the step is returned. Called before `commit`. */
  flushed?(): Promise<void>;
  /** Makes the change in one step, or throws without having changed anything. */
  commit(): Promise<void>;
  /** Undoes the change after `commit`; never overwrites a file that others have put there since (`stale`). */
  undo(): Promise<void>;
  /** Frees the prepared files, whether or not the change was made; throws if something is left. Called once, last. */
  release(): Promise<void>;
  /** How the disk rolls the change back if this process is killed half-way. */
  readonly notes?: readonly StepNote[];
}

/**
 * Tells another process how to roll back one change: the names of files, next to the changed one, that hold its texts.
 * All paths are absolute.
 *
 * - `replace`: `temporary` has the new bytes, `old` is the file as it was, `back` is where the new one goes on rollback
 * - `create`: `temporary` is another name of the new file, or the file itself before it has its name
 * - `remove`: `old` is the removed file; `folders` are to be removed, topmost first, if they are empty then
 * - `name`: `path` is a second name for `from`
 * - `entry`: `path` was `before` and is `after`; `old` is a link that is being replaced
 * - `case`: `from` is now called `path`, which differs only in case
 */
export type StepNote =
  | { kind: "replace"; path: string; temporary: string; old: string; back: string; hash: string }
  | { kind: "create"; path: string; temporary: string; back: string; hash: string; folders: string[] }
  | { kind: "remove"; path: string; old: string; folders: string[] }
  | { kind: "name"; from: string; path: string; back: string; folders: string[] }
  | { kind: "case"; from: string; path: string }
  | { kind: "entry"; path: string; old: string; before?: EntryState; after?: EntryState; folders: string[] };

export interface CreateStep extends Step {
  /** Number of parent folders that were created. */
  readonly foldersMade: number;
}

export interface DiskInfo {
  kind: "file" | "directory" | "other";
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** See `FileInfo`. */
  state?: string;
}

export interface DiskEntry {
  name: string;
  kind: "file" | "directory" | "other";
  link: boolean;
  size: number | undefined;
  /** Present if the size was looked up. */
  modified?: number;
}
