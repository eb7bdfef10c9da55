import type { Store } from "../../ports/store.js";
import { Blobs, hashOf } from "./journal/blobs.js";
import { packText, unpackText, type Form } from "./journal/images.js";

/** Maximum characters of a text kept to show later what changed. For a longer text only the version is kept. */
const MAX_TEXT = 2_000_000;
/**
 * Maximum bytes of all texts kept: several hundred files of a session at work. The oldest lose their text and keep
 * their version.
 */
const MAX_TEXTS = 32 * 1024 * 1024;
/** Maximum number of files, over all sessions. The oldest are forgotten and count as unread. */
const MAX_FILES = 5_000;
/** Delay before reads are stored, in ms: reading is fast, and a crash only costs reading again. */
const WRITE_DELAY = 200;

/** What is known about a file's state: its text's version and the text itself, or a huge file's size and time. */
export type Seen = { version: string; text?: string } | { size: number; modified: number };

/** How a file has changed since a session read it. */
export type ReadState =
  | "unread"
  | "same"
  | { stale: true; /** The text that was read, if it is still known. */ readText?: string };

export interface LedgerBounds {
  text: number;
  texts: number;
  files: number;
}

export const BOUNDS: LedgerBounds = { text: MAX_TEXT, texts: MAX_TEXTS, files: MAX_FILES };

interface Entry {
  session: string;
  absolute: string;
  version: string | undefined;
  text: string | undefined;
  size: number | undefined;
  modified: number | undefined;
}

interface ReadRow {
  version: string | null;
  hash: string | null;
  form: string | null;
  file_size: number | null;
  modified: number | null;
}

/**
 * Records which files each session has read, and in which state. Kept in the store, if any, so that it outlives the
 * window.
 */
