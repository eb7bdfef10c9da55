import { readFileSync } from "node:fs";
import type { Owner } from "../../core/journal/types.js";

/** This process, as the journal names it. */
export function thisProcess(): Owner {
  return { pid: process.pid, started: startOf(process.pid) ?? UNKNOWN };
}

/** Whether a process of the journal still runs: not one that has been given its number since. */
export function isAlive({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process may be ours by sudo, or one that was given the number since: when it began tells.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") {
      return false;
    }
  }
  const now = startOf(pid);
  return now === undefined || started === UNKNOWN || now === started;
}

/** Where the system does not tell when a process began; the journal gives up on those after some minutes. */
const UNKNOWN = "";

/** When a process began, or that only its parent has not noticed its end yet; in the system's ticks, and in which boot (proc(5)); undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything.
    const [, ...fields] = stat.slice(stat.lastIndexOf(")") + 1).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") {
      return "ended";
    }
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[19]}`;
  } catch {
    return undefined;
  }
}
