import { textVersion } from "../../text/contentVersion.js";
import type { Document } from "../../features/documents/document.js";
import type { ScheduleFields } from "../../features/documents/schedule.js";
import { ScheduleTimes, timeInZone } from "../../features/documents/scheduleTimes.js";
import type { WorkState } from "../../features/documents/workState.js";
import { ToolError } from "../../core/errors.js";
import { newId } from "../../core/pipeline/pipeline.js";
import { isUnknownSession } from "../../features/sessions/sessionLog.js";
import { readSchedule, readSchedules, stateOf, type ScheduleFile } from "../../tools/automation/scheduleFiles.js";
import { isSessionId } from "../../tools/automation/scheduleSession.js";
import { tellCount, tellMissed, type Missed } from "./missedRuns.js";
import { runSchedule, type ScheduleResult } from "./runSchedule.js";
import { inSessionTurn, LATE, letGo } from "./sessionTurn.js";
import { hasWorked } from "./taskCopies.js";
import { needsCopy, noCopies, type WorkHost } from "./workHost.js";
import { messageOf } from "../../text/words.js";

/**
 * How far the clock may be set back, in ms, before schedules start over. If it is set back by less, schedules wait
 * until it has caught up, so that nothing runs twice.
 */
const MAX_BACK = 25 * 60 * 60_000;

/** A running schedule. */
export interface RunningSchedule {
  name: string;
  session: string;
  /** When the run was due, in ms since the epoch. */
  due: number;
  stop: () => void;
}

export interface SchedulerHost extends WorkHost {
  /** Shows a message to people: missed runs, failures. */
  tell(message: string): void;
  /** Called when a run starts or ends. */
  onChange(): void;
  /** Called with the result of a run. */
  onEnd?(run: { name: string; session: string; result: ScheduleResult }): void;
  /** Called with schedules that await the user's approval; each version is reported once. */
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

/** Runs schedules when they are due. If several processes share a workspace, exactly one runs each schedule. */
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

