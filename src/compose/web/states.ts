import { ToolError } from "../../core/errors.js";
import { ApprovedFiles } from "../../features/custom/approvedFiles.js";
import { Journal } from "../../features/changes/journal/journal.js";
import type { Bounds } from "../../features/changes/journal/prune.js";
import { JournalQueries } from "../../features/changes/journal/queries.js";
import { Ledger, type LedgerBounds } from "../../features/changes/ledger.js";
import { Approvals } from "../../features/documents/approvals.js";
import { Claims } from "../../features/documents/claims.js";
import { ScheduleRuns } from "../../features/documents/scheduleRuns.js";
import { workApprovals } from "../../features/documents/workApprovals.js";
import type { WorkState } from "../../features/documents/workState.js";
import { SESSION_BOUNDS, type SessionBounds } from "../../features/sessions/limits.js";
import { StoredSessions } from "../../features/sessions/storedSessions.js";
import { unkeptSessions } from "../../features/sessions/unkeptSessions.js";
import type { WorkspaceState, WorkspaceStateHost } from "../../hosts/node/state/workspaceState.js";
import { MIGRATIONS } from "../../hosts/node/state/storeSchema.js";
import type { MemoryStore, WebSqlite } from "../../hosts/web/state/sqlite.js";
import { openSaved, type Place, type SavedStore } from "../../hosts/web/state/savedStore.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Liveness, Owner } from "../../ports/owner.js";
import type { Store } from "../../ports/store.js";
import { messageOf } from "../../text/words.js";
import type { States } from "../state.js";

/**
 * Bounds of the undo journal: it is held in memory and saved as a whole, within the space that a browser gives a site.
 */
const BOUNDS: Bounds = { bytes: 20 * 1024 * 1024, calls: 500 };

/** Of what sessions have read, and of sessions, for the same reason. */
const LEDGER_BOUNDS: LedgerBounds = { text: 1_000_000, texts: 5_000_000, files: 1_000 };
const OWN_SESSIONS: SessionBounds = { ...SESSION_BOUNDS, bytes: 20_000_000, media: 2_000_000 };

/** How long to wait for a tab that is being closed or reloaded to give the workspace up, in ms. */
const PATIENCE = 1_000;

/** Why there is no undo journal in a second tab. */
const OTHER_TAB = new ToolError(
  "unavailable",
  "This workspace is open in another tab, which keeps its undo journal. Nothing can be changed here.",
  "Close the other tab and try again, or go on there.",
);

export interface WebStatesHost extends Pick<
  WorkspaceStateHost,
  "look" | "takeBackOpen" | "mask" | "onNotice" | "onRecovered"
> {
  sqlite: () => Promise<WebSqlite>;
  /** Where the state is saved; undefined if it ends with this tab. */
  place: Place | undefined;
  /**
   * Takes the workspace for this tab, waiting so many milliseconds. Returns whether no other tab has it; it is released
   * when the tab is closed, and may be taken only once.
   */
  take: (patience: number) => Promise<boolean>;
}

/** The state of the workspace of a browser's tab: saved in the browser, and open in one tab at a time. */
export class WebStates implements States {
  readonly #host: WebStatesHost;
  /** This tab; others have none of its numbers. */
  readonly #owner: Owner = { pid: 0, started: crypto.randomUUID() };
  readonly #underWay = new Set<string>();
  #opened: { state: Promise<WorkspaceState>; isUnkept: boolean; isOthers: boolean } | undefined;
  #saved: SavedStore | undefined;
  #isTaken = false;
  /** For sessions while nothing is stored. */
  #memory: MemoryStore | undefined;

  constructor(host: WebStatesHost) {
    this.#host = host;
  }

  current(again = false): Promise<WorkspaceState> {
    const before = this.#opened;
    if (before !== undefined && !before.isOthers && !(again && before.isUnkept)) {
      return before.state;
    }
    // A tab that had the workspace may have been closed since.
    const state = this.#open(before === undefined ? PATIENCE : 0);
    const opened = { state, isUnkept: false, isOthers: false };
    this.#opened = opened;
    void state.then(({ journal, reason }) => {
      opened.isUnkept = journal === undefined;
      opened.isOthers = reason === OTHER_TAB;
    });
    return state;
  }

