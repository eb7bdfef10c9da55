import type * as Sqlite from "node:sqlite";
import { ToolError } from "../../../core/errors.js";

/** Node's own SQLite. */
export type SqliteModule = typeof Sqlite;

/** SQLite's primary result codes (sqlite3.h) that matter to a caller. */
const CODE = {
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/**
 * Loads Node's SQLite on first use; undefined before Node 22.13, which has none without a flag.
 *
 * An import would crash the process there, and even a `require` prints Node 22's warning on everybody's terminal.
 */
export function loadSqlite(): SqliteModule | undefined {
  if (typeof process.getBuiltinModule !== "function") {
    return undefined;
  }
  const emitWarning: (...values: unknown[]) => void = process.emitWarning.bind(process) as never;
  const original = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = (...values: unknown[]) => {
    const [warning, kind] = values;
    if (!(String(warning).includes("SQLite") && kind === "ExperimentalWarning")) {
      emitWarning(...values);
    }
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    if (original !== undefined) {
      Object.defineProperty(process, "emitWarning", original);
    }
  }
}

/** Returns the primary code of a SQLite error; undefined for any other error. */
function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined;
}

/** Whether another process has the file locked at this moment. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CODE.BUSY || code === CODE.LOCKED;
}

/** Whether the file is no longer a database. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CODE.CORRUPT || code === CODE.NOTADB;
}

/** Whether a statement failed in SQLite, for any reason. */
export function isSqliteError(error: unknown): boolean {
  return sqliteCode(error) !== undefined;
}

/**
 * Turns SQLite's or the file system's error into a `ToolError`; returns `ToolError`s and our own mistakes unchanged.
 */
export function stateError(path: string, error: unknown): unknown {
  const code = sqliteCode(error);
  switch (code) {
    case CODE.BUSY:
    case CODE.LOCKED:
      return new ToolError("unavailable", `${path}: another process is busy with Toolhost's state.`, "Try again.");
    case CODE.FULL:
      return new ToolError(
        "io_error",
        `${path}: no space is left for Toolhost's state.`,
        "Free some space and try again.",
      );
    case CODE.PERM:
    case CODE.READONLY:
    case CODE.CANTOPEN:
      return new ToolError(
        "io_error",
        `${path}: Toolhost's state cannot be written.`,
        "Check the permissions of the file and its folder.",
      );
    case CODE.IOERR:
      return new ToolError("io_error", `${path}: reading or writing Toolhost's state failed.`, "Check the disk.");
    case CODE.CORRUPT:
    case CODE.NOTADB:
      return new ToolError(
        "io_error",
        `${path}: Toolhost's state is damaged.`,
        "The next call moves it aside and starts a new one. Try again.",
      );
    default:
      break;
  }
  if (error instanceof Error && "code" in error && error.code === "ERR_INVALID_STATE") {
    return new ToolError("unavailable", `${path}: Toolhost's state is closed.`, "Try again.");
  }
  if (error instanceof Error && "syscall" in error) {
    return new ToolError(
      "io_error",
      `${path}: Toolhost's state cannot be kept there: ${error.message}.`,
      "Check the permissions of the folder, or set XDG_STATE_HOME or TOOLHOST_STATE to another one.",
    );
  }
  return error;
}
