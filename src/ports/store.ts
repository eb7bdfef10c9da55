/** A column's value. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * The workspace's state on this machine: one SQLite file shared by all windows and the command line.
 *
 * Calls are synchronous and short. They throw `ToolError` `unavailable` if another process locks the file too long,
 * `io_error` if it cannot be written.
 */
export interface Store {
  /** Runs a statement; returns the number of changed rows and the id of the last inserted row. */
  run(sql: string, ...values: SqlValue[]): { changes: number; id: number };
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  /**
   * Runs `work` in one write transaction; if it throws, everything is rolled back.
   *
   * @param safety `disk`: flushed to disk when this returns, with everything before it, so that a power failure loses
   * none of it. Outermost transactions only.
   */
  transaction<Result>(work: () => Result, safety?: "disk"): Result;
  close(): void;
}
