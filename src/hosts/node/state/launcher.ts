import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderSync } from "../disk/parentFolders.js";
import { stateRoot } from "./stateFolder.js";

/**
 * Returns a script that starts the command line of this version, and of each later one: an extension's folder has its
 * version in its name and goes with an update, and other agents keep the path in their configuration.
 *
 * @param script the command line of this version
 * @throws Error if it cannot be written
 */
export function makeLauncher(script: string): string {
  const path = launcherPath();
  makeFolderSync(stateRoot(), 0o700);
  write(path, script);
  return path;
}

/** Lets the script start this version, if there is one. */
export function refreshLauncher(script: string): void {
  const path = launcherPath();
  try {
    if (readFileSync(path, "utf8") !== textOf(script)) {
      write(path, script);
    }
  } catch {
    // No agent was connected from a window, or the state folder cannot be written.
  }
}

function launcherPath(): string {
  return join(stateRoot(), "toolhost.js");
}

function textOf(script: string): string {
  return `require(${JSON.stringify(script)});\n`;
}

/** Others may start the script at any moment, so that it is replaced as a whole. */
function write(path: string, script: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, textOf(script), { mode: 0o600 });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
