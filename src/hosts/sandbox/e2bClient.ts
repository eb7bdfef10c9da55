import { isRecord } from "../../core/jsonSchema.js";
import type { SandboxClient, SandboxRunOptions, SandboxRunResult } from "../../ports/sandbox.js";

/** How a command of E2B's ended: by whichever name its version has for the exit code. */
interface E2BCommandResult {
  stdout: string;
  stderr?: string;
  exitCode?: number;
  exit_code?: number;
}

/** A sandbox as the package `e2b` gives it, by its shape alone. */
export interface E2BSandbox {
  readonly sandboxId?: string;
  readonly commands: {
    run(command: string, options: { background: false; timeoutMs?: number; cwd?: string }): Promise<E2BCommandResult>;
  };
  readonly files: {
    read(path: string, options: { format: "bytes" }): Promise<string | Uint8Array>;
    write(path: string, content: string | ArrayBuffer): Promise<unknown>;
  };
  pause?(): Promise<unknown>;
  connect?(): Promise<unknown>;
  createSnapshot?(): Promise<{ snapshotId?: string; id?: string }>;
}

export interface E2BSandboxOptions {
  sandbox: E2BSandbox;
  /** Returns a paused sandbox, running again. */
  connectSandbox?: (id: string) => Promise<E2BSandbox>;
  /** Starts a sandbox from a snapshot. */
  createSandboxFromSnapshot?: (id: string) => Promise<E2BSandbox>;
}

/** A sandbox of E2B's, or of anything of the same shape. */
export class E2BSandboxClient implements SandboxClient {
  #sandbox: E2BSandbox;
  readonly #connect: E2BSandboxOptions["connectSandbox"];
  readonly #create: E2BSandboxOptions["createSandboxFromSnapshot"];

  constructor({ sandbox, connectSandbox, createSandboxFromSnapshot }: E2BSandboxOptions) {
    this.#sandbox = sandbox;
    this.#connect = connectSandbox;
    this.#create = createSandboxFromSnapshot;
  }

  async run(command: string, { timeoutMs, workingDirectory }: SandboxRunOptions = {}): Promise<SandboxRunResult> {
    try {
      return asResult(
        await this.#sandbox.commands.run(command, {
          background: false,
          ...(timeoutMs !== undefined && { timeoutMs }),
          ...(workingDirectory !== undefined && { cwd: workingDirectory }),
        }),
      );
    } catch (error) {
      // The package throws where a command ends with another exit code than 0.
      const ended = isRecord(error) && typeof (error["exitCode"] ?? error["exit_code"]) === "number";
      if (!ended || typeof error["stdout"] !== "string") {
        throw error;
      }
      return asResult(error as unknown as E2BCommandResult);
    }
  }

  readFile(path: string): Promise<string | Uint8Array> {
    return this.#sandbox.files.read(path, { format: "bytes" });
  }

  async writeFile(path: string, content: string | Uint8Array): Promise<void> {
    await this.#sandbox.files.write(path, typeof content === "string" ? content : new Uint8Array(content).buffer);
  }

  /** @throws Error if the sandbox can neither be copied nor paused */
  async snapshot(): Promise<string> {
    const { sandboxId } = this.#sandbox;
    if (this.#sandbox.createSnapshot !== undefined) {
      const made = await this.#sandbox.createSnapshot();
      const id = made.snapshotId ?? made.id;
      if (!id) {
        throw new Error("E2B createSnapshot() did not return a snapshot id.");
      }
      return id;
    }
    if (!sandboxId || this.#sandbox.pause === undefined) {
      throw new Error("E2B sandbox snapshots require createSnapshot(), or a sandboxId and pause().");
    }
    await this.#sandbox.pause();
    return sandboxId;
  }

  /** Goes on with the sandbox that a snapshot names. @throws Error if there is no way to get it */
  async restore(id: string): Promise<void> {
    if (this.#create !== undefined) {
      this.#sandbox = await this.#create(id);
    } else if (this.#connect !== undefined) {
      this.#sandbox = await this.#connect(id);
    } else if (this.#sandbox.sandboxId === id && this.#sandbox.connect !== undefined) {
      const connected = await this.#sandbox.connect();
      this.#sandbox = isSandbox(connected) ? connected : this.#sandbox;
    } else {
      throw new Error(
        "E2B sandbox restore requires createSandboxFromSnapshot, connectSandbox, or connect() of the sandbox that was paused.",
      );
    }
  }
}

function asResult({ stdout, stderr = "", exitCode, exit_code }: E2BCommandResult): SandboxRunResult {
  // What has no exit code is refused where it is used.
  return { stdout, stderr, exitCode: (exitCode ?? exit_code) as number };
}

function isSandbox(value: unknown): value is E2BSandbox {
  return isRecord(value) && isRecord(value["commands"]) && isRecord(value["files"]);
}
