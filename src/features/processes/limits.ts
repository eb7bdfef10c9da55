/**
 * Code units of output held for pollers: twice the longest answer, so that none of it is missed by who polls now and
 * then.
 */
export const MAX_RING = 200_000;
/** Code units of the start of the output that are held for summaries: half of the longest answer. */
export const MAX_HEAD = 50_000;
/**
 * Code units that the longest answer shows in full. Of more, a foreground command's output goes to the result store as
 * a whole.
 */
export const FOREGROUND_ANSWER = 100_000;
/** The same for a background command, whose answers are shorter. */
export const BACKGROUND_ANSWER = 10_000;
/**
 * Code units that may wait for the result store. With more the pipes are not read, and the process waits. Texts that
 * wait grow old in the engine, which then collects them late: four times as many took 40 MB more.
 */
export const MAX_BACKLOG = 1_000_000;

/** Bytes of a chunk that is kept as bytes: shorter ones are joined as text. */
export const LARGE_CHUNK = 4_096;
/**
 * Milliseconds between two looks of those who wait for output, while it comes without a pause: they read all of it each
 * time.
 */
export const BETWEEN_LOOKS = 25;

/** Bytes that a terminal is given at once: mostly more than its 1,000 lines of scrollback hold. */
export const MAX_FRAME = 100_000;
/** Milliseconds between two writes to a terminal: no flicker, and some 2 MB a second at most. */
export const FRAME = 50;
/** The same after one that could not show all: what is drawn then is gone before anybody reads it. */
export const FRAME_OF_MUCH = 500;

/** Times in milliseconds. Tests have shorter ones. */
export interface ProcessTimes {
  /** Between the polite signal and SIGKILL. */
  kill: number;
  /** The same when the window closes: VS Code gives an extension about five seconds. */
  closing: number;
  /** After SIGKILL: what is still there then sits in the kernel, and is told as left running. */
  giveUp: number;
  /** After the exit: output that comes no later than this after the last still belongs to the answer… */
  quiet: number;
  /** …but if somebody else holds the pipe and goes on writing, only for so long. */
  drain: number;
  /** How long an ended process is kept. */
  keep: number;
}

export const PROCESS_TIMES: ProcessTimes = {
  kill: 5_000,
  closing: 2_000,
  giveUp: 2_000,
  quiet: 200,
  drain: 1_000,
  keep: 600_000,
};

/** Ended processes that are kept at most. */
export const MAX_ENDED = 50;

/** What a command may take that nobody was asked about. */
export interface UnaskedLimits {
  /** Processes at once. */
  processes: number;
  /** Bytes: of each process, which is refused more, and of all together, which ends the command. */
  memory: number;
  /** Seconds of computing, of each process. */
  seconds: number;
  /** Such commands at once. */
  commands: number;
  /** Milliseconds between two looks at what it takes. */
  look: number;
}

/** More than anything takes that looks around in a large repository. */
export const UNASKED_LIMITS: UnaskedLimits = {
  processes: 300,
  memory: 4 * 2 ** 30,
  seconds: 900,
  commands: 32,
  look: 500,
};
