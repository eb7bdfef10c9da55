import type { IndexStores } from "../../src/features/knowledge/knowledgeBase.js";
import { KNOWLEDGE_SCHEMA } from "../../src/features/knowledge/schema.js";
import { loadSqlite } from "../../src/hosts/node/state/sqlite.js";
import { SqliteStore } from "../../src/hosts/node/state/sqliteStore.js";

/** A search index in memory alone; undefined where there is no SQLite. */
export function openMemoryIndex(): IndexStores | undefined {
  const sqlite = loadSqlite();
  if (sqlite === undefined) {
    return undefined;
  }
  const database = new sqlite.DatabaseSync(":memory:");
  database.exec(`PRAGMA foreign_keys = ON; ${KNOWLEDGE_SCHEMA}`);
  const store = new SqliteStore(database, ":memory:");
  return { current: () => Promise.resolve(store), renew: () => Promise.resolve(false) };
}
