/** Maximum code units of output held for pollers: several answers, so that an occasional poller misses nothing. */
export const MAX_RING = 200_000;
/** Maximum code units of the start of the output held for summaries: half of the longest summary. */
export const MAX_HEAD = 50_000;
/** Maximum code units of a summary: all that is still held of an output that the result store could not keep. */
export const MAX_SUMMARY = 2 * MAX_HEAD;
/**
 * Code units that the longest answer shows in full. Beyond that, all of a foreground command's output goes to the
 * result store.
 */
export const FOREGROUND_ANSWER = 23_500;
/** The same for a background command, whose answers are shorter. */
export const BACKGROUND_ANSWER = 10_000;
/** The same for standard error next to a stored standard output: enough for a warning, not for a log. */
export const MAX_BESIDE = 1_000;
/**
 * Maximum code units that may wait for the result store. Beyond that the pipes are not read, and the process waits.
 * Waiting texts age in the engine, which then frees them late: four times as many took 40 MB more.
 */
export const MAX_BACKLOG = 1_000_000;

/** Minimum bytes of a chunk that is kept as bytes: shorter ones are joined as text. */
export const LARGE_CHUNK = 4_096;
/**
 * Interval, in ms, at which readers waiting for output are woken while it arrives without a pause: they read all of it
 * each time.
 */
export const BETWEEN_LOOKS = 25;

/** Maximum bytes written to a terminal in one step: usually more than its 1,000 lines of scrollback hold. */
export const MAX_FRAME = 100_000;
/** Interval between two writes to a terminal, in ms: no flicker, and at most about 2 MB a second. */
export const FRAME = 50;
/** The same after a write that could not show everything: the text would be gone before anybody could read it. */
export const FRAME_OF_MUCH = 500;

/**
 * How long to wait for a cancelled call, in ms, so that its answer includes its commands' output: 5 s after SIGTERM, 2
 * s after SIGKILL, 1 s for the rest of the output, 10 s for the result store (below). A command that
 * ends on SIGTERM needs none of it.
 */
export const STOP_GRACE = 20_000;

/** Times in milliseconds. Tests use shorter ones. */
export interface ProcessTimes {
  /** Between SIGTERM and SIGKILL. */
  kill: number;
  /** The same while the window closes: VS Code gives an extension about five seconds. */
  closing: number;
  /** After SIGKILL: a process that is still there then is stuck in the kernel, and is reported as left running. */
  giveUp: number;
  /** How long output after the exit still belongs to the answer if it follows the previous output within this time… */
  quiet: number;
  /** …but if somebody else holds the pipe and keeps writing, only for this long. */
  drain: number;
  /** How long an ended process is kept. */
  keep: number;
  /** See `HandOver`. */
  after: number;
  afterListening: number;
}

export const PROCESS_TIMES: ProcessTimes = {
  kill: 5_000,
  closing: 2_000,
  giveUp: 2_000,
  quiet: 200,
  drain: 1_000,
  keep: 600_000,
  after: 60_000,
  afterListening: 10_000,
};

/** Maximum number of ended processes that are kept. */
export const MAX_ENDED = 50;

/** Limits for a command that nobody was asked about. */
export interface UnaskedLimits {
  /** Processes at the same time. */
  processes: number;
  /** Bytes: for each process, which is refused more, and for all together, which ends the command. */
  memory: number;
  /** Seconds of CPU time for each process. */
  seconds: number;
  /** Such commands at the same time. */
  commands: number;
  /** Bytes of disk that it may take in a view of the workspace. */
  disk: number;
  /** Interval between two checks of its usage, in ms. */
  look: number;
}

/** Higher than any command needs that explores a large repository. */
export const UNASKED_LIMITS: UnaskedLimits = {
  processes: 300,
  memory: 4 * 2 ** 30,
  seconds: 900,
  commands: 32,
  disk: 4 * 2 ** 30,
  look: 500,
};
