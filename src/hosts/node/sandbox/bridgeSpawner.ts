import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { constants, homedir } from "node:os";
import { ToolError } from "../../../core/errors.js";
import type { SpawnedProcess, SpawnEvents, Spawner, SpawnRequest } from "../../../features/processes/spawner.js";
import { UNATTENDED } from "../unattended.js";
import { refuseNul } from "../processes/refuseNul.js";
import { quoted } from "../../sandbox/quoted.js";
import type { Bridge } from "./bridge.js";
import { MarkedOutput, type ShellEnd } from "./markedOutput.js";

/** What a shell adds to the number of the signal that ended a program, as its exit code. */
const BY_SIGNAL = 128;

/** Signals that end a shell. */
const SIGNALS = "HUP INT QUIT TERM USR1 USR2 ALRM";

/**
 * Milliseconds that a bridge has to end after a command that left nothing in its group. One that takes longer is held
 * open by a daemon, which left the group and holds the output. Podman takes seconds on a busy machine.
 */
const HANG_UP = 10_000;

const NAME = /^[A-Za-z_]\w*$/;

/**
 * Starts commands in a sandbox through its bridge. What runs there ends with the bridge: it watches its standard input,
 * which closes even if this process is killed.
 *
 * `ssh` lasts as long as anything there holds the command's output. So the script there marks the end of the shell in the
 * output itself, and stays as long as something of the command's group does.
 */
export class BridgeSpawner implements Spawner {
  readonly #bridge: Bridge;
  readonly #local: Spawner;

  /** @param local starts the bridge's program */
  constructor(bridge: Bridge, local: Spawner) {
    this.#bridge = bridge;
    this.#local = local;
  }

  async start(request: SpawnRequest, events: SpawnEvents): Promise<SpawnedProcess> {
    const { command, shownFolder, env, interactive, apart } = request;
    refuseNul(request);
    refuseOddVariables(env, this.#bridge.name);
    const sent: NodeJS.Signals[] = [];
    const record = `/tmp/.toolhost-${randomUUID()}`;
    const mark = `\u001e${randomUUID()} `;
    const script = scriptOf(request, record, mark);
    let hasExited = false;
    let hangUp: NodeJS.Timeout | undefined;
    const exit = (code: number | undefined, signal: string | undefined): void => {
      clearTimeout(hangUp);
      if (!hasExited) {
        hasExited = true;
        // The local program's pipe is not the command's, and the shell there gives the signal that ended it as an exit code.
        const own = sent.find((name) => code === BY_SIGNAL + constants.signals[name]);
        events.exit(own === undefined ? code : undefined, own ?? signal);
      }
    };
    let open = apart === true ? 2 : 1;
    const ended = ({ code, isLeft }: ShellEnd): void => {
      open--;
      if (open === 0 && isLeft) {
        exit(code, undefined);
      } else if (open === 0) {
        hangUp = setTimeout(() => exit(code, undefined), HANG_UP).unref();
      }
    };
    const [output, errors] = [false, true].map(
      (isError) => new MarkedOutput(mark, (bytes) => events.output(bytes, isError), ended),
    ) as [MarkedOutput, MarkedOutput];
    const process = await this.#local.start(
      {
        command,
        program: this.#bridge.call(script),
        ...{ folder: homedir(), shownFolder, env: {}, interactive: true },
        ...(apart !== undefined && { apart }),
      },
      {
        output: (bytes, isError = false) => (isError ? errors : output).take(bytes),
        exit,
        close: () => {
          output.flush();
          errors.flush();
          events.close();
        },
      },
    );
    const send = (name: string): void => {
      sent.push(`SIG${name.replace(/^SIG/, "")}` as NodeJS.Signals);
      const { file, args } = this.#bridge.call(`kill -s ${name.replace(/^SIG/, "")} -- "-$(cat ${quoted(record)})"`);
      spawn(file, args, { stdio: "ignore" })
        .once("error", () => undefined)
        .unref();
    };
    return {
      pid: process.pid,
      pause: () => process.pause(),
      resume: () => process.resume(),
      write: (text) => (interactive ? process.write(text) : Promise.reject(new Error("Its standard input is closed."))),
      closeInput: () => (interactive ? process.closeInput() : Promise.resolve()),
      signal: (name) => {
        if (!/^(SIG)?[A-Z0-9]{2,10}$/.test(name)) {
          return process.signal(name);
        }
        const isAlive = process.isGroupAlive();
        if (isAlive) {
          send(name);
        }
        // A sandbox that hangs passes nothing on.
        return name === "SIGKILL" ? process.signal(name) : isAlive;
      },
      isGroupAlive: () => process.isGroupAlive(),
      hasLeftBehind: () => undefined,
      unref: () => process.unref(),
    };
  }
}

