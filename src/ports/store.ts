/** A value that a column holds. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * The workspace's state on this machine: one SQLite file, the same for every window and the command line.
 *
 * Calls are synchronous and short. They throw `ToolError` `unavailable` when another process holds the file too long,
 * `io_error` when it cannot be written.
 */
export interface Store {
  /** Runs a statement; how many rows it changed, and the last row's id. */
  run(sql: string, ...values: SqlValue[]): { changes: number; id: number };
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  /**
   * Runs `work` in one transaction that may write; a throw takes everything back.
   *
   * @param safety `disk`: it is on the disk when this returns, with all before it, so that a power failure takes none
   * of it. Outermost only.
   */
  transaction<Result>(work: () => Result, safety?: "disk"): Result;
  close(): void;
}
