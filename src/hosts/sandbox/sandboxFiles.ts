import type { EntryState } from "../../ports/files.js";

/** What is at a path, links followed. */
export interface SandboxInfo {
  kind: "file" | "directory" | "other";
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
}

/** An entry of a folder as a listing shows it: `kind` is a link's target's, `other` if it is broken. */
export interface ListedEntry extends Pick<SandboxInfo, "kind"> {
  name: string;
  /** Bytes, if they are known. */
  size: number | undefined;
  /** Milliseconds since 1970, if they are known. */
  modified: number | undefined;
  link: boolean;
}

/**
 * The files of a sandbox in the steps that changes are made of. Every method throws `ToolError`, whose message begins
 * with the path.
 */
export interface SandboxFiles {
  /** Undefined if nothing is there. */
  stat(path: string): Promise<SandboxInfo | undefined>;
  /** Returns the path with all links followed; undefined if nothing is there. Throws `not_found` for a broken link. */
  realPath(path: string): Promise<string | undefined>;
  /** Returns what is at a path besides a file's contents; undefined if nothing is there. */
  entry(path: string): Promise<EntryState | undefined>;
  list(path: string): Promise<ListedEntry[]>;
  /** Throws `io_error` unless exactly `size` bytes come. */
  read(path: string, size: number): Promise<Uint8Array>;
  /** Replaces a file and keeps its mode. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Creates a file in a folder that exists; throws `path_conflict` if something is there. @param mode permission bits */
  create(path: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /** Removes a file or a link. */
  remove(path: string): Promise<void>;
  /** Renames a file; throws `path_conflict` if something has the new name. */
  rename(from: string, to: string): Promise<void>;
  /** Creates a folder whose parent exists. */
  makeFolder(path: string): Promise<void>;
  /** Removes a folder if it is empty, and returns whether it is gone. */
  removeEmpty(path: string): Promise<boolean>;
  /** Creates a link, or sets a file's or folder's mode. */
  setEntry(path: string, state: Exclude<EntryState, { folder: number } | { large: unknown }>): Promise<void>;
}