/** @throws ToolError `invalid_input` for a variable that no shell there can have */
export function refuseOddVariables(env: SpawnRequest["env"], where: string): void {
  const odd = Object.keys(env).find((name) => !NAME.test(name));
  if (odd !== undefined) {
    throw new ToolError(
      "invalid_input",
      `env: ${JSON.stringify(odd)} cannot be the name of a variable in ${where}. Nothing was run.`,
      "A name there has letters, digits and _.",
    );
  }
}

/**
 * Returns the script that runs a command there.
 *
 * @param record the file there that has the id of its process group while it runs
 * @param mark what marks the end of the shell in its output
 */
function scriptOf(
  { command, program, folder, env, interactive, apart }: SpawnRequest,
  record: string,
  mark: string,
): string {
  const variables = Object.entries({ ...UNATTENDED, ...env }).map(([name, value]) =>
    value === null ? `unset ${name}` : `export ${name}=${quoted(value)}`,
  );
  const words =
    program === undefined
      ? `"$s" -c -- ${quoted(command)}`
      : [program.file, ...program.args].map((word) => quoted(word)).join(" ");
  // Through two streams they would come in any order. A shell keeps its own errors out of a subshell's streams.
  const call = (more: string): string => `(exec ${words} 2>&${apart === true ? 4 : 1} 4>&-${more})`;
  const marked = `printf '%s%d %d\\036' ${quoted(mark)} "$r" "$l"`;
  return [
    // It outlasts the command, which signals reach: its group is the command's.
    `trap : ${SIGNALS}`,
    `cd -- ${quoted(folder)} || exit 126`,
    ...variables,
    `g=$(cut -d ' ' -f 5 /proc/$$/stat 2>/dev/null) || g=$$`,
    `(umask 077; echo "$g" > ${quoted(record)})`,
    "s=sh; command -v bash >/dev/null && s=bash",
    // Shells say which signal ended a command, among its own errors.
    "exec 4>&2 2>/dev/null",
    "w=",
    ...(interactive
      ? [call(""), "r=$?"]
      : [
          "exec 3<&0 </dev/null",
          `(trap '' ${SIGNALS}; cat <&3 >/dev/null; rm -f ${quoted(record)}; kill -s KILL -- "-$g") >/dev/null 2>&1 4>&- & w=$!`,
          call(" 3<&-"),
          "r=$?",
        ]),
    LEFT,
    "left && l=1 || l=0",
    marked,
    ...(apart === true ? [`${marked} >&4`] : []),
    "exec >/dev/null 4>&-",
    'if [ "$l" = 1 ]; then while sleep 1; left; do :; done; fi',
    '[ -z "$w" ] || kill -s KILL "$w"',
    `rm -f ${quoted(record)}`,
    "exit $r",
  ].join("\n");
}

/**
 * A function of the shell: whether something of the group is left besides this script, its watcher `$w` and the
 * watcher's own child. Without Linux's `/proc` nothing is found. It starts no program: that would be one more.
 */
const LEFT = `left() {
for f in /proc/[0-9]*/stat; do
p=\${f#/proc/}; p=\${p%/stat}
[ "$p" != $$ ] && [ "$p" != "$w" ] && read -r x <"$f" || continue
set -f; set -- \${x##*) }; set +f
[ "\${3-}" = "$g" ] && [ "$1" != Z ] && [ "$2" != "\${w:-$$}" ] && return 0
done
return 1
}`;
