import type { Compared, RootContents, SnapshotNote } from "../../../features/effects/snapshots.js";

/** What the thread that takes snapshots is asked. */
export type SnapshotRequest =
  | {
      kind: "take";
      id: number;
      note: SnapshotNote;
      /** How long it may take to look at folders, and how long at those of `keeps`. */
      milliseconds: number;
      patient: number;
      copy: number;
      /** Absolute paths of files and folders whose contents must be kept. */
      keeps: readonly string[];
    }
  | {
      kind: "compare";
      id: number;
      snapshot: number;
      ended: number;
      milliseconds: number;
      isLeft: boolean;
      /** The snapshot to compare with, instead of what is there now. */
      later?: number;
    }
  /** After `compare`. */
  | { kind: "contents"; id: number; snapshot: number }
  /** Reads a snapshot that another process left. */
  | { kind: "load"; id: number; file: string }
  /** Forgets it, and removes it from the disk. */
  | { kind: "drop"; snapshot: number };

/** What the thread is given when it starts. */
export interface SnapshotThread {
  /** Maximum number of entries of all snapshots that are kept: commands in the background keep theirs for hours. */
  entries: number;
  /** Absolute path of Git; undefined if there is none. */
  git: string | undefined;
  /** The folder where snapshots are stored; undefined if they are not. */
  stored: string | undefined;
  /** The folder where the contents of large files are kept for undo; undefined if they are not. */
  large: string | undefined;
  /** The folder of the user's configuration files; undefined for `~/.config`. */
  configs: string | undefined;
}

/** What it answers. A snapshot has the number of the request to take it. */
export interface SnapshotAnswer {
  id: number;
  /** To `take`: why not all that must be kept is; undefined if it is. */
  unkept?: string;
  /** To `compare`: by folder. */
  differences?: (Compared & { real: string })[];
  /** To `contents`: by folder. */
  contents?: RootContents[];
  /** To `load`: what it says, and when its process was last known to run, in milliseconds since 1970. */
  loaded?: SnapshotNote & { seen: number };
  /** Why there is no answer. */
  failed?: string;
}