export class Ledger {
  readonly #store: Store | undefined;
  readonly #bounds: LedgerBounds;
  /** Keyed by session and file, oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Entries that the store does not have yet; undefined for those it should forget. */
  readonly #unwritten = new Map<string, Entry | undefined>();
  #characters = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(store?: Store, bounds: LedgerBounds = BOUNDS) {
    this.#store = store;
    this.#bounds = bounds;
  }

  /** Records that a session has seen a file in this state. @param absolute the file's real absolute path or address */
  note(session: string, absolute: string, seen: Seen): void {
    const key = keyOf(session, absolute);
    this.#remove(key);
    const entry: Entry = {
      session,
      absolute,
      version: "version" in seen ? seen.version : undefined,
      text: "version" in seen && (seen.text?.length ?? 0) <= this.#bounds.text ? seen.text : undefined,
      size: "size" in seen ? seen.size : undefined,
      modified: "size" in seen ? seen.modified : undefined,
    };
    this.#entries.set(key, entry);
    this.#characters += entry.text?.length ?? 0;
    this.#shrink();
    this.#write(key, entry);
  }

  /** Compares a file with what was read. A text cannot be compared with a huge file's size: that counts as unread. */
  check(session: string, absolute: string, now: Seen): ReadState {
    const entry = this.#find(session, absolute);
    if (entry === undefined) {
      return "unread";
    }
    const isText = "version" in now;
    if (isText ? entry.version === undefined : entry.size === undefined) {
      return "unread";
    }
    const isSame = isText ? entry.version === now.version : entry.size === now.size && entry.modified === now.modified;
    return isSame ? "same" : { stale: true, ...(entry.text !== undefined && { readText: entry.text }) };
  }

  /** Forgets a file that is gone: it is unread if it comes back. */
  forget(session: string, absolute: string): void {
    const key = keyOf(session, absolute);
    this.#remove(key);
    this.#write(key, undefined);
  }

  /**
   * Stores what a session has read and holds nothing of it, so that another process can go on with the session, and this
   * one after it. What cannot be stored stays here.
   */
  async release(session: string): Promise<void> {
    await this.flush();
    for (const [key, entry] of this.#store === undefined ? [] : this.#entries) {
      if (entry.session === session && !this.#unwritten.has(key) && this.#isStored(entry)) {
        this.#remove(key);
      }
    }
  }

  /** Stores what is not in the store yet. Call it before closing the store. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    await this.#writing;
  }

  #find(session: string, absolute: string): Entry | undefined {
    const key = keyOf(session, absolute);
    const known = this.#entries.get(key);
    if (known !== undefined || this.#store === undefined || this.#unwritten.has(key)) {
      return known;
    }
    const row = this.#store.get<ReadRow>(
      "SELECT version, hash, form, file_size, modified FROM reads WHERE session = ? AND absolute = ?",
      session,
      absolute,
    );
    const data = row?.hash === undefined || row.hash === null ? undefined : new Blobs(this.#store).get(row.hash);
    return (
      row && {
        session,
        absolute,
        version: row.version ?? undefined,
        text: data && unpackText(row.form as Form, data),
        size: row.file_size ?? undefined,
        modified: row.modified ?? undefined,
      }
    );
  }

  /** Whether the store has a version of the file: it has none if its disk is full. */
  #isStored({ session, absolute }: Entry): boolean {
    const row = "SELECT 1 FROM reads WHERE session = ? AND absolute = ?";
    return this.#store?.get(row, session, absolute) !== undefined;
  }

  #remove(key: string): void {
    this.#characters -= this.#entries.get(key)?.text?.length ?? 0;
    this.#entries.delete(key);
  }

  #shrink(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size > this.#bounds.files) {
        this.#remove(key);
      } else if (this.#characters <= this.#bounds.texts) {
        return;
      } else if (entry.text !== undefined) {
        this.#characters -= entry.text.length;
        this.#entries.set(key, { ...entry, text: undefined });
      }
    }
  }

  #write(key: string, entry: Entry | undefined): void {
    if (this.#store === undefined) {
      return;
    }
    this.#unwritten.set(key, entry);
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => void this.flush(), WRITE_DELAY);
      // Let the process exit without waiting for this timer (command line).
      (this.#timer as { unref?: () => void }).unref?.();
    }
  }

  async #writeAll(): Promise<void> {
    const store = this.#store;
    const entries = [...this.#unwritten];
    if (store === undefined || entries.length === 0) {
      return;
    }
    const packed = await Promise.all(
      entries.map(async ([key, entry]) => {
        const text = entry?.text === undefined ? undefined : packText(entry.text);
        return { key, entry, text: text && { ...text, hash: await hashOf(text.data) } };
      }),
    );
    try {
      store.transaction(() => {
        for (const { key, entry, text } of packed) {
          const [session = "", absolute = ""] = key.split("\0");
          dropRow(store, session, absolute);
          if (entry !== undefined) {
            if (text !== undefined) {
              new Blobs(store).hold(text.hash, text.data);
            }
            store.run(
              "INSERT INTO reads (session, absolute, version, hash, form, size, file_size, modified, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(at), 0) + 1 FROM reads))",
              ...[
                session,
                absolute,
                entry.version ?? null,
                text?.hash ?? null,
                text?.form ?? null,
                text?.data.byteLength ?? null,
                entry.size ?? null,
                entry.modified ?? null,
              ],
            );
          }
        }
        shrinkStored(store, this.#bounds);
      });
    } catch {
      // The disk is full or the store was closed. The entries stay known in this window.
    }
    for (const { key, entry } of packed) {
      if (this.#unwritten.get(key) === entry) {
        this.#unwritten.delete(key);
      }
    }
  }
}

function keyOf(session: string, absolute: string): string {
  return `${session}\0${absolute}`;
}

function dropRow(store: Store, session: string, absolute: string): void {
  const hash = store.get<{ hash: string | null }>(
    "SELECT hash FROM reads WHERE session = ? AND absolute = ?",
    session,
    absolute,
  )?.hash;
  if (hash) {
    new Blobs(store).release(hash);
  }
  store.run("DELETE FROM reads WHERE session = ? AND absolute = ?", session, absolute);
}

/** Keeps the stored rows, of all windows together, within the same bounds. */
function shrinkStored(store: Store, { files, texts }: LedgerBounds): void {
  const { count = 0, bytes = 0 } =
    store.get<{ count: number; bytes: number }>(
      "SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM reads",
    ) ?? {};
  if (count > files) {
    for (const { session, absolute } of store.all<{ session: string; absolute: string }>(
      "SELECT session, absolute FROM reads ORDER BY at LIMIT ?",
      count - files,
    )) {
      dropRow(store, session, absolute);
    }
  }
  let over = bytes - texts;
  for (const row of over > 0
    ? store.all<{ session: string; absolute: string; hash: string; size: number }>(
        "SELECT session, absolute, hash, size FROM reads WHERE hash IS NOT NULL ORDER BY at",
      )
    : []) {
    if (over <= 0) {
      return;
    }
    new Blobs(store).release(row.hash);
    store.run(
      "UPDATE reads SET hash = NULL, form = NULL, size = NULL WHERE session = ? AND absolute = ?",
      row.session,
      row.absolute,
    );
    over -= row.size;
  }
}
