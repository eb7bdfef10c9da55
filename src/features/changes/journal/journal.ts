import type { JournalCall } from "../../../core/pipeline/changeOrigin.js";
import type { ChangeReport } from "../../../ports/changes.js";
import { ToolError } from "../../../core/errors.js";
import { Blobs } from "./blobs.js";
import { asWritten, packImage, type PackedImage } from "./images.js";
import { GIVEN_UP, MAX_CALL_IMAGES, MAX_IMAGE } from "./limits.js";
import { heldFile, lockKeys, LockWaits, type Held } from "./locks.js";
import { BOUNDS, forget, makeRoom, type Bounds } from "./prune.js";
import { JournalQueries } from "./queries.js";
import { statesNow } from "./reconcile.js";
import { changesOf, ownerOf, refColumns, toCall, type CallRow } from "./rows.js";
import { markUndone } from "./marks.js";
import type {
  ChangeState,
  Image,
  JournalChange,
  JournalHost,
  OpenText,
  PendingChanges,
  RecordedChange,
  Recovered,
  UndoTarget,
} from "./types.js";

/** A change with its images ready for the store. */
interface PackedChange {
  change: JournalChange;
  before: PackedImage | undefined;
  after: PackedImage | undefined;
}

/** The outcome of a change, and its file's content if that differs from the plan. */
interface Settled {
  id: number;
  state: ChangeState;
  after?: PackedImage | undefined;
  foldersMade?: number;
}

/**
 * The undo journal: the content of files before and after every change a tool makes, shared by all windows and the
 * command line. A call's changes are recorded before the first file is touched. While they are pending, nobody else who
 * uses this journal can change the same files.
 */
export class Journal {
  /** Queries on what it has recorded. */
  readonly queries: JournalQueries;
  readonly #host: JournalHost;
  readonly #blobs: Blobs;
  readonly #bounds: Bounds;
  readonly #waits = new LockWaits();
  /** Calls of ours whose end could not be recorded: their files are checked before anyone waits for them. */
  readonly #abandoned = new Set<number>();

  constructor(host: JournalHost, bounds: Bounds = BOUNDS) {
    this.#host = host;
    this.queries = new JournalQueries(host.store);
    this.#blobs = new Blobs(host.store);
    this.#bounds = bounds;
  }