  /** Reads the state, so that changes that a closed tab left half-done are found before anybody sees them. */
  async recoverLeft(): Promise<void> {
    await this.current();
  }

  /** Saves what is not saved yet. @throws ToolError `io_error` if that fails */
  async saved(): Promise<void> {
    await this.current();
    await this.#saved?.saved();
  }

  async work(): Promise<WorkState> {
    const { work, reason } = await this.current();
    if (work === undefined) {
      throw reason ?? OTHER_TAB;
    }
    return work;
  }

  async toolFiles(): Promise<ApprovedFiles> {
    const { toolFiles, reason } = await this.current();
    if (toolFiles === undefined) {
      throw reason ?? OTHER_TAB;
    }
    return toolFiles;
  }

  approvals(byOwner: boolean): ApprovedDocuments {
    return workApprovals(() => this.work(), byOwner);
  }

  async close(): Promise<void> {
    await this.#saved?.close();
    this.#saved = undefined;
  }

  /** Always returns a state to work with: without a place for it, nothing is changed. */
  async #open(patience: number): Promise<WorkspaceState> {
    const { place, take, onNotice } = this.#host;
    try {
      const sqlite = await this.#host.sqlite();
      if (place === undefined) {
        const store = sqlite.open();
        store.migrate(MIGRATIONS);
        return await this.#onStore(store);
      }
      // A lock can be taken but once, by this tab too.
      this.#isTaken ||= await take(patience);
      if (!this.#isTaken) {
        this.#memory ??= sqlite.open();
        return this.#unkept(OTHER_TAB, this.#memory);
      }
      this.#saved ??= await openSaved(sqlite, place, MIGRATIONS, onNotice);
      return await this.#onStore(this.#saved.store);
    } catch (error) {
      return this.#unkept(
        error instanceof ToolError
          ? error
          : new ToolError("io_error", `Toolhost's state cannot be used: ${messageOf(error)}`),
        await this.#host.sqlite().then(
          (sqlite) => (this.#memory ??= sqlite.open()),
          () => undefined,
        ),
      );
    }
  }

  async #onStore(store: Store): Promise<WorkspaceState> {
    const { look, takeBackOpen, onRecovered } = this.#host;
    const entries = new Journal(
      { ...{ store, owner: this.#owner, now: Date.now, look, takeBackOpen }, isAlive: (owner) => this.#isHere(owner) },
      BOUNDS,
    );
    const recovered = await entries.recover();
    if (recovered.length > 0) {
      onRecovered(recovered);
    }
    return {
      journal: { entries, queries: new JournalQueries(store) },
      ledger: new Ledger(store, LEDGER_BOUNDS),
      sessions: this.#sessions(store),
      work: {
        claims: new Claims({ ...{ store, owner: this.#owner, now: Date.now }, liveness: this.#liveness }),
        approvals: new Approvals(store, Date.now),
        runs: new ScheduleRuns(store),
      },
      toolFiles: new ApprovedFiles(store, Date.now),
      reason: undefined,
      close: () => undefined,
    };
  }

  /** @param memory for sessions; undefined if there is no SQLite */
  #unkept(reason: ToolError, memory: MemoryStore | undefined): WorkspaceState {
    memory?.migrate(MIGRATIONS);
    const problem = `Sessions are not stored and end with this tab. ${reason.message}`;
    return {
      journal: undefined,
      ledger: new Ledger(),
      sessions: memory === undefined ? unkeptSessions(problem) : this.#sessions(memory, problem),
      work: undefined,
      toolFiles: undefined,
      reason,
      close: () => undefined,
    };
  }

  #sessions(store: Store, problem?: string): StoredSessions {
    const { mask } = this.#host;
    return new StoredSessions(
      {
        ...{ store, owner: this.#owner, now: Date.now, place: "another tab", underWay: this.#underWay },
        liveness: this.#liveness,
        ...(mask && { mask }),
        ...(problem !== undefined && { problem }),
      },
      OWN_SESSIONS,
    );
  }

  /** One tab at a time has the state: whoever else is named in it has closed. */
  readonly #liveness = (owner: Owner): Liveness => (this.#isHere(owner) ? "alive" : "gone");

  #isHere({ started }: Owner): boolean {
    return started === this.#owner.started;
  }
}
