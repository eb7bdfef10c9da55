import type { MayChange } from "./processes.js";

/** What happened to one file or folder. */
export interface FileEffect {
  kind: "created" | "changed" | "deleted" | "moved" | "mode";
  /** As people write it; a folder ends with `/`, and includes everything in it. */
  path: string;
  /** For a move: where it was. */
  from?: string;
  /** For a folder: number of files in it. */
  files?: number;
  /** For a mode: `644→755`. */
  mode?: string;
  /** Whether .gitignore or .ignore excludes it. */
  ignored?: true;
  /** For a text whose contents before and after are known: number of lines. */
  lines?: { added: number; removed: number };
  /** Whether an edit or a save wrote it meanwhile, so that it may not be the command's. */
  meanwhile?: true;
  /** Whether nobody knows that the command wrote it: others may have. Undo of the turn leaves it. */
  perhapsOthers?: true;
}

/** What happened to the workspace's files while a command ran. */
export interface Effect {
  /** The first of them; ignored files only if they are few. */
  changes: readonly FileEffect[];
  /** Number of further changes, and of ignored files among everything that changed. */
  more: number;
  /** How many files have changed of each kind, whether they are listed or not. */
  totals?: Partial<Record<FileEffect["kind"], number>>;
  ignored: number;
  /** Folders that were not looked at, each with the reason; the first of them, and how many more there are. */
  notCovered: readonly string[];
  moreNotCovered: number;
  /** What happened to refs and stashes of Git, each with the command that takes it back: undo does not. */
  git: readonly string[];
  moreGit: number;
  /** Whether folders that are not ignored are among those. */
  isPartial: boolean;
  /** Whether another command ran at the same time. */
  isShared: boolean;
  /** Whether changes by others outside of Toolhost may be among those; each such change says so. */
  mayBeOthers: boolean;
  /** Changes that undo cannot take back, each with the reason; the first of them, and how many more there are. */
  notUndone: readonly string[];
  moreNotUndone: number;
  /** Why nothing of what a contained command changed was made in the workspace; then there are no changes. */
  dropped?: string;
  /** Caches that it changed of which contained commands have their own: nothing of these is in the workspace. */
  apart?: readonly string[];
  /** The first names in the /tmp that a contained command had for itself, which is gone. */
  inTmp?: readonly string[];
}

/** The call that a command belongs to, for the undo journal. */
export interface CommandCall {
  session: string;
  turn: string;
  callId: string;
  tool: string;
  /** A `Door`. */
  door: string;
  /** One line for people. */
  summary: string;
  /** The session that is told what it changed, if that is another one. */
  reader?: string;
  /** Whether it was started in the background: others are at work beside it from the first moment. */
  inBackground?: true;
}

/** An effect that could not be found out. */
export interface UnknownEffect {
  unknown: string;
}

/** A command between its start and its end. */
export interface EffectWatch {
  /**
   * Returns what has changed since the start; to be called once. Never throws, and takes a bounded time.
   *
   * @param isWhole whether the command ended by itself, and nothing of it runs any more; only for a view. Default false
   */
  end(isWhole?: boolean): Promise<Effect | UnknownEffect>;
  /**
   * Returns what has changed since the start or the last step, while the command goes on; recorded for undo as a change
   * of its own. Never throws, and takes a bounded time. Absent if changes are known only at the end.
   */
  step?(): Promise<Effect | UnknownEffect>;
  /** Why not all files that must be kept are; undefined if they are. */
  unkept?: string;
}

/** Finds out which files of the workspace a command changes. */
export interface Effects {
  /**
   * To be called before a command starts. Never throws, and takes a bounded time.
   *
   * @param call under which its changes can be undone
   * @param keeps absolute paths of files that must be kept for undo, if they are there; takes longer
   */
  start(call: CommandCall, keeps?: readonly string[]): Promise<EffectWatch>;
  /** Returns why undo will not cover what a command changes that starts now, as far as that is known; undefined otherwise. */
  whyLost?(): string | undefined;
}

/** What mounts a view, for the host that starts commands. */
export interface MountedView {
  /** The folders that it covers. */
  folders: readonly string[];
  /** The program and its arguments that start another program, whose words follow, with the view in place. */
  before: readonly string[];
  /** Returns by how many bytes the free space of its disk has shrunk since it was opened; undefined if unknown. */
  taken(): number | undefined;
  /** Folders of the view with what contained commands keep for themselves there, and where that is. */
  caches: readonly { path: string; kept: string }[];
  /** Where they keep the user's folder of caches; absent for none. */
  cacheOfHome?: string;
  /** Folders in the home, with what they keep there instead of the user's. */
  cachesOfHome?: readonly { path: string; kept: string }[];
  /** The folder that it has as /tmp. */
  tmp: string;
  /** Whether a command is only tried in it: what it writes elsewhere must not get lost unnoticed. Default false. */
  isRehearsal?: boolean;
}

/** What a command did in a view, which is gone: nothing of it is in the workspace. */
export interface Rehearsal {
  /** What it changed, or why that cannot be made in the workspace; then `publish` makes nothing. */
  effect: Effect;
  /** The same as diffs of texts; the first of them, if they are long. */
  diff: string;
  /** Resolves with what `publish` made. */
  published: Promise<Effect>;
  /**
   * Makes the changes in the workspace, all or none: none if others changed something there since the command started.
   * To be called at most once; never throws.
   */
  publish(): Promise<Effect>;
}

/** A view in which one command changes files: `end` makes the changes in the workspace, all or none. */
export interface ViewWatch extends EffectWatch {
  mounted: MountedView;
  /** Ends the view like `end`, but makes no changes. @param isWhole as in `end` */
  rehearsed(isWhole: boolean): Promise<Rehearsal>;
}

/**
 * The registries, by their names in the user's list, from which a contained command fetches packages, as that is what it
 * is for; none if it perhaps does, since it reaches hosts.
 */
export type Fetches = readonly string[];

/** Gives commands views of the workspace. */
export interface Views {
  /**
   * @param call under which the changes can be undone
   * @param fetches what the command fetches. If absent, it does not
   * @throws ToolError `unavailable` if there can be none now
   */
  open(call: CommandCall, mayChange: MayChange, fetches?: Fetches): Promise<ViewWatch>;
}
