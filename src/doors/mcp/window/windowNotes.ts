import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Liveness, Owner } from "../../../ports/owner.js";
import { isOurs, removeSocket } from "./ours.js";
import { PROTOCOL, type WindowNote } from "./protocol.js";

/** Maximum bytes of a note: two paths, and little else. */
const MAX_NOTE = 64_000;

/** Returns the name of a window's note. */
export function noteName(pid: number, id: string): string {
  return `${pid}-${id}.json`;
}

/**
 * Finds the window that has a folder open and no other, or a certain window, and removes what killed windows left.
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
      (id === undefined ? note.folder === folder : name === noteName(note.pid, id))
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
    const { pid, started, folder, socket, token } = note;
    const isWhole =
      [started, socket, token].every((each) => typeof each === "string") &&
      (folder === undefined || typeof folder === "string");
    return isWhole && Number.isInteger(pid) ? (note as WindowNote) : undefined;
  } catch {
    return undefined;
  }
}
