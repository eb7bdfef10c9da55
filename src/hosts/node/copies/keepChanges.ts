import { constants, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileDiff } from "../../../text/diff/fileDiff.js";
import { decodeText, looksBinary } from "../../../text/encoding.js";
import { slug } from "../../../text/slug.js";
import { removeAll } from "../disk/removeAll.js";
import type { Content, CopyChange } from "./folderCopy.js";
import { KEPT_FOR } from "./keptFor.js";

/** Maximum bytes that are kept of all copies of a folder: work that runs every minute must not fill the disk. */
const MAX_KEPT = 2_000_000_000;
/** Maximum characters of a text of which a difference is made. */
const MAX_COMPARED = 2_000_000;

/**
 * Keeps changes of a task that were not brought back: a patch of all texts, and each file as the task left it. What was
 * kept earlier goes if it is old, and the oldest first where all of it is too much.
 *
 * @param place the folder for those of all tasks
 * @param large files of a copy that are too large to be merged
 * @param most bytes that are kept of all tasks
 * @returns the folder that has them
 */
export async function keepChanges(
  place: string,
  task: string,
  changes: readonly CopyChange[],
  large: { folder: string; paths: readonly string[] },
  most = MAX_KEPT,
): Promise<string> {
  await mkdir(place, { recursive: true, mode: 0o700 });
  await removeOld(place, Infinity);
  const folder = await mkdtemp(join(place, `${slug(task, "ascii", 40) || "task"}-`));
  for (const { path, after } of changes) {
    const to = join(folder, "files", path);
    if (after instanceof Uint8Array) {
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      writeFileSync(to, after, { mode: 0o600 });
    } else if (after !== undefined && "link" in after) {
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      symlinkSync(after.link, to);
    }
  }
  for (const path of large.paths) {
    const to = join(folder, "files", path);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    copyFileSync(join(large.folder, path), to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  writeFileSync(join(folder, "task.patch"), diffOf(changes), { mode: 0o600 });
  await removeOld(place, most, folder);
  return folder;
}

/** Returns the changes of texts as a diff. */
export function diffOf(changes: readonly CopyChange[]): string {
  const diffs = changes.map(({ path, before, after, isLarge }) => {
    const [old, text] = [textOf(before), textOf(after)];
    const areTexts = (old !== undefined || before === undefined) && (text !== undefined || after === undefined);
    return areTexts && !isLarge ? fileDiff(path, old, text) : "";
  });
  const diff = diffs.filter((each) => each !== "").join("\n");
  return diff === "" ? "" : `${diff.replace(/\n$/, "")}\n`;
}

/** Removes what was kept for long, and the oldest of what is more than `most` bytes. @param own stays */
async function removeOld(place: string, most: number, own?: string): Promise<void> {
  const kept = (await readdir(place)).map((name) => join(place, name));
  const seen = await Promise.all(kept.map(async (path) => ({ path, age: Date.now() - (await lstat(path)).mtimeMs })));
  let size = 0;
  for (const { path, age } of seen.sort((a, b) => a.age - b.age)) {
    size += most === Infinity ? 0 : await sizeOf(path);
    if (path !== own && (age > KEPT_FOR || size > most)) {
      await removeAll(path).catch(() => undefined);
    }
  }
}

/** Returns the bytes of all files in a folder; what another process removes meanwhile counts as nothing. */
async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
    size += entry.isFile() ? ((await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0) : 0;
  }
  return size;
}

function textOf(content: Content): string | undefined {
  if (!(content instanceof Uint8Array) || content.length > MAX_COMPARED || looksBinary(content)) {
    return undefined;
  }
  const { text, exact } = decodeText(content);
  return exact ? text : undefined;
}
