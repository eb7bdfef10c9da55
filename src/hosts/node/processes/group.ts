import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import type { ProcessUse } from "../../../features/processes/spawner.js";

/** Signals that mean an end: the only ones Windows can do anything like. */
const ENDING = new Set(["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGQUIT", "SIGBREAK"]);

/**
 * Sends a signal to all of a group; false when nobody is in it. Throws `ToolError` `invalid_input` for a signal the
 * system does not have.
 */
export function signalGroup(pid: number, name: string): boolean {
  const signal = (constants.signals as Record<string, number | undefined>)[name];
  if (signal === undefined || (process.platform === "win32" && !ENDING.has(name))) {
    throw new ToolError("invalid_input", `${name}: there is no such signal on this system.`);
  }
  if (process.platform === "win32") {
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

/** The same at once and for good, while this process ends. */
export function killGroupNow(pid: number): void {
  try {
    if (process.platform === "win32") {
      execFileSync(taskkill(), killArguments(pid), { stdio: "ignore", timeout: 2_000 });
    } else {
      process.kill(-pid, "SIGKILL");
    }
  } catch {
    // Nobody is left.
  }
}

/** Whether anybody of a group runs, its first process having exited and been waited for. */
export function isGroupAlive(pid: number): boolean {
  // While anybody is in a group, no process gets its number (POSIX, "fork"): one that has it heads a group of its own.
  if (process.platform === "win32" || isProcess(pid)) {
    return false;
  }
  try {
    process.kill(-pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // Processes that have ended count until somebody waits for them; in many containers nobody does.
  return process.platform !== "linux" || hasRunning(pid);
}

/** Whether a number is a process's, which may have ended without anybody waiting for it. */
export function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * When a process began, in ticks since the system did, which tells it from another of its number; undefined where there
 * is no /proc, or no such process.
 */
export function startOf(pid: number): string | undefined {
  return statOf(String(pid))?.[19];
}

/**
 * What the processes of a session take that a process heads, whatever groups they made; undefined where there is no
 * /proc.
 */
export function useOf(leader: number): ProcessUse | undefined {
  try {
    const stats = readdirSync("/proc").flatMap((name) => {
      const stat = /^\d+$/.test(name) ? statOf(name) : undefined;
      return stat !== undefined && Number(stat[3]) === leader && stat[0] !== "Z" && stat[0] !== "X"
        ? [{ name, stat }]
        : [];
    });
    return { processes: stats.length, memory: stats.reduce((sum, { name }) => sum + residentOf(name), 0) };
  } catch {
    return undefined;
  }
}

/** Bytes of a process that are in memory. proc(5): `VmRSS` in KiB; a process that has just ended has none. */
function residentOf(pid: string): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/**
 * Bytes of memory that a process has for itself, files that it maps not counted. proc(5): `RssAnon` in KiB; 0 where
 * there is no /proc, and of one that has ended.
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
 * Of /proc; undefined where there is none, or no such process. proc(5): behind the name in parentheses, which may hold
 * anything, come state, parent, group and others; the start is the 20th.
 */
export function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** By its full path: Windows looks into the current folder first, which may be a stranger's. */
function taskkill(): string {
  return join(process.env.SystemRoot ?? "C:\\Windows", "System32", "taskkill.exe");
}

function killArguments(pid: number): string[] {
  return ["/pid", String(pid), "/T", "/F"];
}
