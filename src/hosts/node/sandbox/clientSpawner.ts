import { ToolError } from "../../../core/errors.js";
import type { SpawnedProcess, SpawnEvents, Spawner, SpawnRequest } from "../../../features/processes/spawner.js";
import type { SandboxClient, SandboxRunResult } from "../../../ports/sandbox.js";
import { messageOf } from "../../../text/words.js";
import { refuseNul } from "../processes/refuseNul.js";
import { quoted } from "../../sandbox/quoted.js";

/** Milliseconds that a client may take for a command: the caller's own limit is what ends it. */
const LIMIT = 86_400_000;
/** Bytes of output that are passed on at a time. */
const PART = 64_000;
/** Characters of each stream that are passed on. */
const MAX_OUTPUT = 64_000_000;
/** Exit code that a shell has for a command that could not be run. */
const NOT_RUN = 126;

const NAME = /^[A-Za-z_]\w*$/;
/** A `&` that may start something in the background; one in quotes counts, too. */
const IN_BACKGROUND = /(?<![&<>|\\])&(?![&>])/;

/**
 * Runs commands by a client's `run`: their output comes when they have ended, and nothing can be written to them.
 *
 * A `run` may end only when nobody holds the command's output any more. So a shell that may leave something running writes
 * to files, which are its output when it has ended itself.
 */
export class ClientSpawner implements Spawner {
  readonly #client: SandboxClient;
  readonly #name: string;
  readonly #hasShell: boolean;

  /**
   * @param name of the sandbox, as people know it
   * @param hasShell whether `run` has a POSIX shell with GNU's or BusyBox's tools
   */
  constructor(client: SandboxClient, name: string, hasShell: boolean) {
    this.#client = client;
    this.#name = name;
    this.#hasShell = hasShell;
  }

  async start(request: SpawnRequest, events: SpawnEvents): Promise<SpawnedProcess> {
    const { command, program, folder, env, apart = false } = request;
    refuseNul(request);
    const odd = Object.keys(env).find((each) => !NAME.test(each));
    if (odd !== undefined) {
      throw new ToolError(
        "invalid_input",
        `env: ${JSON.stringify(odd)} cannot be the name of a variable in ${this.#name}. Nothing was run.`,
        "A name there has letters, digits and _.",
      );
    }
    const stop = new AbortController();
    const flow = new Flow();
    let isEnding = false;
    let isRunning = true;
    const ended = async (output: Iterable<Output>, code: number | undefined, signal?: string): Promise<void> => {
      if (isEnding) {
        return;
      }
      isEnding = true;
      for (const { bytes, isError = false } of output) {
        await flow.open();
        events.output(bytes, apart && isError);
      }
      isRunning = false;
      events.exit(code, signal);
      events.close();
    };
    const script = [
      ...Object.entries(env).map(([key, value]) =>
        value === null ? `unset ${key}` : `export ${key}=${quoted(value)}`,
      ),
      program === undefined
        ? this.#hasShell && IN_BACKGROUND.test(command)
          ? untilItsEnd(command)
          : // A shell would take it for its own option.
            command.replace(/^[-+]/, " $&")
        : [program.file, ...program.args].map((word) => quoted(word)).join(" "),
    ].join("\n");
    const run = async (): Promise<SandboxRunResult> =>
      this.#client.run(script, { timeoutMs: LIMIT, workingDirectory: folder, signal: stop.signal });
    void run().then(
      (result) => ended(...this.#answer(result)),
      (error: unknown) => ended([{ bytes: encoded(`${this.#name}: ${messageOf(error)}\n`) }], NOT_RUN),
    );
    return {
      // It is not a process on this machine.
      pid: 0,
      pause: () => flow.pause(),
      resume: () => flow.resume(),
      write: () => Promise.reject(new Error("Its standard input is closed.")),
      closeInput: () => Promise.resolve(),
      signal: (name) => {
        const wasRunning = isRunning;
        stop.abort();
        // Whether it runs on there is the client's affair: nobody waits for it here any more.
        flow.resume();
        void ended([], undefined, name);
        return wasRunning;
      },
      isGroupAlive: () => isRunning,
      hasLeftBehind: () => undefined,
      unref: () => undefined,
    };
  }

  #answer(result: SandboxRunResult): [Iterable<Output>, number] {
    const { stdout, stderr = "", exitCode } = result ?? {};
    if (typeof stdout !== "string" || typeof stderr !== "string" || !Number.isInteger(exitCode)) {
      return [[{ bytes: encoded(`${this.#name} answered without an exit code or output.\n`) }], NOT_RUN];
    }
    return [both(stdout, stderr), exitCode];
  }
}

/** Returns the script that ends with the shell of a command, whatever that leaves running, with the output until then. */
function untilItsEnd(command: string): string {
  // With the blank, `eval` does not take a command that begins with a dash for its own option.
  const text = quoted(` ${command}`);
  return `if toolhost_out=$(mktemp -d); then
(eval ${text}) >"$toolhost_out/1" 2>"$toolhost_out/2"
toolhost_code=$?
cat "$toolhost_out/1"; cat "$toolhost_out/2" >&2; rm -rf "$toolhost_out"
exit "$toolhost_code"
else eval ${text}
fi`;
}

/** A piece of what a command wrote. */
interface Output {
  bytes: Uint8Array;
  /** Whether it is of the standard error. Default false. */
  isError?: boolean;
}

/** Holds output back while nobody takes it. */
class Flow {
  #open: (() => void) | undefined;
  #wait: Promise<void> = Promise.resolve();

  pause(): void {
    if (this.#open === undefined) {
      this.#wait = new Promise((resolve) => (this.#open = resolve));
    }
  }

  resume(): void {
    this.#open?.();
    this.#open = undefined;
  }

  open(): Promise<void> {
    return this.#wait;
  }
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function* both(stdout: string, stderr: string): Generator<Output> {
  for (const bytes of parts(stdout)) {
    yield { bytes };
  }
  for (const bytes of parts(stderr)) {
    yield { bytes, isError: true };
  }
}

/** Yields a text in pieces, so that a long one is not held twice; of one without end, the beginning. */
function* parts(text: string): Generator<Uint8Array> {
  for (let at = 0; at < Math.min(text.length, MAX_OUTPUT);) {
    const end = at + PART;
    // No character is cut in two.
    const last = text.charCodeAt(end - 1);
    const next = last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
    yield encoded(text.slice(at, next));
    at = next;
  }
  if (text.length > MAX_OUTPUT) {
    yield encoded(
      `\n[The sandbox gave ${text.length} characters. What follows the first ${MAX_OUTPUT} was dropped.]\n`,
    );
  }
}
