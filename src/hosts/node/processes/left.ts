import { readFileSync } from "node:fs";
import { newerThan, statOf } from "./group.js";

/** The variable that marks a command's processes, even if they have left its group, its session and its output. */
export const COMMAND_MARK = "TOOLHOST_COMMAND";

/** Programs other than init that adopt processes whose parent has ended (prctl(2), PR_SET_CHILD_SUBREAPER). */
const REAPER = "systemd";

/**
 * Maximum passes over the list of processes. They start and end while it is read, so it is read again until none has
 * ended meanwhile, but not forever on a busy machine.
 */
const MOST_PASSES = 20;

/** How many times a process without an environment is checked, 2 ms apart if it may be a daemon. */
const MOST_LOOKS = 4;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/**
 * Whether something that a command started is still running outside its group: a daemon. To be called after the command
 * has ended.
 *
 * @param leader number of the command's first process, which headed a session
 * @param mark the command's own value of `COMMAND_MARK`
 * @param duration how long it ran, in ms
 * @returns undefined if that cannot be determined: on systems without /proc, and if a process that may be its daemon
 *   shows no environment
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
        // The process has ended since the list was read, and may have started another one before that.
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
      // During execve(2) a process briefly shows no environment; on a busy machine that can take milliseconds.
      const looked = looks.get(pid) ?? 0;
      isMoving ||= looked < MOST_LOOKS;
      looks.set(pid, looked + 1);
      // A process that was started without an environment, or hides it like ssh-agent, may be the command's daemon if a
      // reaper has adopted it.
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
