import type { Liveness, Owner } from "../../../ports/owner.js";
import { randomUUID } from "node:crypto";
import { lstatSync, statSync } from "node:fs";
import type { FileLocks } from "../../../features/changes/changes.js";
import { ToolError } from "../../../core/errors.js";
import { GIVEN_UP } from "../../../features/changes/journal/limits.js";
import { LockWaits } from "../../../features/changes/journal/locks.js";
import type { JournalChange } from "../../../features/changes/journal/types.js";
import { baseName, joinPath, parentPath } from "../../../core/paths/pathShape.js";
import type { Store } from "../../../ports/store.js";
import { errorCode } from "../disk/diskErrors.js";
import { isOnDisk } from "../disk/isOnDisk.js";
import { livenessOf, thisProcess } from "./owner.js";
import { stateRoot } from "./stateFolder.js";
import { openStore, type OpenedStore } from "./store.js";

const SCHEMA = `
-- Files that are being changed now, each under every key that tells it, by the process that does it and the journal that knows how to take it back.
CREATE TABLE held (
  key TEXT PRIMARY KEY,
  ticket TEXT NOT NULL,
  tool TEXT NOT NULL,
  journal TEXT NOT NULL,
  at INTEGER NOT NULL,
  owner_pid INTEGER NOT NULL,
  owner_started TEXT NOT NULL
);
CREATE INDEX held_ticket ON held (ticket);
`;

interface HeldRow {
  key: string;
  ticket: string;
  tool: string;
  journal: string;
  at: number;
  owner_pid: number;
  owner_started: string;
}

export interface FileLocksHost {
  /** The journal of the changes that locks are taken for: its file's path. */
  journal: string;
  /** Rolls back changes that a dead process left half done in a journal. Returns whether none of them are left. */
  recover(journal: string): Promise<boolean>;
  liveness?(owner: Owner): Liveness;
  /** Milliseconds since 1970. */
  now?(): number;
}

/**
 * File locks for all of this user's workspaces, windows and command lines: rows of a small SQLite file next to the
 * workspaces' state. A file is identified by its real path, by its folder and its name ignoring case (so that it need
 * not exist, and a folder mounted twice is the same one), and by its inode (so that hard links and mounted files are
 * the same one).
 */
export class NodeFileLocks implements FileLocks {
  readonly #host: Required<FileLocksHost>;
  readonly #owner = thisProcess();
  readonly #waits = new LockWaits();
  #opened: Promise<OpenedStore> | undefined;
  /** Tickets that could not be released: they are tried again with the next one. */
  readonly #unreturned = new Set<string>();

  constructor(host: FileLocksHost) {
    this.#host = { liveness: livenessOf, now: Date.now, ...host };
  }

