import { lstat, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { isRecord } from "../../../core/jsonSchema.js";
import { removeAll } from "../disk/removeAll.js";
import { pruneResults, RESULTS_FOLDER } from "./results.js";
import { CODE_FOLDER } from "./stateFolder.js";

const DAY = 24 * 3_600_000;
/**
 * How long the state of a deleted workspace is kept after its last use, in ms: the workspace may come back, from a
 * backup or another branch.
 */
export const GONE_AGE = 30 * DAY;
/** How long a damaged file that was moved aside is kept, in ms. */
export const DAMAGED_AGE = 90 * DAY;
/** Maximum bytes of all workspaces' stored results together; the oldest go first. */
export const MAX_ALL_RESULTS = 2_000_000_000;
/** How long compiled code is kept, in ms: each build and each place it is installed in has its own. */
const CODE_AGE = 7 * DAY;
/** The folder for caches of contained commands in a workspace's state, and how long they are kept unused, in ms. */
export const CACHES_FOLDER = "caches";
const CACHES_AGE = 7 * DAY;
/** Search indexes of earlier versions, removed once no older window has used them for `GONE_AGE`. */
const FORMER_INDEX = /^knowledge-1\.db/;
/** Folders in which disks and shares are mounted: a workspace missing there may be back tomorrow. */
const MOUNTED = /^\/(mnt|media|run|Volumes|net|misc|afs|nfs|autofs|cygdrive)(\/|$)/i;
/**
 * Minimum depth of the part of a workspace's path that still exists: `/home` alone may be a disk that is not mounted.
 */
const MIN_DEPTH = 2;

/**
 * Removes expired data from the states of all workspaces: results that are too old, damaged files that were moved
 * aside, search indexes of earlier versions, old compiled code, and the states of deleted workspaces. Runs once a day, in whichever
 * process claims the day first; never throws.
 *
 * @param root the folder of all states, `workspaces`
 */
export async function sweepStates(root: string, now: number): Promise<void> {
  try {
    if (await claimDay(root, now)) {
      for (const name of await readdir(root)) {
        await sweepState(root, name, now).catch(() => undefined);
      }
      const folders = (await readdir(root)).filter(isState).map((name) => join(root, name, RESULTS_FOLDER));
      await pruneResults(folders, { total: MAX_ALL_RESULTS, now });
      await sweepCode(join(dirname(root), CODE_FOLDER), now);
    }
  } catch {
    // Nobody waits for the sweep: anything that could not be removed is tried again tomorrow.
  }
}

/** Removes the command line's compiled code that is old; the next command compiles it again. */
async function sweepCode(folder: string, now: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const path of entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))) {
    if (now - (await lstat(path)).mtimeMs > CODE_AGE) {
      await rm(path, { force: true });
    }
  }
}

/** Returns whether this process is the first to sweep today. The claim is a file that only one process can create. */
async function claimDay(root: string, now: number): Promise<boolean> {
  const claim = `swept-${new Date(now).toISOString().slice(0, 10)}`;
  try {
    await (await open(join(root, claim), "wx", 0o600)).close();
  } catch {
    return false;
  }
  const earlier = (await readdir(root)).filter((name) => /^swept-[\d-]{10}$/.test(name) && name < claim);
  await Promise.all(earlier.map((name) => rm(join(root, name), { force: true })));
  return true;
}

/** Whether a name is a workspace's state folder (`workspaceStateFolder`), or the rest of one being removed. */
function isState(name: string): boolean {
  return /^[0-9a-f]{32}(\.gone)?$/.test(name);
}

async function sweepState(root: string, name: string, now: number): Promise<void> {
  const folder = join(root, name);
  if (!isState(name) || !(await lstat(folder)).isDirectory()) {
    return;
  }
  if (name.endsWith(".gone")) {
    await removeAll(folder);
    return;
  }
  const entries = await readdir(folder);
  const used = await Promise.all([".", ...entries].map(async (entry) => (await lstat(join(folder, entry))).mtimeMs));
  if (now - Math.max(...used) > GONE_AGE && (await isGone(await foldersOf(folder)))) {
    // Renamed in one step, so that nobody finds half of it.
    await rename(folder, `${folder}.gone`);
    await removeAll(`${folder}.gone`);
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry);
    const keptFor = /\.corrupt-\d{4}-/.test(entry)
      ? DAMAGED_AGE
      : FORMER_INDEX.test(entry)
        ? GONE_AGE
        : entry === CACHES_FOLDER
          ? CACHES_AGE
          : Infinity;
    if (now - (await lstat(path)).mtimeMs > keptFor) {
      await removeAll(path);
    }
  }
}

/** Returns the workspace's folders from its note; empty if that does not list any. */
async function foldersOf(folder: string): Promise<string[]> {
  const noted: unknown = JSON.parse(await readFile(join(folder, "workspace.json"), "utf8"));
  const folders: unknown = isRecord(noted) ? noted["folders"] : undefined;
  return Array.isArray(folders) ? folders.map(String) : [];
}

async function isGone(folders: readonly string[]): Promise<boolean> {
  const gone = await Promise.all(folders.map(isFolderGone));
  return gone.length > 0 && gone.every(Boolean);
}

/**
 * Whether a folder was certainly deleted. A folder on a disk that is not mounted, on a share or below a folder that
 * cannot be read does not count, nor does a folder of another file system: the part of its path that still exists must
 * end in an ordinary folder that is not empty.
 */
async function isFolderGone(folder: string): Promise<boolean> {
  if (!isAbsolute(folder) || MOUNTED.test(folder) || folder.startsWith("//") || (await isThere(folder)) !== false) {
    return false;
  }
  let above = dirname(folder);
  while ((await isThere(above)) === false && dirname(above) !== above) {
    above = dirname(above);
  }
  const depth = above.split(/[\\/]/).filter((part) => part !== "" && !/^[a-z]:$/i.test(part)).length;
  const isOrdinary =
    (await isThere(above)) === true && basename(above) !== "" && (depth >= MIN_DEPTH || above === "/tmp");
  return (
    isOrdinary &&
    (await readdir(above).then(
      (names) => names.length > 0,
      () => false,
    ))
  );
}

/** Returns whether something exists at a path; undefined if that cannot be determined. */
async function isThere(path: string): Promise<boolean | undefined> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
    return isMissing ? false : undefined;
  }
}
