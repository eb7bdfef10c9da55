// One setup at a time in a checkout: two `npm ci` at once would corrupt node_modules.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { join } from "node:path";
import { announce, SetupError } from "./child.mjs";
import { cache } from "./paths.mjs";

/** Longer than any download seen; another setup that takes longer hangs. */
const DEADLINE_MS = 15 * 60_000;
const POLL_MS = 200;

const file = join(cache, "setup.lock");

/**
 * Runs `work` while no other setup of this checkout runs. The lock of a process that died is taken over.
 * @param {() => Promise<void>} work
 */
export async function withSetupLock(work) {
  mkdirSync(cache, { recursive: true });
  const deadline = Date.now() + DEADLINE_MS;
  let told = false;
  while (!take()) {
    const holder = holderPid();
    if (holder === undefined || !isAlive(holder)) {
      rmSync(file, { force: true });
      continue;
    }
    if (Date.now() > deadline)
      throw new SetupError(
        `Another setup (process ${holder}) holds ${file} for too long. End it, or delete that file.`,
      );
    if (!told) announce(`waiting for another setup of this checkout (process ${holder})`);
    told = true;
    await delay(POLL_MS);
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @returns {boolean} whether the lock is ours now */
function take() {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** @returns {number | undefined} */
function holderPid() {
  try {
    return Number(readFileSync(file, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
