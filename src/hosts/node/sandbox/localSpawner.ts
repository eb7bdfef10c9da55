import { constants } from "node:os";
import type { SpawnedProcess, SpawnEvents, Spawner, SpawnRequest } from "../../../features/processes/spawner.js";
import { AGENT_MARK, UNATTENDED } from "../unattended.js";
import { refuseNul } from "../processes/refuseNul.js";
import { refuseOddVariables } from "./bridgeSpawner.js";
import type { LocalBridge } from "./local.js";

/** What bubblewrap adds to the number of the signal that ended a program, as its exit code. */
const BY_SIGNAL = 128;

/** Starts commands in the local sandbox. They are this machine's processes, in their group: it is signalled and watched. */
export class LocalSandboxSpawner implements Spawner {
  readonly #bridge: LocalBridge;
  readonly #local: Spawner;

  /** @param local starts bubblewrap */
  constructor(bridge: LocalBridge, local: Spawner) {
    this.#bridge = bridge;
    this.#local = local;
  }

  async start(request: SpawnRequest, events: SpawnEvents): Promise<SpawnedProcess> {
    const { command, program, folder, shownFolder, env, interactive, apart } = request;
    refuseNul(request);
    refuseOddVariables(env, this.#bridge.name);
    const sent = new Set<NodeJS.Signals>();
    let hasExited = false;
    const shell = {
      file: "sh",
      args: ["-c", 's=sh; command -v bash >/dev/null && s=bash; exec "$s" -c -- "$1"', "sh"],
    };
    const process = await this.#local.start(
      {
        ...{ command, folder, shownFolder, interactive, env: {} },
        program: this.#bridge.program(program ?? { ...shell, args: [...shell.args, command] }, folder, {
          ...UNATTENDED,
          ...env,
          ...AGENT_MARK,
        }),
        ...(apart !== undefined && { apart }),
      },
      {
        output: (bytes, isError) => events.output(bytes, isError),
        close: () => events.close(),
        exit: (code, signal) => {
          hasExited = true;
          const own = [...sent].find((name) => code === BY_SIGNAL + constants.signals[name]);
          events.exit(own === undefined ? code : undefined, own ?? signal);
        },
      },
    );
    return {
      pid: process.pid,
      pause: () => process.pause(),
      resume: () => process.resume(),
      write: (text) => process.write(text),
      closeInput: () => process.closeInput(),
      signal: (name) => {
        const isAlive = process.signal(name);
        sent.add(`SIG${name.replace(/^SIG/, "")}` as NodeJS.Signals);
        return isAlive;
      },
      // What it started ends with it: they are in a namespace of processes of its own.
      isGroupAlive: () => !hasExited && process.isGroupAlive(),
      hasLeftBehind: () => false,
      unref: () => process.unref(),
    };
  }
}
