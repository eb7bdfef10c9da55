import { ToolError } from "../../../core/errors.js";
import { messageOf } from "../../../text/words.js";
import { DamagedState, type MemoryStore, type WebSqlite } from "./sqlite.js";

/** How long after a write the store is saved, in ms, unless somebody waits for it: calls write several times. */
const SAVED_AFTER = 300;
/** How long until a state that could not be saved is saved again, in ms. */
const RETRIED_AFTER = 10_000;

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
  let next: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = async (): Promise<void> => {
    next = undefined;
    if (!isChanged) {
      return;
    }
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
  };
  // One after the other, since an older state must never replace a newer one; and one that waits is enough for all who
  // wait.
  const save = (): Promise<void> => {
    next ??= saving = saving.catch(() => undefined).then(write);
    return next;
  };
  const saveSoon = (after: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      save().catch((error: unknown) => {
        onNotice(messageOf(error));
        saveSoon(RETRIED_AFTER);
      });
    }, after);
  };
  store.onWrite = () => {
    isChanged = true;
    saveSoon(SAVED_AFTER);
  };
  return {
    store,
    saved: save,
    close: async () => {
      await save().catch((error: unknown) => onNotice(messageOf(error)));
      // What was written meanwhile.
      await save().catch(() => undefined);
      store.onWrite = () => undefined;
      clearTimeout(timer);
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
  } catch (error) {
    if (!(error instanceof DamagedState)) {
      throw error;
    }
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
