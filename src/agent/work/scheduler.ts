import { textVersion } from "../../text/contentVersion.js";
import type { Document } from "../../features/documents/document.js";
import type { ScheduleFields } from "../../features/documents/schedule.js";
import { MAX_COUNTED, ScheduleTimes, timeInZone, type DueTimes } from "../../features/documents/scheduleTimes.js";
import type { WorkState } from "../../features/documents/workState.js";
import { ToolError } from "../../core/errors.js";
import { newId } from "../../core/pipeline/pipeline.js";
import { isUnknownSession } from "../../features/sessions/sessionLog.js";
import { oneLine, shorten } from "../../text/clip.js";
import { readSchedules, type ScheduleFile } from "../../tools/automation/scheduleFiles.js";
import { isSessionId } from "../../tools/automation/scheduleSession.js";
import { mainAgentTools } from "../toolSets.js";
import { pause } from "./ticker.js";
import type { TurnResult } from "../turn.js";
import { UNATTENDED, type WorkHost } from "./workHost.js";
import { messageOf } from "../../text/words.js";

/** How late a schedule still runs: a moment that is longer past, since the computer slept, was missed. Milliseconds. */
const LATE = 5 * 60_000;
/** The longest run; what hangs must not keep its schedule from running ever again. */
const MAX_RUN = 2 * 60 * 60_000;
/**
 * How far the clock may be set back before schedules begin anew: until then nothing comes twice, and a schedule is
 * silent meanwhile.
 */
const MAX_BACK = 25 * 60 * 60_000;
/** Milliseconds between two looks whether a session that several schedules share is free again. */
const SESSION_PAUSE = 250;
/** Schedules named in one notice. */
const MAX_NAMED = 5;
/** Characters of a schedule's name for its model: a file may have any, and lines in it. */
const MAX_NAME = 100;
/** Requests to the model for one run. */
const MAX_ITERATIONS = 100;

/** A schedule that runs now. */
export interface RunningSchedule {
  name: string;
  session: string;
  /** The moment it is for, in milliseconds since 1970. */
  due: number;
  stop: () => void;
}

export interface SchedulerHost extends WorkHost {
  /** Told in words for people: what was missed, what failed. */
  tell(message: string): void;
  /** Told when a run begins and when it has ended. */
  onChange(): void;
  /** Told what a run came to. */
  onEnd?(run: { name: string; session: string; result: TurnResult }): void;
  /** Told of schedules that wait for the user's approval, those it was told of before left out. */
  onInert?(schedules: readonly ScheduleFile[]): void;
}

/** A schedule that may run: enabled, well formed and approved. */
interface Live {
  name: string;
  path: string;
  hash: string;
  document: Document<ScheduleFields>;
  times: ScheduleTimes;
}

interface Missed {
  name: string;
  due: DueTimes;
  zone: string;
  /** How many of them, when the last one runs all the same. */
  count: number;
}

/** Says the prompts of schedules when they are due. Of several processes on a workspace one runs each. */
export class Scheduler {
  readonly #host: SchedulerHost;
  readonly #running = new Map<string, RunningSchedule & { ended: Promise<void> }>();
  readonly #worker = newId();
  readonly #told = new Set<string>();
  #isTicking = false;
  #problem = "";

  constructor(host: SchedulerHost) {
    this.#host = host;
  }

