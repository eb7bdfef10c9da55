import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isRecord } from "../../../core/jsonSchema.js";
import { statesRoot } from "./stateFolder.js";
import { STATE_FILE } from "./store.js";

/**
 * Returns the workspaces with several folders, one of them this one, that have a state on this machine: the absolute paths
 * of their folders. Without those that have a folder on no disk.
 */
export function otherWorkspaces(folder: string): string[][] {
  let names: string[];
  try {
    names = readdirSync(statesRoot());
  } catch {
    return [];
  }
  return names
    .map((name) => join(statesRoot(), name))
    .filter((path) => existsSync(join(path, STATE_FILE)))
    .map(foldersIn)
    .filter((folders) => folders.length > 1 && folders.includes(folder) && folders.every((each) => isAbsolute(each)));
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
