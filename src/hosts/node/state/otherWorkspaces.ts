import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { isRecord } from "../../../core/jsonSchema.js";
import { loadSqlite } from "./sqlite.js";
import { statesRoot } from "./stateFolder.js";
import { STATE_FILE } from "./store.js";

/** A workspace with a state on this machine: where the state is, and its folders' absolute paths or addresses. */
interface Known {
  state: string;
  folders: string[];
}

/**
 * Returns the workspaces with several folders, one of them this one, that have a state on this machine: the absolute paths
 * of their folders. Without those that have a folder on no disk.
 */
export function otherWorkspaces(folder: string): string[][] {
  return knownWorkspaces()
    .map(({ folders }) => folders)
    .filter((folders) => folders.length > 1 && folders.includes(folder) && folders.every((each) => isAbsolute(each)));
}

/** Returns the folders above and below this one that are workspaces of their own and may have changes to undo. */
export function nestedWorkspaces(folder: string): string[] {
  const isBelow = (inner: string, outer: string): boolean =>
    inner !== outer && inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
  return knownWorkspaces()
    .filter(({ state, folders: [only = "", ...others] }) => {
      const isNested = isAbsolute(only) && (isBelow(folder, only) || isBelow(only, folder));
      return others.length === 0 && isNested && mayHaveCalls(join(state, STATE_FILE));
    })
    .flatMap(({ folders }) => folders)
    .sort();
}

/** Whether a state has recorded calls, or cannot tell. */
function mayHaveCalls(path: string): boolean {
  const sqlite = loadSqlite();
  if (sqlite === undefined) {
    return true;
  }
  try {
    const store = new sqlite.DatabaseSync(path, { readOnly: true });
    try {
      return store.prepare("SELECT 1 FROM calls LIMIT 1").get() !== undefined;
    } finally {
      store.close();
    }
  } catch {
    return true;
  }
}

function knownWorkspaces(): Known[] {
  let names: string[];
  try {
    names = readdirSync(statesRoot());
  } catch {
    return [];
  }
  return names
    .map((name) => join(statesRoot(), name))
    .filter((path) => existsSync(join(path, STATE_FILE)))
    .map((state) => ({ state, folders: foldersIn(state) }));
}

function foldersIn(state: string): string[] {
  try {
    const noted: unknown = JSON.parse(readFileSync(join(state, "workspace.json"), "utf8"));
    const folders: unknown = isRecord(noted) ? noted["folders"] : undefined;
    return Array.isArray(folders) ? folders.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}