  async take(tool: string, changes: readonly JournalChange[], signal: AbortSignal): Promise<() => void> {
    const store = await this.#store();
    [...this.#unreturned].forEach((ticket) => this.#giveBack(store, ticket));
    const ticket = randomUUID();
    const attempt = async (): Promise<HeldRow | undefined> => {
      const keys = keysOf(changes);
      const held = this.#insert(store, keys, tool, ticket);
      if (held === undefined) {
        // Another program may have put a different file at a path since the keys were made.
        const isSame = keysOf(changes).join("\0") === keys.join("\0");
        if (isSame) {
          return undefined;
        }
        this.#giveBack(store, ticket);
        return attempt();
      }
      return (await this.#isCleared(store, held)) ? attempt() : held;
    };
    await this.#waits.until(
      async () => {
        const held = await attempt();
        return held && { absolute: held.key, by: held };
      },
      signal,
      ({ absolute }) => nameOf(changes, absolute),
    );
    return () => this.#giveBack(store, ticket);
  }

  close(): void {
    void this.#opened?.then(({ store }) => store?.close());
    this.#opened = undefined;
  }

  async #store(): Promise<Store> {
    this.#opened ??= openStore({
      folders: [],
      folder: stateRoot(),
      file: "locks.db",
      migrations: [SCHEMA],
      isDisposable: true,
      onDamage: () => (this.#opened = undefined),
    });
    const opened = await this.#opened;
    if (opened.store === undefined) {
      this.#opened = undefined;
      throw new ToolError(
        "unavailable",
        `Nothing was changed: files are only changed if they can be locked. ${opened.reason.message}`,
        opened.reason.hint,
      );
    }
    return opened.store;
  }

  /** Takes all keys or none. Returns the first one that is held. */
  #insert(store: Store, keys: readonly string[], tool: string, ticket: string): HeldRow | undefined {
    return store.transaction(() => {
      for (const key of keys) {
        const held = store.get<HeldRow>("SELECT * FROM held WHERE key = ?", key);
        if (held !== undefined) {
          return held;
        }
      }
      for (const key of keys) {
        const { pid, started } = this.#owner;
        store.run(
          "INSERT INTO held VALUES (?, ?, ?, ?, ?, ?, ?)",
          key,
          ticket,
          tool,
          this.#host.journal,
          this.#host.now(),
          pid,
          started,
        );
      }
      return undefined;
    });
  }

  /** Whether the lock in the way belonged to a process that is gone, and could be removed. */
  async #isCleared(
    store: Store,
    { ticket, journal, at, owner_pid: pid, owner_started: started }: HeldRow,
  ): Promise<boolean> {
    const isGone = this.#host.liveness({ pid, started }) === "gone";
    if (!isGone && this.#host.now() - at <= GIVEN_UP) {
      return false;
    }
    if (isGone && !(await this.#host.recover(journal))) {
      return false;
    }
    store.run("DELETE FROM held WHERE ticket = ?", ticket);
    return true;
  }

  #giveBack(store: Store, ticket: string): void {
    try {
      store.run("DELETE FROM held WHERE ticket = ?", ticket);
      this.#unreturned.delete(ticket);
    } catch {
      this.#unreturned.add(ticket);
    }
    this.#waits.wake();
  }
}

/**
 * Returns all keys of a change's files. Names ignore case: two files that differ only in case then wait for each other,
 * which does no harm.
 */
function keysOf(changes: readonly JournalChange[]): string[] {
  return [
    ...new Set(
      changes
        .flatMap(({ absolute, toAbsolute }) => [absolute, ...(toAbsolute === undefined ? [] : [toAbsolute])])
        .flatMap(keysOfFile),
    ),
  ];
}

function keysOfFile(path: string): string[] {
  const keys = [folded(path)];
  if (!isOnDisk(path)) {
    return keys;
  }
  const file = ifThere(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  if (file?.isFile() === true) {
    keys.push(`file ${file.dev}:${file.ino}`);
  }
  let name = baseName(path);
  for (let folder = parentPath(path); ; folder = parentPath(folder)) {
    const info = ifThere(() => statSync(folder, { bigint: true, throwIfNoEntry: false }));
    if (info !== undefined) {
      return [...keys, `in ${info.dev}:${info.ino} ${folded(name)}`];
    }
    if (parentPath(folder) === folder) {
      return keys;
    }
    name = joinPath(baseName(folder), name);
  }
}

/** Returns undefined where a file, or a link that leads nowhere, has taken the place of a folder above. */
function ifThere<Seen>(look: () => Seen | undefined): Seen | undefined {
  try {
    return look();
  } catch (error) {
    if (["ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "")) {
      return undefined;
    }
    throw error;
  }
}

function folded(name: string): string {
  return name.normalize().toLowerCase();
}

/** Returns the name that people know for a key's file. */
function nameOf(changes: readonly JournalChange[], key: string): string {
  const change = changes.find(({ absolute }) => keysOfFile(absolute).includes(key));
  return (
    change?.path ??
    changes.find(({ toAbsolute }) => toAbsolute !== undefined && keysOfFile(toAbsolute).includes(key))?.to ??
    changes[0]?.path ??
    key
  );
}
