import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { loadSqlite, type WebSqlite } from "../../../../src/hosts/web/state/sqlite.js";
import type { Place } from "../../../../src/hosts/web/state/savedStore.js";

const require = createRequire(import.meta.url);

/** SQLite's build for browsers, loaded as a tab loads it. */
export async function webSqlite(): Promise<WebSqlite> {
  return loadSqlite(await readFile(require.resolve("@sqlite.org/sqlite-wasm/sqlite3.wasm")));
}

/** A place in memory, as a browser's storage is one. */
export class MemoryPlace implements Place {
  saved: Uint8Array | undefined;
  aside: Uint8Array | undefined;
  /** Set: writing fails with it. */
  full: Error | undefined;
  writes = 0;

  async read(): Promise<Uint8Array | undefined> {
    return this.saved?.slice();
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.full !== undefined) throw this.full;
    this.writes++;
    this.saved = bytes.slice();
  }

  async setAside(): Promise<string> {
    this.aside = this.saved;
    this.saved = undefined;
    return "aside";
  }
}
