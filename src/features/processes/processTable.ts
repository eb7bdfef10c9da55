import type {
  CommandRequest,
  HandOver,
  ManagedProcess,
  ProcessOwner,
  Processes,
  RehearsedCommand,
} from "../../ports/processes.js";
import type { Effects, EffectWatch, Rehearsal, ViewWatch, Views } from "../../ports/effects.js";
import type { Results } from "../../ports/results.js";
import type { Terminals } from "../../ports/terminals.js";
import { ToolError } from "../../core/errors.js";
import {
  BACKGROUND_ANSWER,
  FOREGROUND_ANSWER,
  MAX_BESIDE,
  MAX_ENDED,
  PROCESS_TIMES,
  UNASKED_LIMITS,
  type ProcessTimes,
  type UnaskedLimits,
} from "./limits.js";
import { OutputLog } from "./outputLog.js";
import { OutputSpool } from "./outputSpool.js";
import { RunningProcess, type ProcessLogs } from "./runningProcess.js";
import { showInTerminal } from "./showInTerminal.js";
import type { Spawner } from "./spawner.js";

/** The parts a process table needs. */
export interface ProcessTableParts {
  spawner: Spawner;
  /** Stores whole outputs; without it only an answer's head and tail are kept. */
  results?: Pick<Results, "open">;
  /** Shows the processes to people. */
  terminals?: Terminals;
  /** Runs commands in the user's own shell. */
  usersShell?: NonNullable<Processes["inUsersShell"]>;
  /** Finds out what commands change; without it, nothing is reported. */
  effects?: Effects;
  /** Gives contained commands views to change; without it, none that changes files is contained. */
  views?: Views;
  times?: Partial<ProcessTimes>;
  /** Limits for commands that nobody was asked about. */
  limits?: Partial<UnaskedLimits>;
  /** Called when a process starts or ends. */
  onChange?: () => void;
  /** What the ids begin with; `p` if absent. */
  prefix?: string;
}

/** All processes of this window. */
export class ProcessTable implements Processes {
  readonly #spawner: Spawner;
  readonly #results: Pick<Results, "open"> | undefined;
  readonly #terminals: Terminals | undefined;
  readonly inUsersShell?: NonNullable<Processes["inUsersShell"]>;
  readonly handOver: HandOver;
  readonly #effects: Effects | undefined;
  readonly #views: Views | undefined;
  readonly #times: ProcessTimes;
  readonly #limits: UnaskedLimits;
  /** The commands nobody was asked about that are being started or are running. */
  readonly #unasked = new Set<object>();
  readonly #onChange: () => void;
  readonly #prefix: string;
  readonly #processes = new Map<string, RunningProcess>();
  /** Processes that are no longer listed, but had started something that was alive when they ended. */
  readonly #left = new Set<RunningProcess>();
  readonly #endedAt = new Map<string, number>();
  /** Processes being started: the window may close in the meantime. */
  readonly #starting = new Set<Promise<unknown>>();
  /** Until their views are gone. */
  readonly #rehearsing = new Set<Promise<unknown>>();
  #last = 0;
  #isClosed = false;

  constructor({
    spawner,
    results,
    terminals,
    usersShell,
    effects,
    views,
    times,
    limits,
    onChange = () => undefined,
    prefix = "p",
  }: ProcessTableParts) {
    this.#spawner = spawner;
    this.#results = results;
    this.#terminals = terminals;
    if (usersShell !== undefined) {
      this.inUsersShell = usersShell;
    }
    this.#effects = effects;
    this.#views = views;
    this.#times = { ...PROCESS_TIMES, ...times };
    this.#limits = { ...UNASKED_LIMITS, ...limits };
    this.#onChange = onChange;
    this.#prefix = prefix;
    this.handOver = {
      after: this.#times.after,
      afterListening: this.#times.afterListening,
      keep: ({ id }) => this.#keep(id),
    };
  }

  async start(request: CommandRequest, background: boolean, owner: ProcessOwner): Promise<ManagedProcess> {
    const process = await this.#started(request, background, owner);
    this.#list(process);
    return process;
  }

