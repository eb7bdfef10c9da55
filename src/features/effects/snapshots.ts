import type { CommandCall } from "../../ports/effects.js";
import type { EntryState } from "../../ports/files.js";
import type { Differences } from "./compare.js";
import type { GitMove } from "./gitMoves.js";

/** What differs in a folder. */
export interface Compared extends Omit<Differences, "files"> {
  /** What happened to its repositories apart from files, by their paths in it. */
  git: (GitMove & { path: string })[];
  /** Of a snapshot that a killed process left: paths that may have changed later. Nothing else is listed then. */
  late?: readonly string[];
}

/** A root of the workspace on this machine's disk. */
export interface WatchedRoot {
  /** Its absolute path. */
  folder: string;
  /** What people write before paths in it: nothing, or its name and `/`. */
  prefix: string;
}

/** What a stored snapshot says about its command. */
export interface SnapshotNote {
  call: CommandCall;
  /** In milliseconds since 1970. */
  started: number;
  /** The roots that it shows. */
  roots: readonly WatchedRoot[];
}

/** A snapshot whose process was killed while its command ran. */
export interface LeftSnapshot extends SnapshotNote {
  /** Its number here. */
  id: number;
  /** When its process was last known to run, in milliseconds since 1970. */
  seen: number;
}

/** One that cannot be read, as it is not whole or of another version. */
export interface UnreadableSnapshot {
  id: number;
  unreadable: true;
}

/** A changed file, and what it contained and contains; or what else is at a path. */
export interface FileContents {
  /** Relative to its root. */
  path: string;
  /** For a move: where it was. */
  from?: string;
  /** Undefined if there was, or is, no file. */
  before?: Uint8Array | EntryState;
  after?: Uint8Array | EntryState;
  /** Permission bits of the file before. */
  mode?: number;
  /** Number of parent folders, nearest first, that are new. */
  foldersMade: number;
  /** When it last changed, in milliseconds since 1970; undefined if it is gone or not known. */
  changed?: number;
  /** Whether its folder is ignored. */
  isInIgnored?: boolean;
}

/** A change that cannot be taken back, and why. */
export interface LeftChange {
  path: string;
  why: string;
}

/** The changed files of a root. */
export interface RootContents {
  files: FileContents[];
  left: LeftChange[];
  /** The paths of files that were written again, with the contents that they had. */
  same: string[];
  /** Number of ignored files that are new: undo does not delete what nobody counts as work. */
  newIgnored: number;
}

/** Takes snapshots of folders, in a bounded time. */
export interface Snapshots {
  /**
   * Takes a snapshot of folders and keeps it for `compare`, and on disk until `done`, so that it is not lost if this
   * process is killed: before it resolves if there are `keeps`, else soon.
   *
   * @param note what `left` returns then
   * @param keeps absolute paths of files and folders whose contents must be kept; takes longer
   * @returns a number for it, and why some contents of `keeps` are not kept, if so; if it cannot be taken, the reason
   */
  take(note: SnapshotNote, keeps?: readonly string[]): Promise<{ id: number; unkept?: string } | { unknown: string }>;
  /**
   * Compares folders with their snapshot and forgets it. Returns a result for each folder, with its real path.
   *
   * @param ended when the command had ended, in milliseconds since 1970: what changed later is somebody else's
   * @param isLeft whether that is long ago: what may have changed later is not in `contents`, but in `late`
   * @param later the number of a later snapshot, with which the first one is compared instead
   */
  compare(
    snapshot: number,
    ended: number,
    isLeft?: boolean,
    later?: number,
  ): Promise<(Compared & { real: string })[] | { unknown: string }>;
  /**
   * Returns, for each folder, the contents of the files in which the last comparison with a snapshot found a
   * difference, and forgets them; undefined if they are not known.
   */
  contents(snapshot: number): Promise<RootContents[] | undefined>;
  /** Removes a snapshot from the disk: what its command changed is recorded. */
  done(snapshot: number): void;
  /** Takes over the snapshots of processes that were killed while their commands ran; `done` removes each. */
  left(): Promise<(LeftSnapshot | UnreadableSnapshot)[]>;
  /** Resolves once no other process has taken over any without having recorded them; in any case after some seconds. */
  elsewhere?(): Promise<void>;
}
