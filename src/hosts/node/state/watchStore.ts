import { watch, type FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";
import type { Store } from "../../../ports/store.js";

/** How long to wait after an event before looking, in ms: a transaction is several writes, and a turn several of those. */
const SOON = 250;

/**
 * Calls back when another process has committed to a store's file. It costs the system's events for the folder, and one
 * statement after them. Where the system cannot watch files, it never calls back.
 *
 * @param path of the file
 * @param onChange called some time after each burst of commits; never for this store's own
 */
export function watchStore(path: string, store: Pick<Store, "get">, onChange: () => void): { close: () => void } {
  const log = `${basename(path)}-wal`;
  let version = versionOf(store);
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    const now = versionOf(store);
    if (now !== undefined && now !== version) {
      version = now;
      onChange();
    }
  };
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      if (name === null || name === log) {
        timer ??= setTimeout(look, SOON).unref();
      }
    });
    // The folder may be deleted, or be on a disk that goes away.
    watcher.on("error", () => watcher?.close());
  } catch {
    // No more watches in this system (`ENOSPC`), or a file system without events.
  }
  return {
    close: () => {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** SQLite's number of commits that others made since the store was opened; undefined if it cannot be read. */
function versionOf(store: Pick<Store, "get">): number | undefined {
  try {
    return store.get<{ data_version: number }>("PRAGMA data_version")?.data_version;
  } catch {
    return undefined;
  }
}
