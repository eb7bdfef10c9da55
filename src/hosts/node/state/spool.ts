import { renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { CONTEXT_FOLDER } from "../../../names/stateFolder.js";
import { ToolError } from "../../../core/errors.js";
import { pathBelow } from "../../../core/paths/pathShape.js";
import type { GatedPath } from "../../../ports/files.js";
import type { Put, Spool } from "../../../ports/spool.js";
import { splitParts } from "../../../text/clip.js";
import type { Disk } from "../../shared/disk.js";
import { ioError } from "../disk/diskErrors.js";
import { checkUnmoved, makeFolders, removeEmpty } from "../disk/parentFolders.js";
import { whileHeld } from "../disk/held.js";
import { linkNew } from "../disk/names.js";
import { removeAll, temporaryBeside } from "../disk/temporaries.js";

/** Maximum bytes of one file: twice what the issue requires of pipe. Nobody wants a command to fill the disk. */
const MAX_FILE = 400_000_000;
/** Code units encoded in one step. */
const PART = 65_536;
/** The mode of every new file, before the umask applies. */
const MODE = 0o666;

/** Writes files of the context store to this machine's disk as their text arrives. */
export class DiskSpool implements Spool {
  readonly #disk: Disk;
  readonly #max: number;

  /** @param max bytes of one file; tests use their own */
  constructor(disk: Disk, max = MAX_FILE) {
    this.#disk = disk;
    this.#max = max;
  }

  takes({ root }: GatedPath): boolean {
    return root?.scheme === "file";
  }

  async write(
    at: GatedPath,
    chunks: AsyncIterable<string>,
    name: (put: Put) => Promise<void>,
    signal: AbortSignal,
  ): Promise<number> {
    checkPlace(at);
    const path = at.absolute;
    const folders = await makeFolders(this.#disk, path);
    const temporary = temporaryBeside(path);
    try {
      const bytes = await this.#fill(at, temporary, chunks, signal);
      signal.throwIfAborted();
      await name(async (replaces) => {
        await checkUnmoved(this.#disk, path, path);
        await (replaces
          ? whileHeld(
              () => renameSync(temporary, path),
              () => undefined,
            )
          : linkNew(temporary, path));
      });
      return bytes;
    } catch (error) {
      await removeAll([temporary]).catch(() => undefined);
      await removeEmpty(folders);
      throw signal.aborted ? error : ioError(at.path, error);
    } finally {
      await removeAll([temporary]).catch(() => undefined);
    }
  }

  /** Writes a new file and returns its size in bytes. */
  async #fill(at: GatedPath, path: string, chunks: AsyncIterable<string>, signal: AbortSignal): Promise<number> {
    const file = await open(path, "wx", MODE);
    try {
      let total = 0;
      for await (const batch of batches(chunks)) {
        signal.throwIfAborted();
        total += batch.length;
        if (total > this.#max) {
          throw new ToolError(
            "too_large",
            `${at.path}: a file of the context store holds at most ${this.#max} bytes. Nothing was written.`,
            "Store less: filter it first.",
          );
        }
        await file.writeFile(batch);
      }
      await file.sync();
      return total;
    } finally {
      await file.close();
    }
  }
}

/** @throws ToolError if a path is not in the store, or not on a local disk */
function checkPlace({ path, realPath, lexical, root }: GatedPath): void {
  const below = root && pathBelow(root.path, lexical, false);
  if (below?.startsWith(`${CONTEXT_FOLDER}/`) !== true || realPath !== path) {
    throw new ToolError("outside_workspace", `${path} is outside the context store, or behind a link.`);
  }
  if (root?.scheme !== "file") {
    throw new ToolError(
      "unsupported",
      `${path} is not on a local disk, so texts this large cannot be stored.`,
      "Store less: filter it first.",
    );
  }
}

/**
 * Encodes the texts in batches: a writer may pass a line at a time, or megabytes. All share one buffer, since the
 * engine would free new ones late: each batch is only valid until the next is requested.
 */
async function* batches(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  // A code unit takes at most three bytes.
  const buffer = Buffer.allocUnsafe(2 * PART * 3);
  let filled = 0;
  for await (const chunk of chunks) {
    for (const part of splitParts(chunk, PART)) {
      filled += buffer.write(part, filled);
      if (filled > buffer.length - PART * 3) {
        yield buffer.subarray(0, filled);
        filled = 0;
      }
    }
  }
  yield buffer.subarray(0, filled);
}
