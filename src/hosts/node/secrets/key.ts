import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolderSync } from "../disk/parentFolders.js";

const KEY_BYTES = 32;

/**
 * Returns the key that handles of secrets are made with, and creates it the first time: with another key, or none, a
 * handle would reveal something about its value. If it cannot be kept, handles are good for this process alone.
 */
export function secretsKey(path: string): Uint8Array {
  const known = readKey(path);
  if (known !== undefined) {
    return known;
  }
  const made = randomBytes(KEY_BYTES);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    makeFolderSync(dirname(path), 0o700);
    writeFileSync(draft, made, { mode: 0o600, flag: "wx" });
    // Not renamed: another process may have made one in the meantime, and all must have the same.
    linkSync(draft, path);
    return made;
  } catch {
    return readKey(path) ?? made;
  } finally {
    removeDraft(draft);
  }
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Where its folder is none, there is no draft.
  }
}

function readKey(path: string): Uint8Array | undefined {
  try {
    const key = readFileSync(path);
    return key.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}
