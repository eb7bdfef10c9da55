import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { promisify } from "node:util";

const BLOCK = 512;

/** Paths and attributes of 100,000 folders are less. */
const MAX_LISTING = 256 * 1024 * 1024;

/** The attribute of a folder that hides what was below it (https://docs.kernel.org/filesystems/overlayfs.html). */
const OPAQUE = /(?:^|\n)\d+ SCHILY\.xattr\.user\.overlay\.opaque=y\n/;

/**
 * Returns the folders of what overlayfs kept aside that took the place of others. Node.js reads no attributes of files,
 * so tar lists them.
 *
 * @returns paths relative to `upper`; `""` for itself
 * @throws Error if they cannot be read
 */
export async function opaqueFolders(upper: string): Promise<ReadonlySet<string>> {
  const folders = await foldersBelow(upper, "");
  const tar = ["--create", "--no-recursion", "--xattrs", "--xattrs-include=user.overlay.*"];
  const listed = promisify(execFile)("/bin/tar", [...tar, "--null", "--files-from=-", "--file=-"], {
    ...{ cwd: upper, encoding: "buffer", maxBuffer: MAX_LISTING, env: { LC_ALL: "C" } },
  });
  // If tar ends early, its failure says why.
  listed.child.stdin?.on("error", () => undefined);
  listed.child.stdin?.end(folders.map((path) => `./${path}\0`).join(""));
  const { stdout: listing } = await listed;
  const opaque = flagsOf(listing);
  if (opaque.length !== folders.length) {
    throw new Error("The attributes of the changed folders could not be read.");
  }
  return new Set(folders.filter((_, at) => opaque[at] === true));
}

/** Returns for each entry of an archive of folders, in order, whether its extended header has the attribute. */
function flagsOf(archive: Buffer): boolean[] {
  const flags: boolean[] = [];
  let isOpaque = false;
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0;) {
    const size = Number.parseInt(archive.toString("latin1", at + 124, at + 136), 8);
    const type = String.fromCharCode(archive[at + 156] ?? 0);
    if (type === "x") {
      isOpaque = OPAQUE.test(archive.toString("latin1", at + BLOCK, at + BLOCK + size));
    } else if (type === "5") {
      flags.push(isOpaque);
      isOpaque = false;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return flags;
}

async function foldersBelow(upper: string, path: string): Promise<string[]> {
  const found = [path];
  for (const entry of await readdir(join(upper, path), { withFileTypes: true })) {
    if (entry.isDirectory()) {
      found.push(...(await foldersBelow(upper, posix.join(path, entry.name))));
    }
  }
  return found;
}
