import { lstatSync, type Stats } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { lstat, readdir, realpath, stat, type FileHandle } from "node:fs/promises";
import { ToolError } from "../../../core/errors.js";
import { joinPath, parentPath } from "../../../core/paths/pathShape.js";
import { compareCodeUnits } from "../../../text/nearest.js";
import type { EntryState } from "../../../ports/files.js";
import type { CreateStep, Disk, DiskEntry, DiskInfo, Step } from "../../shared/disk.js";
import { brokenLink, tooLarge } from "../../shared/fileAnswers.js";
import { isTemporaryName } from "../../shared/temporaryNames.js";
import { ioError, isMissing } from "./diskErrors.js";
import { entryAt, statsAt } from "./entries.js";
import { largeAt } from "./large.js";
import { NetworkLinks } from "./networkLinks.js";
import { openRegular, type OpenedFile } from "./openRegular.js";
import { checkUnmoved } from "./parentFolders.js";
import { slashed } from "./slashed.js";
import { stageBySave, stageCreate, stageEntry, stageMove, stageRemove, stageReplace } from "./staging.js";
import { mayBeExchanging, sweepTemporaries } from "./temporaries.js";

/**
 * Reading a gigabyte takes 30 MB with one buffer of this size. With a new buffer for each chunk, or with texts of 256
 * KB, which the engine frees late, it took 55 to 72 MB.
 */
const CHUNK_BYTES = 64 * 1024;
/**
 * How many times to look for a missing file again, and the pause between, in ms: a busy machine can suspend the other
 * process for that long.
 */
const MAX_TRIES = 20;
const TRY_PAUSE = 10;
/** Entries read in parallel: enough to hide a slow disk, few enough for any limit on open files. */
const STAT_BATCH = 32;

/** More than the coarsest step in which file systems count time, in ms: FAT's is 2 s. */
const CLOCK_STEP = 3_000;

/** The disk of this machine through Node's fs. */
export class NodeDisk implements Disk {
  readonly windows = process.platform === "win32";
  readonly foldCase = process.platform === "win32" || process.platform === "darwin";
  /** Folders already searched for files that killed processes left. */
  readonly #swept = new Set<string>();
  readonly #networkLinks = new NetworkLinks();

  async realPath(path: string): Promise<string | undefined> {
    this.#refuseNetwork(path);
    try {
      return slashed(await realpath(path));
    } catch (error) {
      if (!isMissing(error)) {
        throw ioError(path, error);
      }
    }
    // Writing to a broken link would create its target, wherever that is.
    if (
      await lstat(path).then(
        (info) => info.isSymbolicLink(),
        () => false,
      )
    ) {
      throw brokenLink(path);
    }
    return undefined;
  }

  isMissing(path: string): boolean {
    try {
      this.#refuseNetwork(path);
      return lstatSync(path, { throwIfNoEntry: false }) === undefined;
    } catch {
      return false;
    }
  }

