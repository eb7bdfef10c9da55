import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { constants, homedir } from "node:os";
import { ToolError } from "../../../core/errors.js";
import type { SpawnedProcess, SpawnEvents, Spawner, SpawnRequest } from "../../../features/processes/spawner.js";
import { UNATTENDED } from "../unattended.js";
import { refuseNul } from "../processes/refuseNul.js";
import { quoted } from "../../sandbox/quoted.js";
import type { Bridge } from "./bridge.js";

/** What a shell adds to the number of the signal that ended a program, as its exit code. */
const BY_SIGNAL = 128;

/** Signals that end a shell. */
const SIGNALS = "HUP INT QUIT TERM USR1 USR2 ALRM";

const NAME = /^[A-Za-z_]\w*$/;

/**
 * Starts commands in a sandbox through its bridge. What runs there ends with the bridge: it watches its standard input,
 * which closes even if this process is killed.
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
    const script = scriptOf(request, record);
    const process = await this.#local.start(
      {
        command,
        program: this.#bridge.call(script),
        ...{ folder: homedir(), shownFolder, env: {}, interactive: true },
        ...(apart !== undefined && { apart }),
      },
      // The local program's pipe is not the command's, and the shell there gives the signal that ended it as an exit code.
      {
        ...events,
        exit: (code, signal) => {
          const own = sent.find((name) => code === BY_SIGNAL + constants.signals[name]);
          events.exit(own === undefined ? code : undefined, own ?? signal);
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
 */
function scriptOf({ command, program, folder, env, interactive, apart }: SpawnRequest, record: string): string {
  const variables = Object.entries({ ...UNATTENDED, ...env }).map(([name, value]) =>
    value === null ? `unset ${name}` : `export ${name}=${quoted(value)}`,
  );
  const words =
    program === undefined
      ? `"$s" -c -- ${quoted(command)}`
      : [program.file, ...program.args].map((word) => quoted(word)).join(" ");
  // Through two streams they would come in any order. A shell keeps its own errors out of a subshell's streams.
  const call = (more: string): string => `(exec ${words} 2>&${apart === true ? 4 : 1} 4>&-${more})`;
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
    ...(interactive
      ? [call(""), "r=$?"]
      : [
          "exec 3<&0 </dev/null",
          `(trap '' ${SIGNALS}; cat <&3 >/dev/null; kill -s KILL -- "-$g") >/dev/null 2>&1 4>&- & w=$!`,
          call(" 3<&-"),
          "r=$?",
          'kill -s KILL "$w"',
        ]),
    `rm -f ${quoted(record)}`,
    "exit $r",
  ].join("\n");
}
