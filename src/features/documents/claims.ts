import type { Liveness, Owner } from "../../ports/owner.js";
import type { Store } from "../../ports/store.js";

/** What claims need from a host. */
export interface ClaimsHost {
  store: Store;
  /** This process. */
  owner: Owner;
  liveness(owner: Owner): Liveness;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A worker's claim on a document. */
export interface Claim {
  document: string;
  worker: string;
  /** The worker's process id. */
  pid: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** Process id stored for a claim that its worker gave up. */
const NOBODY = 0;
/**
 * How long a claim counts, in ms, if its process cannot be distinguished from a later one with the same id (no /proc)
 * or cannot be seen from here (it runs in another container): longer than almost any task or run takes.
 */
const MAX_UNTOLD = 24 * 3_600_000;

interface ClaimRow {
  document: string;
  worker: string;
  owner_pid: number;
  owner_started: string;
  at: number;
}

/**
 * Records who works on which document: at most one worker, across all processes that share a workspace's state. The
 * claim of a process that is gone no longer counts.
 *
 * All methods throw `ToolError` as `Store` does.
 */
export class Claims {
  readonly #host: ClaimsHost;
  /**
   * Claims that could not be released, for instance on a full disk. Their process lives on, so nobody else could ever
   * take them.
   */
  readonly #late: (() => void)[] = [];

  constructor(host: ClaimsHost) {
    this.#host = host;
  }

  /**
   * Claims a document. If several try at the same time, exactly one gets it.
   *
   * @param document its path in the workspace
   * @param worker distinguishes the workers of a process
   * @returns its state before: `free`, or `abandoned` by a worker that is gone; undefined if another worker has it
   */
  claim(document: string, worker: string): "free" | "abandoned" | undefined {
    const { store, owner } = this.#host;
    while (this.#late[0] !== undefined) {
      this.#late[0]();
      this.#late.shift();
    }
    return store.transaction(() => {
      const before = this.standing(document);
      if (before === "held") {
        return undefined;
      }
      store.run(
        "INSERT OR REPLACE INTO claims (document, worker, owner_pid, owner_started, at) VALUES (?, ?, ?, ?, ?)",
        document,
        worker,
        owner.pid,
        owner.started,
        this.#host.now(),
      );
      return before;
    });
  }

  /**
   * Gives up a claim because its work is over. A claim that another worker has by now is left alone. If this cannot be
   * stored, it is done with the next claim.
   */
  release(document: string, worker: string): void {
    const { store, owner } = this.#host;
    this.#orLater(
      () =>
        void store.run(
          "DELETE FROM claims WHERE document = ? AND worker = ? AND owner_pid = ? AND owner_started = ?",
          document,
          worker,
          owner.pid,
          owner.started,
        ),
    );
  }

  /** Gives up a claim whose work is not over: the document becomes `abandoned`, as if the worker were gone. */
  abandon(document: string, worker: string): void {
    const { store, owner } = this.#host;
    this.#orLater(
      () =>
        void store.run(
          "UPDATE claims SET owner_pid = ? WHERE document = ? AND worker = ? AND owner_pid = ? AND owner_started = ?",
          NOBODY,
          document,
          worker,
          owner.pid,
          owner.started,
        ),
    );
  }

  /**
   * Removes a claim whose worker is gone. @returns whether there was one: if several callers ask, only one gets `true`
   */
  clearAbandoned(document: string): boolean {
    const { store } = this.#host;
    // Usually there is none: don't take a lock for that.
    if (this.standing(document) !== "abandoned") {
      return false;
    }
    return store.transaction(
      () =>
        this.standing(document) === "abandoned" &&
        store.run("DELETE FROM claims WHERE document = ?", document).changes > 0,
    );
  }

  /** Returns whether a document is free, held by a worker, or abandoned by one that is gone. */
  standing(document: string): "free" | "held" | "abandoned" {
    const row = this.#host.store.get<ClaimRow>("SELECT * FROM claims WHERE document = ?", document);
    return row === undefined ? "free" : this.#isHeld(row) ? "held" : "abandoned";
  }

  /** Returns the claims of living workers, ordered by document. */
  held(): Claim[] {
    return this.#host.store
      .all<ClaimRow>("SELECT * FROM claims ORDER BY document")
      .flatMap((row) =>
        this.#isHeld(row) ? [{ document: row.document, worker: row.worker, pid: row.owner_pid, at: row.at }] : [],
      );
  }

  #orLater(giveUp: () => void): void {
    try {
      giveUp();
    } catch (error) {
      this.#late.push(giveUp);
      throw error;
    }
  }

  #isHeld({ owner_pid, owner_started, at }: ClaimRow): boolean {
    if (owner_pid === NOBODY) {
      return false;
    }
    const liveness = this.#host.liveness({ pid: owner_pid, started: owner_started });
    const isGivenUp = (owner_started === "" || liveness === "unknown") && this.#host.now() - at > MAX_UNTOLD;
    return liveness !== "gone" && !isGivenUp;
  }
}
