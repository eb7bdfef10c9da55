import type { CommandCall, Effect, Rehearsal, UnknownEffect } from "./effects.js";
import type { GatedPath } from "./files.js";
import type { StoredResult } from "./results.js";

/** A program, and the arguments that it gets as they are. */
export interface ProgramCall {
  /** A name, found by PATH, or the host's own absolute path. */
  file: string;
  args: readonly string[];
}

/** How a command is contained. */
export interface Containment {
  /** Whether it cannot read the workspace's files that may hold secrets. */
  hidesSecrets: boolean;
  /**
   * For one that changes files: it does so in a view of the workspace, and what it changed is made in the workspace once
   * it has ended. It never runs otherwise. Absent: it can change nothing.
   */
  writes?: {
    mayChange: MayChange;
    /** Whether it is only tried: nothing that it changed is made until somebody says so. Default false. */
    isRehearsal?: boolean;
    /** The hosts that it may reach. None if absent. */
    hosts?: ReachableHosts;
    /** The registries from which it installs the packages that the project names. None if absent. */
    fetches?: readonly string[];
  };
}

/**
 * Decides whether a contained command's changes may be made, by all files that they reach, as the caller writes paths.
 *
 * @returns why not, as sentences; undefined if they may
 */
export type MayChange = (paths: readonly string[]) => Promise<string | undefined>;

/** Hosts that a contained command may reach. */
export interface ReachableHosts {
  /** @param name in lower case, without a dot at its end */
  allows(name: string, port: number): boolean;
}

/** A host that a contained command asked for and did not reach, since it is not allowed. */
export interface WantedHost {
  /** Its name, with its port if that is not 443 or 80. */
  host: string;
  /** Whether it is allowed, but leads to a private network. */
  isPrivate: boolean;
}

/** A command to run in its own process. */
export interface CommandRequest {
  /** The exact command: one or several lines, possibly with here-documents. */
  command: string;
  /** A program to start without a shell; `command` then only shows it. Absent: a shell runs `command`. */
  program?: ProgramCall;
  /** The folder it runs in. */
  workdir: GatedPath;
  /**
   * Added to the environment, which is the user's without tokens and the editor's internals; null unsets a variable.
   */
  env: Readonly<Record<string, string | null>>;
  /**
   * Whether standard input can be written to; otherwise it is closed from the start, so that prompts get end of file.
   */
  interactive: boolean;
  /** One line for people: the terminal's name. */
  title: string;
  /** Whether nobody was asked about it, so that limits apply. Default false. */
  unasked?: boolean;
  /**
   * The system keeps it from changing anything, or anything but a view of the workspace, and from all other reach. One
   * that only reads runs all the same where it cannot. If absent, nothing does.
   */
  contained?: Containment | undefined;
  /** To find out which files of the workspace it changes, and record them for undo: the call it belongs to. */
  watched?: CommandCall;
  /** For a watched one: absolute paths of files that must be kept for undo, if they are there, before it may start. */
  keeps?: readonly string[];
  /**
   * Whether standard output and standard error are kept apart, each complete. One pipe can keep their order, two can keep
   * them apart; nothing can do both. Default false: in their order.
   */
  apart?: boolean;
  /** Whether it is written for the shell that is there: PowerShell on Windows without bash. Default false: for bash. */
  isForAnyShell?: boolean;
}

/** How a command ended; never a guess. All of these are results, not errors. */
type CommandStatus =
  /** It exited by itself, with an exit code. */
  | "exited"
  /** A signal that we did not send ended it. */
  | "signaled"
  /** It timed out and was ended. */
  | "timeout"
  /** The caller or a person ended it. */
  | "cancelled"
  /** It exceeded the limits of commands that run without asking anyone, and was ended. */
  | "limited"
  /** It is running in the background. */
  | "background"
  /** It ran where its end or its output cannot be observed. */
  | "unobserved";

/** How a process ended. */
export interface CommandEnd {
  status: Exclude<CommandStatus, "background">;
  /** Undefined if a signal ended it, or its end was not observed. */
  exitCode: number | undefined;
  /** Name of the signal, such as `SIGTERM`. */
  signal: string | undefined;
  /** Milliseconds from start to end. */
  duration: number;
  /**
   * Whether processes it started are still running, in its group or as daemons that left it. Their later output is
   * appended to `output` only. `kill` still reaches the group, and all of them end with the window. Undefined if
   * unknown.
   */
  leftRunning: boolean | undefined;
  /** The limit that a `limited` command exceeded: `it ran 301 processes at the same time, and … may run 300`. */
  limit?: string;
  /** Exit codes of the commands of the pipe that ran last, if they are known and not all 0. */
  pipeExitCodes?: readonly number[];
  /** The hosts that it asked for in its sandbox and did not reach; the first of them. None if absent. */
  wanted?: readonly WantedHost[];
}

/** Why we end a process. */
export type StoppedAs = "timeout" | "cancelled" | "limited";

/** A part of a process's output. */
export interface OutputPart {
  text: string;
  /**
   * Offset of its first character in the process's whole output, in code units. Characters overwritten by a progress
   * line count if they had been returned before: a cursor never goes back.
   */
  from: number;
  /** Offset after its last character: the cursor to continue from. */
  next: number;
  /** Number of characters between the requested cursor and `from`, which are no longer held. */
  missed: number;
}

