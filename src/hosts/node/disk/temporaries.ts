import { randomBytes } from "node:crypto";
import { open, readdir, rm, stat } from "node:fs/promises";
import { joinPath, parentPath } from "../../../core/paths/pathShape.js";
import { errorCode, ioError } from "./diskErrors.js";
import { hasEnded, temporaryTag } from "../state/owner.js";

/**
 * Names of temporary files identify their process (`temporaryTag`), so that files left by a killed process can be told
 * from files in use. A file kept until its change is over ends in `-old`: only the change's owner or its recovery may
 * remove it.
 */
const TEMPORARY = /^\.toolhost-(\d+)-(\w+)-([0-9a-f]{8})-[0-9a-f]+\.tmp$/;

/** Matches the name of an old file that is kept. */
const OLD = /^\.toolhost-(\d+)-(\w+)-([0-9a-f]{8})-[0-9a-f]+-old\.tmp$/;
/** Whether a file's name is one that a change gives its own files, which exist only while it is made. */
export function isOfChange(name: string): boolean {
  return TEMPORARY.test(name) || OLD.test(name);
}

/** How long after its last change a folder is certainly no longer in the middle of an exchange, in ms. */
const FRESH = 10_000;

/** Returns a name for a temporary file in the folder of `path`: a rename then stays on one disk. */
export function temporaryBeside(path: string): string {
  return beside(path, "");
}

/** Returns a name for a file's old version, kept until its change is over. */
export function oldBeside(path: string): string {
  return beside(path, "-old");
}

function beside(path: string, end: string): string {
  return joinPath(parentPath(path), `.toolhost-${temporaryTag()}-${randomBytes(6).toString("hex")}${end}.tmp`);
}

/** Prepares a temporary file, or leaves none behind. */
export async function readied<Made>(path: string, temporary: string, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    await removeAll([temporary]).catch(() => undefined);
    throw ioError(path, error);
  }
}

/**
 * Writes a file that must not exist yet, and begins to flush it.
 *
 * @returns what resolves when its bytes are on disk. It is closed then, too, as it is after an error, which only callers
 *   that wait for it get
 */
export async function writeFlushing(
  path: string,
  bytes: Uint8Array,
  mode: number,
): Promise<{ flushed: Promise<void> }> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(bytes);
  } catch (error) {
    await file.close();
    throw error;
  }
  const flush = async (): Promise<void> => {
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  };
  const flushed = flush();
  flushed.catch(() => undefined);
  return { flushed };
}

/** Removes files that may exist. @throws the system's error for one that stays, once all others are gone */
export async function removeAll(paths: readonly string[]): Promise<void> {
  const removed = await Promise.allSettled(paths.map((path) => rm(path, { force: true })));
  for (const each of removed) {
    if (each.status === "rejected" && errorCode(each.reason) !== "ENOTDIR") {
      throw each.reason;
    }
  }
}

/** Removes temporary files in a folder whose processes have certainly ended. */
export async function sweepTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => {
    const [, pid, ticks = "", place = ""] = TEMPORARY.exec(name) ?? [];
    return pid !== undefined && hasEnded(Number(pid), ticks, place);
  });
  await removeAll(left.map((name) => joinPath(folder, name))).catch(() => undefined);
}

/**
 * Whether another running process may be replacing a file in this folder: during `exchange` the file is missing for a
 * moment. This process never observes its own exchanges, since the two calls run without a pause between them.
 *
 * @returns `never` if nothing in the folder has changed for so long that a file that is missing was not just replaced
 */
export async function mayBeExchanging(folder: string): Promise<"yes" | "not now" | "never"> {
  const changed = await stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (Math.abs(Date.now() - changed) > FRESH) {
    return "never";
  }
  const isOne = (await readdir(folder).catch(() => [])).some((name) => {
    const [, pid, ticks = "", place = ""] = OLD.exec(name) ?? [];
    return pid !== undefined && Number(pid) !== process.pid && !hasEnded(Number(pid), ticks, place);
  });
  return isOne ? "yes" : "not now";
}
