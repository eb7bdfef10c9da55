import type { MountedView } from "../../ports/effects.js";
import type { Containment, ProgramCall, WantedHost } from "../../ports/processes.js";
import type { UnaskedLimits } from "./limits.js";

/** A command as a host starts it. */
export interface SpawnRequest {
  /** Passed to the shell unchanged: several lines, here-documents and all. */
  command: string;
  /** A program to start without a shell; `command` then only shows it. */
  program?: ProgramCall;
  /** The host's own absolute path of its working directory. */
  folder: string;
  /** The same folder as people write it, for messages. */
  shownFolder: string;
  /** Added to the host's environment and overrides it; null removes a variable. */
  env: Readonly<Record<string, string | null>>;
  /** Whether its standard input is a pipe; otherwise it is at end of file from the start. */
  interactive: boolean;
  /**
   * For a command nobody was asked about: limits for each of its processes, if the system can enforce them. Absent: no
   * limits.
   */
  limits?: UnaskedLimits;
  /** Keeps it from changing anything and from all other reach, if the system can. Absent: nothing does. */
  contained?: Containment;
  /** The view of the workspace in which it runs, contained; if that is impossible, it is not started. */
  view?: MountedView;
  /** Whether its standard error has a pipe of its own. Default false: one pipe keeps the order of both. */
  apart?: boolean;
  /** Whether PowerShell may run it where there is no bash. Default false. */
  isForAnyShell?: boolean;
}

/** The resources that the processes of a command use together. */
export interface ProcessUse {
  processes: number;
  /** Bytes of memory; shared memory counts for each process. */
  memory: number;
  /** Bytes by which the free space of the disk with its view has shrunk since it started; undefined without a view. */
  disk?: number;
}

/** Events of a started process, in this order: output, one exit, perhaps more output, one close. */
export interface SpawnEvents {
  /**
   * Called with output that it wrote to standard output and standard error, in the order it was written. The bytes are
   * valid only during the call: later ones overwrite them.
   *
   * @param isError whether it comes from the standard error of a request that wants it apart: then only each stream is
   *   in order
   */
  output(bytes: Uint8Array, isError?: boolean): void;
  /**
   * Called when the process itself has exited: with a code, or by a signal.
   *
   * @param pipe exit codes of the commands of the pipe that ran last, if the shell reported them
   * @param wanted the hosts that it did not reach in its sandbox
   */
  exit(
    code: number | undefined,
    signal: string | undefined,
    pipe?: readonly number[],
    wanted?: readonly WantedHost[],
  ): void;
  /** Called when nobody holds its output open any more: all of it has arrived. */
  close(): void;
}

/** A process in its own group. */
export interface SpawnedProcess {
  readonly pid: number;
  /** Stops reading its output: the pipes fill up, and it waits. */
  pause(): void;
  resume(): void;
  /** Resolves when the text is in the pipe. Rejects with an `Error` if nobody reads it any more. */
  write(text: string): Promise<void>;
  closeInput(): Promise<void>;
  /**
   * Sends a signal to its whole group; returns false if the group is empty. Throws `ToolError` `invalid_input` for a
   * signal that the system does not know.
   */
  signal(name: string): boolean;
  /** Whether anything in its group is still running. */
  isGroupAlive(): boolean;
  /** Returns what its processes use now; undefined if that cannot be determined. */
  use?(): ProcessUse | undefined;
  /**
   * Whether a process that this one started is still running outside the group after this one's exit. Undefined if that
   * cannot be determined.
   */
  hasLeftBehind(): boolean | undefined;
  /** Lets the host's process exit without waiting for this one, which keeps running. */
  unref(): void;
}

/** Starts processes: what a host provides for the process table. */
export interface Spawner {
  /**
   * Resolves when the process is running. Throws `ToolError`: `not_found` if the folder is gone or there is no such
   * program, `stale` for a view that cannot be used, `unsupported` for a file that is not executable, `invalid_input` for what cannot be passed to a process (a NUL), `unavailable` without a shell, `io_error` for anything else.
   */
  start(request: SpawnRequest, events: SpawnEvents): Promise<SpawnedProcess>;
}
