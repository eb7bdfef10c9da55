import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Liveness, Owner } from "../../../ports/owner.js";
import { isOurs, removeSocket } from "./ours.js";
import { PROTOCOL, type WindowNote } from "./protocol.js";

/** Maximum bytes of a note: the paths of folders, and little else. */
const MAX_NOTE = 1_000_000;

/** Returns the name of a window's note. */
export function noteName(pid: number, id: string): string {
  return `${pid}-${id}.json`;
}

/**
 * Finds the window that has a folder open, or a certain window, and removes what killed windows left. Of several that
 * have it, one that has it alone.
 *
 * @param notes the folder with the notes of windows
 * @param folder the real path
 * @param id the window, whatever it has open, if it must be a certain one
 * @throws Error if others could have put notes there: what they name would get this user's calls
 */
export function findWindow(
  notes: string,
  folder: string,
  livenessOf: (owner: Owner) => Liveness,
  id?: string,
): WindowNote | undefined {
  let found: WindowNote | undefined;
  for (const name of namesIn(notes)) {
    const path = join(notes, name);
    const note = readNote(path);
    if (note === undefined) {
      continue;
    }
    if (livenessOf(note) === "gone") {
      rmSync(path, { force: true });
      removeSocket(note.socket);
    } else if (
      note.protocol === PROTOCOL &&
      (id === undefined ? note.folders.includes(folder) : name === noteName(note.pid, id)) &&
      (found === undefined || note.folders.length <= found.folders.length)
    ) {
      found = note;
    }
  }
  return found;
}

function namesIn(folder: string): string[] {
  let isSafe: boolean;
  try {
    const found = lstatSync(folder);
    isSafe = found.isDirectory() && isOurs(found, 0o077);
  } catch {
    return [];
  }
  if (!isSafe) {
    throw new Error(`${folder} is not a folder that only you can open (mode 0700)`);
  }
  return readdirSync(folder).filter((name) => name.endsWith(".json"));
}

/** Reads a note, unless it is none: a pipe would never end, and what others can write may lead anywhere. */
function readNote(path: string): WindowNote | undefined {
  try {
    const file = lstatSync(path);
    if (!file.isFile() || !isOurs(file, 0o022) || file.size > MAX_NOTE) {
      return undefined;
    }
    const note = JSON.parse(readFileSync(path, "utf8")) as Partial<WindowNote>;
    // Other versions of Toolhost write no folders.
    const { pid, started, folders = [], socket, token } = note;
    const areTexts = (values: readonly unknown[]): boolean => values.every((each) => typeof each === "string");
    const isWhole = Array.isArray(folders) && areTexts(folders) && areTexts([started, socket, token]);
    return isWhole && Number.isInteger(pid) ? ({ ...note, folders } as WindowNote) : undefined;
  } catch {
    return undefined;
  }
}