/** A text that a process writes. */
export interface ProcessOutput {
  /** Id of the whole in the result store, once that is more than fits into an answer. */
  readonly resultId: string | undefined;
  /** The part that the result store kept, once the process has ended. */
  readonly stored: StoredResult | undefined;
  /** Resolves when the result store has all lines written until now, or cannot have them. */
  caughtUp(): Promise<void>;
  /**
   * Returns head and tail, at most `maxCharacters`, and how much was omitted between them, from which offset.
   */
  summary(maxCharacters: number): {
    text: string;
    omitted: { from: number; characters: number; lines: number } | undefined;
  };
}

/** The streams of a process that keeps them apart. */
export interface ProcessStreams {
  stdout: ProcessOutput;
  stderr: ProcessOutput;
}

/** A started process, available while it runs and for some time after. */
export interface ManagedProcess extends ProcessOutput {
  /** `p1`, `p2`, …: never used again in this window. */
  readonly id: string;
  /** The system's process id; undefined if it could not be started. */
  readonly pid: number | undefined;
  readonly command: string;
  /** Its folder as people write it. */
  readonly workdir: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** Whether it outlives its call. */
  readonly background: boolean;
  /** The call that started it. */
  readonly owner: ProcessOwner;
  /** Set once it has ended and all its output has arrived. */
  readonly end: CommandEnd | undefined;
  /** Resolves with the end. */
  readonly ended: Promise<CommandEnd>;
  /** Resolves soon after the end with what it changed; undefined if that is not watched. */
  readonly effect?: Promise<Effect | UnknownEffect> | undefined;
  /**
   * While it runs: resolves with what it has changed since its start or the last step. `effect` is then what it changed
   * after the last step. Undefined if that is not known before its end.
   */
  step?(): Promise<Effect | UnknownEffect> | undefined;
  /**
   * Both streams of a request that wants them apart. Its other output is then both as they arrived, which is only roughly
   * their order, and the result store keeps the streams instead.
   */
  readonly streams: ProcessStreams | undefined;
  /**
   * Returns its output after a cursor, stdout and stderr in the order written: plain text, without escape sequences,
   * with progress lines collapsed.
   */
  output(cursor: number): OutputPart;
  /** Resolves when there is output after a cursor, the process has ended, or `signal` is aborted. */
  changed(cursor: number, signal: AbortSignal): Promise<void>;
  /** Writes to its standard input. Throws `ToolError` `unavailable` if that is closed. */
  write(text: string): Promise<void>;
  /** Closes its standard input, as Ctrl+D does. Throws `ToolError` `unavailable` if it has none. */
  closeInput(): Promise<void>;
  /**
   * Sends a signal to the whole process group. Throws `ToolError` `unavailable` if it has ended and left nothing
   * running, `invalid_input` for an unknown signal.
   */
  kill(signal: string): void;
  /** Ends it: SIGTERM to the group, SIGKILL some seconds later. `as` becomes its status. */
  stop(as: StoppedAs): Promise<CommandEnd>;
}

/** The call that starts a process. */
export interface ProcessOwner {
  session: string;
  callId: string;
}

/** Lets a command that goes on outlive its call. */
export interface HandOver {
  /** How long a call waits for its command, in ms. */
  after: number;
  /** How long a command that said that it listens must be silent, in ms. */
  afterListening: number;
  /** Makes a process of a call one in the background. */
  keep(process: ManagedProcess): void;
}

/** A command that was tried in a view, and has ended. */
export interface RehearsedCommand {
  /** In no list until its changes are made. */
  process: ManagedProcess;
  rehearsal: Rehearsal;
}

/** Runs commands. */
export interface Processes {
  /** Absent if all commands end with the program that runs them, as at the command line. */
  readonly handOver?: HandOver;
  /**
   * Starts a command. Throws `ToolError`: `not_found` if the folder is gone, `invalid_input` for a command that cannot
   * be passed to a process, `unavailable` if there is no shell or too many unapproved commands are running, `io_error`
   * if it cannot be started.
   *
   * @param background it outlives the call
   * @param owner the call that starts it
   */
  start(request: CommandRequest, background: boolean, owner: ProcessOwner): Promise<ManagedProcess>;
  /**
   * Tries a contained command in a view of the workspace: nothing there changes. Throws `ToolError` as `start` does.
   *
   * @param limit milliseconds after which it is ended
   * @returns what it did; undefined if it was ended
   * @throws the signal's reason once it is aborted
   */
  rehearse?(
    request: CommandRequest,
    owner: ProcessOwner,
    limit: number,
    signal: AbortSignal,
  ): Promise<RehearsedCommand | undefined>;
  /** Runs a command in the user's own shell, in a visible terminal; absent if there is no such terminal here. */
  inUsersShell?(
    request: CommandRequest,
    timeLimit: number,
    signal: AbortSignal,
  ): Promise<{ end: CommandEnd; output: string }>;
  /** Returns why undo will not cover what a command changes that starts now, as far as that is known; undefined otherwise. */
  whyNotUndone?(): string | undefined;
  /** Finds a process by its id; undefined if it never existed or ended too long ago. */
  find(id: string): ManagedProcess | undefined;
  /** Whether a process had this id, even if its result is no longer kept. */
  wasKnown(id: string): boolean;
  /** Lists running and recently ended processes, oldest first. */
  list(): ManagedProcess[];
}
