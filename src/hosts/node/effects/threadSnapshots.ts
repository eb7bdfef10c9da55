import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { LeftSnapshot, SnapshotNote, Snapshots, UnreadableSnapshot } from "../../../features/effects/snapshots.js";
import { isTakenElsewhere, ownSnapshots, RECORDED, removeSnapshots, takeLeft } from "./leftSnapshots.js";
import type { SnapshotAnswer, SnapshotRequest, SnapshotThread } from "./messages.js";

/** Limits, times in milliseconds; tests use their own. */
export interface SnapshotLimits {
  /** How long a snapshot before a command may look at folders, and how long the command waits for it at most. */
  take: number;
  /** How long it may then copy files, whatever the walk took. */
  copy: number;
  waitToTake: number;
  /** The same for the comparison after a command, which may find many new files. */
  compare: number;
  waitToCompare: number;
  /** How long a thread may be silent before it is ended. */
  silent: number;
  /** How many times longer all of it may take, for slow disks and busy machines. */
  patience: number;
  /** Entries of all snapshots that are kept: about 270 bytes each, more where paths are long. */
  entries: number;
}

/** How often to look whether another process has recorded what it took over, in ms. */
const LOOK = 50;

const LIMITS: SnapshotLimits = {
  take: 300,
  copy: 150,
  // Only a busy machine takes that long, and a command whose changes nobody saw cannot be undone.
  waitToTake: 2_000,
  compare: 600,
  waitToCompare: 2_000,
  silent: 5_000,
  patience: 1,
  entries: 300_000,
};
/** How long to wait for contents, in ms: a gigabyte is read for its hash. */
const CONTENTS = 30_000;
/** The folder of the contents of large files, beside those of processes. */
const LARGE_FOLDER = "large";
/** How many times longer a command waits that must not run, or end, without its changes being known. */
const PATIENCE = 10;
/** Maximum memory of the thread, in MB: more than those entries and a comparison need. */
const MAX_MEMORY = 512;

interface Waiting {
  resolve: (answer: SnapshotAnswer | undefined) => void;
}

/** Takes snapshots on a thread, so that a slow disk holds up nobody. */
export class ThreadSnapshots implements Snapshots {
  readonly #script: string;
  readonly #limits: SnapshotLimits;
  readonly #stored: () => string | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #last = 0;
  /** Snapshots in which all that must be kept is. */
  readonly #patient = new Set<number>();
  /** The first snapshot of the present thread: those before it are gone. */
  #first = 1;
  /** Snapshots that may be on disk. */
  readonly #open = new Set<number>();
  /** Requests for contents that are not answered yet. */
  #reading = 0;
  /** Where they are; undefined before the first one. */
  #own: string | undefined;

  /**
   * @param folder that contains `effects-worker.js`: the bundle's folder
   * @param stored returns the folder for the snapshots of all processes of the workspace; undefined if none are stored
   */
  constructor(folder: string, stored: () => string | undefined, limits: Partial<SnapshotLimits> = {}) {
    this.#script = join(folder, "effects-worker.js");
    this.#stored = stored;
    this.#limits = { ...LIMITS, ...limits };
  }

  async take(
    note: SnapshotNote,
    keeps: readonly string[] = [],
  ): Promise<{ id: number; unkept?: string } | { unknown: string }> {
    const id = ++this.#last;
    const { take, copy, waitToTake, silent } = this.#patience(keeps.length > 0);
    const limits = { milliseconds: this.#patience(false).take, patient: take, copy };
    this.#open.add(id);
    const answer = await this.#ask({ kind: "take", id, note, ...limits, keeps }, waitToTake, silent);
    if (answer === undefined) {
      // It shows the folder at some time after the command started.
      this.done(id);
      return { unknown: "the snapshot before it took too long" };
    }
    if (answer.failed !== undefined) {
      this.done(id);
      return { unknown: answer.failed };
    }
    if (keeps.length > 0) {
      this.#patient.add(id);
    }
    return { id, ...(answer.unkept !== undefined && { unkept: answer.unkept }) };
  }

  async contents(snapshot: number): ReturnType<Snapshots["contents"]> {
    if (snapshot < this.#first) {
      return undefined;
    }
    this.#reading++;
    const answer = await this.#ask({ kind: "contents", id: ++this.#last, snapshot }, CONTENTS);
    this.#reading--;
    return answer?.contents;
  }

  done(snapshot: number): void {
    this.#open.delete(snapshot);
    this.#thread?.postMessage({ kind: "drop", snapshot } satisfies SnapshotRequest);
  }

  async left(): Promise<(LeftSnapshot | UnreadableSnapshot)[]> {
    const folder = this.#stored();
    const found: (LeftSnapshot | UnreadableSnapshot)[] = [];
    for (const file of folder === undefined ? [] : takeLeft(folder)) {
      const id = ++this.#last;
      this.#open.add(id);
      const answer = await this.#ask({ kind: "load", id, file }, this.#limits.silent);
      this.#patient.add(id);
      found.push({ id, ...(answer?.loaded ?? { unreadable: true }) });
    }
    return found;
  }

  async elsewhere(): Promise<void> {
    const folder = this.#stored();
    const until = Date.now() + RECORDED;
    while (folder !== undefined && isTakenElsewhere(folder) && Date.now() < until) {
      await sleep(LOOK);
    }
  }

  async compare(snapshot: number, ended: number, isLeft = false, later?: number): ReturnType<Snapshots["compare"]> {
    if (snapshot < this.#first) {
      return { unknown: "the snapshot before it is gone" };
    }
    const { compare, waitToCompare, silent } = this.#patience(this.#patient.delete(snapshot));
    const id = ++this.#last;
    const answer = await this.#ask(
      { kind: "compare", id, snapshot, ended, milliseconds: compare, isLeft, ...(later !== undefined && { later }) },
      waitToCompare,
      silent,
    );
    return answer?.differences ?? { unknown: answer?.failed ?? "the comparison after it took too long" };
  }

