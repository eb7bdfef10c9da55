import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { startOf } from "./group.js";
import { COMMAND_MARK } from "./left.js";

/**
 * Reads which commands are about to start (`= mark`), which groups they became (`+ number:start mark`), which never did
 * (`! mark`), and which have ended (`- number:start`), until its input ends, which is when this process is gone, for
 * whatever reason. Then it ends the groups that are left, first with SIGTERM, then with SIGKILL. A group is left alone if
 * its number now belongs to another process.
 *
 * A command whose group was not reported is found by its mark. Its input cannot end before such a command runs its own
 * program, which closes the copy that it has of our end, but its environment may be empty for a moment after that: so it
 * is looked for again. Without /proc it is not found.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM PIPE
all=' '
marks=' '
known() {
  case $marks in *" $1 "*) marks=\${marks%%" $1 "*}' '\${marks#*" $1 "} ;; esac
}
while read -r what group mark; do
  case $what in
    =) marks=$marks$group' ' ;;
    !) known "$group" ;;
    +) all=$all$group' '; known "$mark" ;;
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
seek() {
  for mark in $marks; do
    for file in $(grep -Flsxz -- "${COMMAND_MARK}=$mark" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      pid=\${pid%/environ}
      { read -r line; } <"/proc/$pid/stat" || continue
      set -- \${line##*) }
      if [ "$3" = "$pid" ]; then
        all="$all$pid:\${20} "
        known "$mark"
        kill -s TERM -- "-$pid"
        kill -s CONT -- "-$pid"
      fi
    done
  done
}
send TERM
send CONT
for look in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  seek
  send 0
  [ -z "$left" ] && [ "$marks" = ' ' ] && exit
  sleep 0.1
done
send KILL
`;

/** Maximum starts of a guard. If somebody keeps ending it, or its shell does not run, we give up. */
const MAX_STARTS = 10;

/**
 * Makes sure that no command outlives this process, even if it is killed: a small separate shell that holds the other
 * end of a pipe.
 *
 * It starts just before the first command, in its own session, so that neither a terminal nor a signal to our group
 * ends it; it exits with this process, which never waits for it. On Windows there is none: there the system ends the
 * processes that we started ourselves (libuv puts them into a job), but processes that those have started keep running.
 */
export class ProcessGuard {
  #shell: ChildProcess | undefined;
  /** The line sent for each group, by its number. */
  readonly #groups = new Map<number, string>();
  #starts = 0;
  #isOff = process.platform === "win32";

  /** Starts it if it is not running, so that the next command can be reported immediately. */
  start(): void {
    if (this.#isOff || this.#shell !== undefined || this.#starts === MAX_STARTS) {
      return;
    }
    this.#starts++;
    const shell = spawnShell();
    this.#shell = shell;
    // The system had no room for the shell: perhaps it does at the next command.
    shell?.once("error", () => (this.#shell = undefined));
    shell?.once("exit", () => {
      // If somebody ended the shell, start it again; otherwise we ended it.
      if (this.#shell === shell) {
        this.#shell = undefined;
        if (this.#groups.size > 0) {
          this.start();
        }
      }
    });
    this.#tell([...this.#groups.values()].map((group) => `+ ${group}\n`).join(""));
  }

  /** Announces a command that starts next: if this process is killed before `watch`, it is found by its mark. */
  expect(mark: string): void {
    if (!this.#isOff) {
      this.start();
      this.#tell(`= ${mark}\n`);
    }
  }

  /** Takes back `expect`: the command could not be started. */
  expectNot(mark: string): void {
    this.#tell(`! ${mark}\n`);
  }

  /**
   * Ends a group when this process ends, from now on.
   *
   * @param mark the command's, if it was announced
   * @param began when its first process started, which distinguishes it from another that gets its number
   */
  watch(pid: number, mark = "", began = startOf(pid) ?? ""): void {
    if (this.#isOff) {
      return;
    }
    this.start();
    const group = `${pid}:${began}`;
    this.#groups.set(pid, group);
    this.#tell(`+ ${group} ${mark}\n`);
  }

  /** Forgets a group that has ended: its number may soon be reused. */
  forget(pid: number): void {
    const group = this.#groups.get(pid);
    if (group !== undefined) {
      this.#groups.delete(pid);
      this.#tell(`- ${group}\n`);
    }
  }

  /** Ends the groups still watched, and the guard. */
  end(): void {
    this.#shell?.stdin?.end();
    this.#shell = undefined;
    this.#isOff = true;
  }

  #tell(lines: string): void {
    this.#shell?.stdin?.write(lines);
  }
}

/** Starts the guard's shell; undefined if the system has no room for it. */
function spawnShell(): ChildProcess | undefined {
  try {
    const shell: ChildProcess = spawn("/bin/sh", ["-c", SCRIPT, "toolhost-guard"], {
      // The guard's shell keeps none of our resources: neither the working folder, nor a stream, nor a variable with a
      // secret.
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
