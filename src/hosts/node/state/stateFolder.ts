import { createHash } from "node:crypto";
import { chmodSync, lstatSync, realpathSync, statSync, writeFileSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { makeFolderSync } from "../disk/parentFolders.js";

/** Hex digits of a workspace's name: 128 bits, and short enough for Windows' limit of 260 characters per path. */
const NAME_DIGITS = 32;

/** The folder of the command line's compiled code, next to that of all workspaces' states. */
export const CODE_FOLDER = "code";

/** Facts that determine where the state is; a parameter, so that tests can simulate other systems. */
export interface Surroundings {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}

const HERE: Surroundings = { platform: process.platform, env: process.env, home: homedir() };

/**
 * Returns the user's folder for Toolhost's state: what the system prescribes (XDG Base Directory, Apple's File System
 * Programming Guide, Windows' known folders), or `TOOLHOST_STATE`. A relative value is ignored, as XDG demands.
 */
export function stateRoot({ platform, env, home }: Surroundings = HERE): string {
  const absolute = (value: string | undefined): string | undefined =>
    value !== undefined && isAbsolute(value) ? value : undefined;
  const own = absolute(env["TOOLHOST_STATE"]);
  if (own !== undefined) {
    return own;
  }
  if (platform === "win32") {
    return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "toolhost");
  }
  if (platform === "darwin") {
    return join(home, "Library", "Application Support", "toolhost");
  }
  return join(absolute(env["XDG_STATE_HOME"]) ?? join(home, ".local", "state"), "toolhost");
}

/**
 * Returns the variables that say where the state is, as far as they are set: an agent may start our programs with few of
 * the user's, and a window is only found where it keeps its state.
 *
 * @returns undefined if none is
 */
export function stateVariables(env: NodeJS.ProcessEnv = process.env): Record<string, string> | undefined {
  const found = ["TOOLHOST_STATE", "XDG_STATE_HOME"].flatMap((name): [string, string][] =>
    env[name] ? [[name, env[name]]] : [],
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Returns the file of the key that handles of secrets are made with: one for all workspaces of this user. */
export function secretsKeyFile(surroundings: Surroundings = HERE): string {
  return join(stateRoot(surroundings), "secrets.key");
}

/** Returns the folder that contains all workspaces' states. */
export function statesRoot(surroundings: Surroundings = HERE): string {
  return join(stateRoot(surroundings), "workspaces");
}

/** Returns the folder in which windows say how processes of this user reach them. */
export function windowNotes(surroundings: Surroundings = HERE): string {
  return join(stateRoot(surroundings), "windows");
}

/** Creates that folder for this user alone. @throws Error if somebody else could write into it */
export function makeWindowNotes(surroundings: Surroundings = HERE): string {
  const folder = windowNotes(surroundings);
  makeFolderSync(folder, 0o700);
  if (!isOursAlone(lstatSync(folder), 0o077)) {
    throw new Error(`${folder} is open to other users.`);
  }
  return folder;
}

/**
 * Creates the folder of the command line's compiled code, which runs when it is loaded.
 *
 * @returns undefined if it cannot be created, or if anyone else could have put something into it
 */
export function codeFolder(surroundings: Surroundings = HERE): string | undefined {
  const root = stateRoot(surroundings);
  const folder = join(root, CODE_FOLDER);
  try {
    makeFolderSync(folder, 0o700);
    return isOursAlone(statSync(root), 0o022) && isOursAlone(lstatSync(folder), 0o077) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a folder belongs to this user, with none of some permissions. Windows has neither IDs nor these permissions. */
function isOursAlone(folder: Stats, never: number): boolean {
  return (
    folder.isDirectory() &&
    (process.getuid === undefined || (folder.uid === process.getuid() && (folder.mode & never) === 0))
  );
}

/**
 * Returns the folder for one workspace's state, the same for every window and the command line: named after the real
 * paths of its folders, in whatever order.
 *
 * @param folders absolute paths, or addresses with their own scheme
 */
export function workspaceStateFolder(folders: readonly string[], surroundings: Surroundings = HERE): string {
  const places = realPlaces(folders, surroundings.platform);
  const digest = createHash("sha256").update(places.join("\n")).digest("hex");
  return join(statesRoot(surroundings), digest.slice(0, NAME_DIGITS));
}

/** Creates the folder, for this user only, with a note that tells people which workspace it belongs to. */
export function makeStateFolder(folder: string, folders: readonly string[]): void {
  makeFolderSync(folder, 0o700);
  // A folder that someone else created, or an older umask, may be open to others.
  chmodSync(folder, 0o700);
  try {
    writeFileSync(
      join(folder, "workspace.json"),
      `${JSON.stringify({ folders: realPlaces(folders, process.platform) }, undefined, 2)}\n`,
      { flag: "wx", mode: 0o600 },
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
  }
}

function realPlaces(folders: readonly string[], platform: NodeJS.Platform): string[] {
  const places = folders.map((folder) => {
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(folder)) {
      return folder;
    }
    const real = realPath(folder)
      .replaceAll(platform === "win32" ? "\\" : "/", "/")
      .replace(/(?<=[^/:])\/+$/, "");
    // Windows writes a drive sometimes as c:, sometimes as C:.
    return platform === "win32" ? real.toLowerCase() : real;
  });
  return [...new Set(places)].sort();
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
