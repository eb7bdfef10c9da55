declare const gated: unique symbol;

/**
 * A path the gate let through (`Files.resolve`). Every other file method accepts only this, so no tool can reach a file
 * that the gate did not check.
 */
export interface GatedPath {
  readonly [gated]: true;
  /**
   * The path as people and models write it: relative to the workspace, with `/`; `.` for its root, `folder/…` if it has
   * several folders.
   */
  readonly path: string;
  /** Its real location, written the same way; differs from `path` if a link is on the way. Permission checks both. */
  readonly realPath: string;
  /** The host's own absolute path as written, links not followed. */
  readonly lexical: string;
  /** The host's own absolute path with every link followed. */
  readonly absolute: string;
  /** The root that contains it; undefined for the top of a workspace with several folders. */
  readonly root: Root | undefined;
  /**
   * Whether its real location is outside the workspace (`Files.outside`). Then both paths are absolute, and it is its
   * own root.
   */
  readonly outside?: true;
}

/** The scheme of a root that is in a sandbox, where commands run, too. */
export const SANDBOX_SCHEME = "sandbox";

/** A folder tools may work in. */
export interface Root {
  /** First segment of paths if the workspace has several folders. */
  readonly name: string;
  /** The host's own absolute path, links not followed. */
  readonly path: string;
  /** The scheme of its file system: `file` for a local disk. */
  readonly scheme: string;
  /** Whether it is an extra root outside the workspace: its files have absolute paths, and `.` does not mean it. */
  readonly beside?: boolean;
  /** The real path of a folder of Git's objects outside that a copy of a repository here borrows from. */
  borrows?: string;
}

export type FileKind = "file" | "directory" | "other";

export interface FileInfo {
  kind: FileKind;
  /** Bytes; if `unsaved`, of the editor's text. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** Whether the editor has changes that are not on disk yet. */
  unsaved: boolean;
  /** Differs after every change of the file; absent if the host does not know it, as just after a change. */
  state?: string;
}

export interface DirectoryEntry {
  name: string;
  kind: FileKind;
  /** Whether the entry is a symbolic link; `kind` is then its target's, or `other` if it is broken or leads outside. */
  link: boolean;
  /** Bytes of a file, if looked up and known. */
  size: number | undefined;
  /** Milliseconds since 1970, for a file on disk; set if its size was looked up and the host knows the time. */
  modified?: number;
}

/** A file that is too large to be held in memory, with its permission bits. */
export interface LargeFile {
  /** Of its contents, in hex; empty of a file over 1 GB, which is like no other. */
  sha256: string;
  size: number;
  mode: number;
  /** Absolute path of a copy of the contents in Toolhost's state, if there is one. */
  copy?: string;
}

/**
 * What is at a path besides a file's contents: a symbolic link and its target, a folder and its permission bits, or only
 * the permission bits of a file or folder; or a large file, of whose contents only the hash is known here.
 */
export type EntryState = { link: string } | { folder: number } | { mode: number } | { large: LargeFile };

/** A file's whole text, with everything needed to write it back unchanged except for an edit. */
export interface TextSnapshot {
  /** Without byte order mark; line endings are unchanged. */
  text: string;
  /** Name of the encoding, as VS Code spells it: `utf8`, `utf8bom`, `utf16le`, … */
  encoding: string;
  /** Whether the text has changes in the editor that are not on disk. */
  unsaved: boolean;
  /** Changes whenever the text changes; compared inside the lock when writing. */
  version: string;
}

/**
 * Reads files through one gate. `Changes` changes them.
 *
 * Every method throws `ToolError`: `not_found`, `is_directory`, `binary`, `too_large`, `unsupported`
 * (a pipe or device, an encoding that would not survive), `outside_workspace`, `io_error`.
 */
export interface Files {
  roots(): readonly Root[];
  /**
   * Lets a path through, or throws `invalid_input` (not a valid path), `outside_workspace` (also through a link) or
   * `unavailable` (no folder open). The file need not exist.
   */
  resolve(path: string): Promise<GatedPath>;
  /**
   * Like `resolve`, but also lets through paths outside: an absolute path on the local disk, one that leads up out of
   * the only folder, one behind a link that leads out. Such a path comes back as `outside`, and the caller must get
   * permission. A path whose real location is inside comes back as from `resolve`. If this method is absent, nothing
   * outside can be reached.
   *
   * @param within a path outside that was let through: then only paths whose real location is below it pass, as parts
   * of it
   */
  outside?(path: string, within?: GatedPath): Promise<GatedPath>;
  /**
   * Like `resolve`, but a link at the end of the path is not followed: it is the link itself. Only for `entry` and for
   * changes. Absent where nothing is known of links.
   */
  resolveEntry?(path: string): Promise<GatedPath>;
  /**
   * Returns the place of a path below its root, without following any link: where something was, or will be once what is
   * there in place of its folders is gone. Only for changes, which check that by then no link leads elsewhere; nothing
   * may be read there. Absent where nothing is known of links.
   */
  resolvePlace?(path: string): Promise<GatedPath>;
  /**
   * Returns what is at a path that `resolveEntry` let through; `mode` for a file. Undefined if nothing is there, or
   * neither a file, a folder nor a link with a readable name.
   *
   * @param large number of bytes above which a file is `large`: all of it is read then. Default: none is
   */
  entry?(at: GatedPath, large?: number): Promise<EntryState | undefined>;
  stat(at: GatedPath): Promise<FileInfo>;
  /**
   * Returns whether nothing, not even a link, has this name, without waiting: for questions that are nearly always
   * answered with yes. False if that takes longer to find out. A file that another process is replacing may be missing
   * for some microseconds; a folder never is.
   *
   * @param path the host's own absolute path
   */
  isMissing?(path: string): boolean;
  /** Yields the text in chunks, as the editor shows it, in bounded memory. Throws `binary` before the first chunk. */
  readChunks(at: GatedPath, signal: AbortSignal): AsyncIterable<string>;
  /** Returns all bytes of a file on disk; throws `too_large` above `maxBytes`, before reading. */
  readBytes(at: GatedPath, maxBytes: number): Promise<Uint8Array>;
  /**
   * Returns the whole text for an edit; throws `too_large` above `maxBytes`, and `unsupported` if writing it back would
   * change other bytes.
   */
  readSnapshot(at: GatedPath, maxBytes: number): Promise<TextSnapshot>;
  /**
   * Returns a folder's entries, sorted by name. `resolveFrom` opens one (core/paths/resolveFrom.ts). A file is
   * `not_found`, like a path below one: use `stat` first where the caller names the folder.
   *
   * @param sized number of entries, from the first, whose sizes are looked up, each with a `stat`. Default 0
   */
  list(at: GatedPath, sized?: number): Promise<DirectoryEntry[]>;
}
