import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { copyFile, link, lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, stat, type FileHandle } from "node:fs/promises";
import { ToolError } from "../../core/errors.js";
import { joinPath, parentPath } from "../../core/pathShape.js";
import { compareCodeUnits } from "../../text/nearest.js";
import type { Disk, DiskEntry, DiskInfo } from "../disk.js";
import { alreadyThere, brokenLink, linkCircle, missing, movedFolder, nameTooLong, notAFile, notRegular, tooLarge, underFile } from "../fileAnswers.js";

/**
 * Paging a gigabyte takes 30 MB with one buffer of this size. With a new one for each chunk, or with texts of 256 KB,
 * which the engine collects late, it took 55 to 72 MB.
 */
const CHUNK_BYTES = 64 * 1024;
/** Entries looked at side by side: enough to hide a slow disk, few enough for any limit on open files. */
const STAT_BATCH = 32;

/** What a new file may be, before the umask takes its part. */
const NEW_FILE_MODE = 0o666;

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
      throw brokenLink(path);
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
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let position = 0; ; ) {
        signal.throwIfAborted();
        const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
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

  async list(path: string, sized = 0): Promise<DiskEntry[]> {
    try {
      const names = await readdir(path, { withFileTypes: true });
      names.sort((a, b) => compareCodeUnits(a.name, b.name));
      // What a folder tells of its entries is enough but for sizes, and for where links lead: 100,000 looks take half a second.
      const entries = names.map((entry): DiskEntry => ({ name: entry.name, kind: kindOf(entry), link: entry.isSymbolicLink(), size: undefined }));
      const looked = entries.filter(({ kind, link }, index) => link || (index < sized && kind === "file"));
      for (let from = 0; from < looked.length; from += STAT_BATCH) {
        await Promise.all(looked.slice(from, from + STAT_BATCH).map((entry) => look(path, entry)));
      }
      return entries;
    } catch (error) {
      throw ioError(path, error);
    }
  }

  async replace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<void> {
    await withTemporary(path, async (temporary) => {
      const { mode, uid, gid } = await statWritable(path);
      await writeFlushed(temporary, bytes, mode, async (file) => {
        // Only root may give a file away; for others it becomes theirs.
        await file.chown(uid, gid).catch(() => undefined);
        // The mode given to open() is cut by the umask, and a new owner takes the set-user-id bit off.
        await file.chmod(mode);
      });
      await unchanged();
      await this.#checkUnmoved(path, path);
      await rename(temporary, path);
    });
  }

  async create(path: string, bytes: Uint8Array): Promise<void> {
    const made = await missingFolders(path);
    try {
      await this.#checkUnmoved(path, made[0] ?? path);
      await makeFolders(path);
      await withTemporary(path, async (temporary) => {
        await this.#checkUnmoved(path, path);
        await writeFlushed(temporary, bytes, NEW_FILE_MODE, async () => undefined);
        await linkNew(temporary, path);
      });
    } catch (error) {
      // What others put into these folders meanwhile stays.
      for (const folder of made.reverse()) {
        await rmdir(folder).catch(() => undefined);
      }
      throw ioError(path, error);
    }
  }

  /** What the gate let through was a real place: the folder of `below` must still be no link, nor behind one. */
  async #checkUnmoved(path: string, below: string): Promise<void> {
    const folder = parentPath(below);
    const same = (name: string): string => (this.foldCase ? name.normalize().toLowerCase() : name);
    if (same(this.#slashed(await realpath(folder))) !== same(folder)) {
      throw movedFolder(path);
    }
  }

  #slashed(path: string): string {
    return this.windows ? path.replaceAll("\\", "/") : path;
  }
}

/** Runs work with the name of a temporary file next to `path`, which is gone afterwards whatever happens. */
async function withTemporary(path: string, work: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = joinPath(parentPath(path), `.toolhost-${randomBytes(6).toString("hex")}.tmp`);
  try {
    await work(temporary);
  } catch (error) {
    throw ioError(path, error);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The folders of a path that do not exist, the uppermost first. */
async function missingFolders(path: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = parentPath(path); parentPath(folder) !== folder; folder = parentPath(folder)) {
    if (await lstat(folder).then(() => true, () => false)) {
      break;
    }
    folders.unshift(folder);
  }
  return folders;
}

async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(parentPath(path), { recursive: true });
  } catch (error) {
    throw errorCode(error) === "EEXIST" || errorCode(error) === "ENOTDIR" ? underFile(path) : error;
  }
}

/** Gives a file its name, never over another that is there by now, which a rename would do. */
async function linkNew(temporary: string, path: string): Promise<void> {
  try {
    try {
      await link(temporary, path);
    } catch (error) {
      // FAT, exFAT and some network disks know no second names; a copy that fails is removed by Node.
      if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errorCode(error) ?? "")) {
        throw error;
      }
      await copyFile(temporary, path, constants.COPYFILE_EXCL);
    }
  } catch (error) {
    throw errorCode(error) === "EEXIST" ? alreadyThere(path) : error;
  }
}

/** Writes a file that must not exist yet, down to the disk. */
async function writeFlushed(path: string, bytes: Uint8Array, mode: number, prepare: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(bytes);
    await prepare(file);
    await file.sync();
  } finally {
    await file.close();
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
        ? notAFile(path)
        : notRegular(path);
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

/** Fills in what a look at an entry tells; broken links, and entries that went away or may not be looked at, stay as they are. */
async function look(folder: string, entry: DiskEntry): Promise<void> {
  const path = joinPath(folder, entry.name);
  try {
    const info = await (entry.link ? stat(path) : lstat(path));
    entry.kind = kindOf(info);
    entry.size = entry.kind === "file" ? info.size : undefined;
  } catch {
    // As the folder tells of it; of a link it tells nothing but that it is one.
  }
}

function kindOf(info: Pick<Stats, "isFile" | "isDirectory">): DiskInfo["kind"] {
  return info.isFile() ? "file" : info.isDirectory() ? "directory" : "other";
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
      return missing(path);
    case "EISDIR":
      return notAFile(path);
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
      return linkCircle(path);
    case "ENAMETOOLONG":
      return nameTooLong(path);
    default:
      return error instanceof DOMException ? error : new ToolError("io_error", `${path}: ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