  /**
   * Records the planned changes and locks the files.
   *
   * @param undoes for an undo: the changes it takes back; marked as undone in the transaction that settles the undo's
   * own
   *   changes
   * @throws ToolError `too_large` for a file above `MAX_IMAGE`, `conflict` if another call holds one of the files, and
   *   whatever the store throws. Nothing is written then.
   */
  async begin(
    call: JournalCall,
    changes: readonly JournalChange[],
    signal?: AbortSignal,
    undoes: readonly UndoTarget[] = [],
  ): Promise<PendingChanges> {
    const packed = await Promise.all(changes.map(packChange));
    const bytes = packed.reduce((sum, { before, after }) => sum + (before?.ref.size ?? 0) + (after?.ref.size ?? 0), 0);
    // One call must not push out all others.
    const most = Math.min(MAX_CALL_IMAGES, this.#bounds.bytes / 2);
    if (bytes > most) {
      throw new ToolError(
        "too_large",
        `${call.tool} changes ${bytes} bytes in one call; the undo journal takes at most ${most}.`,
        "Make the change in several calls.",
      );
    }
    const { store, foldCase = false } = this.#host;
    const keys = lockKeys(changes, foldCase);
    const ids: number[] = [];
    let id = 0;
    const attempt = async (): Promise<Held | undefined> => {
      const held =
        heldFile(store, keys) ??
        store.transaction(() => {
          // Check again, now that nobody can interfere.
          const taken = heldFile(store, keys);
          if (taken === undefined) {
            makeRoom(store, this.#bounds, call, bytes);
            ids.length = 0;
            id = this.#insertCall(call);
            ids.push(...packed.map((change) => this.#insertChange(id, change)));
            keys.forEach((key) => store.run("INSERT INTO locks (absolute, call) VALUES (?, ?)", key, id));
            undoes.forEach((undo) => this.#insertUndo(id, ids, undo));
          }
          return taken;
        });
      if (held === undefined || !this.#isGivenUp(held.by)) {
        return held;
      }
      // Another process may be recovering it.
      return (await this.#recoverCall(held.by)) === undefined ? held : attempt();
    };
    await this.#waits.until(attempt, signal, ({ absolute }) => pathOf(changes, absolute, foldCase));
    return {
      id,
      stage: (notes) => this.#stage(id, notes),
      settle: (reports) => this.#settle(id, ids, packed, reports),
      drop: () => this.#drop(id),
      reconcile: () => this.#ending(id, () => this.#reconcile(this.#callRow(id))),
      cleared: () => void store.run("DELETE FROM staged WHERE call = ?", id),
    };
  }

  /** Returns the ids of calls that are changing files now, here or in another process that lives. */
  unfinished(): number[] {
    const pending = this.#host.store.all<CallRow>("SELECT * FROM calls WHERE pending = 1");
    return pending.filter((call) => !this.#isGivenUp(call)).map(({ id }) => id);
  }

  /**
   * Rolls back, as a whole, changes whose process was killed half-way, and reports the outcome for each file. Call it
   * when the workspace is opened; a file that such a change still locks is also dealt with when it is next changed.
   */
  async recover(): Promise<Recovered[]> {
    const { store } = this.#host;
    const recovered: Recovered[] = [];
    for (const call of store.all<CallRow>("SELECT * FROM calls WHERE pending = 1")) {
      const told = this.#isGivenUp(call) ? await this.#recoverCall(call) : undefined;
      recovered.push(...(told === undefined ? [] : [told]));
    }
    for (const call of store.all<CallRow>(
      "SELECT * FROM calls WHERE pending = 0 AND id IN (SELECT call FROM staged)",
    )) {
      if (!this.#host.isAlive(ownerOf(call))) {
        await this.#clearUp(call.id);
      }
    }
    return recovered;
  }

  /**
   * Returns the outcome of a change that nobody is making any more; undefined if another process is taking care of it
   * or its files cannot be reached now.
   */
  async #recoverCall(call: CallRow): Promise<Recovered | undefined> {
    const { store, owner } = this.#host;
    const notes = this.#notes(call.id);
    // If the process may still be running, nothing is rolled back: it may be doing so itself.
    if (notes.length === 0 || (!this.#abandoned.has(call.id) && this.#host.isAlive(ownerOf(call)))) {
      return this.#reconcile(call);
    }
    const claim =
      "UPDATE calls SET owner_pid = ?, owner_started = ? WHERE id = ? AND pending = 1 AND owner_pid = ? AND owner_started = ?";
    if (store.run(claim, owner.pid, owner.started, call.id, call.owner_pid, call.owner_started).changes === 0) {
      return undefined;
    }
    try {
      await this.#host.rollBack?.(notes);
    } catch {
      this.#abandoned.add(call.id);
      return undefined;
    }
    await this.#host.takeBackOpen?.(changesOf(store, call.id).flatMap((change) => this.#openText(change)));
    return this.#reconcile(call);
  }

  /** Returns the texts of a change that an open document may contain: only replaced texts are changed in the editor. */
  #openText({ kind, absolute, before, after }: RecordedChange): OpenText[] {
    const [old, planned] =
      kind === "replace" && before !== undefined && after !== undefined
        ? [this.queries.image(before), this.queries.image(after)]
        : [];
    return old !== undefined && planned !== undefined && "text" in old && "text" in planned
      ? [{ absolute, before: old.text, after: planned.text, wasUnsaved: old.unsaved ?? false }]
      : [];
  }

  async #clearUp(id: number): Promise<void> {
    // If something cannot be removed now, it is tried again when the workspace is next opened.
    await this.#host.clearUp?.(this.#notes(id)).then(
      () => this.#host.store.run("DELETE FROM staged WHERE call = ?", id),
      () => undefined,
    );
  }

  #stage(id: number, notes: readonly string[]): void {
    const { store } = this.#host;
    if (notes.length > 0) {
      store.transaction(
        () => notes.forEach((note) => store.run("INSERT INTO staged (call, note) VALUES (?, ?)", id, note)),
        "disk",
      );
    }
  }

  #notes(id: number): string[] {
    return this.#host.store
      .all<{ note: string }>("SELECT note FROM staged WHERE call = ? ORDER BY id", id)
      .map(({ note }) => note);
  }

  async #settle(
    id: number,
    ids: readonly number[],
    packed: readonly PackedChange[],
    reports: readonly ChangeReport[],
  ): Promise<void> {
    await this.#ending(id, async () => {
      const settled = await Promise.all(
        packed.map(async (change, index): Promise<Settled> => {
          const report = reports[index];
          return {
            id: ids[index] ?? 0,
            state: "applied",
            after: report && (await realAfter(change, report)),
            foldersMade: report?.foldersMade ?? 0,
          };
        }),
      );
      this.#finish(id, settled);
    });
  }

  #drop(id: number): void {
    try {
      this.#host.store.transaction(() => forget(this.#host.store, id));
      this.#abandoned.delete(id);
    } catch {
      // The files are checked when they are next needed. Nothing was changed, and the check will find that.
      this.#abandoned.add(id);
    }
    this.#waits.wake();
  }

  /** Runs the work that ends a call. If the end cannot be recorded, others check the files themselves. */
  async #ending<Result>(id: number, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#abandoned.add(id);
      throw error;
    } finally {
      this.#waits.wake();
    }
  }

  async #reconcile(call: CallRow): Promise<Recovered> {
    const { store, look } = this.#host;
    const changes = changesOf(store, call.id);
    const imageOf = (change: RecordedChange, side: "before" | "after"): Image | undefined =>
      change[side] && this.queries.image(change[side]);
    const states = await statesNow(changes, imageOf, look);
    const settled = changes.map(({ id }, index) => ({ id, state: states[index] ?? ("unknown" as const) }));
    this.#finish(call.id, settled);
    store.run("DELETE FROM staged WHERE call = ?", call.id);
    const files = changes.map(({ path, to }, index) => ({ path, to, state: settled[index]?.state ?? "unknown" }));
    this.#abandoned.delete(call.id);
    return { call: { ...toCall(call), pending: false }, files };
  }

  /** Records a call's outcome and unlocks its files, once. A call that changed nothing is not kept. */
  #finish(id: number, settled: readonly Settled[]): void {
    const { store } = this.#host;
    store.transaction(() => {
      if (store.run("UPDATE calls SET pending = 0 WHERE id = ? AND pending = 1", id).changes === 0) {
        return;
      }
      for (const { id: change, state, after, foldersMade } of settled) {
        store.run(
          "UPDATE changes SET state = ?, folders_made = coalesce(?, folders_made) WHERE id = ?",
          state,
          foldersMade ?? null,
          change,
        );
        if (after !== undefined) {
          this.#replaceAfter(change, after);
        }
      }
      if (settled.every(({ state }) => state === "not_applied") && settled.length > 0) {
        forget(store, id);
        return;
      }
      store.run("DELETE FROM locks WHERE call = ?", id);
      markUndone(store, id);
    });
  }

  #replaceAfter(change: number, after: PackedImage): void {
    const { store } = this.#host;
    const old = store.get<{ hash: string | null }>("SELECT after_hash AS hash FROM changes WHERE id = ?", change)?.hash;
    this.#blobs.hold(after.ref.hash, after.data);
    store.run(
      "UPDATE changes SET after_hash = ?, after_form = ?, after_size = ?, after_encoding = ?, after_unsaved = ? WHERE id = ?",
      ...refColumns(after.ref),
      change,
    );
    if (old) {
      this.#blobs.release(old);
    }
  }

  #insertCall({ session, turn, callId, tool, door, summary, notes = [], perhapsOthers }: JournalCall): number {
    const { store, owner } = this.#host;
    return store.run(
      "INSERT INTO calls (session, turn, call_id, tool, door, summary, at, notes, perhaps_others, pending, owner_pid, owner_started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)",
      ...[session, turn, callId, tool, door, summary, this.#host.now()],
      ...[notes.length === 0 ? null : JSON.stringify(notes), perhapsOthers === true ? 1 : null],
      ...[owner.pid, owner.started],
    ).id;
  }

  #insertChange(call: number, { change, before, after }: PackedChange): number {
    for (const image of [before, after]) {
      if (image !== undefined) {
        this.#blobs.hold(image.ref.hash, image.data);
      }
    }
    const { kind, path, absolute, to = null, toAbsolute = null, foldersMade = 0, mode = null } = change;
    return this.#host.store.run(
      `INSERT INTO changes (call, kind, path, absolute, to_path, to_absolute, before_hash, before_form, before_size, before_encoding, before_unsaved,
       after_hash, after_form, after_size, after_encoding, after_unsaved, folders_made, mode, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending')`,
      ...[
        call,
        kind,
        path,
        absolute,
        to,
        toAbsolute,
        ...refColumns(before?.ref),
        ...refColumns(after?.ref),
        foldersMade,
        mode,
      ],
    ).id;
  }

  #insertUndo(call: number, ids: readonly number[], { targets, changes }: UndoTarget): void {
    for (const target of targets) {
      for (const change of changes.length === 0 ? [null] : changes.map((index) => ids[index] ?? null)) {
        this.#host.store.run("INSERT INTO undoes (call, change, target) VALUES (?, ?, ?)", call, change, target);
      }
    }
  }

  #callRow(id: number): CallRow {
    const row = this.#host.store.get<CallRow>("SELECT * FROM calls WHERE id = ?", id);
    if (row === undefined) {
      throw new Error(`call ${id} is not in the journal`);
    }
    return row;
  }

  #isGivenUp(call: CallRow): boolean {
    return this.#abandoned.has(call.id) || !this.#host.isAlive(ownerOf(call)) || this.#host.now() - call.at > GIVEN_UP;
  }
}

