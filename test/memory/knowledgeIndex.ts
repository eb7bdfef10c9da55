import type { IndexStores } from "../../src/features/knowledge/knowledgeBase.js";
import { knowledgeSchema } from "../../src/features/knowledge/schema.js";
import { loadSqlite } from "../../src/hosts/node/state/sqlite.js";
import { SqliteStore } from "../../src/hosts/node/state/sqliteStore.js";

/** A search index in memory alone, made when it is first used; undefined where there is no SQLite. */
export function openMemoryIndex(): IndexStores | undefined {
  const sqlite = loadSqlite();
  if (sqlite === undefined) {
    return undefined;
  }
  let store: SqliteStore | undefined;
  const open = (): SqliteStore => {
    const database = new sqlite.DatabaseSync(":memory:");
    database.exec(`PRAGMA foreign_keys = ON; ${knowledgeSchema(["context", "memory", "code"])}`);
    return new SqliteStore(database, ":memory:");
  };
  return { current: async () => (store ??= open()), renew: () => Promise.resolve(false) };
}
