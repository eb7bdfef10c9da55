import type { LeftOut, SimpleCommand } from "../../shell/analysis.js";
import type { GatedPath } from "../../ports/files.js";
import { protectedReason, secretReason } from "../paths/protectedFiles.js";

/** A file touch whose path went through the gate. */
export interface FileTouch {
  kind: "read" | "write";
  at: GatedPath;
  /** Whether it replaces or removes a whole file whose current state the session has not seen. */
  unread?: boolean;
  /** Whether the contents of files below it are read too. */
  deep?: boolean;
  /** Whether it is a folder; known for places outside the workspace. */
  folder?: boolean;
  /** Why a change to it always needs approval, whatever its name: Git reads hooks or configuration from it. */
  guarded?: string;
}

/** A file that a command reaches: where it is by name, and where it really is. */
export interface ReachedFile {
  /** Relative to the workspace; absolute outside it, or as written if its meaning is unknown (`~/x`). */
  path: string;
  realPath: string;
  /** The host's own absolute path. */
  absolute: string;
  outside: boolean;
  /** Why a change to it always needs approval, whatever its name. */
  guarded?: string;
}

/** A file, or several, that a command's word or redirection reaches. */
export interface CommandUse {
  kind: "read" | "write";
  /** As written in the command. */
  written: string;
  /** The files that it may be: several for a pattern, and if the folder is uncertain. */
  files: readonly ReachedFile[];
  /** Whether it includes everything below. */
  deep: boolean;
  /** Why it may also reach unknown files, in addition to `files`: completes «`xargs wc -l`: …». No rule allows that. */
  strays?: string;
  /** The objection to it apart from its place: completes «`grep -r x .`: …». */
  problem?: string;
  /** Set if the problem is that files with these names are read, which the command could skip. */
  leavable?: LeftOut;
  /** Whether the problem also exists if no file contents are printed: the word may be a flag. */
  mayBeFlag?: boolean;
  /** Whether it is moved away, with everything below it. */
  moved?: true;
  /** For a change: why undo might not take it back, or why it may be more than a change to this file, as a sentence. */
  beyondUndo?: string;
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
  /** `task` or `input`: a task's label or typed input; nothing is known about the commands it runs. */
  as?: "task" | "input";
  /**
   * Facts that could not be proven about it, one sentence each without its full stop. Empty if everything is
   * understood.
   */
  doubts: readonly string[];
  commands: readonly GatedSimple[];
  redirections: readonly CommandUse[];
  /** Whether the system may contain it while it changes files: it runs alone, and nobody has to reach it. */
  mayBeContained?: boolean;
  /** Whether it is not to be contained, whatever it does. */
  outside?: boolean;
}

export interface NetworkTouch {
  kind: "network";
  url: string;
  /** Set for a message: its address in the user's settings. */
  to?: string;
  /** The input fields that name it: a rule that names all of them covers it. */
  by?: readonly string[];
}

/** A call of a tool made by others. */
interface ExternalTouch {
  kind: "external";
  /** The input fields that name the tool called. */
  by: readonly string[];
  /** How its definition differs from the one that was called before, as a sentence. */
  changed?: string;
}

/** A program that only reads, as the user says. */
export interface ProgramTouch {
  kind: "program";
  /** Why it needs approval all the same, as a sentence. */
  reason?: string;
}

/** A secret, or another text, that goes where it was not before, or where text from outside may send it. */
export interface SecretTouch {
  kind: "secret";
  /** The default that asks. If absent: `handles`. */
  by?: "handles" | "carried" | "foreign";
  /** Why that needs approval, as a sentence. */
  reason: string;
  /** Whether it is shown to a model. */
  shown?: boolean;
}

/** A touch in canonical form: what permission decides on. */
export type GatedTouch = FileTouch | CommandTouch | NetworkTouch | ExternalTouch | ProgramTouch | SecretTouch;

/** Returns the absolute paths of the files that the words and redirections of commands change. */
export function changedByCommands(touches: readonly GatedTouch[] = []): string[] {
  const uses = touches.flatMap((touch) =>
    touch.kind === "command" ? [...touch.commands.flatMap((each) => each.uses), ...touch.redirections] : [],
  );
  return [
    ...new Set(uses.flatMap(({ kind, files }) => (kind === "write" ? files.map(({ absolute }) => absolute) : []))),
  ];
}

export function isFileTouch(touch: GatedTouch): touch is FileTouch {
  return touch.kind === "read" || touch.kind === "write";
}

/** Whether a file may hold secrets, under any of its names. */
export function isSecret(at: Pick<GatedPath, "path" | "realPath" | "absolute">): boolean {
  return secretOf(at) !== undefined;
}

/**
 * Returns why reading a file needs approval, by any of its names. The workspace itself may be in a folder of secrets,
 * which only the absolute path shows.
 */
export function secretOf({
  path,
  realPath,
  absolute,
}: Pick<GatedPath, "path" | "realPath" | "absolute">): string | undefined {
  return secretReason(path) ?? secretReason(realPath) ?? secretReason(absolute);
}

/** Returns why a change to a file always needs approval: by any of its names, or because of a program that reads it. */
export function guardOfChange({
  path,
  realPath,
  guarded,
}: Pick<ReachedFile, "path" | "realPath" | "guarded">): string | undefined {
  return protectedReason(path) ?? protectedReason(realPath) ?? guarded;
}
