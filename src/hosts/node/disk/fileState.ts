import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { errorCode, ioError } from "./diskErrors.js";
import { openRegular } from "./openRegular.js";

/**
 * Identifies a file, and changes when it is written to. In nanoseconds, since two writes may fall into the same
 * millisecond.
 */
export interface State {
  dev: bigint;
  ino: bigint;
  size: bigint;
  modified: bigint;
}

/** @throws the system's error */
export function stateOf(path: string): State {
  const { dev, ino, size, mtimeNs } = lstatSync(path, { bigint: true });
  return { dev, ino, size, modified: mtimeNs };
}

/** Like `stateOf`, but returns undefined if nothing exists there. @throws the system's error for any other reason */
export function stateIfThere(path: string): State | undefined {
  try {
    const info = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return info && { dev: info.dev, ino: info.ino, size: info.size, modified: info.mtimeNs };
  } catch (error) {
    // A file has taken the place of a folder above.
    if (errorCode(error) === "ENOTDIR") {
      return undefined;
    }
    throw error;
  }
}

export function isSameFile(a: State | undefined, b: State | undefined): boolean {
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

export function isSame(a: State, b: State): boolean {
  return isSameFile(a, b) && a.size === b.size && a.modified === b.modified;
}

/** Reads a file that is not a link, pipe or device. */
export async function bytesOf(path: string): Promise<Buffer> {
  const { file } = await openRegular(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Returns the SHA-256 of bytes, in hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Runs file system calls; errors become messages that name `path`. */
export async function inWords<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw ioError(path, error);
  }
}
