import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ChangeState } from "../../../features/changes/changes.js";
import { ApprovedFiles } from "../../../features/custom/approvedFiles.js";
import { Approvals } from "../../../features/documents/approvals.js";
import { Claims } from "../../../features/documents/claims.js";
import { ScheduleRuns } from "../../../features/documents/scheduleRuns.js";
import { workApprovals } from "../../../features/documents/workApprovals.js";
import type { WorkState } from "../../../features/documents/workState.js";
import type { Journal } from "../../../features/changes/journal/journal.js";
import { JournalQueries } from "../../../features/changes/journal/queries.js";
import type { Look, Recovered } from "../../../features/changes/journal/types.js";
import { Ledger } from "../../../features/changes/ledger.js";
import type { ApprovedDocuments } from "../../../ports/approvals.js";
import { ToolError } from "../../../core/errors.js";
import type { SessionLog } from "../../../features/sessions/sessionLog.js";
import { StoredSessions } from "../../../features/sessions/storedSessions.js";
import type { Store } from "../../../ports/store.js";
import { unkeptSessions } from "../../../features/sessions/unkeptSessions.js";
import { NodeFileLocks } from "./fileLocks.js";
import { livenessOf, thisProcess } from "./owner.js";
import { journalIn, recover, recoverElsewhere, type JournalWorld } from "./recovery.js";
import { isSqliteError } from "./sqlite.js";
import { statesRoot, workspaceStateFolder } from "./stateFolder.js";
import { sweepStates } from "./stateSweep.js";
import { openMemoryStore, openStore, STATE_FILE } from "./store.js";
import { watchStore } from "./watchStore.js";
import { messageOf } from "../../../text/words.js";

/** The state that Toolhost keeps for a workspace on this machine. */
export interface WorkspaceState extends ChangeState {
  /** The workspace's sessions; only in memory if the state cannot be stored. */
  sessions: SessionLog;
  /** Undefined if the state cannot be stored; `reason` says why. */
  work: WorkState | undefined;
  /** The same for approvals of files of tools. */
  toolFiles: ApprovedFiles | undefined;
  /** Closes the state once nobody holds it any more. */
  close(): void;
}

export interface WorkspaceStateHost {
  /** The workspace's current folders: absolute paths, or addresses of folders that are not on a disk. */
  folders(): readonly string[];
  look: Look;
  foldCase: boolean;
  /** `JournalHost.takeBackOpen`, on hosts with editors. */
  takeBackOpen?: JournalWorld["takeBackOpen"];
  /** Where this process shows the turns of its sessions, for people. Absent: a window of VS Code. */
  place?: string;
  /** Returns data of a session without secrets; absent if they are kept. */
  mask?: <Data>(data: Data) => Data;
  /** Called with a message for people: a damaged state was moved aside. */
  onNotice: (message: string) => void;
  /**
   * Called some time after another process has written to the state while it is open here. Absent: nothing is watched.
   *
   * @param changes whether it changed files
   */
  onOthersWrite?: (changes: boolean) => void;
  /** Called with changes whose process ended half-way. */
  onRecovered: (recovered: readonly Recovered[]) => void;
}

/** Whether a statement has found the file damaged. */
interface Damage {
  isFound: boolean;
}

interface Opened {
  /** The workspace's folders. */
  key: string;
  isReopened: boolean;
  damage: Damage;
  state: Promise<WorkspaceState>;
  /** Whether nothing is stored, for a reason that may pass. */
  isUnkept: boolean;
}

/**
 * Whether to move the file aside, for each attempt to open it: it may open fine and be found damaged by the first
 * statement, and the full check that follows may still find nothing.
 */
const ATTEMPTS = [false, false, true];
const SECOND_ATTEMPTS = [false, true];
const LAST_ATTEMPT = [true];

const DAY = 24 * 3_600_000;

const WINDOW = "a window of VS Code";

