/**
 * What a local disk gives beyond VS Code's workspace FS API. `hosts/node` implements it, and the vscode host is
 * handed it.
 *
 * Paths use `/`, on Windows too. Methods throw `ToolError` (`not_found`, `io_error`, `is_directory`, `stale`).
 */
export interface Disk {
  readonly windows: boolean;
  readonly foldCase: boolean;
  /** The path with every link followed; undefined when nothing is there. A broken link is `not_found`, not nothing. */
  realPath(path: string): Promise<string | undefined>;
  /** What is there, links followed, without opening it. */
  stat(path: string): Promise<DiskInfo>;
  /**
   * The file's bytes in chunks, checked to be the file that `path` names and no link put in its place since. A chunk
   * is good until the next one is asked for.
   */
  chunks(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  readAll(path: string, maxBytes: number): Promise<Uint8Array>;
  /** The entries of a folder, sorted by name, the first `sized` of them with their sizes. */
  list(path: string, sized?: number): Promise<DiskEntry[]>;
  /**
   * Readies new bytes for a file: a temporary file in the same folder, flushed, with the old one's mode. `commit`
   * renames it over the file. Throws when the file may not be written.
   *
   * @param unchanged called by `commit` just before the change; when it throws, nothing has changed
   */
  stageReplace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<Step>;
  /** Readies a new file and makes its parent folders; `commit` throws `path_conflict` when something is there. */
  stageCreate(path: string, bytes: Uint8Array): Promise<CreateStep>;
  /** Readies the removal of a file, and of as many of its parent folders, the nearest first, as are empty then. */
  stageRemove(path: string, folders: number, unchanged: () => Promise<void>): Promise<Step>;
  /**
   * Readies a new name for a file, its bytes and mode kept unless `bytes` are given, and makes the parent folders;
   * `commit` throws `path_conflict` when something is there.
   *
   * @param folders how many parent folders of the old name go, the nearest first, when they are empty then
   */
  stageMove(
    from: string,
    to: string,
    bytes: Uint8Array | undefined,
    folders: number,
    unchanged: () => Promise<void>,
  ): Promise<CreateStep>;
  /**
   * Notes how a file is taken back that another program is going to write over in place, as VS Code saves: `commit`
   * does nothing, `undo` neither.
   *
   * @param bytes what it will hold; when it comes to hold anything else, it is somebody's and stays
   */
  stageBySave(path: string, bytes: Uint8Array): Promise<Step>;
  /** Removes what a process that was killed left beside a file while it changed it. */
  sweep(path: string): Promise<void>;
}

/** One change that is ready: nothing has changed before `commit`. */
export interface Step {
  /** Makes the change in one go, or throws and has changed nothing. */
  commit(): Promise<void>;
  /** Takes the change back after `commit`; never over what others put there since (`stale`). */
  undo(): Promise<void>;
  /**
   * Lets go of what was readied, whether it came to the change or not; throws when something is left. Called once,
   * last.
   */
  release(): Promise<void>;
  /** How the disk takes the change back when this process is killed in the middle of it. */
  readonly notes?: readonly StepNote[];
}

/**
 * What tells another process how to take one change back: names of files beside the changed one, which hold its texts.
 * All paths are absolute.
 *
 * - `replace`: `temporary` has the new bytes, `old` is the file as it was, `back` where the new one goes when it is
 * taken back
 * - `create`: `temporary` is another name of the new file, or the file itself before it has its name
 * - `remove`: `old` is the removed file; `folders` are to go, the uppermost first, when they are empty then
 * - `name`: `path` is a second name for `from`
 * - `case`: `from` is called `path` now, which differs in case alone
 */
export type StepNote =
  | { kind: "replace"; path: string; temporary: string; old: string; back: string; hash: string }
  | { kind: "create"; path: string; temporary: string; back: string; hash: string; folders: string[] }
  | { kind: "remove"; path: string; old: string; folders: string[] }
  | { kind: "name"; from: string; path: string; back: string; folders: string[] }
  | { kind: "case"; from: string; path: string };

export interface CreateStep extends Step {
  /** Parent folders that were made. */
  readonly foldersMade: number;
}

export interface DiskInfo {
  kind: "file" | "directory" | "other";
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
}

export interface DiskEntry {
  name: string;
  kind: "file" | "directory" | "other";
  link: boolean;
  size: number | undefined;
  /** There when the size was looked up. */
  modified?: number;
}
