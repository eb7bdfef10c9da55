declare const gated: unique symbol;

/**
 * A path the gate let through (`Files.resolve`). Every other file method takes nothing else, so no tool
 * can reach a file that the gate did not see.
 */
export interface GatedPath {
  readonly [gated]: true;
  /**
   * As people and models write it: relative to the workspace with `/`, `.` for its root, `folder/…` with several
   * folders.
   */
  readonly path: string;
  /**
   * Where it really lies, written the same way; differs from `path` when a link is on the way. Permission looks at
   * both.
   */
  readonly realPath: string;
  /** The host's own absolute path as written, links not followed. */
  readonly lexical: string;
  /** The host's own absolute path with every link followed. */
  readonly absolute: string;
  /** The root folder it lies in; undefined for the top of a workspace with several folders. */
  readonly root: Root | undefined;
  /**
   * It really lies outside the workspace (`Files.outside`). Both its paths are absolute then, and it is its own root.
   */
  readonly outside?: true;
}

/** A folder tools may work in. */
export interface Root {
  /** First segment of paths when the workspace has several folders. */
  readonly name: string;
  /** The host's own absolute path, links not followed. */
  readonly path: string;
  /** The scheme of the file system it lies on: `file` for a local disk. */
  readonly scheme: string;
  /** Let in beside the workspace: its files are named by absolute paths, and it is not what `.` means. */
  readonly beside?: boolean;
}

export type FileKind = "file" | "directory" | "other";

export interface FileInfo {
  kind: FileKind;
  /** Bytes; of the text on screen when `unsaved`. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** The editor holds text that is not on disk yet. */
  unsaved: boolean;
}

export interface DirectoryEntry {
  name: string;
  kind: FileKind;
  /** Whether the entry is a symbolic link; `kind` is then that of its target, `other` when it is broken or outside. */
  link: boolean;
  /** Bytes of a file, when looked up and known. */
  size: number | undefined;
  /** Milliseconds since 1970, of a file on disk; there when its size was looked up and the host knows it. */
  modified?: number;
}

/** The whole text of a file with everything that is needed to write it back unchanged but for an edit. */
export interface TextSnapshot {
  /** Without byte order mark, line endings as they are. */
  text: string;
  /** Name of the encoding, as VS Code spells it: `utf8`, `utf8bom`, `utf16le`, … */
  encoding: string;
  /** Whether the text has changes in the editor that are not on disk. */
  unsaved: boolean;
  /** Changes with every change of the text; compared inside the lock when writing. */
  version: string;
}

/**
 * Reading files through one gate. Changing them is `Changes`.
 *
 * Every method throws `ToolError`: `not_found`, `is_directory`, `binary`, `too_large`, `unsupported`
 * (a pipe or device, an encoding that would not survive), `outside_workspace`, `io_error`.
 */
export interface Files {
  roots(): readonly Root[];
  /**
   * Lets a path through, or throws `invalid_input` (a shape that no honest path has), `outside_workspace`
   * (also through a link) or `unavailable` (no folder open). The file need not exist.
   */
  resolve(path: string): Promise<GatedPath>;
  /**
   * As `resolve`, but lets through what lies outside, too: an absolute path of the local disk, one that leads up out of
   * the only folder, one behind a link that leads out. It comes back as `outside`, and whoever asked for it has to get
   * permission. What really lies inside comes back as `resolve` gives it. Where there is no such method nothing outside
   * is reached.
   *
   * @param within a path outside that was let through: then only what really lies below it passes, as a part of it
   */
  outside?(path: string, within?: GatedPath): Promise<GatedPath>;
  stat(at: GatedPath): Promise<FileInfo>;
  /** The text in chunks, as the editor shows it, in bounded memory. Throws `binary` before the first chunk. */
  readChunks(at: GatedPath, signal: AbortSignal): AsyncIterable<string>;
  /** All bytes of a file on disk; throws `too_large` above `maxBytes`, before reading. */
  readBytes(at: GatedPath, maxBytes: number): Promise<Uint8Array>;
  /**
   * The whole text for an edit; throws `too_large` above `maxBytes` and `unsupported` when writing it back would change
   * other bytes.
   */
  readSnapshot(at: GatedPath, maxBytes: number): Promise<TextSnapshot>;
  /**
   * The entries of a folder, sorted by name. `resolveFrom` opens one (core/paths/resolveFrom.ts).
   *
   * @param sized entries, from the first on, whose sizes are looked up: each takes a look at the file. Default none
   */
  list(at: GatedPath, sized?: number): Promise<DirectoryEntry[]>;
}