  /** @throws ToolError `outside_workspace` for what a link leads to on another machine, before anything asks for it */
  #refuseNetwork(path: string): void {
    if (this.windows) {
      this.#networkLinks.refuse(path);
    }
  }

  /** Whether an entry of a folder is a link to another machine: to look at what it leads to would contact that. */
  #leadsAway(folder: string, { name, link }: DiskEntry): boolean {
    return this.windows && link && this.#networkLinks.leadsAway(joinPath(folder, name));
  }

  async stat(path: string): Promise<DiskInfo> {
    try {
      const info = await settled(path, () => stat(path));
      const state = stateOf(info);
      return { kind: kindOf(info), size: info.size, modified: info.mtimeMs, ...(state === undefined ? {} : { state }) };
    } catch (error) {
      throw ioError(path, error);
    }
  }

  entry(path: string, large = Infinity): EntryState | undefined | Promise<EntryState | undefined> {
    try {
      return (statsAt(path)?.size ?? 0) > large ? largeAt(path) : entryAt(path);
    } catch (error) {
      if (isMissing(error)) {
        return undefined;
      }
      throw ioError(path, error);
    }
  }

  async *chunks(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { file, info } = await this.#open(path);
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let position = 0; ;) {
        signal.throwIfAborted();
        const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
        if (bytesRead === 0) {
          return;
        }
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
        // Files of /proc have no size, and come in short pieces.
        if (bytesRead < CHUNK_BYTES && info.size > 0 && position >= info.size) {
          return;
        }
      }
    } catch (error) {
      throw signal.aborted ? error : ioError(path, error);
    } finally {
      await file.close();
    }
  }

  async readAll(path: string, maxBytes: number): Promise<Uint8Array> {
    const { file, info } = await this.#open(path);
    try {
      if (info.size > maxBytes) {
        throw tooLarge(path, info.size, maxBytes);
      }
      return await readWhole(file, info.size);
    } catch (error) {
      throw ioError(path, error);
    } finally {
      await file.close();
    }
  }

  async list(path: string, sized = 0): Promise<DiskEntry[]> {
    try {
      const names = (await readdir(path, { withFileTypes: true })).filter(({ name }) => !isTemporaryName(name));
      // The result belongs to the folder that the gate saw only if that is still there.
      await checkUnmoved(this, path, joinPath(path, "x"));
      names.sort((a, b) => compareCodeUnits(a.name, b.name));
      // The listing itself is enough except for sizes and link targets: 100,000 stat calls take half a second.
      const entries = names.map((entry): DiskEntry => ({
        name: entry.name,
        kind: kindOf(entry),
        link: entry.isSymbolicLink(),
        size: undefined,
      }));
      const looked = entries.filter(({ kind, link }, index) => link || (index < sized && kind === "file"));
      for (let from = 0; from < looked.length; from += STAT_BATCH) {
        const some = looked.slice(from, from + STAT_BATCH);
        await Promise.all(some.filter((entry) => !this.#leadsAway(path, entry)).map((entry) => look(path, entry)));
      }
      return entries;
    } catch (error) {
      throw ioError(path, error);
    }
  }

  async stageReplace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<Step> {
    await this.#sweepOnce(path);
    return stageReplace(this, path, bytes, unchanged);
  }

  async stageCreate(path: string, bytes: Uint8Array, mode?: number, top?: string): Promise<CreateStep> {
    await this.#sweepOnce(top ?? path);
    return stageCreate(this, path, bytes, mode === undefined ? undefined : { mode }, top);
  }

  async stageRemove(path: string, folders: number, unchanged: () => Promise<void>, top?: string): Promise<Step> {
    // What killed processes left must not keep a folder that has to go.
    await Promise.all([this.#sweepOnce(path), ...(top === undefined ? [] : [this.#sweepOnce(top)])]);
    return stageRemove(this, path, folders, unchanged, top);
  }

  async stageMove(
    from: string,
    to: string,
    bytes: Uint8Array | undefined,
    folders: number,
    unchanged: () => Promise<void>,
  ): Promise<CreateStep> {
    await Promise.all([this.#sweepOnce(from), this.#sweepOnce(to)]);
    return stageMove(this, from, to, bytes, folders, unchanged);
  }

  async stageEntry(
    path: string,
    before: EntryState | undefined,
    after: EntryState | undefined,
    folders: number,
    top?: string,
  ): Promise<CreateStep> {
    await this.#sweepOnce(top ?? path);
    return stageEntry(this, path, before, after, folders, top);
  }

  async stageBySave(path: string, bytes: Uint8Array): Promise<Step> {
    await this.#sweepOnce(path);
    return stageBySave(path, bytes);
  }

  sweep(path: string): Promise<void> {
    return sweepTemporaries(parentPath(path));
  }

  /**
   * Sweeps a folder once, which removes the files that earlier processes left; listing a folder with 100,000 files
   * takes a while.
   */
  async #sweepOnce(path: string): Promise<void> {
    const folder = parentPath(path);
    if (!this.#swept.has(folder)) {
      this.#swept.add(folder);
      await this.sweep(path);
    }
  }

  /** Opens a file at the place the gate saw: a folder on the way may have been replaced with a link since. */
  async #open(path: string): Promise<OpenedFile> {
    const opened = await settled(path, () => openRegular(path));
    try {
      if (!opened.isPlaced) {
        await checkUnmoved(this, path, path);
      }
      return opened;
    } catch (error) {
      await opened.file.close();
      throw ioError(path, error);
    }
  }
}

/**
 * Retries for a moment if a path is missing and another window or command line may be replacing its file: "there is no
 * such file" would be wrong.
 */
async function settled<Seen>(path: string, look: () => Promise<Seen>): Promise<Seen> {
  for (let tries = 1, quiet = 0; ; tries++) {
    try {
      return await look();
    } catch (error) {
      const isGone = isMissing(error) || (error instanceof ToolError && error.type === "not_found");
      if (!isGone || tries > MAX_TRIES) {
        throw error;
      }
      const exchange = await mayBeExchanging(parentPath(path));
      if (exchange === "yes") {
        await setTimeout(TRY_PAUSE);
      } else if (exchange === "never" || ++quiet === 2) {
        // The first time, the file may have come back between the two checks; the second time, it is missing.
        throw error;
      }
    }
  }
}

/** Reads an open file of which the size is known. */
async function readWhole(file: FileHandle, size: number): Promise<Uint8Array> {
  // Files of /proc have no size, and Node reads long ones in parts.
  if (size === 0 || size > CHUNK_BYTES) {
    return file.readFile();
  }
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let read = 0; ;) {
    const { bytesRead } = await file.read(bytes, read, size - read);
    read += bytesRead;
    if (bytesRead === 0 || read === size) {
      return bytes.subarray(0, read);
    }
  }
}

/** Adds the result of stat to an entry; broken links, and entries that are gone or inaccessible, stay as they are. */
async function look(folder: string, entry: DiskEntry): Promise<void> {
  const path = joinPath(folder, entry.name);
  try {
    const info = await (entry.link ? stat(path) : lstat(path));
    entry.kind = kindOf(info);
    entry.size = entry.kind === "file" ? info.size : undefined;
    entry.modified = info.mtimeMs;
  } catch {
    // Keep what the listing says; for a link, it says only that it is one.
  }
}

/**
 * Returns a file's state as `FileInfo` has it. No program can set the time of change (ctime), but two changes in one step
 * of the file system's clock have the same.
 */
function stateOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string | undefined {
  const isOld = ctimeMs > 0 && Date.now() - Math.max(mtimeMs, ctimeMs) > CLOCK_STEP;
  return isOld ? [dev, ino, size, mtimeMs, ctimeMs].join(":") : undefined;
}

function kindOf(info: Pick<Stats, "isFile" | "isDirectory">): DiskInfo["kind"] {
  return info.isFile() ? "file" : info.isDirectory() ? "directory" : "other";
}
