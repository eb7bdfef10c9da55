import type { Store } from "../../../ports/store.js";

/** Stores each content once, by its hash, while anything refers to it. Call inside a transaction. */
export class Blobs {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds a reference to a content, and stores the content if it is new. */
  hold(hash: string, data: Uint8Array): void {
    this.#store.run(
      "INSERT INTO blobs (hash, size, refs, data) VALUES (?, ?, 1, ?) ON CONFLICT (hash) DO UPDATE SET refs = refs + 1",
      hash,
      data.byteLength,
      data,
    );
  }

  /** Removes a reference, and the content with the last one. */
  release(hash: string): void {
    this.#store.run("UPDATE blobs SET refs = refs - 1 WHERE hash = ?", hash);
    this.#store.run("DELETE FROM blobs WHERE hash = ? AND refs <= 0", hash);
  }

  get(hash: string): Uint8Array | undefined {
    return this.#store.get<{ data: Uint8Array }>("SELECT data FROM blobs WHERE hash = ?", hash)?.data;
  }

  /** Bytes of all contents. */
  total(): number {
    return this.#store.get<{ total: number }>("SELECT coalesce(sum(size), 0) AS total FROM blobs")?.total ?? 0;
  }
}

/** Returns the SHA-256 of a content, in hex. */
export async function hashOf(data: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", data as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