  /** Returns the limits, which are longer where nobody was asked because everything can be undone. */
  #patience(isPatient: boolean): SnapshotLimits {
    const { take, copy, waitToTake, compare, waitToCompare, patience } = this.#limits;
    const times = (isPatient ? PATIENCE : 1) * patience;
    return {
      ...this.#limits,
      take: take * times,
      copy: copy * patience,
      waitToTake: waitToTake * times,
      compare: compare * times,
      waitToCompare: waitToCompare * times,
      silent: this.#limits.silent * times,
    };
  }

  /** Asks the thread, and waits for its answer for a limited time. */
  async #ask(
    request: Exclude<SnapshotRequest, { kind: "drop" }>,
    milliseconds: number,
    silent = this.#limits.silent,
  ): Promise<SnapshotAnswer | undefined> {
    let thread: Worker;
    try {
      thread = this.#thread ??= this.#start();
    } catch (error) {
      return { id: request.id, failed: error instanceof Error ? error.message : String(error) };
    }
    const answered = new Promise<SnapshotAnswer | undefined>((resolve) => {
      this.#waiting.set(request.id, { resolve });
      thread.postMessage(request);
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), milliseconds);
    });
    // While it reads large files for one command, it is silent to the others.
    const patience = this.#reading > 0 ? Math.max(silent, CONTENTS) : silent;
    const hung = setTimeout(() => this.#end(thread), patience).unref();
    void answered.then(() => clearTimeout(hung));
    const answer = await Promise.race([answered, late]);
    clearTimeout(timer);
    return answer;
  }

  #start(): Worker {
    const folder = this.#stored();
    if (folder !== undefined && this.#own === undefined) {
      const own = (this.#own = ownSnapshots(folder));
      // What is left is for the next process.
      process.once("exit", () => this.#open.size === 0 && removeSnapshots(own));
    }
    const thread = new Worker(this.#script, {
      env: {},
      execArgv: [],
      workerData: {
        entries: this.#limits.entries,
        stored: this.#own,
        large: folder === undefined ? undefined : join(folder, LARGE_FOLDER),
        git: gitOf(process.env["PATH"]),
        configs: process.env["XDG_CONFIG_HOME"],
      } satisfies SnapshotThread,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY },
    });
    this.#first = this.#last;
    thread.on("message", (answer: SnapshotAnswer) => {
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    });
    thread.on("error", () => this.#end(thread));
    thread.on("exit", () => this.#end(thread));
    // What is waited for has a timer, so the thread need not keep the process alive. To listen for messages undoes this.
    thread.unref();
    return thread;
  }

  #end(thread: Worker): void {
    if (this.#thread !== thread) {
      return;
    }
    this.#thread = undefined;
    void thread.terminate();
    for (const [id, { resolve }] of this.#waiting) {
      resolve({ id, failed: "the program that looks at the folder ended" });
    }
    this.#waiting.clear();
  }
}

/** Returns the first Git of a PATH, by its real path; entries that depend on the working directory do not count. */
function gitOf(path = ""): string | undefined {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    try {
      const file = join(folder, "git");
      accessSync(file, constants.X_OK);
      return realpathSync(file);
    } catch {
      // The next one.
    }
  }
  return undefined;
}
