import init, { type Database, type PreparedStatement, type Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import { ToolError } from "../../../core/errors.js";
import type { SqlValue, Store } from "../../../ports/store.js";
import { messageOf } from "../../../text/words.js";

/** Maximum prepared statements kept: all that we have, with room to spare. */
const KEPT_STATEMENTS = 200;

/** Matches SQLite's names of the errors of what is no database, or no longer one. */
const DAMAGE = /SQLITE_(?:CORRUPT|NOTADB)/;

/** What was saved is no database. */
export class DamagedState extends Error {
  constructor() {
    super("the saved state is damaged");
  }
}

/** SQLite for a browser. */
export interface WebSqlite {
  /**
   * Opens a database in memory, with what was saved of it before.
   *
   * @param saved the bytes of `MemoryStore.bytes`; absent: a new one
   * @throws DamagedState if they are no database
   */
  open(saved?: Uint8Array): MemoryStore;
}

/** @param program SQLite's own build for WebAssembly */
export async function loadSqlite(program: Uint8Array): Promise<WebSqlite> {
  // What fails here would never be told by SQLite's own code: it only waits for `done`.
  const module = await WebAssembly.compile(program as Uint8Array<ArrayBuffer>);
  const sqlite = await new Promise<Sqlite3Static>((resolve, reject) => {
    const options = {
      instantiateWasm: (
        imports: WebAssembly.Imports,
        done: (instance: WebAssembly.Instance, of: WebAssembly.Module) => void,
      ) => {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), reject);
        return {};
      },
    };
    (init as (given: typeof options) => Promise<Sqlite3Static>)(options).then(resolve, reject);
  });
  return { open: (saved) => new MemoryStore(sqlite, saved) };
}

/** The store in this tab's memory. Whoever holds it saves it. */
export class MemoryStore implements Store {
  readonly #sqlite: Sqlite3Static;
  readonly #database: Database;
  readonly #statements = new Map<string, PreparedStatement>();
  #depth = 0;
  /** Called after something was written. */
  onWrite: () => void = () => undefined;

  constructor(sqlite: Sqlite3Static, saved: Uint8Array | undefined) {
    this.#sqlite = sqlite;
    this.#database = new sqlite.oo1.DB(":memory:", "c");
    if (saved === undefined) {
      // So that what was deleted makes it smaller; this can only be set on an empty one.
      this.#database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    } else {
      const { capi, wasm } = sqlite;
      const at = wasm.allocFromTypedArray(saved);
      const code = capi.sqlite3_deserialize(
        ...([this.#database, "main", at, saved.byteLength, saved.byteLength] as const),
        capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE,
      );
      this.#database.checkRc(code);
      if (!this.#isSound(saved)) {
        this.close();
        throw new DamagedState();
      }
    }
    this.#database.exec("PRAGMA foreign_keys = ON");
  }

  /** The version of the tables. */
  get version(): number {
    return this.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
  }

  /** Brings the tables up to date. @param migrations all steps ever made, in order */
  migrate(migrations: readonly string[]): void {
    const { version } = this;
    if (version < migrations.length) {
      this.transaction(() => this.#database.exec(migrations.slice(version).join("\n")));
      this.#database.exec(`PRAGMA user_version = ${migrations.length}`);
    }
  }

  /** Returns the whole database, to be saved. */
  bytes(): Uint8Array {
    // It gives back a page with each row.
    this.all("PRAGMA incremental_vacuum");
    return this.#sqlite.capi.sqlite3_js_db_export(this.#database);
  }

  run(sql: string, ...values: SqlValue[]): { changes: number; id: number } {
    try {
      return this.#with(sql, values, (statement) => {
        statement.step();
        const id = Number(this.#sqlite.capi.sqlite3_last_insert_rowid(this.#database));
        return { changes: Number(this.#database.changes()), id };
      });
    } finally {
      this.onWrite();
    }
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#with(sql, values, (statement) => {
      const rows: Row[] = [];
      while (statement.step()) {
        rows.push(statement.get({}) as Row);
      }
      return rows;
    });
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#with(sql, values, (statement) => (statement.step() ? (statement.get({}) as Row) : undefined));
  }

  transaction<Result>(work: () => Result): Result {
    this.#refuseClosed();
    // A nested transaction can be rolled back alone.
    const name = `nested_${this.#depth}`;
    this.#database.exec(`SAVEPOINT ${name}`);
    this.#depth += 1;
    try {
      const result = work();
      this.#database.exec(`RELEASE ${name}`);
      return result;
    } catch (error) {
      // On some errors, such as too little memory, SQLite has rolled everything back itself.
      if (this.#sqlite.capi.sqlite3_get_autocommit(this.#database) === 0) {
        this.#database.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      }
      throw failed(error);
    } finally {
      this.#depth -= 1;
      this.onWrite();
    }
  }

  close(): void {
    if (this.#database.isOpen()) {
      for (const statement of this.#statements.values()) {
        statement.finalize();
      }
      this.#database.close();
    }
    this.#statements.clear();
  }

  #with<Result>(sql: string, values: readonly SqlValue[], work: (statement: PreparedStatement) => Result): Result {
    const statement = this.#prepared(sql);
    try {
      return work(values.length === 0 ? statement : statement.bind([...values]));
    } catch (error) {
      throw failed(error);
    } finally {
      try {
        statement.reset(true);
      } catch {
        // It repeats the error of the statement, which was thrown above.
      }
    }
  }

  #isSound(saved: Uint8Array): boolean {
    try {
      return saved.byteLength > 0 && this.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check === "ok";
    } catch (error) {
      if (DAMAGE.test(messageOf(error))) {
        return false;
      }
      throw error;
    }
  }

  #refuseClosed(): void {
    if (!this.#database.isOpen()) {
      throw new ToolError("unavailable", "Toolhost's state is closed.", "Try again.");
    }
  }

  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      return known;
    }
    this.#refuseClosed();
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements;
    if (this.#statements.size > KEPT_STATEMENTS && oldest !== undefined) {
      oldest[1].finalize();
      this.#statements.delete(oldest[0]);
    }
    return statement;
  }
}

function failed(error: unknown): unknown {
  return error instanceof Error && error.name === "SQLite3Error"
    ? new ToolError("io_error", `Toolhost's state cannot be used: ${messageOf(error)}.`, "Reload the window.")
    : error;
}
