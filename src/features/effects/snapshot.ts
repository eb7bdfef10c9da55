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
}

/** A folder whose entries are known. */
export interface Folder {
  entries: Map<string, Entry>;
  /** Whether a path in it is ignored. */
  ignores: (path: string, isFolder: boolean) => boolean;
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
}

/** Joins the path of a folder of a snapshot and the name of an entry. */
export function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Returns the folder of a path of a snapshot. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