  /** Resolves when all started runs have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /**
   * Starts the schedules that are due, without waiting for their runs. Call it at least every minute. Never throws:
   * a problem is reported once while it persists.
   *
   * @param signal ends the runs that are started here
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
      const problem = `Schedules cannot be checked: ${wordsOf(error)}`;
      if (problem !== this.#problem && !signal.aborted) {
        this.#problem = problem;
        this.#host.tell(problem);
      }
    } finally {
      this.#isTicking = false;
    }
  }

  /**
   * Starts an approved schedule now, without waiting for its run. Its next run stays when it is.
   *
   * @param signal ends the run
   * @throws ToolError `untrusted`; `not_found`; `unsupported` if it is off, malformed or not approved; `conflict` if it
   * is running
   */
  async runNow(name: string, signal: AbortSignal): Promise<void> {
    if (!this.#host.isTrusted()) {
      throw new ToolError("untrusted", "Schedules do not run in an untrusted workspace.");
    }
    const file = await readSchedule(this.#host.files, name);
    if (file === undefined) {
      throw new ToolError("not_found", `There is no schedule ${name}.`);
    }
    const { claims, approvals, runs } = await this.#host.work();
    const state = await stateOf(file, approvals);
    const { path, text, parsed } = file;
    if (state !== "on" || text === undefined || !parsed.ok) {
      throw new ToolError(
        "unsupported",
        `The schedule ${name} does not run: it is ${state === "inert" ? "not approved" : state}.`,
      );
    }
    const { document } = parsed;
    if (this.#isUncopied(document.fields)) {
      throw noCopies(`The schedule ${name}`);
    }
    const live = {
      name,
      path,
      hash: await textVersion(text),
      document,
      times: await ScheduleTimes.of(document.fields),
    };
    const session = await this.#openSession(live, runs);
    claims.clearAbandoned(path);
    if (claims.claim(path, this.#worker) === undefined) {
      throw new ToolError("conflict", `The schedule ${name} is already running.`);
    }
    this.#begin(live, session, this.#host.now(), { runs, claims }, signal);
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
   * Returns the schedules that may run. Runs due while a schedule is disabled or unapproved are not missed runs, even if
   * its file is changed back later.
   */
  async #live(files: readonly ScheduleFile[], { approvals, runs }: WorkState): Promise<Live[]> {
    const live: Live[] = [];
    const inert: ScheduleFile[] = [];
    for (const file of files) {
      const { name, path, text, parsed, isUnsaved = false } = file;
      // Unsaved text says nothing about the file that other processes read.
      const forget = (): void => (isUnsaved ? undefined : runs.forget(path));
      if (isUnsaved && !parsed.ok) {
        continue;
      }
      if (text === undefined || !parsed.ok) {
        this.#tellOnce(
          `${path} ${parsed.ok ? "" : parsed.problem}`,
          `The schedule ${name} does not run: ${parsed.ok ? "it is not text" : parsed.problem}.`,
        );
      } else if (!parsed.document.fields.enabled) {
        forget();
      } else {
        const hash = await textVersion(text);
        if (await approvals.isApproved(path, text)) {
          live.push({
            name,
            path,
            hash,
            document: parsed.document,
            times: await ScheduleTimes.of(parsed.document.fields),
          });
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

  /** @returns the missed runs; undefined if there are none or another process reports them */
  async #look(schedule: Live, { runs, claims }: WorkState, signal: AbortSignal): Promise<Missed | undefined> {
    const { name, path, hash, times } = schedule;
    if (claims.clearAbandoned(path)) {
      this.#host.tell(`The schedule ${name}: its last run ended with its process.`);
    }
    const now = this.#host.now();
    const since = runs.since(path, hash, now);
    if (since > now + MAX_BACK) {
      runs.forget(path);
      this.#host.tell(`The clock was set back by more than a day: the schedule ${name} starts over.`);
      return undefined;
    }
    const due = times.due(since, now);
    if (due === undefined) {
      return undefined;
    }
    if (this.#isUncopied(schedule.document.fields)) {
      // A process that makes copies may be about to run it.
      if (due.count > 1 || now - due.last > LATE) {
        this.#tellOnce(`${path} ${hash} copy`, wordsOf(noCopies(`The schedule ${name}`)));
      }
      return undefined;
    }
    // Before anything is claimed: if the state cannot be used now, the next tick finds everything unchanged.
    const session = await this.#sessionOf(schedule, runs);
    if (session === undefined) {
      return undefined;
    }
    // Only one process succeeds here.
    if (!runs.moveOn(path, due.last)) {
      return undefined;
    }
    const missed = { name, due, zone: times.zone };
    if (now - due.last > LATE) {
      return { ...missed, count: due.count };
    }
    if (claims.claim(path, this.#worker) === undefined) {
      // The previous run is still going; the process that runs it reports the skipped runs at its end.
      return undefined;
    }
    this.#begin(schedule, session, due.last, { runs, claims }, signal);
    return due.count > 1 ? { ...missed, count: due.count - 1 } : undefined;
  }

  /** Returns the session of a schedule. Reports an unknown id, once, and returns undefined. */
  async #sessionOf(schedule: Live, runs: WorkState["runs"]): Promise<string | undefined> {
    try {
      return await this.#openSession(schedule, runs);
    } catch (error) {
      if (!isUnknownSession(error)) {
        throw error;
      }
      this.#tellOnce(`${schedule.name} session ${schedule.document.fields.session}`, wordsOf(error));
      return undefined;
    }
  }

  /**
   * Returns the session of a schedule: its own, one shared by name, or an existing one by id.
   *
   * @throws ToolError `unknown_id`, `not_unique`
   */
  async #openSession({ name, document: { fields } }: Live, runs: WorkState["runs"]): Promise<string> {
    if (fields.session === undefined || !isSessionId(fields.session)) {
      return runs.session(fields.session === undefined ? `schedule ${name}` : `session ${fields.session}`, newId);
    }
    try {
      return (await (await this.#host.log()).status(fields.session)).id;
    } catch (error) {
      if (!isUnknownSession(error)) {
        throw error;
      }
      throw new ToolError(
        error.type,
        `The schedule ${name} does not run, because of its session: ${error.message}`,
        "Use one from toolhost sessions list, or a word that is not an id for a session shared by schedules.",
      );
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
    const ended = inSessionTurn(
      this.#host,
      { name, session, worker: `${this.#worker} ${path}`, claims: work.claims, signal: either },
      () => runSchedule(this.#host, schedule.document, session, either),
    )
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

  /** Whether a schedule needs a copy of the workspace, which cannot be made here. */
  #isUncopied(fields: ScheduleFields): boolean {
    return this.#host.copies === undefined && needsCopy(this.#host, fields);
  }

  #tellEnd(name: string, session: string, result: ScheduleResult): void {
    if (!hasWorked(result)) {
      this.#host.tell(
        `The schedule ${name} failed (${result.reason})${result.message === undefined ? "." : `: ${result.message}`}`,
      );
    }
    this.#host.onEnd?.({ name, session, result });
  }

  /** Skips runs that came due during this run, and reports them. */
  #finish({ name, path, times }: Live, began: number, { runs, claims }: Pick<WorkState, "runs" | "claims">): void {
    try {
      const due = times.due(began, this.#host.now());
      if (due !== undefined) {
        runs.moveOn(path, due.last);
        this.#host.tell(
          `The schedule ${name} was still running when its next run was due: ${tellCount(due.count)} skipped, the last one due ${timeInZone(due.last, times.zone)}.`,
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

function wordsOf(error: unknown): string {
  if (error instanceof ToolError && error.hint !== undefined) {
    return `${error.message} ${error.hint}`;
  }
  return messageOf(error);
}