  running(): RunningSchedule[] {
    return [...this.#running.values()];
  }

  /** Resolves when every run that has begun is over. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /**
   * Looks what is due and begins it; it does not wait for the runs. To be called every minute or more often. It never
   * throws: what goes wrong is told, once as long as it goes on.
   *
   * @param signal ends the runs that begin here
   */
  async tick(signal: AbortSignal): Promise<void> {
    if (this.#isTicking || signal.aborted || !this.#host.isTrusted()) {
      return;
    }
    this.#isTicking = true;
    try {
      await this.#tick(signal);
      this.#problem = "";
    } catch (error) {
      const problem = `Schedules cannot be looked after: ${wordsOf(error)}`;
      if (problem !== this.#problem && !signal.aborted) {
        this.#problem = problem;
        this.#host.tell(problem);
      }
    } finally {
      this.#isTicking = false;
    }
  }

  async #tick(signal: AbortSignal): Promise<void> {
    const files = await readSchedules(this.#host.files, signal);
    if (files.length === 0) {
      return;
    }
    const work = await this.#host.work();
    const live = await this.#live(files, work);
    const missed: Missed[] = [];
    for (const schedule of live) {
      const lost = await this.#look(schedule, work, signal);
      missed.push(...(lost === undefined ? [] : [lost]));
    }
    if (missed.length > 0) {
      this.#host.tell(tellMissed(missed));
    }
  }

  /**
   * What is due while a schedule is off or not approved counts no more, also when its file says again later what it
   * said before.
   */
  async #live(files: readonly ScheduleFile[], { approvals, runs }: WorkState): Promise<Live[]> {
    const live: Live[] = [];
    const inert: ScheduleFile[] = [];
    for (const file of files) {
      const { name, path, text, parsed, isUnsaved = false } = file;
      // What is typed here says nothing of what the others go by.
      const forget = (): void => (isUnsaved ? undefined : runs.forget(path));
      if (isUnsaved && !parsed.ok) {
        continue;
      }
      if (text === undefined || !parsed.ok) {
        this.#tellOnce(
          `${path} ${parsed.ok ? "" : parsed.problem}`,
          `The schedule ${name} does not run: ${parsed.ok ? "it is no text" : parsed.problem}.`,
        );
      } else if (!parsed.document.fields.enabled) {
        forget();
      } else {
        const hash = await textVersion(text);
        if (await approvals.isApproved(path, text)) {
          live.push({ name, path, hash, document: parsed.document, times: new ScheduleTimes(parsed.document.fields) });
          continue;
        }
        forget();
        if (!isUnsaved && !this.#told.has(`${path} ${hash}`)) {
          this.#told.add(`${path} ${hash}`);
          inert.push(file);
        }
      }
    }
    if (inert.length > 0) {
      this.#host.onInert?.(inert);
    }
    return live;
  }

  /** @returns what was missed; undefined when nothing was, or another process tells it */
  async #look(schedule: Live, { runs, claims }: WorkState, signal: AbortSignal): Promise<Missed | undefined> {
    const { name, path, hash, times } = schedule;
    if (claims.clearAbandoned(path)) {
      this.#host.tell(`The schedule ${name}: its last run broke off with its process.`);
    }
    const now = this.#host.now();
    const since = runs.since(path, hash, now);
    if (since > now + MAX_BACK) {
      runs.forget(path);
      this.#host.tell(`The clock was set back by more than a day: the schedule ${name} begins anew.`);
      return undefined;
    }
    const due = times.due(since, now);
    if (due === undefined) {
      return undefined;
    }
    // Before anything is taken: a state that fails here leaves all as it was, for the next look.
    const session = await this.#sessionOf(schedule, runs);
    if (session === undefined) {
      return undefined;
    }
    // Exactly one of all processes moves it on.
    if (!runs.moveOn(path, due.last)) {
      return undefined;
    }
    const missed = { name, due, zone: times.zone };
    if (now - due.last > LATE) {
      return { ...missed, count: due.count };
    }
    if (claims.claim(path, this.#worker) === undefined) {
      // The run before goes on; whoever runs it tells at its end what was left out.
      return undefined;
    }
    this.#begin(schedule, session, due.last, { runs, claims }, signal);
    return due.count > 1 ? { ...missed, count: due.count - 1 } : undefined;
  }

  /**
   * Where a schedule is said: in a session of its own, in one that it shares by a name, or in one there is, by its id.
   * Of an id that nobody has it is told.
   */
  async #sessionOf({ name, document: { fields } }: Live, runs: WorkState["runs"]): Promise<string | undefined> {
    if (fields.session === undefined || !isSessionId(fields.session)) {
      return runs.session(fields.session === undefined ? `schedule ${name}` : `session ${fields.session}`, newId);
    }
    try {
      return (await (await this.#host.log()).status(fields.session)).id;
    } catch (error) {
      if (!isUnknownSession(error)) {
        throw error;
      }
      this.#tellOnce(
        `${name} session ${fields.session}`,
        `The schedule ${name} does not run: its session is to be ${error.message} Name one of toolhost sessions list, or a word that is no id for one that schedules share.`,
      );
      return undefined;
    }
  }

  #begin(
    schedule: Live,
    session: string,
    due: number,
    work: Pick<WorkState, "runs" | "claims">,
    signal: AbortSignal,
  ): void {
    const { name, path } = schedule;
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const ended = this.#inTurn(schedule, session, work.claims, either, () => this.#run(schedule, session, either))
      .then((result) => this.#tellEnd(name, session, result))
      .catch((error: unknown) => this.#host.tell(`The schedule ${name} could not run: ${wordsOf(error)}`))
      .finally(() => {
        this.#running.delete(path);
        this.#finish(schedule, due, work);
        this.#host.onChange();
      });
    this.#running.set(path, { name, session, due, stop: () => stop.abort(), ended });
    this.#host.onChange();
  }

  /**
   * Schedules that share a session are said one after the other: it is claimed for as long as one of them runs, here or
   * in another process. A turn of somebody who talks in it is waited for, too.
   */
  async #inTurn<T>(
    { name, path }: Live,
    session: string,
    claims: WorkState["claims"],
    signal: AbortSignal,
    run: () => Promise<T>,
  ): Promise<T> {
    const claimed = `session ${session}`;
    const worker = `${this.#worker} ${path}`;
    let waited = 0;
    const wait = async (): Promise<void> => {
      if (waited >= LATE || signal.aborted) {
        throw new ToolError(
          "conflict",
          `The schedule ${name}: a turn is under way in its session${signal.aborted ? "" : `, and was not over within ${LATE / 60_000} minutes`}.`,
          "Give it a session of its own, or another time.",
        );
      }
      waited += SESSION_PAUSE;
      await pause(SESSION_PAUSE, signal);
    };
    while (claims.claim(claimed, worker) === undefined) {
      await wait();
    }
    try {
      while (await this.#isActive(session)) {
        await wait();
      }
      return await run();
    } finally {
      letGo(claims, claimed, worker);
    }
  }

  async #isActive(session: string): Promise<boolean> {
    try {
      return (await (await this.#host.log()).status(session)).state === "active";
    } catch (error) {
      if (!isUnknownSession(error)) {
        throw error;
      }
      // Its first turn makes it.
      return false;
    }
  }

  async #run({ document }: Live, session: string, signal: AbortSignal): Promise<TurnResult> {
    const { agents, callTool, onEvent, tools } = this.#host;
    const model = await this.#host.model(document.fields.model, signal);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), MAX_RUN);
    try {
      return await agents.run({
        ...{
          session,
          kind: "schedule",
          content: [{ type: "text", text: document.body }],
          title: `Schedule ${document.name}`,
          model,
          tools: mainAgentTools(tools()),
          callTool,
          onEvent,
        },
        ...{
          instructions: [`You were called by the schedule ${shorten(oneLine(document.name), MAX_NAME)}.`, UNATTENDED],
          maxIterations: MAX_ITERATIONS,
          signal: AbortSignal.any([signal, limit.signal]),
        },
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #tellEnd(name: string, session: string, result: TurnResult): void {
    if (result.reason !== "answered" && result.reason !== "terminal") {
      this.#host.tell(
        `The schedule ${name} did not end well (${result.reason})${result.message === undefined ? "." : `: ${result.message}`}`,
      );
    }
    this.#host.onEnd?.({ name, session, result });
  }

  /** What came due while it ran is left out, and told by the one that ran it. */
  #finish({ name, path, times }: Live, began: number, { runs, claims }: Pick<WorkState, "runs" | "claims">): void {
    try {
      const due = times.due(began, this.#host.now());
      if (due !== undefined) {
        runs.moveOn(path, due.last);
        this.#host.tell(
          `The schedule ${name} took longer than the time to its next run: ${tellCount(due.count)} left out, the last one due ${timeInZone(due.last, times.zone)}.`,
        );
      }
    } catch (error) {
      this.#host.tell(`The schedule ${name}: ${wordsOf(error)}`);
    } finally {
      letGo(claims, path, this.#worker);
    }
  }

  #tellOnce(key: string, message: string): void {
    if (!this.#told.has(key)) {
      this.#told.add(key);
      this.#host.tell(message);
    }
  }
}

function letGo(claims: WorkState["claims"], document: string, worker: string): void {
  try {
    claims.release(document, worker);
  } catch {
    // The state cannot be written: the claim ends with this process.
  }
}

/** One notice for all, however many there are. */
function tellMissed(missed: readonly Missed[]): string {
  const named = missed
    .slice(0, MAX_NAMED)
    .map(
      ({ name, count, due, zone }) =>
        `${name} (${count > MAX_COUNTED ? `more than ${MAX_COUNTED}` : count}, the last run due ${timeInZone(due.last, zone)})`,
    );
  const rest = missed.length - named.length;
  return `Schedules were due while nothing ran here; what was missed is not made up for: ${named.join("; ")}${rest > 0 ? `; and ${rest} more schedules` : ""}.`;
}

function tellCount(count: number): string {
  return count === 1 ? "one run was" : `${count > MAX_COUNTED ? `more than ${MAX_COUNTED}` : count} runs were`;
}

function wordsOf(error: unknown): string {
  if (error instanceof ToolError && error.hint !== undefined) {
    return `${error.message} ${error.hint}`;
  }
  return messageOf(error);
}
