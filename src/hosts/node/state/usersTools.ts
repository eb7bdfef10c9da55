import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderSync } from "../disk/parentFolders.js";
import { stateRoot } from "./stateFolder.js";

/** Where a window of VS Code keeps what the user's settings say of their tools, for the command line. */
const path = (): string => join(stateRoot(), "users-tools.json");

/**
 * Keeps the user's tools for the command line, which does not know where VS Code has its settings.
 *
 * @param text as a file of tools has them; undefined if there are none
 * @throws Error if it cannot be written
 */
export function keepUsersTools(text: string | undefined): void {
  const file = path();
  if (keptUsersTools() === text) {
    return;
  }
  if (text === undefined) {
    rmSync(file, { force: true });
    return;
  }
  makeFolderSync(stateRoot(), 0o700);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Returns the user's tools as a window kept them last. @throws Error if there are some that cannot be read */
export function keptUsersTools(): string | undefined {
  try {
    return readFileSync(path(), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}
