// The contents of large files that commands changed, for undo, in a folder of the workspace's state.
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { MAX_LARGE } from "../../../../features/changes/journal/limits.js";
import type { Entry } from "../../../../features/effects/snapshot.js";
import type { LargeFile } from "../../../../ports/files.js";
import { makeFolderSync } from "../../disk/parentFolders.js";
import { cloneFile, type Clone, type CloneFile } from "./clones.js";

/** Maximum bytes of all contents, of which the oldest go first, and of those of one command. */
const MAX_KEPT = 4 * 1024 ** 3;
export const MAX_KEPT_AT_ONCE = 2 * 1024 ** 3;
/** Bytes read at a time. */
const CHUNK = 1024 * 1024;
const MODE = 0o7777;

/** Keeps contents by their hash. */
export class LargeStore {
  readonly #folder: string;
  readonly #clone: CloneFile;

  constructor(folder: string, clone: CloneFile = cloneFile) {
    this.#folder = folder;
    this.#clone = clone;
  }

  /** Keeps what a clone has, which stays where it is. @returns undefined if that fails */
  keep({ file }: Clone, { size, mode }: Entry): LargeFile | undefined {
    return this.#attempt(size, mode, (to) => linkSync(file, to));
  }

  /** Keeps what a file contains now. @returns undefined if it has changed since, or its disk makes no clones */
  keepNow(path: string, entry: Entry): LargeFile | undefined {
    return entry.size > MAX_LARGE
      ? undefined
      : this.#attempt(entry.size, entry.mode, (to) => {
          if (this.#clone(path, entry, to) !== "yes") {
            throw new Error(`${path} was not cloned`);
          }
        });
  }

  #attempt(size: number, mode: number, make: (to: string) => void): LargeFile | undefined {
    const temporary = join(this.#folder, `${randomBytes(6).toString("hex")}.tmp`);
    try {
      makeFolderSync(this.#folder, 0o700);
      make(temporary);
      if (lstatSync(temporary).size !== size) {
        throw new Error("the copy is not whole");
      }
      const sha256 = sha256Of(temporary);
      const copy = join(this.#folder, sha256);
      // Its age counts from the last time that it was kept.
      const now = new Date();
      utimesSync(temporary, now, now);
      renameSync(temporary, copy);
      this.#makeRoom();
      return { sha256, size, mode: mode & MODE, copy };
    } catch {
      return undefined;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  /** Removes the oldest until the rest is within bounds. */
  #makeRoom(): void {
    const kept = readdirSync(this.#folder).map((name) => {
      const path = join(this.#folder, name);
      const { size, mtimeMs } = lstatSync(path);
      return { path, size, mtimeMs };
    });
    let bytes = kept.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of kept.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (bytes <= MAX_KEPT) {
        return;
      }
      rmSync(path, { force: true });
      bytes -= size;
    }
  }
}

function sha256Of(path: string): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK);
  const file = openSync(path, "r");
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      hash.update(buffer.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}
