import type { ActivityEntry, CallStart, Door } from "../../core/pipeline/activity.js";
import type { ErrorType } from "../../core/errors.js";
import type { Liveness, Owner } from "../../ports/owner.js";
import type { Store } from "../../ports/store.js";
import { clipStart } from "../../text/clip.js";

/** Days that a call is kept: as long as somebody may still ask what an agent did. */
const KEPT_DAYS = 30;
/** Maximum calls of a workspace: some weeks of daily work. */
const MAX_CALLS = 10_000;
/** Maximum characters of their inputs and results together. */
const MAX_TEXT = 50_000_000;
/** Maximum characters of a call's input. */
const MAX_INPUT = 8_000;
/** Maximum characters of a call's id, which a model's server may make as long as it likes. */
const MAX_ID = 200;
/** How many calls are written between two looks for old ones. */
const SWEPT_AFTER = 500;
const DAY = 86_400_000;

/** How a call ended; `unknown` if its process ended first, or is another machine's. */
export type CallState = "running" | "unknown" | "ok" | ErrorType;

/** A call of a workspace, without its texts. */
export interface LoggedCall {
  /** Its key; increases in the order in which calls were written. */
  seq: number;
  root: string;
  turn: string;
  session: string;
  id: string;
  parent: string | undefined;
  door: Door;
  tool: string;
  /** Its input as JSON; the first characters in a list. */
  input: string;
  /** Milliseconds since 1970. */
  started: number;
  /** Milliseconds; undefined unless it has ended. */
  duration: number | undefined;
  state: CallState;
  /** Why a call that returned something did not do what was asked. */
  failed: string | undefined;
  /** Bytes of the result. */
  bytes: number;
}

/** A session with calls. */
export interface LoggedSession {
  id: string;
  door: Door;
  calls: number;
  /** When its last call began, in ms since 1970. */
  at: number;
}

/** What was sent and returned. */
export interface CallTexts {
  /** JSON */
  input: string;
  /** Undefined while it runs, and if it was not to be kept. */
  result: string | undefined;
}

export interface CallLogHost {
  store: Store;
  owner: Owner;
  liveness(owner: Owner): Liveness;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Characters of an input in a list: enough to name the call. */
const LISTED_INPUT = 400;

interface Row extends Omit<LoggedCall, "parent" | "duration" | "state" | "failed" | "bytes"> {
  parent: string | null;
  duration: number | null;
  outcome: ErrorType | "ok" | null;
  failed: string | null;
  bytes: number | null;
  owner_pid: number;
  owner_started: string;
}

const COLUMNS = `seq, root, turn, session, id, parent, door, tool, substr(input, 1, ${LISTED_INPUT}) AS input, started, duration, outcome, failed, bytes, owner_pid, owner_started`;

/**
 * The calls of a workspace, of every door and process, in a store: since when they run, how they ended, and the
 * beginning of what was sent and returned.
 */
export class CallLog {
  readonly #host: CallLogHost;
  #untilSweep = 0;

  constructor(host: CallLogHost) {
    this.#host = host;
  }

  /** Writes calls that have begun or ended, in one transaction. @throws ToolError as the store does */
  write(calls: readonly (CallStart | ActivityEntry)[]): void {
    this.#host.store.transaction(() => {
      calls.forEach((call) => this.#writeOne(call));
      this.#untilSweep -= calls.length;
      if (this.#untilSweep <= 0) {
        this.#untilSweep = SWEPT_AFTER;
        this.#forgetOld();
      }
    });
  }

  /** Lists sessions, the one with the latest call first. */
  sessions(limit: number): LoggedSession[] {
    return this.#host.store.all<LoggedSession>(
      "SELECT root AS id, door, count(*) AS calls, max(started) AS at FROM calls GROUP BY root ORDER BY max(seq) DESC LIMIT ?",
      limit,
    );
  }

  /**
   * Returns the latest calls, oldest first.
   *
   * @param session only those that count for it; all if absent
   * @returns `earlier`: how many others there are
   */
  calls(session: string | undefined, limit: number): { calls: LoggedCall[]; earlier: number } {
    const [where, values] = session === undefined ? ["", []] : ["WHERE root = ?", [session]];
    const { store } = this.#host;
    const rows = store.all<Row>(`SELECT ${COLUMNS} FROM calls ${where} ORDER BY seq DESC LIMIT ?`, ...values, limit);
    const { total } = store.get<{ total: number }>(`SELECT count(*) AS total FROM calls ${where}`, ...values) ?? {
      total: 0,
    };
    return { calls: rows.reverse().map((row) => this.#toCall(row)), earlier: total - rows.length };
  }

  /** Returns what a call sent and got; undefined if it is no longer kept. */
  texts(seq: number): CallTexts | undefined {
    const row = this.#host.store.get<{ input: string; result: string | null }>(
      "SELECT input, result FROM calls WHERE seq = ?",
      seq,
    );
    return row && { input: row.input, result: row.result ?? undefined };
  }

  #writeOne(call: CallStart | ActivityEntry): void {
    const { callId, parentId, session, root = { session, turn: callId }, door, tool, input, started } = call;
    const { pid, started: pidStarted } = this.#host.owner;
    const ended = "duration" in call ? call : undefined;
    this.#host.store.run(
      `INSERT INTO calls (root, turn, session, id, parent, door, tool, input, started, duration, outcome, failed, bytes, result, owner_pid, owner_started)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (session, turn, id, started) DO UPDATE SET input = excluded.input, duration = excluded.duration,
         outcome = excluded.outcome, failed = excluded.failed, bytes = excluded.bytes, result = excluded.result`,
      ...[root.session, clipStart(root.turn, MAX_ID), session, clipStart(callId, MAX_ID)],
      ...[parentId === undefined ? null : clipStart(parentId, MAX_ID), door, tool],
      ...[clipStart(JSON.stringify(input) ?? "", MAX_INPUT), started, ended?.duration ?? null, ended?.outcome ?? null],
      ...[ended?.failed ?? null, ended?.bytes ?? null, ended?.result ?? null, pid, pidStarted],
    );
  }

  #forgetOld(): void {
    const { store } = this.#host;
    store.run("DELETE FROM calls WHERE started < ?", this.#host.now() - KEPT_DAYS * DAY);
    store.run("DELETE FROM calls WHERE seq <= (SELECT max(seq) FROM calls) - ?", MAX_CALLS);
    store.run(
      `DELETE FROM calls WHERE seq <= (SELECT max(seq) FROM (
         SELECT seq, sum(length(input) + coalesce(length(result), 0)) OVER (ORDER BY seq DESC) AS size FROM calls
       ) WHERE size > ?)`,
      MAX_TEXT,
    );
  }

  #toCall({ outcome, owner_pid: pid, owner_started: started, ...row }: Row): LoggedCall {
    const state = outcome ?? (this.#host.liveness({ pid, started }) === "alive" ? "running" : "unknown");
    return {
      ...row,
      parent: row.parent ?? undefined,
      duration: row.duration ?? undefined,
      state,
      failed: row.failed ?? undefined,
      bytes: row.bytes ?? 0,
    };
  }
}
