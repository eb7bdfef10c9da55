import { closeSync, existsSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../../core/errors.js";
import type { Store } from "../../../ports/store.js";
import { makeFolderSync } from "../disk/parentFolders.js";
import { isBusy, isCorrupt, loadSqlite, stateError, type SqliteModule } from "./sqlite.js";
import { SqliteStore } from "./sqliteStore.js";
import { makeStateFolder, workspaceStateFolder } from "./stateFolder.js";
import { MIGRATIONS } from "./storeSchema.js";

/**
 * How long a statement waits for another process, in ms: ours take a few, the longest about 200 (20 MB of images). It
 * blocks the extension host's own thread, so it must not seem more than a hiccup to a person.
 */
const BUSY_TIMEOUT = 2_000;
/** How long to wait for another process that opens the file, and may be migrating it, in ms. */
const OPEN_TIMEOUT = 10_000;
const OPEN_POLL = 20;
/** Pages (4 KB) of deleted contents returned to the disk when the file is opened: a few milliseconds' worth. */
const RETURNED_PAGES = 1_000;
/** Bytes of the write-ahead log left on disk after it has been copied into the file. */
const KEPT_LOG = 4 * 1024 * 1024;

/** The file of a workspace's state. */
export const STATE_FILE = "state.db";

export interface StoreOptions {
  /** The workspace's folders: absolute paths, or addresses of folders that are not on a disk. */
  folders: readonly string[];
  /** The file's folder, if not the workspace's own. */
  folder?: string;
  /** Called with a message for people if something has changed: a damaged file was moved aside. */
  onNotice?: (message: string) => void;
  /** Supplies Node's SQLite; tests simulate a Node without it. */
  sqlite?: () => SqliteModule | undefined;
  /** The steps of the schema; tests of migrations use their own. */
  migrations?: readonly string[];
  /** The file's name. Default `state.db`. */
  file?: string;
  /** How long a statement waits for another process, in ms. Default `BUSY_TIMEOUT`. */
  busyTimeout?: number;
  /** Whether all rows can be rebuilt, so that a damaged file may be deleted. */
  isDisposable?: boolean;
  /**
   * Called if a statement finds the file damaged. The file is checked, and moved aside if need be, when next opened.
   */
  onDamage?: () => void;
  /** Whether the file is known to be unusable: it is then moved aside, whatever a check says. */
  isBroken?: boolean;
}

/** A store and its file, or why there is none. */
export type OpenedStore = { store: Store; path: string } | { store: undefined; reason: ToolError };

/**
 * Opens a workspace's state, creating it if needed. Never throws because of the machine's condition: an old Node, a
 * folder that cannot be written, a newer Toolhost's file. The file survives a `kill -9` at any moment; a power failure
 * may lose the latest commits (`synchronous=NORMAL`), but nothing else.
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const folder = options.folder ?? workspaceStateFolder(options.folders);
  const path = join(folder, options.file ?? STATE_FILE);
  try {
    const sqlite = (options.sqlite ?? loadSqlite)();
    if (sqlite === undefined) {
      return {
        store: undefined,
        reason: new ToolError("unavailable", "This Node.js has no SQLite.", "Use Node.js 22.13 or later."),
      };
    }
    if (options.folder === undefined) {
      makeStateFolder(folder, options.folders);
    } else {
      makeFolderSync(folder, 0o700);
    }
    const unlock = await lockOpening(sqlite, join(folder, "open.lock"));
    try {
      return { store: openFile(sqlite, path, options), path };
    } finally {
      unlock();
    }
  } catch (error) {
    const reason = stateError(path, error);
    if (reason instanceof ToolError) {
      return { store: undefined, reason };
    }
    throw error;
  }
}

/** Opens a store that is only in memory and ends with the process: for hosts and tests without a workspace. */
export function openMemoryStore(sqlite: SqliteModule | undefined = loadSqlite()): Store | undefined {
  if (sqlite === undefined) {
    return undefined;
  }
  const database = new sqlite.DatabaseSync(":memory:");
  migrate(database, MIGRATIONS);
  return new SqliteStore(database, ":memory:");
}

/**
 * Lets only one process at a time open the state. Two that switch a new file to WAL at the same moment fail in spite of
 * `busy_timeout`, and two that find it damaged must not move each other's new one aside. The lock is SQLite's own, on
 * an empty file next to it: the system releases it when its process dies.
 */
async function lockOpening(sqlite: SqliteModule, path: string): Promise<() => void> {
  makeFile(path);
  let lock = new sqlite.DatabaseSync(path);
  for (const deadline = Date.now() + OPEN_TIMEOUT; ;) {
    try {
      lock.exec("BEGIN EXCLUSIVE");
      return () => lock.close();
    } catch (error) {
      if (isCorrupt(error)) {
        // We write nothing into the lock file, so any content is somebody else's.
        lock.close();
        removeFiles(path);
        makeFile(path);
        lock = new sqlite.DatabaseSync(path);
      } else if (!isBusy(error) || Date.now() > deadline) {
        lock.close();
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, OPEN_POLL));
  }
}

/**
 * Creates the file if missing, readable only by the user: SQLite would let others read it. A folder of that name is
 * moved aside.
 */
function makeFile(path: string): void {
  if (isFolder(path)) {
    moveAside(path);
  }
  closeSync(openSync(path, "a", 0o600));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function openFile(
  sqlite: SqliteModule,
  path: string,
  {
    onNotice,
    onDamage,
    isDisposable = false,
    isBroken = false,
    migrations = MIGRATIONS,
    busyTimeout = BUSY_TIMEOUT,
  }: StoreOptions,
): SqliteStore {
  const isFolderAmong = ["", "-wal", "-shm"].some((end) => isFolder(path + end));
  const setAside = (): void => {
    if (isDisposable && !isFolderAmong) {
      removeFiles(path);
      return;
    }
    const aside = moveAside(path);
    if (!isDisposable) {
      onNotice?.(
        `Toolhost's state was damaged and has been replaced; earlier changes can no longer be undone, and earlier sessions are gone. The damaged file was kept as ${aside}.`,
      );
    }
  };
  if (isBroken || isFolderAmong) {
    setAside();
  }
  // We create it first: SQLite gives its -wal and -shm the file's mode.
  makeFile(path);
  // A statement of an earlier window found the file damaged. Checking all of it at every start would be too slow, so it
  // is only checked then.
  const suspect = `${path}.suspect`;
  if (isDisposable && existsSync(suspect)) {
    removeFiles(path);
    makeFile(path);
  }
  let database: DatabaseSync;
  try {
    database = connect(sqlite, path, migrations, busyTimeout, existsSync(suspect));
  } catch (error) {
    if (!isCorrupt(error)) {
      throw error;
    }
    setAside();
    makeFile(path);
    database = connect(sqlite, path, migrations, busyTimeout, false);
  }
  rmSync(suspect, { force: true, recursive: true });
  return new SqliteStore(database, path, () => {
    try {
      writeFileSync(suspect, "");
    } finally {
      onDamage?.();
    }
  });
}

function connect(
  sqlite: SqliteModule,
  path: string,
  migrations: readonly string[],
  timeout: number,
  isSuspect: boolean,
): DatabaseSync {
  const database = new sqlite.DatabaseSync(path, { timeout });
  try {
    if (isSuspect && firstValue(database, "PRAGMA quick_check(1)") !== "ok") {
      throw Object.assign(new Error("damaged"), { errcode: 11 });
    }
    refuseNewer(database, path, migrations);
    if (Number(firstValue(database, "PRAGMA page_count")) === 0) {
      // Lets pages be returned to the disk gradually; this can only be set on an empty file.
      database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    }
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = ${KEPT_LOG}`,
    );
    migrate(database, migrations);
    checkTables(database, migrations);
    database.exec(`PRAGMA incremental_vacuum(${RETURNED_PAGES})`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Refuses a newer Toolhost's file, whose tables may have a meaning that this version does not know: the file is left
 * untouched.
 */
function refuseNewer(database: DatabaseSync, path: string, migrations: readonly string[]): void {
  const version = versionOf(database);
  if (version > migrations.length) {
    throw new ToolError(
      "unsupported",
      `${path} was written by a newer Toolhost (version ${version} of its tables; this one knows ${migrations.length}).`,
      "Update Toolhost. Until then changes cannot be undone here, and sessions are not kept; the file stays as it is.",
    );
  }
}

/** Brings the tables to this version, completely or not at all. */
function migrate(database: DatabaseSync, migrations: readonly string[]): void {
  const version = versionOf(database);
  if (version >= migrations.length) {
    return;
  }
  database.exec("BEGIN IMMEDIATE");
  try {
    database.exec(`${migrations.slice(version).join("\n")}\nPRAGMA user_version = ${migrations.length};`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) {
      database.exec("ROLLBACK");
    }
    throw error;
  }
}

/**
 * Rejects a file with the right version but a missing table: it is another program's, or was truncated. None of our
 * steps drops a table.
 */
function checkTables(database: DatabaseSync, migrations: readonly string[]): void {
  const wanted = [...migrations.join("\n").matchAll(/\bCREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(\w+)/g)].map(
    ([, name]) => name,
  );
  const there = new Set(
    database
      .prepare("SELECT name FROM sqlite_schema")
      .all()
      .map(({ name }) => name),
  );
  if (!wanted.every((name) => name !== undefined && there.has(name))) {
    throw Object.assign(new Error("a table is missing"), { errcode: 11 });
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(firstValue(database, "PRAGMA user_version"));
}

function firstValue(database: DatabaseSync, sql: string): unknown {
  return Object.values(database.prepare(sql).get() ?? {})[0];
}

function removeFiles(path: string): void {
  for (const end of ["", "-wal", "-shm"]) {
    rmSync(path + end, { force: true });
  }
}

/** Renames a damaged file and its log. Returns the new name. */
function moveAside(path: string): string {
  const aside = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  for (const end of ["", "-wal", "-shm"]) {
    if (existsSync(path + end)) {
      renameSync(path + end, aside + end);
    }
  }
  return aside;
}
