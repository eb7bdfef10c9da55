import type { Stats } from "node:fs";
import {
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  utimes,
} from "node:fs/promises";
import { join, posix } from "node:path";
import { protectedReason, secretReason } from "../../../../core/paths/protectedFiles.js";
import type { Unpublished } from "../../../../ports/processes.js";
import { temporaryBeside } from "../../disk/temporaries.js";
import { opaqueFolders } from "./opaque.js";

/** Largest file whose content is compared, so that one that only looks changed keeps its place on disk. */
const MAX_COMPARED = 1_000_000;

const PERMISSIONS = 0o777;

/** By how much the time that the kernel gives a change may be behind the clock, in ms. */
const CLOCK = 20;

/** One at a time: what one publishes, another may not exchange for a link meanwhile. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Makes changes that overlayfs kept aside in the folder that they were made to. Nothing is followed: each folder on the
 * way is a real one. Copies, since what the kernel keeps aside has attributes of its own.
 *
 * @param upper where the changes are: deleted files are devices with the number 0, and folders that took the place of
 *   others are opaque (https://docs.kernel.org/filesystems/overlayfs.html)
 * @param started when the command started, in milliseconds since 1970: what changed since is somebody else's
 * @returns what was not changed
 */
export function publish(upper: string, folder: string, started: number): Promise<Unpublished[]> {
  const result = last.then(async () => {
    const modes = await makeReadable(upper, "");
    const opaque = await opaqueFolders(upper);
    const publication = new Publication({ upper, folder, started, opaque, modes });
    await publication.folder("");
    return publication.left;
  });
  last = result.catch(() => undefined);
  return result;
}

interface Parts {
  upper: string;
  folder: string;
  started: number;
  opaque: ReadonlySet<string>;
  /** The modes of what had to be made readable. */
  modes: ReadonlyMap<string, number>;
}

class Publication {
  readonly left: Unpublished[] = [];
  readonly #upper: string;
  readonly #folder: string;
  readonly #started: number;
  readonly #opaque: ReadonlySet<string>;
  readonly #modes: ReadonlyMap<string, number>;

  constructor({ upper, folder, started, opaque, modes }: Parts) {
    this.#upper = upper;
    this.#folder = folder;
    this.#started = started - CLOCK;
    this.#opaque = opaque;
    this.#modes = modes;
  }