  async rehearse(
    request: CommandRequest,
    owner: ProcessOwner,
    limit: number,
    signal: AbortSignal,
  ): Promise<RehearsedCommand | undefined> {
    const process = await this.#started(request, false, owner);
    const trying = (async () => process.rehearsal)();
    this.#rehearsing.add(trying);
    const end = AbortSignal.any([signal, AbortSignal.timeout(limit)]);
    // What it did is not wanted any more, so that it gets no time to end well.
    const stop = (): void => void process.stop("cancelled", 0);
    end.addEventListener("abort", stop, { once: true });
    if (end.aborted) {
      stop();
    }
    try {
      const rehearsal = await trying;
      signal.throwIfAborted();
      return rehearsal === undefined || process.end?.status === "cancelled"
        ? undefined
        : { process, rehearsal: this.#listing(process, rehearsal) };
    } finally {
      this.#rehearsing.delete(trying);
      end.removeEventListener("abort", stop);
    }
  }

  /** Lists a process that was only tried once its changes are made. */
  #listing(process: RunningProcess, rehearsal: Rehearsal): Rehearsal {
    return {
      ...rehearsal,
      publish: async () => {
        const made = await rehearsal.publish();
        if (made.dropped === undefined) {
          this.#list(process);
        }
        return made;
      },
    };
  }

