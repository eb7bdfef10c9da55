import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { ToolError } from "../../../core/errors.js";
import { endBridge, notRun, type Bridge, type BridgeOutput } from "./bridge.js";

/** Bytes of output that a script may have: more is a sandbox that never ends. */
const MAX_OUTPUT = 128_000_000;
/** Bytes of the longest line that ends an output: a token and an exit code. */
const MAX_ENDING = 80;

/**
 * One shell in a sandbox that runs short scripts one after another. To reach the sandbox anew for each takes from 10 ms
 * to seconds: its user's profile runs first.
 */
export class BridgeShell {
  readonly #bridge: Bridge;
  #child: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Runs a script after those before it. @param limit ms; then the shell is ended, and with it the script */
  run(script: string, limit: number): Promise<BridgeOutput> {
    const turn = this.#last.then(() => this.#run(script, limit));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #run(script: string, limit: number): Promise<BridgeOutput> {
    const child = (this.#child ??= this.#open());
    hold(child, true);
    const token = `toolhost-${randomUUID()}`;
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) {
      throw new Error(`${this.#bridge.name} has no streams`);
    }
    const out = new Collected(`\n${token} `);
    const err = new Collected(`\n${token} `);
    let timer: NodeJS.Timeout | undefined;
    const cleared: (() => void)[] = [];
    try {
      return await new Promise<BridgeOutput>((resolve, reject) => {
        const look = (): void => {
          const code = out.ending();
          if (code !== undefined && err.ending() !== undefined) {
            resolve({ stdout: out.text(), stderr: err.text().toString("utf8"), exitCode: code });
          } else if (out.size + err.size > MAX_OUTPUT) {
            reject(new ToolError("too_large", `${this.#bridge.name} gave more than ${MAX_OUTPUT} bytes.`));
          }
        };
        const listen = (stream: NodeJS.ReadableStream, into: Collected): void => {
          const add = (part: Buffer): void => {
            into.add(part);
            look();
          };
          stream.on("data", add);
          cleared.push(() => stream.off("data", add));
        };
        listen(stdout, out);
        listen(stderr, err);
        const failed = (error: Error): void => reject(notRun(this.#bridge, error));
        const closed = (code: number | null): void => {
          const text = err.all().toString("utf8");
          reject(
            this.#bridge.failure(code ?? -1, text) ??
              new ToolError("unavailable", `${this.#bridge.name} has ended: ${text.trim().slice(-300) || "no reason"}`),
          );
        };
        child.once("error", failed).once("close", closed);
        cleared.push(() => child.off("error", failed).off("close", closed));
        timer = setTimeout(
          () => reject(new ToolError("timeout", `${this.#bridge.name} did not answer within ${limit / 1_000} s.`)),
          limit,
        );
        stdin.write(
          `(\n${script}\n) </dev/null\nr=$?; printf '\\n${token} %d\\n' "$r"; printf '\\n${token} 0\\n' >&2\n`,
        );
      });
    } catch (error) {
      // What is still to come would be taken for the next script's.
      endBridge(child);
      this.#child = undefined;
      throw error;
    } finally {
      clearTimeout(timer);
      cleared.forEach((clear) => clear());
      hold(child, false);
    }
  }

  #open(): ChildProcess {
    const { file, args } = this.#bridge.call("exec sh");
    const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.on("error", () => undefined);
    child.once("close", () => {
      if (this.#child === child) {
        this.#child = undefined;
      }
    });
    return child;
  }
}

/** Lets this process wait for another, or end without it: then its standard input closes, and it ends, too. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const streams = [child.stdin, child.stdout, child.stderr] as (Partial<Pick<ChildProcess, "ref" | "unref">> | null)[];
  for (const each of [child, ...streams]) {
    each?.[isHeld ? "ref" : "unref"]?.();
  }
}

/** What a stream gave until the line that ends it. */
class Collected {
  readonly #ending: Buffer;
  readonly #parts: Buffer[] = [];
  /** Its last bytes: only they can have the line of the token and a number. */
  #tail = Buffer.alloc(0);
  size = 0;

  constructor(ending: string) {
    this.#ending = Buffer.from(ending);
  }

  add(part: Buffer): void {
    this.#parts.push(part);
    this.size += part.length;
    this.#tail = Buffer.concat([this.#tail, part.subarray(-MAX_ENDING)]).subarray(-MAX_ENDING);
  }

  /** Returns the number in the line that ends it; undefined before it is there. */
  ending(): number | undefined {
    const at = this.#tail.lastIndexOf(this.#ending);
    const [, code] = at < 0 ? [] : (/^(\d+)\n$/.exec(this.#tail.toString("latin1", at + this.#ending.length)) ?? []);
    return code === undefined ? undefined : Number(code);
  }

  text(): Buffer {
    const all = this.all();
    return all.subarray(0, all.lastIndexOf(this.#ending));
  }

  all(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
