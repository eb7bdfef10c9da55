import type {
  CommandEnd,
  CommandRequest,
  ManagedProcess,
  OutputPart,
  ProcessOwner,
  ProcessStreams,
  StoppedAs,
  WantedHost,
} from "../../ports/processes.js";
import type { Effect, EffectWatch, Rehearsal, UnknownEffect, ViewWatch } from "../../ports/effects.js";
import type { StoredResult } from "../../ports/results.js";
import { ToolError } from "../../core/errors.js";
import type { ProcessTimes, UnaskedLimits } from "./limits.js";
import type { Omitted } from "../../text/terminal/ends.js";
import type { OutputLog } from "./outputLog.js";
import type { SpawnedProcess, SpawnEvents } from "./spawner.js";
import { StreamLog } from "./streamLog.js";
import { tooMuch } from "./tooMuch.js";

/** Interval between two checks of a group that is being ended, or of pipes that are draining, in ms. */
const LOOK = 25;
/** How long the result store may take to write the last output of an ended process, in ms. */
const MAX_STORING = 10_000;
/** The exit code of a shell whose last program was ended by SIGXCPU (24 on Linux and macOS). */
const TIME_UP = 128 + 24;

/** The facts about a process that are known when it starts. */
export interface ProcessFacts {
  id: string;
  request: CommandRequest;
  background: boolean;
  owner: ProcessOwner;
  /** Milliseconds since 1970. */
  started: number;
  /** Limits on what it may use. */
  limits: UnaskedLimits | undefined;
  /** Finds out what it changes. */
  watch: EffectWatch | undefined;
  /** The view in which it is only tried. */
  rehearsedIn?: ViewWatch | undefined;
}

/** Where its output goes: all of it, and each stream if they are kept apart. */
export interface ProcessLogs {
  log: OutputLog;
  stdout?: OutputLog;
  stderr?: OutputLog;
}

/** How the process itself exited. */
interface Exit {
  exitCode: number | undefined;
  signal: string | undefined;
  at: number;
  pipe?: readonly number[] | undefined;
  wanted?: readonly WantedHost[] | undefined;
}

/**
 * A process from its start to its end, and any processes it leaves running.
 *
 * It has ended when it has exited and all its output has arrived. A daemon may hold its output open forever, so after
 * the exit only output that comes without a pause is waited for; the pipes are still read, since a closed pipe would
 * kill a daemon. Stopping a process ends its whole group; one that ends by itself leaves running what it started, as in
 * a terminal, and its end says so.
 */
export class RunningProcess implements ManagedProcess {
  readonly id: string;
  readonly command: string;
  readonly workdir: string;
  readonly title: string;
  readonly started: number;
  background: boolean;
  readonly owner: ProcessOwner;
  readonly ended: Promise<CommandEnd>;
  readonly effect: Promise<Effect | UnknownEffect> | undefined;
  readonly step: () => Promise<Effect | UnknownEffect> | undefined;
  /** What it did in the view in which it was only tried. Its effect is what is then made of it. */
  readonly rehearsal: Promise<Rehearsal> | undefined;
  readonly events: SpawnEvents;
  readonly #isInteractive: boolean;
  readonly #log: OutputLog;
  readonly streams: ProcessStreams | undefined;
  /** The logs of both streams if they are kept apart. */
  readonly #stdout: StreamLog | undefined;
  readonly #stderr: StreamLog | undefined;
  readonly #times: ProcessTimes;
  #resolveEnded: (end: CommandEnd) => void = () => undefined;
  #spawned: SpawnedProcess | undefined;
  #exit: Exit | undefined;
  #isClosed = false;
  readonly #closed: Promise<void>;
  #isPaused = false;
  /** Chunks received so far, to see whether more arrive. */
  #chunks = 0;
  /** Why it was stopped, if that was before it exited. */
  #stoppedAs: StoppedAs | undefined;
  readonly #limits: UnaskedLimits | undefined;
  /** Timer that checks its usage. */
  #watch: ReturnType<typeof setInterval> | undefined;
  /** The limit it exceeded. */
  #limit: string | undefined;
  /** Signals sent on request: if one of them ends the process, the caller did it. */
  readonly #sent = new Set<string>();
  #ending: Promise<void> | undefined;
  /** When SIGKILL is due. */
  #killAt = Infinity;
  #stored: StoredResult | undefined;
  #end: CommandEnd | undefined;

