import { createHash } from "node:crypto";
import { chmodSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { makeFolderSync } from "../disk/parentFolders.js";

/** Hex digits of a workspace's name: 128 bits, and short enough for Windows' 260 characters a path. */
const NAME_DIGITS = 32;

/** What decides where the state lies, so that tests can tell of other systems. */
export interface Surroundings {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}

const HERE: Surroundings = { platform: process.platform, env: process.env, home: homedir() };

/**
 * The user's folder for Toolhost's state: what the system says (XDG Base Directory, Apple's File System Programming
 * Guide, Windows' known folders), or `TOOLHOST_STATE`. A relative value counts as none, as XDG demands.
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

/** The folder of the states of all workspaces. */
export function statesRoot(surroundings: Surroundings = HERE): string {
  return join(stateRoot(surroundings), "workspaces");
}

/**
 * The folder for one workspace's state, the same for every window and the command line: named after where its
 * folders really lie, in whatever order.
 *
 * @param folders absolute paths, or addresses with a scheme of their own
 */
export function workspaceStateFolder(folders: readonly string[], surroundings: Surroundings = HERE): string {
  const places = realPlaces(folders, surroundings.platform);
  const digest = createHash("sha256").update(places.join("\n")).digest("hex");
  return join(statesRoot(surroundings), digest.slice(0, NAME_DIGITS));
}

/** Makes the folder, for this user alone, and a note in it that tells people whose it is. */
export function makeStateFolder(folder: string, folders: readonly string[]): void {
  makeFolderSync(folder, 0o700);
  // A folder that someone else made, or an older umask, may be open to others.
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
    // Windows gives a drive now as c:, now as C:.
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
