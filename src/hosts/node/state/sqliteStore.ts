import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqlValue, Store } from "../../../ports/store.js";
import { isCorrupt, stateError } from "./sqlite.js";

/**
 * Maximum prepared statements kept: all statements we have, with room to spare; preparing one takes as long as running
 * it.
 */
const KEPT_STATEMENTS = 200;

/** The store on an open database. */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #onCorrupt: () => void;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  /**
   * @param path names the file in errors
   * @param onCorrupt called if a statement finds the file damaged
   */
  constructor(database: DatabaseSync, path: string, onCorrupt: () => void = () => undefined) {
    this.#database = database;
    this.#path = path;
    this.#onCorrupt = onCorrupt;
  }

  run(sql: string, ...values: SqlValue[]): { changes: number; id: number } {
    return this.#told(() => {
      const { changes, lastInsertRowid } = this.#statement(sql).run(...values.map(bindable));
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    });
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#told(() => this.#statement(sql).all(...values.map(bindable)) as Row[]);
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#told(() => this.#statement(sql).get(...values.map(bindable)) as Row | undefined);
  }

  transaction<Result>(work: () => Result, safety?: "disk"): Result {
    if (safety === undefined || this.#depth > 0) {
      return this.#transaction(work);
    }
    this.#told(() => this.#database.exec("PRAGMA synchronous = FULL"));
    try {
      return this.#transaction(work);
    } finally {
      this.#told(() => this.#database.exec("PRAGMA synchronous = NORMAL"));
    }
  }

  #transaction<Result>(work: () => Result): Result {
    // A nested transaction is a savepoint, which can be rolled back alone.
    const name = `nested_${this.#depth}`;
    const [begin, commit, rollback] =
      this.#depth === 0
        ? // IMMEDIATE: a transaction that starts as a reader and writes later fails immediately if another process has written meanwhile (sqlite.org/isolation).
          ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"]
        : [`SAVEPOINT ${name}`, `RELEASE ${name}`, `ROLLBACK TO ${name}; RELEASE ${name}`];
    this.#told(() => this.#database.exec(begin));
    this.#depth += 1;
    try {
      const result = work();
      this.#told(() => this.#database.exec(commit));
      return result;
    } catch (error) {
      // On some errors (a full disk) SQLite rolls a transaction back itself.
      if (this.#database.isTransaction) {
        this.#database.exec(rollback);
      }
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) {
      this.#database.close();
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
      const [oldest] = this.#statements.keys();
      if (this.#statements.size > KEPT_STATEMENTS && oldest !== undefined) {
        this.#statements.delete(oldest);
      }
    }
    return statement;
  }

  #told<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (isCorrupt(error)) {
        this.#onCorrupt();
      }
      throw stateError(this.#path, error);
    }
  }
}

/** Replaces bytes without a buffer of their own, such as an encoded empty text: Node 22 stores those as NULL. */
function bindable(value: SqlValue): SqlValue {
  return value instanceof Uint8Array && value.byteLength === 0 ? new Uint8Array(0) : value;
}
