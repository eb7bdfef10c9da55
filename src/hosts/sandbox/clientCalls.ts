import { ToolError } from "../../core/errors.js";
import type { SandboxClient, SandboxRunResult } from "../../ports/sandbox.js";
import { messageOf } from "../../text/words.js";
import { nameTooLong, underFile } from "../shared/fileAnswers.js";

/** How long a client may take for one call about files, in ms: more is a sandbox that is gone. */
const CALL_LIMIT = 60_000;

/** Characters of a client's own error that are shown. */
const MAX_REASON = 500;

/** A client's calls, each with a limit of time, whose errors say which sandbox failed at what. */
export class ClientCalls {
  readonly #client: SandboxClient;
  readonly #name: string;
  readonly #limit: number;

  /**
   * @param name of the sandbox, as people know it
   * @param limit ms; tests use their own
   */
  constructor(client: SandboxClient, name: string, limit = CALL_LIMIT) {
    this.#client = client;
    this.#name = name;
    this.#limit = limit;
  }

  async run(path: string, script: string): Promise<SandboxRunResult> {
    const options = { timeoutMs: this.#limit };
    const result = await this.#within(
      path,
      async (client) => client.script?.(script, options) ?? client.run(script, options),
    );
    if (typeof result?.exitCode !== "number" || typeof result.stdout !== "string") {
      throw new ToolError("io_error", `${path}: ${this.#name} answered without an exit code or output.`);
    }
    return result;
  }

  /** Returns a file's bytes. @param size that it must have, if it is known */
  async read(path: string, size?: number): Promise<Uint8Array> {
    const content = await this.#within(path, async (client) => client.readFile(path));
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    if (!(bytes instanceof Uint8Array) || bytes.length !== (size ?? bytes.length)) {
      throw new ToolError(
        "io_error",
        `${path}: ${this.#name} gave ${bytes instanceof Uint8Array ? bytes.length : "no"} bytes of a file${size === undefined ? "" : ` that has ${size}`}.`,
        "It may be changing, or not be text there: try again.",
      );
    }
    return bytes;
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    return this.#within(path, async (client) => client.writeFile(path, bytes));
  }

  /** Does something else with the client. */
  ask<T>(path: string, work: (client: SandboxClient) => Promise<T>): Promise<T> {
    return this.#within(path, work);
  }

  /** Builds the error of a script that failed. */
  failed(path: string, { stderr = "", exitCode }: SandboxRunResult): ToolError {
    if (/File name too long/i.test(stderr)) {
      return nameTooLong(path);
    }
    if (/Not a directory/i.test(stderr)) {
      return underFile(path);
    }
    const reason = stderr.trim().slice(0, MAX_REASON) || `a command ended with exit code ${exitCode}`;
    return new ToolError("io_error", `${path}: ${this.#name}: ${reason}`);
  }

  /** @param work async, so that a client that throws at once fails like one that rejects */
  async #within<T>(path: string, work: (client: SandboxClient) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new ToolError(
              "timeout",
              `${path}: ${this.#name} did not answer within ${this.#limit / 1_000} s.`,
              "Let the user check that the sandbox is running.",
            ),
          ),
        this.#limit,
      );
      timer.unref();
    });
    try {
      return await Promise.race([work(this.#client), late]);
    } catch (error) {
      throw error instanceof ToolError
        ? error
        : new ToolError("io_error", `${path}: ${this.#name}: ${messageOf(error).slice(0, MAX_REASON)}`);
    } finally {
      clearTimeout(timer);
    }
  }
}
