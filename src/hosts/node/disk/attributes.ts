import { constants, type Stats } from "node:fs";
import { chmod, chown, copyFile, open, stat } from "node:fs/promises";
import { copyAttributes, CopyFailed } from "./attributeShell.js";
import { writeFlushing } from "./temporaries.js";

/** The bits of a mode that chmod sets. */
const MODE_BITS = 0o7777;
/** Output that shows that there is no cp, or one that lacks an option (busybox). */
const UNKNOWN_OPTION = /unrecognized option|unknown option|illegal option|invalid option|not found/i;

/** A file that will replace another one, written but maybe not flushed yet. */
export interface Alike {
  /** Resolves when its bytes are on disk. */
  flushed: () => Promise<void>;
  /** Whether it has all of the other file's attributes. */
  isWhole: () => Promise<boolean>;
  /** Resolves when nothing more is done to it, in whatever way that ended. */
  settled: () => Promise<void>;
}

/**
 * Writes new bytes to a file that will replace another one: with its mode, owner, group, access control list and
 * extended attributes.
 *
 * Node copies attributes on macOS and Windows, along with the whole file. On Linux it cannot, nor can it even see
 * whether there are any, so GNU coreutils' cp does, while the bytes are flushed. Without that cp (busybox has a different
 * one), only a file that has other names as well is replaced, with its mode and owner; any other has to be written in
 * place, since there is no way to know whether it has an access control list, which its mode alone would widen.
 *
 * @param path the file whose attributes are kept
 */
export async function writeAlike(path: string, source: Stats, temporary: string, bytes: Uint8Array): Promise<Alike> {
  if (process.platform !== "linux") {
    await writeOverCopy(path, source, temporary, bytes);
    const isWhole = isAlike(source, await stat(temporary));
    return { flushed: done, isWhole: () => Promise.resolve(isWhole), settled: done };
  }
  // Nobody else may read it before it has the original's permissions.
  const { flushed } = await writeFlushing(temporary, bytes, 0o600);
  let copied = copy(path, source, temporary);
  return {
    flushed: () => flushed,
    isWhole: async () => {
      const { ino, ctimeMs } = await stat(path);
      if (ino !== source.ino || ctimeMs !== source.ctimeMs) {
        // Its attributes may have been changed since they were copied.
        await copied.catch(() => undefined);
        copied = copy(path, source, temporary);
      }
      return copied;
    },
    settled: async () => void (await Promise.allSettled([flushed, copied])),
  };
}

const done = (): Promise<void> => Promise.resolve();

async function writeOverCopy(path: string, source: Stats, temporary: string, bytes: Uint8Array): Promise<void> {
  await copyFile(path, temporary, constants.COPYFILE_EXCL);
  const file = await open(temporary, "r+");
  try {
    await file.truncate(0);
    await file.writeFile(bytes);
    // Windows has neither.
    if (process.platform !== "win32") {
      await file.chown(source.uid, source.gid).catch(() => undefined);
      await file.chmod(source.mode & MODE_BITS);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Copies the attributes; returns whether the file has all of them then. Callers that do not ask get no error. */
function copy(path: string, source: Stats, temporary: string): Promise<boolean> {
  const copied = copyAttributes(path, temporary)
    .catch(async (error: unknown) => {
      const isUnknown = error instanceof CopyFailed && UNKNOWN_OPTION.test(error.message);
      if (!isUnknown || source.nlink < 2) {
        return false;
      }
      await chown(temporary, source.uid, source.gid).catch(() => undefined);
      // Changing the owner clears the set-user-id bit.
      await chmod(temporary, source.mode & MODE_BITS);
    })
    .then(async (isMade) => isMade !== false && isAlike(source, await stat(temporary)));
  copied.catch(() => undefined);
  return copied;
}

function isAlike(a: Stats, b: Stats): boolean {
  return (
    process.platform === "win32" ||
    (a.uid === b.uid && a.gid === b.gid && (a.mode & MODE_BITS) === (b.mode & MODE_BITS))
  );
}
