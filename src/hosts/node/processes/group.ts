import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import type { ProcessUse } from "../../../features/processes/spawner.js";

/** Signals that end a process: the only ones Windows has an equivalent for. */
const ENDING = new Set(["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGQUIT", "SIGBREAK"]);

/**
 * Process numbers are assigned in order and wrap around at the end of their range: for a command that ran longer than
 * this, in ms, all processes are checked.
 */
const MAY_HAVE_WRAPPED = 60_000;

/** Numbers that are tried one by one: fewer take less time than the list of all processes, of which most are older. */
const MAX_TRIED = 24;

/**
 * Sends a signal to a whole group; returns false if the group is empty. Throws `ToolError` `invalid_input` for a signal
 * that the system does not have.
 */
export function signalGroup(pid: number, name: string, windows = process.platform === "win32"): boolean {
  const signal = (constants.signals as Record<string, number | undefined>)[name];
  if (signal === undefined || (windows && !ENDING.has(name))) {
    throw new ToolError("invalid_input", `${name}: there is no such signal on this system.`);
  }
  if (windows) {
    execFile(taskkill(), killArguments(pid), () => undefined);
    return true;
  }
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Kills a group synchronously, while this process exits. */
export function killGroupNow(pid: number, windows = process.platform === "win32"): void {
  try {
    if (windows) {
      execFileSync(taskkill(), killArguments(pid), { stdio: "ignore", timeout: 2_000 });
    } else {
      process.kill(-pid, "SIGKILL");
    }
  } catch {
    // The group is empty.
  }
}

/** Whether anything in a group is running, once its first process has exited and been reaped. */
export function isGroupAlive(pid: number): boolean {
  // While a group has members, no new process gets its number (POSIX, "fork"): a process that has it heads another
  // group.
  if (process.platform === "win32" || isProcess(pid)) {
    return false;
  }
  try {
    process.kill(-pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // Processes that have ended stay in the group until somebody reaps them; in many containers nobody does.
  return process.platform !== "linux" || hasRunning(pid);
}

/** Whether a process has this number; it may have ended without being reaped. */
export function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Returns the start time of a process, in ticks since boot, which distinguishes it from another with its number;
 * undefined without /proc or if there is no such process.
 */
export function startOf(pid: number): string | undefined {
  return statOf(String(pid))?.[19];
}

/**
 * Returns the processes that started after a given one, by number, maybe with threads among them; undefined without
 * /proc.
 * @param duration how long ago that was, in ms
 */
export function newerThan(leader: number, duration: number): string[] | undefined {
  try {
    const isInTurn = duration < MAY_HAVE_WRAPPED && lastNumber() >= leader;
    const few = isInTurn ? fewNewerThan(leader) : undefined;
    if (few !== undefined) {
      return few;
    }
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && (!isInTurn || Number(name) > leader));
  } catch {
    return undefined;
  }
}

/** Tries the numbers after a given one; undefined if there are many. */
function fewNewerThan(leader: number): string[] | undefined {
  const found: string[] = [];
  for (let tried = leader, last = lastNumber(); last - leader <= MAX_TRIED && last >= leader; last = lastNumber()) {
    if (tried === last) {
      return found;
    }
    while (tried < last) {
      tried++;
      if (existsSync(`/proc/${tried}`)) {
        found.push(String(tried));
      }
    }
    // One that has just ended may have started another: its number is higher than the last one was.
  }
  return undefined;
}

/** Returns the number of the process, or thread, that was created last (proc(5), the fifth word of loadavg). */
function lastNumber(): number {
  return Number(readFileSync("/proc/loadavg", "utf8").split(" ")[4]);
}

/**
 * Returns what the processes of a session use, given its leader, whatever groups they made; undefined without /proc.
 *
 * @param duration how long ago the leader started, in ms
 */
export function useOf(leader: number, duration: number): ProcessUse | undefined {
  const others = newerThan(leader, duration)?.filter((pid) => pid !== String(leader));
  const pids = others?.concat(String(leader)).filter((pid) => {
    const [state, , , session] = statOf(pid) ?? [];
    return Number(session) === leader && state !== "Z" && state !== "X" && !isThread(pid);
  });
  return pids && { processes: pids.length, memory: pids.reduce((sum, name) => sum + residentOf(name), 0) };
}

/** Whether a number is that of a thread other than its process's first. proc(5): `Tgid`. */
function isThread(pid: string): boolean {
  try {
    return /^Tgid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] !== pid;
  } catch {
    return false;
  }
}

/** Returns a process's resident bytes. proc(5): `VmRSS` in KiB; a process that has just ended has none. */
function residentOf(pid: string): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/**
 * Returns the bytes of a process's own memory, without files that it maps. proc(5): `RssAnon` in KiB; 0 without /proc,
 * or if it has ended.
 */
export function ownMemory(pid: number | undefined): number {
  if (pid === undefined || process.platform !== "linux") {
    return 0;
  }
  try {
    return Number(/^RssAnon:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

function hasRunning(group: number): boolean {
  try {
    return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isRunningIn(name, group));
  } catch {
    return true;
  }
}

function isRunningIn(pid: string, group: number): boolean {
  const [state, , its] = statOf(pid) ?? [];
  return Number(its) === group && state !== "Z" && state !== "X";
}

/**
 * Reads /proc/<pid>/stat; undefined without /proc or if there is no such process. proc(5): the name in parentheses,
 * which may contain anything, is followed by state, parent, group and others; the start is the 20th.
 */
export function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/**
 * Returns the full path of taskkill: for a bare name, Windows searches the current folder first, which may be
 * untrusted.
 */
function taskkill(): string {
  return join(process.env.SystemRoot ?? "C:\\Windows", "System32", "taskkill.exe");
}

function killArguments(pid: number): string[] {
  return ["/pid", String(pid), "/T", "/F"];
}
