import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { startOf } from "./group.js";
import { COMMAND_MARK } from "./left.js";

/**
 * Reads which groups there are (`+ number:start`, `- number:start`) until its input ends, which is when this process is
 * gone, however it went. Then it ends those that are left, politely and then not. A group is left alone when its number
 * has another process at its head by now.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM PIPE
all=' '
while read -r what group; do
  case $what in
    +) all=$all$group' ' ;;
    -) case $all in *" $group "*) all=\${all%%" $group "*}' '\${all#*" $group "} ;; esac ;;
  esac
done
is_there() {
  kill -s 0 -- "-\${1%%:*}" || return 1
  { read -r line; } <"/proc/\${1%%:*}/stat" || return 0
  began=\${1#*:}
  set -- \${line##*) }
  [ "\${20}" = "$began" ]
}
send() {
  left=
  for group in $all; do
    if is_there "$group"; then
      left=1
      kill -s "$1" -- "-\${group%%:*}"
    fi
  done
}
send TERM
send CONT
for look in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  send 0
  [ -z "$left" ] && exit
  sleep 0.1
done
send KILL
`;

/** Times a guard is started: whoever ends it so often, or a shell that does not run, is not fought. */
const MAX_STARTS = 10;

/**
 * Sees to it that no command outlives this process, not even when it is killed: a small shell of its own that holds the
 * other end of a pipe.
 *
 * It starts beside the first command, just before it, in a session of its own, so that neither a terminal nor whoever
 * ends our group ends it; it ends with this process, which never waits for it. On Windows there is none: there the
 * system ends what we started itself (libuv puts it into a job), but what that has started goes on.
 */
export class ProcessGuard {
  #shell: ChildProcess | undefined;
  /** What is told of a group, by its number. */
  readonly #groups = new Map<number, string>();
  #starts = 0;
  #isOff = process.platform === "win32";

  /** Starts it if it does not run, so that a command that is started next can be told of at once. */
  start(): void {
    if (this.#isOff || this.#shell !== undefined || this.#starts === MAX_STARTS) {
      return;
    }
    this.#starts++;
    const shell = spawnShell();
    this.#shell = shell;
    // There was no room for it: perhaps there is with the next command.
    shell?.once("error", () => (this.#shell = undefined));
    shell?.once("exit", () => {
      // Ended by somebody, it is started again; else we have ended it.
      if (this.#shell === shell) {
        this.#shell = undefined;
        if (this.#groups.size > 0) {
          this.start();
        }
      }
    });
    this.#tell([...this.#groups.values()].map((group) => `+ ${group}\n`).join(""));
  }

  /**
   * From now on a group ends with this process.
   *
   * @param began when its first process did, which tells it from another's that gets its number
   */
  watch(pid: number, began = startOf(pid) ?? ""): void {
    if (this.#isOff) {
      return;
    }
    this.start();
    const group = `${pid}:${began}`;
    this.#groups.set(pid, group);
    this.#tell(`+ ${group}\n`);
  }

  /** A group is gone: its number may be another's soon. */
  forget(pid: number): void {
    const group = this.#groups.get(pid);
    if (group !== undefined) {
      this.#groups.delete(pid);
      this.#tell(`- ${group}\n`);
    }
  }

  /** Ends what is still watched, and the guard. */
  end(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
    this.#isOff = true;
  }

  #tell(lines: string): void {
    this.#shell?.stdin?.write(lines);
  }
}

/** Undefined where the system has no room for it. */
function spawnShell(): ChildProcess | undefined {
  try {
    const shell: ChildProcess = spawn("/bin/sh", ["-c", SCRIPT, "toolhost-guard"], {
      // It holds nothing of ours open: no folder, no stream, no secret.
      cwd: "/",
      env: { PATH: process.env.PATH, [COMMAND_MARK]: "guard" },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    shell.stdin?.on("error", () => undefined);
    shell.unref();
    (shell.stdin as (Writable & { unref?: () => void }) | null | undefined)?.unref?.();
    return shell;
  } catch {
    return undefined;
  }
}