/** Opens a workspace's state when it is first needed, and another one when the workspace's folders change. */
export class WorkspaceStates {
  readonly #host: WorkspaceStateHost;
  /** Turns in progress here. If the folders change, they continue on the state they started with. */
  readonly #underWay = new Set<string>();
  #opened: Opened | undefined;
  #sweptDay = 0;

  constructor(host: WorkspaceStateHost) {
    this.#host = host;
  }

  /**
   * @param again if nothing is stored, whether to try again now: another process may have locked the state, or the disk
   *   was full
   */
  current(again = false): Promise<WorkspaceState> {
    const folders = this.#host.folders();
    const key = JSON.stringify(folders);
    this.#sweepDaily();
    const known = this.#opened;
    if (known?.key === key && !known.damage.isFound && !(again && known.isUnkept)) {
      return known.state;
    }
    this.close();
    const damage = { isFound: false };
    // The file was damaged again after a check that found nothing wrong: another check would find nothing either.
    const attempts = known?.key === key ? (known.isReopened ? LAST_ATTEMPT : SECOND_ATTEMPTS) : ATTEMPTS;
    const opened: Opened = {
      key,
      damage,
      isReopened: known?.key === key,
      isUnkept: false,
      state: this.#open(folders, damage, attempts),
    };
    this.#opened = opened;
    opened.state.then(
      ({ journal }) => {
        opened.isUnkept = journal === undefined;
      },
      () => {
        // Try again after a failure.
        if (this.#opened === opened) {
          this.#opened = undefined;
        }
      },
    );
    return opened.state;
  }

  /**
   * Opens the state now if a process may have exited without closing it, so that its half-done changes are rolled back
   * before anybody sees them: SQLite removes the log next to the file when the last process closes it.
   */
  async recoverLeft(): Promise<void> {
    if (existsSync(join(workspaceStateFolder(this.#host.folders()), `${STATE_FILE}-wal`))) {
      await this.current().catch(() => undefined);
    }
  }

  /** Sweeps in the background, once a day for all processes together. */
  #sweepDaily(): void {
    const day = Math.floor(Date.now() / DAY);
    if (day !== this.#sweptDay) {
      this.#sweptDay = day;
      // Run it after the call that requested the state, which also created its folder.
      setImmediate(
        () =>
          void this.#opened?.state.then(
            () => sweepStates(statesRoot(), Date.now()),
            () => undefined,
          ),
      );
    }
  }

  /** Returns the state of work in the workspace. @throws ToolError why it is not stored */
  async work(): Promise<WorkState> {
    const { work, reason } = await this.current();
    if (work === undefined) {
      throw reason ?? new ToolError("unavailable", "This workspace's state cannot be stored.");
    }
    return work;
  }

  /** Returns the user's approvals of files of tools. @throws ToolError why they are not stored */
  async toolFiles(): Promise<ApprovedFiles> {
    const { toolFiles, reason } = await this.current();
    if (toolFiles === undefined) {
      throw reason ?? new ToolError("unavailable", "This workspace's state cannot be stored.");
    }
    return toolFiles;
  }

  /** @param byOwner whether a person makes every call here */
  approvals(byOwner: boolean): ApprovedDocuments {
    return workApprovals(() => this.work(), byOwner);
  }

  close(): void {
    void this.#opened?.state.then(
      (state) => state.close(),
      () => undefined,
    );
    this.#opened = undefined;
  }

