import { lstatSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";

/** The last part of a socket's path. */
export const SOCKET_NAME = "s";
/** How the name of a socket's folder begins. */
export const SOCKET_FOLDER = "toolhost-";

const PIPE = /^\\\\\.\\pipe\\toolhost-[\da-f]{16}$/;

/** Whether something belongs to this user, and others have none of some permissions. Windows has neither. */
export function isOurs({ uid, mode }: Pick<Stats, "uid" | "mode">, never: number): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & never) === 0);
}

/** Whether a path is that of a window's socket, in a folder that only this user can open. Follows no link. */
export function isOurSocket(path: string): boolean {
  if (process.platform === "win32") {
    return PIPE.test(path);
  }
  const socket = stats(path);
  return isInOurPlace(path) && socket?.isSocket() === true && isOurs(socket, 0);
}

/** Removes a window's socket and its folder, and nothing else, whatever a note says. */
export function removeSocket(path: string): void {
  if (process.platform === "win32" || !isInOurPlace(path)) {
    return;
  }
  try {
    if (isOurSocket(path)) {
      rmSync(path);
    }
    // Fails if something else is in it.
    rmdirSync(dirname(path));
  } catch {
    // Another process was first, or the folder has files of someone else.
  }
}

function isInOurPlace(path: string): boolean {
  const folder = dirname(path);
  const found = stats(folder);
  return (
    basename(path) === SOCKET_NAME &&
    basename(folder).startsWith(SOCKET_FOLDER) &&
    found?.isDirectory() === true &&
    isOurs(found, 0o077)
  );
}

function stats(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