  async #started(request: CommandRequest, background: boolean, owner: ProcessOwner): Promise<RunningProcess> {
    if (this.#isClosed) {
      throw new ToolError("unavailable", "No more commands are started: the window is closing.");
    }
    this.#prune();
    if (request.unasked === true && this.#unasked.size >= this.#limits.commands) {
      throw new ToolError(
        "unavailable",
        `${this.#limits.commands} commands that nobody was asked about are already running.`,
        "Wait for one of them to end, or end one with the tool process.",
      );
    }
    const starting = this.#start(request, background, owner);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  whyNotUndone(): string | undefined {
    return this.#effects?.whyLost?.();
  }

  find(id: string): ManagedProcess | undefined {
    this.#prune();
    return this.#processes.get(id);
  }

  wasKnown(id: string): boolean {
    const number = id.startsWith(this.#prefix) ? id.slice(this.#prefix.length) : "";
    return /^[1-9]\d{0,8}$/.test(number) && Number(number) <= this.#last;
  }

  list(): ManagedProcess[] {
    this.#prune();
    return [...this.#processes.values()];
  }

  /** Ends all processes and everything they left running, and starts no more. Called when the window closes. */
  async closeAll(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#starting);
    const all = new Set([...this.#processes.values(), ...this.#left].filter(({ isAlive }) => isAlive));
    await Promise.all([...all].map((process) => process.stop("cancelled", this.#times.closing)));
    await Promise.allSettled(this.#rehearsing);
  }

  async #start(request: CommandRequest, background: boolean, owner: ProcessOwner): Promise<RunningProcess> {
    const { apart = false } = request;
    const isRehearsal = request.contained?.writes?.isRehearsal === true;
    const answer = background ? BACKGROUND_ANSWER : FOREGROUND_ANSWER;
    const logs: ProcessLogs = apart
      ? {
          log: new OutputLog(undefined),
          stdout: this.#keptLog(request, "", answer),
          stderr: this.#keptLog(request, " (stderr)", MAX_BESIDE),
        }
      : { log: this.#keptLog(request, "", answer) };
    const view = await this.#view(request);
    const watch = view ?? (await this.#watched(request, background));
    const started = Date.now();
    const limits = request.unasked === true ? this.#limits : undefined;
    // A process gets its id once it has started: one that could not be started has none.
    const slot: { process?: RunningProcess; show?: ((bytes: Uint8Array) => void) | undefined } = {};
    const place = {};
    if (limits !== undefined) {
      this.#unasked.add(place);
    }
    const spawning = this.#spawner.start(
      {
        command: request.command,
        ...(request.program === undefined ? {} : { program: request.program }),
        folder: request.workdir.absolute,
        shownFolder: request.workdir.path,
        env: request.env,
        interactive: request.interactive,
        apart,
        ...(request.isForAnyShell === true && { isForAnyShell: true }),
        ...(limits === undefined ? {} : { limits }),
        ...(request.contained === undefined ? {} : { contained: request.contained }),
        ...(view === undefined ? {} : { view: { ...view.mounted, isRehearsal } }),
      },
      {
        output: (bytes, isError) => {
          slot.process?.events.output(bytes, isError);
          slot.show?.(bytes);
        },
        exit: (...how) => slot.process?.events.exit(...how),
        close: () => slot.process?.events.close(),
      },
    );
    const spawned = await spawning.catch((error: unknown): never => {
      this.#unasked.delete(place);
      void watch?.end();
      throw error;
    });
    this.#last++;
    const id = `${this.#prefix}${this.#last}`;
    const rehearsedIn = isRehearsal ? view : undefined;
    const process = new RunningProcess(
      { id, request, background, owner, started, limits, watch, rehearsedIn },
      logs,
      this.#times,
    );
    process.attach(spawned);
    slot.process = process;
    // It ends with the window in any case.
    this.#left.add(process);
    if (!isRehearsal) {
      slot.show = this.#terminals && showInTerminal(this.#terminals, process, request.interactive);
    }
    void process.ended.then(({ leftRunning }) => {
      this.#unasked.delete(place);
      if (leftRunning === false) {
        this.#left.delete(process);
      } else {
        this.#left.add(process);
      }
    });
    return process;
  }

  #list(process: RunningProcess): void {
    this.#processes.set(process.id, process);
    void process.ended.then(() => {
      this.#endedAt.set(process.id, Date.now());
      this.#onChange();
    });
    this.#onChange();
  }

  /** Opens the view in which a contained command changes files; undefined for other commands. */
  async #view({ contained, watched }: CommandRequest): Promise<ViewWatch | undefined> {
    if (contained?.writes === undefined) {
      return undefined;
    }
    if (this.#views === undefined || watched === undefined) {
      throw new ToolError("unavailable", "The command was not run: it cannot be contained here.");
    }
    const { mayChange, fetches = [], hosts } = contained.writes;
    return this.#views.open(watched, mayChange, hosts === undefined && fetches.length === 0 ? undefined : fetches);
  }

  /** Begins to watch what a command changes. @throws ToolError `unavailable` if that must be kept for undo and is not */
  async #watched({ watched, keeps = [] }: CommandRequest, background: boolean): Promise<EffectWatch | undefined> {
    const call = watched && { ...watched, ...(background && { inBackground: true as const }) };
    const watch = call && (await this.#effects?.start(call, keeps));
    if (keeps.length > 0 && (watch === undefined || watch.unkept !== undefined)) {
      void watch?.end();
      const why = watch?.unkept ?? "what commands change is not recorded here";
      throw new ToolError(
        "unavailable",
        `The command was not run: undo could not take its changes back now (${why}).`,
        "Try again, or make the change with write or edit.",
      );
    }
    return watch;
  }

  /** Makes a log that the result store keeps if it is longer than an answer shows. */
  #keptLog({ title, contained }: CommandRequest, stream: string, answer: number): OutputLog {
    return new OutputLog(
      // Nothing stays of a command that is only tried.
      this.#results === undefined || contained?.writes?.isRehearsal === true
        ? undefined
        : new OutputSpool(this.#results, `exec ${title}${stream}`, answer),
    );
  }

  #keep(id: string): void {
    const process = this.#processes.get(id);
    if (process !== undefined) {
      process.background = true;
      this.#onChange();
    }
  }

  /** Forgets processes that ended too long ago, and the oldest if there are too many. */
  #prune(): void {
    const limit = Date.now() - this.#times.keep;
    let tooMany = this.#endedAt.size - MAX_ENDED;
    // In the order in which they ended.
    for (const [id, at] of this.#endedAt) {
      if (tooMany > 0 || at < limit) {
        this.#processes.delete(id);
        this.#endedAt.delete(id);
        tooMany--;
      }
    }
    for (const process of this.#left) {
      if (!process.isAlive) {
        this.#left.delete(process);
      }
    }
  }
}