async function packChange(change: JournalChange): Promise<PackedChange> {
  const [before, after] = await Promise.all([
    change.before && packImage(change.before),
    change.after && packImage(asWritten(change.after)),
  ]);
  const size = Math.max(before?.ref.size ?? 0, after?.ref.size ?? 0);
  if (size > MAX_IMAGE) {
    throw new ToolError(
      "too_large",
      `${change.path} has ${size} bytes; the undo journal keeps files of at most ${MAX_IMAGE}. Nothing was changed.`,
    );
  }
  return { change, before, after };
}

/** Returns a file's new content if it differs from what was planned. */
async function realAfter({ change, after }: PackedChange, report: ChangeReport): Promise<PackedImage | undefined> {
  const planned = change.after;
  if (after === undefined || planned === undefined || !("text" in planned)) {
    return undefined;
  }
  const unsaved = !report.saved;
  const text = report.text ?? planned.text;
  return text === planned.text && unsaved === (planned.unsaved ?? false)
    ? undefined
    : packImage(asWritten({ ...planned, text, unsaved }));
}

/** Returns the path, as people know it, of a file that a lock names. */
function pathOf(changes: readonly JournalChange[], key: string, foldCase: boolean): string {
  const same = (absolute: string | undefined): boolean => (foldCase ? absolute?.toLowerCase() : absolute) === key;
  const change = changes.find(({ absolute, toAbsolute }) => same(absolute) || same(toAbsolute));
  return (same(change?.toAbsolute) ? change?.to : change?.path) ?? key;
}
