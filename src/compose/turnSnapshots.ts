import type { Door } from "../core/pipeline/activity.js";
import { newId } from "../core/pipeline/newId.js";
import type { ChangeOrigin } from "../core/pipeline/changeOrigin.js";
import type { ChangeKeeper } from "../features/changes/changes.js";
import type { SnapshotDisk } from "../hosts/sandbox/snapshotDisk.js";
import type { Files } from "../ports/files.js";
import { messageOf } from "../text/words.js";

const NOTES = [
  "An undo returns the whole sandbox to its state before this turn, also what others changed there since.",
];

/** A turn that may change the sandbox. */
type OpenTurn = Pick<ChangeOrigin, "turn" | "session"> & { door: Door };

/**
 * Snapshots of a sandbox before and after each turn that may change it, each pair as one change in the undo journal. The
 * state after one turn is the one before the next, with what others have changed in between.
 */
export class TurnSnapshots {
  readonly #disk: SnapshotDisk;
  readonly #changes: ChangeKeeper;
  readonly #files: Files;
  readonly #path: string;
  readonly #notice: (message: string) => void;
  #open: OpenTurn | undefined;
  #isOff = false;
  #last: Promise<unknown> = Promise.resolve();

  /** @param path of the file that represents the whole sandbox */
  constructor(
    disk: SnapshotDisk,
    changes: ChangeKeeper,
    files: Files,
    path: string,
    notice: (message: string) => void,
  ) {
    this.#disk = disk;
    this.#changes = changes;
    this.#files = files;
    this.#path = path;
    this.#notice = notice;
  }

  /** Keeps the state before a turn, unless that has been done. */
  before(turn: OpenTurn): Promise<void> {
    return this.#alone(() => this.#begin(turn));
  }

  /** Keeps the state after the latest turn. */
  settle(): Promise<void> {
    return this.#alone(async () => void (await this.#settle()));
  }

  async #begin(own: OpenTurn): Promise<void> {
    if (this.#open?.turn === own.turn) {
      return;
    }
    const isFresh = await this.#settle();
    if (!this.#isOff && this.#disk.at === "") {
      await this.#disk.take();
    } else if (!this.#isOff && !isFresh) {
      await this.#disk.renew();
    }
    this.#open = own;
  }

  /** @returns whether a snapshot was taken now */
  async #settle(): Promise<boolean> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined || this.#isOff) {
      return false;
    }
    const before = this.#disk.idOf(this.#disk.at);
    const after = await this.#disk.take();
    if (this.#disk.idOf(after) === before) {
      throw new Error(`its snapshots all have the id ${before}, so that none is one of a turn`);
    }
    const signal = new AbortController().signal;
    const origin: ChangeOrigin = {
      ...open,
      ...{ callId: newId(), tool: "snapshot", summary: "Changed the sandbox", notes: NOTES },
      ...{ reads: "free", isCommand: true },
    };
    const { changes } = this.#changes.forCall(origin, this.#files);
    const at = await this.#files.resolve(this.#path);
    await changes.apply(
      [{ kind: "replace", at, before: await this.#files.readSnapshot(at, 10_000), text: after }],
      signal,
    );
    return true;
  }

  /** Works one at a time: two calls of a turn must not both begin it. The first failure is reported, and ends the snapshots. */
  #alone(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(work).catch((error: unknown) => {
      this.#isOff = true;
      // A state from before what nobody keeps any more must not come back over it.
      this.#disk.forget();
      this.#notice(`Undo does not cover what commands change in the sandbox: ${messageOf(error)}`);
    });
    this.#last = next;
    return next;
  }
}
