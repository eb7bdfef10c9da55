import { lstatSync, mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { workspaceStateFolder } from "../../state/stateFolder.js";
import { CACHES_FOLDER } from "../../state/stateSweep.js";

/** A folder of which contained commands have one of their own, that goes on from command to command. */
export interface OwnCache {
  /** Where they see it. */
  path: string;
  /** Where it is, in Toolhost's state. */
  kept: string;
}

/** What the folders of the workspace, and those in them, are looked through for: at most so many. */
const MAX_FOLDERS = 100;
/** What tools begin the file with that says that a folder is a cache (https://bford.info/cachedir/). */
const TAG = "Signature: 8a477f597d28d172789f06886806bc55";
/** Maximum bytes of that file. */
const MAX_TAG = 10_000;

/**
 * Returns the caches of a workspace for contained commands: the build folders of Cargo's packages, which have more and
 * larger files than can be made in the workspace after each command, and several names for some; and one for the user's
 * home, at `home`, in which Go and others keep what they have built. Packages that npm fetches for them are their own,
 * too, where the workspace has none: nothing that a registry sent is run by anybody else.
 *
 * @param folders absolute real paths
 * @param mayFetch whether npm may fetch packages; if not, those that it fetched before are there
 */
export function ownCaches(folders: readonly string[], mayFetch = false): { home: string; ofFolders: OwnCache[] } {
  const place = join(workspaceStateFolder(folders), CACHES_FOLDER);
  const targets = folders.flatMap((folder, at) =>
    packagesIn(folder, "Cargo.toml")
      .filter((name) => isCache(join(folder, name, "target")))
      .map((name) => ({
        path: join(folder, name, "target"),
        kept: join(place, `${at}-${encodeURIComponent(name)}-target`),
      })),
  );
  const packages = folders.flatMap((folder, at) =>
    packagesIn(folder, "package.json")
      .map((name) => ({
        path: join(folder, name, "node_modules"),
        kept: join(place, `${at}-${encodeURIComponent(name)}-node_modules`),
      }))
      .filter(({ path, kept }) => !isThere(path) && (mayFetch || isThere(kept))),
  );
  return { home: join(place, "home"), ofFolders: [...targets, ...packages] };
}

/** Creates a cache, and notes that it is used. @returns its folder */
export function useCache(kept: string): string {
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  const now = new Date();
  // The sweep goes by the time of the folder above, too.
  for (const folder of [kept, join(kept, "..")]) {
    utimesSync(folder, now, now);
  }
  return kept;
}

/** The names of a folder's packages, by their file: its own, which is empty, or those of the folders in it. */
function packagesIn(folder: string, file: string): string[] {
  const isPackage = (at: string): boolean => lstatSync(join(at, file), { throwIfNoEntry: false })?.isFile() === true;
  if (isPackage(folder)) {
    return [""];
  }
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .slice(0, MAX_FOLDERS)
    .map(({ name }) => name)
    .filter((name) => isPackage(join(folder, name)));
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether there is no such folder yet, or a tool made it and says that it can make all of it again. */
function isCache(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found === undefined || (found.isDirectory() && isTag(join(folder, "CACHEDIR.TAG")));
}

function isTag(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= MAX_TAG && readFileSync(file, "utf8").startsWith(TAG);
}

/**
 * Whether something in a cache was changed since a moment, in ms since 1970, as far as what is at its top and in the
 * folders there tells. What a command made unreadable, or removes right now, was changed.
 */
export function isChanged({ kept }: OwnCache, since: number): boolean {
  const isNew = (folder: string, depth: number): boolean =>
    readdirSync(folder, { withFileTypes: true }).some((entry) => {
      const path = join(folder, entry.name);
      return lstatSync(path).ctimeMs > since || (depth > 0 && entry.isDirectory() && isNew(path, depth - 1));
    });
  try {
    return isNew(kept, 1);
  } catch {
    return true;
  }
}
