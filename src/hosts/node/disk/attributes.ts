import { execFile } from "node:child_process";
import { constants, type Stats } from "node:fs";
import { chmod, chown, copyFile, open, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { writeFlushed } from "./temporaries.js";

const run = promisify(execFile);

/** The bits of a mode that chmod sets. */
const MODE_BITS = 0o7777;
/** Milliseconds for a process that copies attributes, which takes one or two a file. */
const COPY_TIMEOUT = 20_000;
/** What is said where there is no cp, or one that does not know an option (busybox). */
const UNKNOWN_OPTION = /unrecognized option|unknown option|illegal option|invalid option|not found/i;

/** Files that one process is given at most, so that its arguments fit. */
const BATCH = 100;

/** Whether the attributes of a file could all be given to the one that is to take its place. */
export interface AttributeCopy {
  isWhole(): Promise<boolean>;
  /** It is not wanted any more. */
  drop(): void;
}

interface Job {
  path: string;
  source: Stats;
  temporary: string;
  done: Promise<boolean> | undefined;
}

/** Copies that nobody has asked about yet: those of a call are made by one process. */
const waiting = new Set<Job>();

/**
 * Writes new bytes for a file that is to take another one's place: with its mode, owner, group, access control list and
 * extended attributes.
 *
 * Node copies attributes on macOS and Windows, with the whole file. On Linux it cannot, nor even see whether there are
 * any, so cp of GNU coreutils does, in some two milliseconds. Where there is no such cp (busybox has another one), only
 * a file that has other names, too, gets a new one with its mode and owner: any other has to be written in place, since
 * nothing tells whether it has an access control list, which its mode alone would widen.
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
  // Nobody else may read it before it has the other's rights.
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
    // Windows keeps neither.
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
      // Who asks is told; who does not has dropped it.
      job.done.catch(() => undefined);
    }
  }
}

const COPY = 'cp --attributes-only --preserve=mode,ownership,xattr -- "$1" "$2"';
/** Says the number of each copy that failed. */
const COPY_EACH = `n=0; while [ $# -gt 0 ]; do ${COPY} || echo "$n"; shift 2; n=$((n+1)); done`;

/** The temporary files whose attributes could not all be copied. */
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
      // A new owner takes the set-user-id bit off.
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
