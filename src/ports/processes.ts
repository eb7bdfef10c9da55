import type { GatedPath } from "./files.js";
import type { StoredResult } from "./results.js";

/** A command to run in a process of our own. */
export interface CommandRequest {
  /** As it is run: a line or several, a here-document too. */
  command: string;
  /** The folder it runs in. */
  workdir: GatedPath;
  /**
   * Added to the environment, which is the user's without tokens and the editor's internals; null takes a variable
   * away.
   */
  env: Readonly<Record<string, string | null>>;
  /** Standard input can be written to; else it is closed from the start, and whoever asks a question gets its end. */
  interactive: boolean;
  /** One line for people: the terminal's name. */
  title: string;
  /** Nobody was asked about it: it has limits. Not when absent. */
  unasked?: boolean;
}

/** What became of a command: never a guess. All of these are results. */
type CommandStatus =
  /** It ended by itself, with an exit code. */
  | "exited"
  /** A signal that was not ours ended it. */
  | "signaled"
  /** Its time was up, and it was ended. */
  | "timeout"
  /** The caller or a person ended it. */
  | "cancelled"
  /** Nobody was asked about it, and it was ended since it took more than such a command may. */
  | "limited"
  /** It goes on in the background. */
  | "background"
  /** It ran where its end or its output cannot be seen. */
  | "unobserved";

/** How a process ended. */
export interface CommandEnd {
  status: Exclude<CommandStatus, "background">;
  /** Undefined when a signal ended it, or it was not observed. */
  exitCode: number | undefined;
  /** `SIGTERM` and its like. */
  signal: string | undefined;
  /** Milliseconds from start to end. */
  duration: number;
  /**
   * Something it started outlives it: processes of its group, or daemons that left it. They go on, and what they write
   * comes behind the end, to `output` alone. `kill` still reaches the group, and all of it ends with the window.
   * Undefined where it is not known.
   */
  leftRunning: boolean | undefined;
  /** What it took too much of, of one that is `limited`: `it ran 301 processes at once, and … may run 300`. */
  limit?: string;
}

/** Why a process is ended by us. */
export type StoppedAs = "timeout" | "cancelled" | "limited";

/** A stretch of a process's output. */
export interface OutputPart {
  text: string;
  /**
   * Offset of its first character in all that the process has written, in code units. Characters that a progress line
   * overwrote count where somebody had been shown them: a cursor never goes back.
   */
  from: number;
  /** Offset behind its last one: the cursor to go on from. */
  next: number;
  /** Characters between the cursor asked for and `from` that are no longer held. */
  missed: number;
}

/** A process that was started, while it runs and for a while after. */
export interface ManagedProcess {
  /** `p1`, `p2`, …: never used again in this window. */
  readonly id: string;
  /** The system's number; undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly command: string;
  /** The folder as people write it. */
  readonly workdir: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly background: boolean;
  /** The call that started it. */
  readonly owner: ProcessOwner;
  /** Set once it has ended and all its output has come. */
  readonly end: CommandEnd | undefined;
  /** Resolves with the end. */
  readonly ended: Promise<CommandEnd>;
  /** Id of its whole output in the result store, once there is more than an answer holds. */
  readonly resultId: string | undefined;
  /** What the result store kept of it, once it has ended. */
  readonly stored: StoredResult | undefined;
  /**
   * What it has written, standard output and standard error in the order in which they were written: plain text,
   * without escape sequences, progress lines collapsed.
   */
  output(cursor: number): OutputPart;
  /** Head and tail of all output, at most so many characters, and how many were left out between them. */
  summary(maxCharacters: number): { text: string; omitted: { characters: number; lines: number } | undefined };
  /** Resolves when there is output behind a cursor, the process has ended, or `signal` is aborted. */
  changed(cursor: number, signal: AbortSignal): Promise<void>;
  /** Writes to its standard input. Throws `ToolError` `unavailable` when that is closed. */
  write(text: string): Promise<void>;
  /** Ends its standard input, as Ctrl+D does. Throws `ToolError` `unavailable` when it has none. */
  closeInput(): Promise<void>;
  /**
   * Sends a signal to the whole group. Throws `ToolError` `unavailable` when it has ended and left nothing running,
   * `invalid_input` for a signal there is not.
   */
  kill(signal: string): void;
  /** Ends it, politely and then not: SIGTERM to the group, SIGKILL some seconds later. `as` is how that is told. */
  stop(as: StoppedAs): Promise<CommandEnd>;
}

/** The call that starts a process. */
export interface ProcessOwner {
  session: string;
  callId: string;
}

/** Running commands. */
export interface Processes {
  /**
   * Starts a command. Throws `ToolError`: `not_found` when the folder is gone, `invalid_input` for a command no process
   * can be given,
   * `unavailable` where there is no shell, or too many run that nobody was asked about, `io_error` when it cannot be started.
   *
   * @param background it outlives the call
   * @param owner whose it is
   */
  start(request: CommandRequest, background: boolean, owner: ProcessOwner): Promise<ManagedProcess>;
  /** Runs a command in the user's own shell, in a terminal they see; undefined when there is no such terminal here. */
  inUsersShell?(
    request: CommandRequest,
    timeLimit: number,
    signal: AbortSignal,
  ): Promise<{ end: CommandEnd; output: string }>;
  /** A process by its id; undefined when there never was one, or it ended too long ago. */
  find(id: string): ManagedProcess | undefined;
  /** Whether there was a process of this id, though its result is no longer kept. */
  wasKnown(id: string): boolean;
  /** All that run, and those that ended not long ago, oldest first. */
  list(): ManagedProcess[];
}
