/** What is known of an entry of a folder without reading it. Times in milliseconds, as exact as Node has them. */
export interface Entry {
  kind: "file" | "folder" | "other";
  mode: number;
  size: number;
  modified: number;
  /** When its contents, mode, owner or name last changed: no program can set it. */
  changed: number;
  /** File number, which another file may have after it is deleted. */
  number: number;
  born: number;
  /** Number of its names (hard links). */
  links: number;
  /** For a symbolic link with a name that is UTF-8: where it points, as it is written. */
  target?: string;
}

/** Files of ignore rules. */
export type RulesFile = ".rgignore" | ".ignore" | ".gitignore";

/** A folder whose entries are known. */
export interface Folder {
  entries: Map<string, Entry>;
  /** Whether a path in it is ignored. */
  ignores: (path: string, isFolder: boolean) => boolean;
  /** Whether it is ignored itself. */
  isIgnored: boolean;
  /** The texts of its files of ignore rules, by their names; none of an ignored folder. */
  rules: ReadonlyMap<RulesFile, string>;
}

/** A part of the workspace that a snapshot does not have. */
export interface Uncovered {
  path: string;
  why: string;
  isIgnored: boolean;
}

/** The files of a root at one moment, by paths relative to it; `""` is the root itself. */
export interface Snapshot {
  folders: Map<string, Folder>;
  uncovered: Map<string, Uncovered>;
  /** Folders that are the top of a Git working tree. */
  repositories: Set<string>;
}

/**
 * A file or link that differs between two snapshots, or a folder that is new, gone, or has another mode.
 */
export interface FileDifference {
  path: string;
  /** For a move: where it was. */
  from?: string;
  /** As it was, except for a move, and as it is; undefined if there was, or is, no file. */
  before?: Entry;
  after?: Entry;
  isIgnored: boolean;
  /** Number of parent folders, nearest first, that are new. */
  foldersMade: number;
  /** Permission bits before, of which `before` says nothing: those of a moved file. */
  modeBefore?: number;
  /** Whether nothing but the mode seems to differ. */
  isModeOnly?: true;
  /** Of a folder that is new or gone: whether files in it came or went with it, which make and remove it. */
  isFull?: boolean;
  /**
   * Whether it is, or is in, what took the place of something that is no folder, or was in a folder whose place something
   * else took: each is undone with the others only.
   */
  isSwapped?: true;
  /** Whether its folder is ignored. */
  isInIgnored?: true;
}

/** Whether an entry is the same file in the same state. */
export function isSameState(one: Entry, other: Entry): boolean {
  return (
    one.kind === other.kind &&
    one.number === other.number &&
    one.size === other.size &&
    one.modified === other.modified &&
    one.changed === other.changed
  );
}

/** Joins the path of a folder of a snapshot and the name of an entry. */
export function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Returns the folder of a path of a snapshot. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
