// Stands between the product and the system: sees every call that changes a file or the state, before it is made.
import plain from "node:fs";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import type * as Sqlite from "node:sqlite";

/**
 * A call that is about to be made, `rename`, `sqlite-run`, and what it is made on: a path, or a statement; and from
 * which path. May throw in its place.
 */
export type OnStep = (call: string, path: string, from?: string) => void;

interface Callable {
  [name: string]: (...values: unknown[]) => unknown;
}

const PATH_CALLS = ["link", "rename", "rm", "rmdir", "mkdir", "copyFile"] as const;
/** Made without giving the thread away: told by the same names. */
const SYNC_CALLS = ["link", "rename", "copyFile", "symlink"] as const;
/** The same, of one path or open file. */
const SYNC_SINGLE_CALLS = ["mkdir", "rmdir", "rm", "fchmod"] as const;
const HANDLE_CALLS = ["writeFile", "write", "truncate", "chmod", "chown", "sync"] as const;

let onStep: OnStep | undefined;
let areHandlesWatched = false;

/** Has every step told from now on, or none. */
export function watchSteps(told: OnStep | undefined): void {
  onStep = told;
}

/** Puts the watch in place, once a process, before it returns: no step is missed. */
export function installSteps(): void {
  const calls = fs as unknown as Callable;
  for (const name of PATH_CALLS) {
    const real = calls[name];
    calls[name] = async (...values) => {
      // A link and a rename are named by where they lead.
      onStep?.(name, String(["link", "rename", "copyFile"].includes(name) ? values[1] : values[0]), String(values[0]));
      return real?.(...values);
    };
  }
  const plainCalls = plain as unknown as Callable;
  for (const name of SYNC_CALLS) {
    const real = plainCalls[`${name}Sync`];
    plainCalls[`${name}Sync`] = (...values) => {
      onStep?.(name, String(values[1]), String(values[0]));
      return real?.(...values);
    };
  }
  for (const name of SYNC_SINGLE_CALLS) {
    const real = plainCalls[`${name}Sync`];
    plainCalls[`${name}Sync`] = (...values) => {
      onStep?.(name, String(values[0]));
      return real?.(...values);
    };
  }
  const open = calls["open"];
  calls["open"] = async (...values) => {
    if (typeof values[1] === "string" && values[1] !== "r") {
      onStep?.("open", String(values[0]));
    }
    const handle = await open?.(...values);
    // Node does not export the class of its file handles.
    if (!areHandlesWatched) {
      areHandlesWatched = true;
      watchMethods(Object.getPrototypeOf(handle) as Callable, HANDLE_CALLS, async (real) => real());
    }
    return handle;
  };
  syncBuiltinESMExports();
  const sqlite = process.getBuiltinModule("node:sqlite") as typeof Sqlite | undefined;
  if (sqlite !== undefined) {
    watchMethods(sqlite.StatementSync.prototype as unknown as Callable, ["run"], (real) => real(), "sqlite-");
    watchMethods(sqlite.DatabaseSync.prototype as unknown as Callable, ["exec"], (real) => real(), "sqlite-");
  }
}

function watchMethods(
  prototype: Callable,
  names: readonly string[],
  run: (real: () => unknown) => unknown,
  of = "",
): void {
  for (const name of names) {
    const real = prototype[name];
    prototype[name] = function (this: unknown, ...values: unknown[]) {
      return run(() => {
        onStep?.(`${of}${name}`, of === "" ? "" : statement(this, values));
        return real?.apply(this, values);
      });
    };
  }
}

/** The SQL of a prepared statement, or what is given to run. */
function statement(on: unknown, [given]: unknown[]): string {
  const sql = (on as { sourceSQL?: string }).sourceSQL ?? String(given);
  return sql.replaceAll(/\s+/g, " ");
}
