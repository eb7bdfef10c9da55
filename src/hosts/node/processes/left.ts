import { readdirSync, readFileSync } from "node:fs";
import { statOf } from "./group.js";

/**
 * The variable that tells a command's processes from all others, also where they have left its group, its session and
 * its output.
 */
export const COMMAND_MARK = "TOOLHOST_COMMAND";

/**
 * Numbers are given in turn, and begin again at the end of their range: after so many milliseconds all processes are
 * looked at.
 */
const MAY_HAVE_WRAPPED = 60_000;

/**
 * Programs that take in processes whose parent has ended, besides the first of the system (prctl(2),
 * PR_SET_CHILD_SUBREAPER).
 */
const REAPER = "systemd";

/**
 * A list of processes is read while they start and end: it is read again until none has ended since, but not for ever
 * on a busy machine.
 */
const MOST_PASSES = 20;

/** A process without an environment is looked at so often, 2 ms apart where it may be a daemon. */
const MOST_LOOKS = 4;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/**
 * Whether something runs that a command started and that is no longer in its group: a daemon. For after the command's
 * end.
 *
 * @param leader number of the command's first process, which headed a session
 * @param mark the command's own value of `COMMAND_MARK`
 * @param duration milliseconds that it ran
 * @returns undefined where that cannot be known: on systems without /proc, and where a process that may be its daemon
 * shows no environment
 */
export function hasLeftBehind(leader: number, mark: string, duration: number): boolean | undefined {
  const settled = new Set<string>();
  const looks = new Map<string, number>();
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const pids = newerThan(leader, duration);
    if (pids === undefined) {
      return undefined;
    }
    let isUnknown = false;
    let isMoving = false;
    for (const pid of pids.filter((each) => !settled.has(each))) {
      const [state, parent, , session] = statOf(pid) ?? [];
      if (state === undefined || state === "Z" || state === "X") {
        // It has ended since the list was made, and may have started another process after that.
        isMoving = true;
        settled.add(pid);
        continue;
      }
      const found = Number(session) === leader ? "ours" : ownerOf(pid, mark);
      if (found === "ours") {
        return true;
      }
      if (found === "another's") {
        settled.add(pid);
        continue;
      }
      // For a moment of execve(2) a process shows no environment; on a busy machine the moment takes milliseconds.
      const looked = looks.get(pid) ?? 0;
      isMoving ||= looked < MOST_LOOKS;
      looks.set(pid, looked + 1);
      // Whoever was started without an environment, or hides it as ssh-agent does, may be a daemon of the command when
      // a reaper has taken it in.
      isUnknown ||= isReaper(parent ?? "");
    }
    if (!isMoving) {
      return isUnknown ? undefined : false;
    }
    if (isUnknown) {
      Atomics.wait(PAUSE, 0, 0, 2);
    }
  }
  return undefined;
}

/** The processes that began after one, by its number; undefined where there is no /proc. */
function newerThan(leader: number, duration: number): string[] | undefined {
  try {
    // proc(5): the fifth word is the number of the process made last.
    const last = Number(readFileSync("/proc/loadavg", "utf8").split(" ")[4]);
    const isInTurn = duration < MAY_HAVE_WRAPPED && last >= leader;
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && (!isInTurn || Number(name) > leader));
  } catch {
    return undefined;
  }
}

function ownerOf(pid: string, mark: string): "ours" | "another's" | "unknown" {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return variables.includes(`${COMMAND_MARK}=${mark}`) ? "ours" : variables.length > 1 ? "another's" : "unknown";
  } catch {
    return "unknown";
  }
}

function isReaper(pid: string): boolean {
  if (pid === "1") {
    return true;
  }
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === REAPER;
  } catch {
    return false;
  }
}