  constructor(
    { id, request, background, owner, started, limits, watch, rehearsedIn }: ProcessFacts,
    { log, stdout, stderr }: ProcessLogs,
    times: ProcessTimes,
  ) {
    this.id = id;
    this.command = request.command;
    this.workdir = request.workdir.path;
    this.title = request.title;
    this.started = started;
    this.background = background;
    this.owner = owner;
    this.#isInteractive = request.interactive;
    this.#limits = limits;
    this.#log = log;
    this.#stdout = stdout && new StreamLog(stdout);
    this.#stderr = stderr && new StreamLog(stderr);
    this.streams = this.#stdout && this.#stderr && { stdout: this.#stdout, stderr: this.#stderr };
    this.#times = times;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    const isWhole = this.ended.then(({ status, leftRunning }) => status === "exited" && leftRunning === false);
    this.rehearsal = rehearsedIn && isWhole.then((whole) => rehearsedIn.rehearsed(whole));
    this.step = () => (this.#exit === undefined ? watch?.step?.() : undefined);
    this.effect =
      this.rehearsal?.then(({ published }) => published) ?? (watch && isWhole.then((whole) => watch.end(whole)));
    let close: () => void;
    this.#closed = new Promise((resolve) => {
      close = resolve;
    });
    this.events = {
      output: (bytes, isError = false) => this.#take(bytes, isError),
      exit: (exitCode, signal, pipe, wanted) => this.#exited({ exitCode, signal, at: Date.now(), pipe, wanted }),
      close: () => {
        this.#isClosed = true;
        close();
      },
    };
  }

  get pid(): number | undefined {
    return this.#spawned?.pid;
  }

  get end(): CommandEnd | undefined {
    return this.#end;
  }

  get resultId(): string | undefined {
    return this.#end === undefined ? this.#log.resultId : this.#stored?.id;
  }

  get stored(): StoredResult | undefined {
    return this.#stored;
  }

  caughtUp(): Promise<void> {
    return this.#log.caughtUp();
  }

  /** Whether it, or something in the group it left, is still running. */
  get isAlive(): boolean {
    return this.#end === undefined || this.#leftGroup();
  }

  attach(spawned: SpawnedProcess): void {
    this.#spawned = spawned;
    if (this.#limits !== undefined && this.#exit === undefined) {
      this.#watch = setInterval(() => this.#look(), this.#limits.look);
    }
  }

  output(cursor: number): OutputPart {
    return this.#log.output(cursor);
  }

  summary(maxCharacters: number): { text: string; omitted: Omitted | undefined } {
    return this.#log.summary(maxCharacters);
  }

  changed(cursor: number, signal: AbortSignal): Promise<void> {
    return this.#log.changed(cursor, signal);
  }

  async write(text: string): Promise<void> {
    await this.#input((spawned) => spawned.write(text));
  }

  async closeInput(): Promise<void> {
    await this.#input((spawned) => spawned.closeInput());
  }

  kill(signal: string): void {
    if (this.#end?.leftRunning === false) {
      throw new ToolError("unavailable", `${this.id} has ended already.`);
    }
    // Once a group is empty, its number may belong to another one.
    if (
      (this.#exit !== undefined && this.#spawned?.isGroupAlive() !== true) ||
      this.#spawned?.signal(signal) !== true
    ) {
      throw new ToolError("unavailable", `${this.id}: nothing of it is still running that a signal could reach.`);
    }
    this.#sent.add(signal);
  }

  /** @param grace time until SIGKILL, in ms */
  async stop(as: StoppedAs, grace = this.#times.kill): Promise<CommandEnd> {
    if (this.#exit === undefined) {
      this.#stoppedAs ??= as;
    }
    if (this.isAlive) {
      this.#killAt = Math.min(this.#killAt, Date.now() + grace);
      this.#ending ??= this.#endGroup();
      await this.#ending;
    }
    return this.ended;
  }

  #take(bytes: Uint8Array, isError: boolean): void {
    this.#chunks++;
    this.#log.push(bytes);
    const log = (isError ? this.#stderr : this.#stdout)?.push(bytes) ?? this.#log;
    if (log.isFull && !this.#isPaused) {
      this.#isPaused = true;
      this.#spawned?.pause();
      void log.room().then(() => {
        this.#isPaused = false;
        this.#spawned?.resume();
      });
    }
  }

  #exited(exit: Exit): void {
    if (this.#exit === undefined) {
      this.#exit = exit;
      void this.#finish(exit);
    }
  }

  /** Ends it if it exceeds a limit. */
  #look(): void {
    const use = this.#limit === undefined && this.#limits !== undefined ? this.#spawned?.use?.() : undefined;
    const what = use && this.#limits && tooMuch(use, this.#limits);
    if (what !== undefined) {
      this.#limit = what;
      void this.stop("limited");
    }
  }

  async #finish({ exitCode, signal, at, pipe = [], wanted = [] }: Exit): Promise<void> {
    clearInterval(this.#watch);
    // Processes that it leaves running are no longer checked.
    this.#look();
    await this.#ending;
    await this.#drained();
    // It may have been stopped in the meantime.
    await this.#ending;
    const leftRunning = await this.#hasLeftRunning(signal !== undefined);
    this.#stored = await within(this.#seal(), MAX_STORING);
    if (this.#limits !== undefined && this.#stoppedAs === undefined && (signal === "SIGXCPU" || exitCode === TIME_UP)) {
      this.#limit ??= `one of its programs used ${this.#limits.seconds} s of CPU time, the limit for a command that nobody was asked about`;
    }
    const ended = signal === undefined ? "exited" : this.#sent.has(signal) ? "cancelled" : "signaled";
    const status = this.#limit === undefined ? (this.#stoppedAs ?? ended) : "limited";
    this.#end = {
      status,
      exitCode,
      signal,
      duration: at - this.started,
      leftRunning,
      ...(this.#limit === undefined ? {} : { limit: this.#limit }),
      ...(status === "exited" && pipe.some((code) => code !== 0) ? { pipeExitCodes: pipe } : {}),
      ...(wanted.length > 0 ? { wanted } : {}),
    };
    this.#spawned?.unref();
    this.#log.finish();
    this.#resolveEnded(this.#end);
  }

  async #seal(): Promise<StoredResult | undefined> {
    await this.#stdout?.seal();
    await this.#stderr?.seal();
    return this.#log.seal();
  }

  /** Resolves when all output has arrived, or the rest can only come from what was left running. */
  async #drained(): Promise<void> {
    let quiet = 0;
    // Counts checks, not time: on a busy machine a check may be late, and the pipe is read between any two.
    for (let looks = 0; !this.#isClosed && quiet * LOOK < this.#times.quiet && looks * LOOK < this.#times.drain;) {
      const before = this.#chunks;
      await Promise.race([this.#closed, sleep(LOOK)]);
      // While the result store is slow, nothing is read: that does not count as silence.
      looks += this.#isPaused ? 0 : 1;
      quiet = this.#isPaused || this.#chunks > before ? 0 : quiet + 1;
    }
  }

  /**
   * @param bySignal whether a signal ended it. The other processes of its group may have received the same signal: they
   *   get a moment to end before they are reported as still running.
   * @returns undefined if that cannot be determined
   */
  async #hasLeftRunning(bySignal: boolean): Promise<boolean | undefined> {
    for (let waited = 0; ; waited += LOOK) {
      const left = !this.#isClosed || this.#leftGroup() || this.#spawned?.hasLeftBehind();
      if (left === false || !bySignal || waited >= this.#times.quiet) {
        return left;
      }
      await sleep(LOOK);
    }
  }

  /** Ends the whole group: first with SIGTERM, then with SIGKILL. */
  async #endGroup(): Promise<void> {
    this.#spawned?.signal("SIGTERM");
    this.#wake();
    await this.#gone(() => Date.now() < this.#killAt);
    if (!this.#isGone()) {
      this.#spawned?.signal("SIGKILL");
      const until = Date.now() + this.#times.giveUp;
      await this.#gone(() => Date.now() < until);
      this.#exited({ exitCode: undefined, signal: undefined, at: Date.now() });
    }
    this.#ending = undefined;
  }

  /** A process that was stopped with SIGSTOP receives nothing else. A system without these signals (Windows) has none. */
  #wake(): void {
    try {
      this.#spawned?.signal("SIGCONT");
    } catch (error) {
      if (!(error instanceof ToolError)) {
        throw error;
      }
    }
  }

  async #gone(mayWait: () => boolean): Promise<void> {
    while (!this.#isGone() && mayWait()) {
      await sleep(LOOK);
    }
  }

  #isGone(): boolean {
    return this.#exit !== undefined && !this.#leftGroup();
  }

  #leftGroup(): boolean {
    return this.#spawned?.isGroupAlive() === true;
  }

  async #input(send: (spawned: SpawnedProcess) => Promise<void>): Promise<void> {
    if (this.#exit !== undefined || this.#spawned === undefined) {
      throw new ToolError("unavailable", `${this.id} has ended and no longer reads input.`);
    }
    if (!this.#isInteractive) {
      throw new ToolError(
        "unavailable",
        `${this.id}: its standard input was closed from the start.`,
        "Only a command that was started with background can be written to.",
      );
    }
    try {
      await send(this.#spawned);
    } catch {
      throw new ToolError("unavailable", `${this.id}: its standard input is closed.`);
    }
  }
}

/**
 * Returns a promise's value, or undefined if it takes longer. Leaves no timer behind: that would keep the command line
 * from exiting.
 */
async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), milliseconds))),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
