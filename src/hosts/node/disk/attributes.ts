import { execFile } from "node:child_process";
import { constants, type Stats } from "node:fs";
import { chmod, chown, copyFile, open, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { writeFlushed } from "./temporaries.js";

const run = promisify(execFile);

/** The bits of a mode that chmod sets. */
const MODE_BITS = 0o7777;
/** Time limit for a process that copies attributes, in ms; it takes 1 or 2 ms per file. */
const COPY_TIMEOUT = 20_000;
/** Output that shows that there is no cp, or one that lacks an option (busybox). */
const UNKNOWN_OPTION = /unrecognized option|unknown option|illegal option|invalid option|not found/i;

/** Maximum files per process, so that the arguments fit. */
const BATCH = 100;

/** Whether all of a file's attributes could be copied to its replacement. */
export interface AttributeCopy {
  isWhole(): Promise<boolean>;
  /** Discards the copy if it is no longer needed. */
  drop(): void;
}

interface Job {
  path: string;
  source: Stats;
  temporary: string;
  done: Promise<boolean> | undefined;
}

/** Copies whose result nobody has asked for yet: a single process makes all copies of a call. */
const waiting = new Set<Job>();

/**
 * Writes new bytes to a file that will replace another one: with its mode, owner, group, access control list and
 * extended attributes.
 *
 * Node copies attributes on macOS and Windows, along with the whole file. On Linux it cannot, nor can it even see
 * whether there are any, so GNU coreutils' cp does, in some two milliseconds. Without that cp (busybox has a different
 * one), only a file that has other names as well is replaced, with its mode and owner; any other has to be written in
 * place, since there is no way to know whether it has an access control list, which its mode alone would widen.
 *
 * @param path the file whose attributes are kept
 */
export async function writeAlike(
  path: string,
  source: Stats,
  temporary: string,
  bytes: Uint8Array,
): Promise<AttributeCopy> {
  if (process.platform !== "linux") {
    await writeOverCopy(path, source, temporary, bytes);
    const isWhole = isAlike(source, await stat(temporary));
    return { isWhole: () => Promise.resolve(isWhole), drop: () => undefined };
  }
  // Nobody else may read it before it has the original's permissions.
  await writeFlushed(temporary, bytes, 0o600, () => Promise.resolve());
  const job: Job = { path, source, temporary, done: undefined };
  waiting.add(job);
  return {
    isWhole: () => {
      if (job.done === undefined) {
        runWaiting();
      }
      return job.done ?? Promise.resolve(false);
    },
    drop: () => waiting.delete(job),
  };
}

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

function runWaiting(): void {
  const jobs = [...waiting];
  waiting.clear();
  for (let from = 0; from < jobs.length; from += BATCH) {
    const batch = jobs.slice(from, from + BATCH);
    const failed = copyAll(batch);
    for (const job of batch) {
      job.done = failed.then(
        async (paths) => !paths.has(job.temporary) && isAlike(job.source, await stat(job.temporary)),
      );
      // Callers that ask get the error; those that don't ask have dropped the copy.
      job.done.catch(() => undefined);
    }
  }
}

const COPY = 'cp --attributes-only --preserve=mode,ownership,xattr -- "$1" "$2"';
/** Prints the number of each copy that failed. */
const COPY_EACH = `n=0; while [ $# -gt 0 ]; do ${COPY} || echo "$n"; shift 2; n=$((n+1)); done`;

/** Returns the temporary files whose attributes could not all be copied. */
async function copyAll(jobs: readonly Job[]): Promise<Set<string>> {
  const { stdout, stderr } = await run(
    "/bin/sh",
    ["-c", COPY_EACH, "sh", ...jobs.flatMap(({ path, temporary }) => [path, temporary])],
    { timeout: COPY_TIMEOUT, env: { ...process.env, LC_ALL: "C" } },
  ).catch((error: unknown) => ({ stdout: jobs.map((_, index) => index).join("\n"), stderr: String(error) }));
  const left = stdout.split("\n").flatMap((line) => (line === "" ? [] : (jobs[Number(line)] ?? [])));
  const isUnknown = UNKNOWN_OPTION.test(stderr);
  const failed = new Set<string>();
  for (const { source, temporary } of left) {
    if (isUnknown && source.nlink > 1) {
      await chown(temporary, source.uid, source.gid).catch(() => undefined);
      // Changing the owner clears the set-user-id bit.
      await chmod(temporary, source.mode & MODE_BITS);
    } else {
      failed.add(temporary);
    }
  }
  return failed;
}

function isAlike(a: Stats, b: Stats): boolean {
  return (
    process.platform === "win32" ||
    (a.uid === b.uid && a.gid === b.gid && (a.mode & MODE_BITS) === (b.mode & MODE_BITS))
  );
}
