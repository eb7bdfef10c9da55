import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { workspaceStateFolder } from "../../state/stateFolder.js";
import { CACHES_FOLDER } from "../../state/stateSweep.js";
import type { Fetches } from "../../../../ports/effects.js";

/** A folder of which contained commands have one of their own, that goes on from command to command. */
export interface OwnCache {
  /** Where they see it: absolute, or in the home. */
  path: string;
  /** Where it is, in Toolhost's state. */
  kept: string;
}

/** How many folders are looked at in one, of the workspace and of caches. */
const MAX_FOLDERS = 100;
/** Maximum length of what the name of a cache has of its package's: file systems take 255 bytes in all. */
const MAX_NAME = 200;
/** What tools begin the file with that says that a folder is a cache (https://bford.info/cachedir/). */
const TAG = "Signature: 8a477f597d28d172789f06886806bc55";
/** Maximum bytes of that file. */
const MAX_TAG = 10_000;
/** Where a project's packages are, from which registry, by the files that say which, and what in them is newer after each install. */
const OF_PROJECTS = [
  {
    registry: "npm",
    files: ["package.json"],
    folder: "node_modules",
    installed: [".package-lock.json", ".yarn-integrity", ".yarn-state.yml", ".modules.yaml"],
  },
  {
    registry: "pypi",
    files: ["pyproject.toml", "requirements.txt"],
    folder: ".venv",
    installed: ["pyvenv.cfg", "lib/*/site-packages"],
  },
];
/** Where Cargo and Go keep in the home what they fetch for projects with such a file, and what is newer after each time. */
const OF_HOME = [
  { registry: "crates", file: "Cargo.toml", folder: ".cargo/registry", fetched: "cache/*" },
  { registry: "go", file: "go.mod", folder: "go/pkg/mod", fetched: "cache/download/*" },
];

/**
 * Returns the caches of a workspace for contained commands: the build folders of Cargo's packages, which have more and
 * larger files than can be made in the workspace after each command, and several names for some; and one for the user's
 * home, at `home`, in which Go and others keep what they have built. Packages that npm, uv, Cargo and Go fetch for them are
 * their own, too: what a registry sent for the folder's own packages is run by nobody else. Where the workspace or the
 * user's home, for `ofHome`, has packages as well, those that were fetched last count.
 *
 * @param folders absolute real paths
 * @param fetches what the command fetches; of the rest, packages that others fetched before are there
 */
export function ownCaches(
  folders: readonly string[],
  fetches?: Fetches,
): { home: string; ofFolders: OwnCache[]; ofHome: OwnCache[] } {
  const place = join(workspaceStateFolder(folders), CACHES_FOLDER);
  const targets = folders.flatMap((folder, at) =>
    packagesIn(folder, "Cargo.toml")
      .filter((name) => isCache(join(folder, name, "target")))
      .map((name) => ({
        path: join(folder, name, "target"),
        kept: join(place, keptAs(at, name, "target")),
      })),
  );
  const packages = OF_PROJECTS.flatMap(({ registry, files, folder: own, installed }) =>
    folders.flatMap((folder, at) =>
      [...new Set(files.flatMap((file) => packagesIn(folder, file)))]
        .map((name) => ({
          path: join(folder, name, own),
          kept: join(place, keptAs(at, name, own.replace(/^\./, ""))),
        }))
        .filter(({ path, kept }) => {
          const theirs = lstatSync(path, { throwIfNoEntry: false });
          return theirs === undefined
            ? fetches !== undefined || isThere(kept)
            : theirs.isDirectory() && (fetches?.includes(registry) === true || isNewer(kept, path, installed));
        }),
    ),
  );
  const ofHome = OF_HOME.filter(({ file }) => folders.some((folder) => packagesIn(folder, file).length > 0))
    .map(({ folder, ...each }) => ({ ...each, path: folder, kept: join(place, folder.replaceAll("/", "-")) }))
    .filter(
      ({ registry, path, kept, fetched }) =>
        fetches?.includes(registry) === true || isNewer(kept, join(homedir(), path), [fetched]),
    );
  return { home: join(place, "home"), ofFolders: [...targets, ...packages], ofHome };
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

/** Returns the name of the cache of a package in a folder of the workspace: by its own name, unless that is too long. */
function keptAs(at: number, name: string, what: string): string {
  const encoded = encodeURIComponent(name);
  const short = encoded.length > MAX_NAME ? createHash("sha256").update(name).digest("hex") : encoded;
  return `${at}-${short}-${what}`;
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

/** Whether the sandbox's own packages were fetched after the user's. @param marks what is newer then, in both */
function isNewer(kept: string, path: string, marks: readonly string[]): boolean {
  const own = fetchedAt(kept, marks);
  return own !== undefined && own > (fetchedAt(path, marks) ?? changedAt(path) ?? 0);
}

/** When packages were last fetched into a folder, as far as package managers note it. */
function fetchedAt(folder: string, marks: readonly string[]): number | undefined {
  const times = marks.flatMap((mark) => matching(folder, mark.split("/")).flatMap((path) => changedAt(path) ?? []));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Returns the paths in a folder with these names; `*` stands for any, of which there are few where all is as it should be. */
function matching(folder: string, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) {
    return [folder];
  }
  if (name !== "*") {
    return matching(join(folder, name), rest);
  }
  try {
    return readdirSync(folder)
      .slice(0, MAX_FOLDERS)
      .flatMap((each) => matching(join(folder, each), rest));
  } catch {
    return [];
  }
}

/** Returns undefined if nothing is there, as where a file has taken the place of a folder above. */
function changedAt(path: string): number | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.ctimeMs;
  } catch {
    return undefined;
  }
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
