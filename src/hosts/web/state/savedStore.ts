import { ToolError } from "../../../core/errors.js";
import { messageOf } from "../../../text/words.js";
import type { MemoryStore, WebSqlite } from "./sqlite.js";

/** How long after a write the store is saved, in ms, unless somebody waits for it: calls write several times. */
const SAVED_AFTER = 300;

/** Where a store is saved between two visits. */
export interface Place {
  /** Returns what was saved; undefined if nothing was. */
  read(): Promise<Uint8Array | undefined>;
  /** Replaces what was saved: completely or not at all. */
  write(bytes: Uint8Array): Promise<void>;
  /** Keeps what was saved under another name, which it returns. */
  setAside(): Promise<string>;
}

/** A store in memory that is saved as a whole. */
export interface SavedStore {
  store: MemoryStore;
  /** Saves what is not saved yet. @throws ToolError `io_error` if that fails */
  saved: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Opens what was saved, with its tables brought up to date. What is damaged is set aside, and a new one begun.
 *
 * @param migrations all steps of the tables, in order
 * @param onNotice called with a sentence for people
 * @throws ToolError `unsupported` if a newer version of Toolhost saved it: it is left as it is
 */
export async function openSaved(
  sqlite: WebSqlite,
  place: Place,
  migrations: readonly string[],
  onNotice: (message: string) => void,
): Promise<SavedStore> {
  const store = await open(sqlite, place, migrations, onNotice);
  let isChanged = false;
  let saving: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // One after the other: an older state must never replace a newer one.
    saving = saving
      .catch(() => undefined)
      .then(async () => {
        if (isChanged) {
          isChanged = false;
          try {
            await place.write(store.bytes());
          } catch (error) {
            isChanged = true;
            throw new ToolError(
              "io_error",
              `Toolhost's state cannot be saved in this browser: ${messageOf(error)}`,
              "Free some of the space that the browser gives this site, and try again.",
            );
          }
        }
      });
    return saving;
  };
  store.onWrite = () => {
    isChanged = true;
    timer ??= setTimeout(() => void save().catch((error: unknown) => onNotice(messageOf(error))), SAVED_AFTER);
  };
  return {
    store,
    saved: save,
    close: async () => {
      await save().catch((error: unknown) => onNotice(messageOf(error)));
      store.close();
    },
  };
}

async function open(
  sqlite: WebSqlite,
  place: Place,
  migrations: readonly string[],
  onNotice: (message: string) => void,
): Promise<MemoryStore> {
  const saved = await place.read();
  let store: MemoryStore;
  try {
    store = sqlite.open(saved);
  } catch {
    const aside = await place.setAside();
    onNotice(
      `Toolhost's state was damaged and has been replaced; earlier changes can no longer be undone, and earlier sessions are gone. What was damaged was kept as ${aside}.`,
    );
    store = sqlite.open();
  }
  const { version } = store;
  if (version > migrations.length) {
    store.close();
    throw new ToolError(
      "unsupported",
      `Toolhost's state was written by a newer Toolhost (version ${version} of its tables; this one knows ${migrations.length}).`,
      "Update Toolhost. Until then nothing is changed here; the state stays as it is.",
    );
  }
  store.migrate(migrations);
  return store;
}