  /** Publishes what changed in a folder that both have. */
  async folder(path: string): Promise<void> {
    const names = await readdir(join(this.#upper, path));
    if (this.#opaque.has(path)) {
      const kept = new Set(names);
      for (const name of await readdir(join(this.#folder, path))) {
        if (!kept.has(name)) {
          await this.#remove(posix.join(path, name));
        }
      }
    }
    for (const name of names) {
      const at = posix.join(path, name);
      try {
        await this.#entry(at);
      } catch (error) {
        this.#leave(at, `the system refused it (${(error as NodeJS.ErrnoException).code ?? "unknown"})`);
      }
    }
  }

  async #entry(path: string): Promise<void> {
    const from = join(this.#upper, path);
    const to = join(this.#folder, path);
    if (path.includes("\ufffd")) {
      this.#leave(path, "its name is not UTF-8");
      return;
    }
    const made = await lstat(from);
    made.mode = this.#modes.get(path) ?? made.mode;
    const there = await statOf(to);
    if (isWhiteout(made)) {
      await this.#remove(path, there);
      return;
    }
    if (made.isDirectory()) {
      await this.#makeFolder(path, made, there);
      return;
    }
    const why =
      (protectedReason(path) ?? secretReason(path)) !== undefined
        ? "it is a protected file"
        : made.isFile() || made.isSymbolicLink()
          ? this.#changedMeanwhile(there)
          : "it is not a file, a folder or a link";
    if (why !== undefined) {
      this.#leave(path, why);
      return;
    }
    if (made.isSymbolicLink() && !staysInside(path, await readlink(from))) {
      this.#leave(path, "it is a link that leads out of the folder");
      return;
    }
    if (there?.isDirectory() === true && !(await this.#remove(path, there))) {
      return;
    }
    if (there?.isFile() === true && made.isFile() && (await isSame(from, made, to, there))) {
      await this.#setLike(to, made, there);
      return;
    }
    await this.#put(from, to, made);
  }

  /** Publishes a folder, which may be new or take the place of a file. */
  async #makeFolder(path: string, made: Stats, there: Stats | undefined): Promise<void> {
    const to = join(this.#folder, path);
    // A rule for the files of a folder is one for a folder, too: a new repository is not one of the user's.
    if (there === undefined && protectedReason(`${path}/x`) !== undefined) {
      this.#leave(path, "it is a protected folder");
      return;
    }
    if (there !== undefined && !there.isDirectory() && !(await this.#remove(path, there))) {
      return;
    }
    const isNew = there?.isDirectory() !== true;
    if (isNew) {
      await mkdir(to);
    }
    const before = this.left.length;
    await this.folder(path);
    if (isNew && this.left.length > before && (await readdir(to)).length === 0) {
      // All that it was made for is not there.
      await rmdir(to);
      return;
    }
    if ((made.mode & PERMISSIONS) !== ((await lstat(to)).mode & PERMISSIONS)) {
      await chmod(to, made.mode & PERMISSIONS);
    }
  }

  /** Removes what is at a path; a folder as far as it may be. @returns whether nothing is left of it */
  async #remove(path: string, known?: Stats): Promise<boolean> {
    const to = join(this.#folder, path);
    const there = known ?? (await statOf(to));
    if (there === undefined) {
      return true;
    }
    if (there.isDirectory()) {
      if (protectedReason(`${path}/x`) !== undefined) {
        this.#leave(path, "it is a protected folder");
        return false;
      }
      let isEmpty = true;
      for (const name of await readdir(to)) {
        isEmpty = (await this.#remove(posix.join(path, name))) && isEmpty;
      }
      if (isEmpty) {
        await rmdir(to);
      }
      return isEmpty;
    }
    const why =
      (protectedReason(path) ?? secretReason(path)) !== undefined
        ? "it is a protected file"
        : this.#changedMeanwhile(there);
    if (why !== undefined) {
      this.#leave(path, why);
      return false;
    }
    await unlink(to);
    return true;
  }

  #changedMeanwhile(there: Stats | undefined): string | undefined {
    return there !== undefined && !there.isDirectory() && there.ctimeMs >= this.#started
      ? "somebody else has changed it while the command ran"
      : undefined;
  }

  async #put(from: string, to: string, made: Stats): Promise<void> {
    const temporary = temporaryBeside(to);
    try {
      if (made.isSymbolicLink()) {
        await symlink(await readlink(from), temporary);
      } else {
        await copyFile(from, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        await chmod(temporary, made.mode & PERMISSIONS);
        await utimes(temporary, made.atime, made.mtime);
      }
      await rename(temporary, to);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Gives a file the rights and the time that the command gave it. */
  async #setLike(to: string, made: Stats, there: Stats): Promise<void> {
    if ((made.mode & PERMISSIONS) !== (there.mode & PERMISSIONS)) {
      await chmod(to, made.mode & PERMISSIONS);
    }
    if (made.mtimeMs !== there.mtimeMs) {
      await utimes(to, made.atime, made.mtime);
    }
  }

  #leave(path: string, why: string): void {
    this.left.push({ path, why });
  }
}

/**
 * Lets this process read all that a command made, also where the command took its rights.
 *
 * @returns the modes that were changed, by path
 */
async function makeReadable(
  upper: string,
  path: string,
  modes = new Map<string, number>(),
): Promise<Map<string, number>> {
  for (const entry of await readdir(join(upper, path), { withFileTypes: true })) {
    const at = posix.join(path, entry.name);
    if (!(entry.isDirectory() || entry.isFile()) || at.includes("\ufffd")) {
      continue;
    }
    const needed = entry.isDirectory() ? 0o700 : 0o400;
    const { mode } = await lstat(join(upper, at));
    if ((mode & needed) !== needed) {
      modes.set(at, mode);
      await chmod(join(upper, at), (mode & PERMISSIONS) | needed);
    }
    if (entry.isDirectory()) {
      await makeReadable(upper, at, modes);
    }
  }
  return modes;
}

/**
 * Whether a link leads to a place in the folder, whatever is there. It may go up only at its start: `l/..` is not where
 * it seems to be if `l` is a link, too.
 */
function staysInside(path: string, target: string): boolean {
  const [, ups = "", rest = ""] = /^((?:\.\.?(?:\/+|$))*)(.*)$/s.exec(target) ?? [];
  const up = ups.split("/").filter((part) => part === "..").length;
  return !target.startsWith("/") && !rest.split("/").includes("..") && up < path.split("/").length;
}

function isWhiteout(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

async function isSame(from: string, made: Stats, to: string, there: Stats): Promise<boolean> {
  return made.size === there.size && made.size <= MAX_COMPARED && (await readFile(from)).equals(await readFile(to));
}
