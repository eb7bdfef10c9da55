import { lstat, mkdir, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/**
 * What is below a folder: bytes as latin1 by path, `folder` for a folder (whose path ends in /), the targets of links,
 * and modes that are not those of new files and folders.
 */
export type Tree = Record<string, string>;

export async function treeOf(folder: string): Promise<Tree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path);
      const mode = (await lstat(path)).mode & 0o777;
      const shown = [0o644, 0o755].includes(mode === 0o755 && entry.isFile() ? 0 : mode) ? "" : ` ${mode.toString(8)}`;
      return entry.isDirectory()
        ? [`${name}/`, `folder${shown}`]
        : [name, entry.isFile() ? (await readFile(path, "latin1")) + shown : `-> ${await readlink(path)}`];
    }),
  );
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Makes a folder anew with these files. */
export async function plantTree(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, "latin1");
  }
}

/** Several files in every way a patch can change one. */
export const BEFORE = {
  "edited.txt": "one\r\ntwo\r\n",
  "moved.txt": "alpha\nbeta\n",
  "renamed.txt": "as it was\n",
  "gone/bytes.bin": "\0\xff\0\x01",
  "gone/text.txt": "going\n",
} as const;

export const PATCH = [
  "*** Begin Patch",
  "*** Update File: edited.txt",
  "@@",
  "-two",
  "+TWO",
  "*** Add File: new/deep/a.txt",
  "+made",
  "*** Add File: new/b.txt",
  "+made, too",
  "*** Update File: moved.txt",
  "*** Move to: new/far/moved.txt",
  "@@",
  "-beta",
  "+BETA",
  "*** Update File: renamed.txt",
  "*** Move to: elsewhere/renamed.txt",
  "*** Delete File: gone/bytes.bin",
  "*** Delete File: gone/text.txt",
  "*** End Patch",
].join("\n");

export const AFTER: Tree = {
  "edited.txt": "one\r\nTWO\r\n",
  "elsewhere/": "folder",
  "elsewhere/renamed.txt": "as it was\n",
  "gone/": "folder",
  "new/": "folder",
  "new/b.txt": "made, too\n",
  "new/deep/": "folder",
  "new/deep/a.txt": "made\n",
  "new/far/": "folder",
  "new/far/moved.txt": "alpha\nBETA\n",
};
