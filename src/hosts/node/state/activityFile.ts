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
/** Maximum number of calls that wait to be written. If there are more, the file cannot be written. */
const MAX_WAITING = 1_000;

interface Opened {
  key: string;
  log: Promise<{ log: CallLog; close: () => void } | undefined>;
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

  /** Returns the log; undefined if there is none: an old Node, a full disk. */
  async log(): Promise<CallLog | undefined> {
    await this.#flush();
    return (await this.#open().log)?.log;
  }

  /** Writes what waits, and closes the file. */
  async close(): Promise<void> {
    await this.#flush();
    const opened = this.#opened;
    this.#opened = undefined;
    (await opened?.log)?.close();
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
    try {
      (await this.#open().log)?.log.write(calls);
      this.#onChange();
    } catch {
      // Another process has it locked, or the disk is full. What is lost is a part of the log.
    }
  }

  #open(): Opened {
    const folders = this.#folders();
    const key = JSON.stringify(folders);
    if (this.#opened?.key !== key) {
      void this.#opened?.log.then((opened) => opened?.close());
      this.#opened = { key, log: this.#openIn(folders) };
    }
    return this.#opened;
  }

  async #openIn(folders: readonly string[]): Promise<Awaited<Opened["log"]>> {
    const opened = await openStore({ folders, file: FILE, migrations: [ACTIVITY_SCHEMA], isDisposable: true }).catch(
      () => undefined,
    );
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
