import { readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Liveness, Owner } from "../../../ports/owner.js";
import { PROTOCOL, type WindowNote } from "./protocol.js";

/**
 * Finds the window that has a folder open, and removes what killed windows left.
 *
 * @param notes the folder with the notes of windows
 * @param folder the real path
 */
export function findWindow(
  notes: string,
  folder: string,
  livenessOf: (owner: Owner) => Liveness,
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
    } else if (note.protocol === PROTOCOL && note.folder === folder) {
      found = note;
    }
  }
  return found;
}

/** Removes a socket and its folder, which only ever has the socket. */
function removeSocket(socket: string): void {
  try {
    rmSync(socket, { force: true });
    rmdirSync(dirname(socket));
  } catch {
    // On Windows there is nothing to remove, and elsewhere somebody else was first.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function readNote(path: string): WindowNote | undefined {
  try {
    const note = JSON.parse(readFileSync(path, "utf8")) as Partial<WindowNote>;
    const { pid, started, folder, socket, token } = note;
    const isWhole = [started, folder, socket, token].every((each) => typeof each === "string");
    return isWhole && Number.isInteger(pid) ? (note as WindowNote) : undefined;
  } catch {
    return undefined;
  }
}
