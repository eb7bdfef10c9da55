import { spawn } from "node:child_process";
import { ToolError } from "../../../core/errors.js";
import type { SandboxClient, SandboxRunOptions, SandboxRunResult } from "../../../ports/sandbox.js";
import { quoted } from "../../sandbox/quoted.js";
import { endBridge, notRun, type Bridge, type BridgeOutput } from "./bridge.js";
import { BridgeShell } from "./bridgeShell.js";

/** Milliseconds that a call may take if the caller sets no limit. */
const LIMIT = 120_000;
/** Bytes of output that a call may have: more is a sandbox that never ends. */
const MAX_OUTPUT = 128_000_000;
/** Bytes that are written as part of a script; more go through a standard input of their own. */
const MAX_INLINE = 500_000;
/** Characters of a line of Base64: shells read a long line slowly. */
const LINE = 4_000;

/** A sandbox that a program of this machine reaches. */
export class BridgeClient implements SandboxClient {
  readonly #bridge: Bridge;
  readonly #shell: BridgeShell;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    this.#shell = new BridgeShell(bridge);
  }

  async run(command: string, { timeoutMs, workingDirectory }: SandboxRunOptions = {}): Promise<SandboxRunResult> {
    const script = workingDirectory === undefined ? command : `cd -- ${quoted(workingDirectory)} || exit\n${command}`;
    return asText(await this.#exec(script, undefined, timeoutMs));
  }

  async script(script: string, { timeoutMs = LIMIT }: SandboxRunOptions = {}): Promise<SandboxRunResult> {
    return asText(await this.#shell.run(script, timeoutMs));
  }

  async readFile(path: string): Promise<Uint8Array> {
    return checked(await this.#shell.run(`exec cat -- ${quoted(path)}`, LIMIT)).stdout;
  }

  async writeFile(path: string, content: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(content);
    if (bytes.length > MAX_INLINE) {
      checked(await this.#exec(`exec cat > ${quoted(path)}`, bytes));
      return;
    }
    const lines = bytes.toString("base64").match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
    checked(
      await this.#shell.run(`base64 -d > ${quoted(path)} <<'E'\n${lines.map((line) => `${line}\n`).join("")}E`, LIMIT),
    );
  }

  async #exec(script: string, input?: Uint8Array, limit = LIMIT): Promise<BridgeOutput> {
    const { file, args } = this.#bridge.call(script);
    const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"], signal: AbortSignal.timeout(limit) });
    const parts: Buffer[] = [];
    let size = 0;
    let stderr = "";
    child.stdout.on("data", (part: Buffer) => {
      size += part.length;
      if (size > MAX_OUTPUT) {
        endBridge(child);
      } else {
        parts.push(part);
      }
    });
    child.stderr.on("data", (part: Buffer) => {
      stderr = `${stderr}${part.toString("utf8")}`.slice(-10_000);
    });
    child.stdin.on("error", () => undefined).end(input);
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once("error", (error) => {
        endBridge(child);
        reject(notRun(this.#bridge, error));
      });
      child.once("close", (code) => resolve(code ?? -1));
    });
    if (size > MAX_OUTPUT) {
      throw new ToolError("too_large", `${this.#bridge.name} gave more than ${MAX_OUTPUT} bytes, and was ended.`);
    }
    const failure = this.#bridge.failure(exitCode, stderr);
    if (failure !== undefined) {
      throw failure;
    }
    return { stdout: Buffer.concat(parts), stderr, exitCode };
  }
}

function asText({ stdout, stderr, exitCode }: BridgeOutput): SandboxRunResult {
  return { stdout: stdout.toString("utf8"), stderr, exitCode };
}

function checked(output: BridgeOutput): BridgeOutput {
  if (output.exitCode !== 0) {
    throw new Error(output.stderr.trim() || `it ended with exit code ${output.exitCode}`);
  }
  return output;
}