  /** Always returns a state to work with: a damaged file is moved aside, and without a file nothing is stored. */
  async #open(folders: readonly string[], damage: Damage, attempts: readonly boolean[]): Promise<WorkspaceState> {
    const { onNotice } = this.#host;
    for (const isBroken of attempts) {
      damage.isFound = false;
      const opened = await openStore({ folders, onNotice, isBroken, onDamage: () => void (damage.isFound = true) });
      if (opened.store === undefined) {
        return this.#unkept(opened.reason);
      }
      try {
        return await this.#onStore(opened.store, opened.path);
      } catch (error) {
        opened.store.close();
        damage.isFound ||= isSqliteError(error);
        if (!damage.isFound) {
          return this.#unkept(
            error instanceof ToolError
              ? error
              : new ToolError("io_error", `Toolhost's state cannot be used: ${messageOf(error)}`),
          );
        }
      }
    }
    damage.isFound = false;
    return this.#unkept(
      new ToolError("io_error", "Toolhost's state cannot be used: it is damaged.", "Check its disk."),
    );
  }

  #unkept(reason: ToolError): WorkspaceState {
    return {
      journal: undefined,
      ledger: new Ledger(),
      sessions: this.#inMemory(reason),
      work: undefined,
      toolFiles: undefined,
      reason,
      close: () => undefined,
    };
  }

  async #onStore(store: Store, path: string): Promise<WorkspaceState> {
    const { place = WINDOW, onRecovered, mask } = this.#host;
    const ledger = new Ledger(store);
    const { onOthersWrite } = this.#host;
    const queries = new JournalQueries(store);
    let mark = queries.mark();
    const watch =
      onOthersWrite &&
      watchStore(path, store, () => {
        const before = mark;
        mark = queries.mark();
        onOthersWrite(mark !== before);
      });
    const held = holding(() => {
      watch?.close();
      locks.close();
      void ledger.flush().finally(() => store.close());
    });
    const sessions = new StoredSessions({
      store,
      owner: thisProcess(),
      liveness: livenessOf,
      place,
      now: Date.now,
      underWay: this.#underWay,
      hold: held.hold,
      ...(mask && { mask }),
    });
    const journal = journalIn(store, this.#host);
    const recovered = await recover(store, journal);
    if (recovered.length > 0) {
      onRecovered(recovered);
    }
    const locks = this.#locks(path, store, journal);
    const claims = new Claims({ store, owner: thisProcess(), liveness: livenessOf, now: Date.now });
    const work = { claims, approvals: new Approvals(store, Date.now), runs: new ScheduleRuns(store) };
    return {
      journal: { entries: journal, queries },
      ledger,
      sessions,
      work,
      toolFiles: new ApprovedFiles(store, Date.now),
      locks,
      reason: undefined,
      ...held,
    };
  }

  /** Locks this user's files for changes in the journal at `path`. */
  #locks(path: string, store: Store, journal: Journal): NodeFileLocks {
    const { onRecovered } = this.#host;
    const recoverHere = async (): Promise<boolean> => {
      const recovered = await recover(store, journal);
      if (recovered.length > 0) {
        onRecovered(recovered);
      }
      return true;
    };
    return new NodeFileLocks({
      journal: path,
      recover: (where) => (where === path ? recoverHere() : recoverElsewhere(where, this.#host, onRecovered)),
    });
  }

  /** Keeps sessions that end with this process. */
  #inMemory({ message, hint = "" }: ToolError): SessionLog {
    const store = openMemoryStore();
    const problem = `Sessions are not stored and end with this process. ${message} ${hint}`.trim();
    return store === undefined
      ? unkeptSessions(problem)
      : new StoredSessions({
          store,
          owner: thisProcess(),
          liveness: livenessOf,
          place: this.#host.place ?? WINDOW,
          now: Date.now,
          underWay: this.#underWay,
          problem,
        });
  }
}

/** Closes something once its last holder releases it. */
function holding(close: () => void): Required<Pick<WorkspaceState, "hold" | "close">> {
  let holders = 0;
  let isClosing = false;
  const closeUnheld = (): void => {
    if (isClosing && holders === 0) {
      close();
    }
  };
  return {
    hold: () => {
      holders += 1;
      return () => {
        holders -= 1;
        closeUnheld();
      };
    },
    close: () => {
      isClosing = true;
      closeUnheld();
    },
  };
}
