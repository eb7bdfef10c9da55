import type { UnaskedLimits } from "./limits.js";

/** A command as a host starts it. */
export interface SpawnRequest {
  /** Given to the shell as it is: lines, here-documents and all. */
  command: string;
  /** The host's own absolute path of the folder it runs in. */
  folder: string;
  /** As people write that folder, for messages. */
  shownFolder: string;
  /** Added to the host's environment, and wins over it; null takes a variable away. */
  env: Readonly<Record<string, string | null>>;
  /** Its standard input is a pipe; else it is at its end from the start. */
  interactive: boolean;
  /**
   * Nobody was asked about it: what each of its processes may take at most, where the system can hold it to that. None
   * when absent.
   */
  limits?: UnaskedLimits;
}

/** What the processes of a command take together. */
export interface ProcessUse {
  processes: number;
  /** Bytes in memory; what several share counts for each. */
  memory: number;
}

/** Told of a process that was started, in this order: output, one exit, more output perhaps, one close. */
export interface SpawnEvents {
  /**
   * What it wrote to standard output and to standard error, in the order in which it was written. The bytes are there
   * for as long as the call: the next ones are written over them.
   */
  output(bytes: Uint8Array): void;
  /** The process itself is gone: a code, or the signal that ended it. */
  exit(code: number | undefined, signal: string | undefined): void;
  /** Nobody holds its output open any more: all of it has come. */
  close(): void;
}

/** A process in a group of its own. */
export interface SpawnedProcess {
  readonly pid: number;
  /** Stops reading its output: the pipes fill up, and it waits. */
  pause(): void;
  resume(): void;
  /** Resolves when the text is in the pipe. Rejects with an `Error` when nobody reads it any more. */
  write(text: string): Promise<void>;
  closeInput(): Promise<void>;
  /**
   * Sends a signal to all of its group; false when there is nobody in it. Throws `ToolError` `invalid_input` for a
   * signal the system does not have.
   */
  signal(name: string): boolean;
  /** Whether anything of its group still runs. */
  isGroupAlive(): boolean;
  /** What its processes take at the moment; undefined where that cannot be known. */
  use?(): ProcessUse | undefined;
  /**
   * Once it has exited: whether something that it started runs outside its group. Undefined where that cannot be known.
   */
  hasLeftBehind(): boolean | undefined;
  /** It goes on, but the host's own process need not wait for it in order to end. */
  unref(): void;
}

/** Starts processes: what a host has to give for the process table. */
export interface Spawner {
  /**
   * Resolves when the process runs. Throws `ToolError`: `not_found` when the folder is gone, `invalid_input` for what
   * no process can be given (a NUL), `unavailable` without a shell, `io_error` for the rest.
   */
  start(request: SpawnRequest, events: SpawnEvents): Promise<SpawnedProcess>;
}
