import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, readdir, realpath, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { ToolError } from "../../core/errors.js";
import { joinPath, parentPath } from "../../core/pathShape.js";
import { compareCodeUnits } from "../../text/nearest.js";
import type { Disk, DiskEntry, DiskInfo } from "../disk.js";

const CHUNK_BYTES = 256 * 1024;
/** Entries looked at side by side: enough to hide a slow disk, few enough for any limit on open files. */
const STAT_BATCH = 32;

/** The disk of this machine through Node's fs. */
export class NodeDisk implements Disk {
  readonly windows = process.platform === "win32";
  readonly foldCase = process.platform === "win32" || process.platform === "darwin";

  async realPath(path: string): Promise<string | undefined> {
    try {
      return this.#slashed(await realpath(path));
    } catch (error) {
      if (!isMissing(error)) {
        throw ioError(path, error);
      }
    }
    // Writing to a broken link would create its target, wherever that is.
    if (await lstat(path).then((info) => info.isSymbolicLink(), () => false)) {
      throw new ToolError("not_found", `${path}: is a link whose target does not exist.`, "Use the target's own path.");
    }
    return undefined;
  }

  async stat(path: string): Promise<DiskInfo> {
    try {
      const info = await stat(path);
      return { kind: kindOf(info), size: info.size, modified: info.mtimeMs };
    } catch (error) {
      throw ioError(path, error);
    }
  }

  async *chunks(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const file = await openRegular(path);
    try {
      for (let position = 0; ; ) {
        signal.throwIfAborted();
        // A buffer of its own for each chunk: the last one may still be in use.
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
        if (bytesRead === 0) {
          return;
        }
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } catch (error) {
      throw signal.aborted ? error : ioError(path, error);
    } finally {
      await file.close();
    }
  }

  async readAll(path: string, maxBytes: number): Promise<Uint8Array> {
    const file = await openRegular(path);
    try {
      const { size } = await file.stat();
      if (size > maxBytes) {
        throw tooLarge(path, size, maxBytes);
      }
      return await file.readFile();
    } catch (error) {
      throw ioError(path, error);
    } finally {
      await file.close();
    }
  }

  async list(path: string): Promise<DiskEntry[]> {
    try {
      const names = await readdir(path, { withFileTypes: true });
      names.sort((a, b) => compareCodeUnits(a.name, b.name));
      const entries: DiskEntry[] = [];
      for (let from = 0; from < names.length; from += STAT_BATCH) {
        entries.push(...(await Promise.all(names.slice(from, from + STAT_BATCH).map((entry) => describe(path, entry)))));
      }
      return entries;
    } catch (error) {
      throw ioError(path, error);
    }
  }

  async replace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<void> {
    const temporary = joinPath(parentPath(path), `.toolhost-${randomBytes(6).toString("hex")}.tmp`);
    try {
      const { mode, uid, gid } = await statWritable(path);
      const file = await open(temporary, "wx", mode);
      try {
        await file.writeFile(bytes);
        // Only root may give a file away; for others it becomes theirs.
        await file.chown(uid, gid).catch(() => undefined);
        // The mode given to open() is cut by the umask, and a new owner takes the set-user-id bit off.
        await file.chmod(mode);
        await file.sync();
      } finally {
        await file.close();
      }
      await unchanged();
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw ioError(path, error);
    }
  }

  #slashed(path: string): string {
    return this.windows ? path.replaceAll("\\", "/") : path;
  }
}

/**
 * Opens a file: never a pipe or device (opening one can hang or act), and never through a link
 * that took the file's place after the gate looked.
 */
async function openRegular(path: string, access = constants.O_RDONLY): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    const expected = await lstat(path);
    if (!expected.isFile()) {
      throw expected.isDirectory()
        ? new ToolError("is_directory", `${path}: is a folder, not a file.`)
        : new ToolError("unsupported", `${path}: is not a regular file, so it is not opened.`);
    }
    file = await open(path, access | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const opened = await file.stat();
    if (!opened.isFile() || opened.ino !== expected.ino || opened.dev !== expected.dev) {
      throw new ToolError("stale", `${path}: was replaced while it was opened.`, "Try again.");
    }
    return file;
  } catch (error) {
    await file?.close();
    throw ioError(path, error);
  }
}

/** What is known of a file, once it is sure that it may be written: a rename would pass over a file marked read-only. */
async function statWritable(path: string): Promise<Stats> {
  const file = await openRegular(path, constants.O_WRONLY);
  try {
    return await file.stat();
  } finally {
    await file.close();
  }
}

async function describe(folder: string, entry: { name: string; isSymbolicLink(): boolean }): Promise<DiskEntry> {
  const path = joinPath(folder, entry.name);
  const link = entry.isSymbolicLink();
  try {
    const info = await (link ? stat(path) : lstat(path));
    const kind = kindOf(info);
    return { name: entry.name, kind, link, size: kind === "file" ? info.size : undefined };
  } catch {
    // Broken links, and entries that went away or may not be looked at.
    return { name: entry.name, kind: "other", link, size: undefined };
  }
}

function kindOf(info: Stats): DiskInfo["kind"] {
  return info.isFile() ? "file" : info.isDirectory() ? "directory" : "other";
}

export function tooLarge(path: string, size: number, maxBytes: number): ToolError {
  return new ToolError("too_large", `${path}: has ${size} bytes; at most ${maxBytes} can be taken whole.`, "Use grep, or read with offset and limit.");
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The system's error in words; a `ToolError` as it is. */
function ioError(path: string, error: unknown): Error {
  if (error instanceof ToolError) {
    return error;
  }
  switch (errorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return new ToolError("not_found", `${path}: there is no such file or folder.`);
    case "EISDIR":
      return new ToolError("is_directory", `${path}: is a folder, not a file.`);
    case "EACCES":
    case "EPERM":
      return new ToolError("io_error", `${path}: the system does not permit it.`, "Check the permissions of the file and its folder.");
    case "EROFS":
      return new ToolError("io_error", `${path}: the disk is read-only.`);
    case "ENOSPC":
    case "EDQUOT":
      return new ToolError("io_error", `${path}: no space is left on the disk. The file is as it was.`, "Free some space and try again.");
    case "EFBIG":
      return new ToolError("io_error", `${path}: would become larger than the system allows. The file is as it was.`);
    case "ELOOP":
      return new ToolError("io_error", `${path}: its links lead in a circle.`);
    case "ENAMETOOLONG":
      return new ToolError("invalid_input", `${path}: the name is too long for the file system.`);
    default:
      return error instanceof DOMException ? error : new ToolError("io_error", `${path}: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
