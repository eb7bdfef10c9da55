import type { LeftOut, SimpleCommand } from "../../shell/analysis.js";
import type { GatedPath } from "../../ports/files.js";
import { protectedReason, secretReason } from "../paths/protectedFiles.js";

/** A touch of a file whose path went through the gate. */
export interface FileTouch {
  kind: "read" | "write";
  at: GatedPath;
  /** It replaces or removes a whole file that the session has not seen as it is now. */
  unread?: boolean;
  /** What stands in the files below it is read, too. */
  deep?: boolean;
  /** Whether it is a folder; known of places outside the workspace. */
  folder?: boolean;
  /** Why a change of it always asks, whatever its name is: Git takes hooks or its configuration from it. */
  guarded?: string;
}

/** A file that a command reaches: where it is written to lie, and where it really lies. */
export interface ReachedFile {
  /** Relative to the workspace; absolute outside it, or as written where nobody knows what it stands for (`~/x`). */
  path: string;
  realPath: string;
  /** The host's own absolute path. */
  absolute: string;
  outside: boolean;
  /** Why a change of it always asks, whatever its name is. */
  guarded?: string;
}

/** What a word or a redirection of a command reaches. */
export interface CommandUse {
  kind: "read" | "write";
  /** As the command has it. */
  written: string;
  /** The files that it may be: several for a pattern, and where the folder is not certain. */
  files: readonly ReachedFile[];
  /** It takes in everything below, too. */
  deep: boolean;
  /**
   * Why it may reach more than `files`, of which nothing is known: completes «`xargs wc -l`: …». No rule opens that.
   */
  strays?: string;
  /** What stands against it although its place does not: completes «`grep -r x .`: …». */
  problem?: string;
  /** The problem is that files of these names are read, which the command could leave out. */
  leavable?: LeftOut;
  /** Whether the problem stands, too, where nothing of what is in the files is told: the word may be a flag. */
  mayBeFlag?: boolean;
}

/** A simple command and what its words reach. */
export interface GatedSimple {
  simple: SimpleCommand;
  uses: readonly CommandUse[];
}

/** A command line as permission sees it. */
export interface CommandTouch {
  kind: "command";
  command: string;
  /** A task's label or typed input: nothing is known of what that runs. */
  as?: "task" | "input";
  /** What could not be proven of it, a sentence each without its full stop. Empty when all is understood. */
  doubts: readonly string[];
  commands: readonly GatedSimple[];
  redirections: readonly CommandUse[];
}

export interface NetworkTouch {
  kind: "network";
  url: string;
  /** A message goes there, under this address of the user's settings. */
  to?: string;
  /** The fields of the input that name it: a rule that names all of them covers it. */
  by?: readonly string[];
}

/** A call of what others made. */
interface ExternalTouch {
  kind: "external";
  /** The fields of the input that say what is called. */
  by: readonly string[];
}

/** A touch in canonical form: what permission decides on. */
export type GatedTouch = FileTouch | CommandTouch | NetworkTouch | ExternalTouch;

export function isFileTouch(touch: GatedTouch): touch is FileTouch {
  return touch.kind === "read" || touch.kind === "write";
}

/** Whether a file may hold secrets, under any of its names. */
export function isSecret(at: Pick<GatedPath, "path" | "realPath" | "absolute">): boolean {
  return secretOf(at) !== undefined;
}

/**
 * Why reading a file asks, by any of its names. The workspace itself may lie in a folder of secrets, which only the
 * absolute path tells.
 */
export function secretOf({
  path,
  realPath,
  absolute,
}: Pick<GatedPath, "path" | "realPath" | "absolute">): string | undefined {
  return secretReason(path) ?? secretReason(realPath) ?? secretReason(absolute);
}

/** Why a change of a file always asks: by any of its names, or by what takes something from it. */
export function guardOfChange({
  path,
  realPath,
  guarded,
}: Pick<ReachedFile, "path" | "realPath" | "guarded">): string | undefined {
  return protectedReason(path) ?? protectedReason(realPath) ?? guarded;
}
