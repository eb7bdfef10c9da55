import type { ActivityEntry, ActivityLog, CallStart } from "../../../core/pipeline/activity.js";
import { CallLog } from "../../../features/activity/callLog.js";
import { ACTIVITY_SCHEMA } from "../../../features/activity/schema.js";
import { livenessOf, thisProcess } from "./owner.js";
import { openStore } from "./store.js";
import { watchStore } from "./watchStore.js";

/** The file's number increases with every change to its table: a different one gets a new file. */
const FILE = "activity-1.db";
/** How long calls are collected before they are written, in ms: no call waits for this, and short ones cost one write. */
const COLLECTED = 200;
/** Maximum number of calls that wait for a file that cannot be written now; the earliest are lost. */
const MAX_WAITING = 1_000;
/** How long until a file that could not be opened or written is tried again, in ms. */
const RETRY = 2_000;
/** How long a statement waits for another process, in ms. It blocks the window's thread, and can be made again later. */
const BUSY_TIMEOUT = 50;

interface Opened {
  key: string;
  log: Promise<{ log: CallLog; close: () => void } | undefined>;
  /** Set if a statement has found the file damaged: it is replaced when it is opened next. */
  isDamaged?: boolean;
}

/**
 * The log of a workspace's calls, in a file next to its state, shared by every window, agent and server. It is best
 * effort: a call neither waits for it nor fails because of it.
 */
export class ActivityFile implements ActivityLog {
  readonly #folders: () => readonly string[];
  readonly #onChange: () => void;
  #opened: Opened | undefined;
  #waiting: (CallStart | ActivityEntry)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closing: Promise<unknown> = Promise.resolve();

  /**
   * @param folders the workspace's current folders
   * @param onChange called after calls were written, here or by another process while the file is open
   */
  constructor(folders: () => readonly string[], onChange: () => void = () => undefined) {
    this.#folders = folders;
    this.#onChange = onChange;
  }

  began(call: CallStart): void {
    this.#add(call);
  }

  record(entry: ActivityEntry): void {
    this.#add(entry);
  }

  /** Returns the log; undefined if there is none now: an old Node, a full disk. */
  async log(): Promise<CallLog | undefined> {
    await this.#flush();
    return (await this.#open().log)?.log;
  }

  /** Writes what waits, and closes the file. */
  async close(): Promise<void> {
    await this.#flush();
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#forget();
    await this.#closing;
  }

  #add(call: CallStart | ActivityEntry): void {
    this.#waiting.push(call);
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting.shift();
    }
    this.#timer ??= setTimeout(() => void this.#flush(), COLLECTED).unref();
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const calls = this.#waiting;
    if (calls.length === 0) {
      return;
    }
    this.#waiting = [];
    if (await this.#write(calls)) {
      this.#onChange();
      return;
    }
    // Another process has it locked, or the disk is full.
    this.#waiting = [...calls, ...this.#waiting].slice(-MAX_WAITING);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#flush(), RETRY).unref();
  }

  async #write(calls: readonly (CallStart | ActivityEntry)[]): Promise<boolean> {
    try {
      const opened = await this.#open().log;
      opened?.log.write(calls);
      return opened !== undefined;
    } catch {
      return false;
    }
  }

  #open(): Opened {
    const folders = this.#folders();
    const key = JSON.stringify(folders);
    if (this.#opened?.key !== key || this.#opened.isDamaged === true) {
      this.#forget();
      const opened: Opened = { key, log: this.#openIn(folders, () => (opened.isDamaged = true)) };
      this.#opened = opened;
      void opened.log.then((log) => {
        if (log === undefined && this.#opened === opened) {
          // What was in its way may be gone the next time.
          this.#opened = undefined;
        }
      });
    }
    return this.#opened;
  }

  #forget(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#closing = Promise.all([this.#closing, opened?.log.then((log) => log?.close())]);
  }

  async #openIn(folders: readonly string[], onDamage: () => void): Promise<Awaited<Opened["log"]>> {
    // The file that is replaced must be closed before.
    await this.#closing;
    const opened = await openStore({
      ...{ folders, file: FILE, migrations: [ACTIVITY_SCHEMA], isDisposable: true, busyTimeout: BUSY_TIMEOUT },
      onDamage,
    }).catch(() => undefined);
    if (opened?.store === undefined) {
      return undefined;
    }
    const { store, path } = opened;
    const watch = watchStore(path, store, this.#onChange);
    return {
      log: new CallLog({ store, owner: thisProcess(), liveness: livenessOf, now: Date.now }),
      close: () => {
        watch.close();
        store.close();
      },
    };
  }
}
