/**
 * What a local disk gives beyond VS Code's workspace FS API. `hosts/node` implements it; the vscode host is
 * handed it where there is a local disk, and none in the browser.
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
   * Puts new bytes in place of a file's in one step: a temporary file in the same folder, flushed, given the
   * old one's mode, renamed over it. `unchanged` is called just before the rename; when it throws, nothing
   * has changed.
   */
  replace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<void>;
  /** Makes a new file, whole or not at all, and its parent folders. Throws `path_conflict` when something is there. */
  create(path: string, bytes: Uint8Array): Promise<void>;
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
}
