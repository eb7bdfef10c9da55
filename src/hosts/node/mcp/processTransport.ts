import { deserializeMessage, type JSONRPCMessage, type RequestId, type Transport } from "@modelcontextprotocol/client";
import type { SpawnedProcess, Spawner, SpawnRequest } from "../../../features/processes/spawner.js";
import { clipStart, oneLine, shorten } from "../../../text/clip.js";
import { LineBuffer } from "../../../text/lineBuffer.js";
import { showHidden } from "../../../text/showHidden.js";

/** Maximum bytes of a message. */
const MAX_LINE = 16_000_000;
/** Maximum bytes of lines that are not messages, such as a banner of a package manager. */
const MAX_GARBAGE = 1_000_000;
/** Maximum number and bytes of messages that nobody asked for, since the last answer. */
const MAX_UNASKED = 10_000;
const MAX_UNASKED_BYTES = 64_000_000;
/** Bytes kept of standard error, and lines of it that an error quotes. */
const ERRORS_KEPT = 8_000;
const QUOTED_LINES = 5;
const MAX_QUOTED = 600;
/** Milliseconds that a server has to end after it was told to. */
const GRACE = 1_000;
/** Milliseconds to wait for the last output of a server that has exited: a process that left its group may keep it open. */
const LAST_OUTPUT = 500;

/**
 * MCP over the standard streams of a process in a group of its own. What a server writes is bounded: one that writes no
 * messages, a message that is too long, or endless messages that nobody asked for is ended.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #spawner: Spawner;
  readonly #request: SpawnRequest;
  readonly #lines: LineBuffer;
  readonly #pending = new Set<RequestId>();
  #child: SpawnedProcess | undefined;
  #errors = "";
  #why: string | undefined;
  #garbage = 0;
  #unasked = 0;
  #unaskedBytes = 0;
  #isClosed = false;
  #exited!: () => void;
  readonly #exit = new Promise<void>((resolve) => (this.#exited = resolve));

  constructor(spawner: Spawner, request: SpawnRequest) {
    this.#spawner = spawner;
    this.#request = request;
    this.#lines = new LineBuffer(
      MAX_LINE,
      (line) => this.#receive(line),
      () => this.#failTooLong(),
    );
  }

  /** Why the connection has ended, with the last lines of the server's standard error; undefined if it has not. */
  get whyClosed(): string | undefined {
    return this.#why === undefined ? undefined : `${this.#why}.${this.errorsText()}`;
  }

  /** The last lines of the server's standard error as a sentence; empty if there are none. */
  errorsText(): string {
    const lines = this.#errors
      .split("\n")
      .filter((line) => line.trim() !== "")
      .slice(-QUOTED_LINES);
    const said = showHidden(oneLine(lines.join(" | ")), false).text;
    return said === "" ? "" : ` Its standard error ends with: ${JSON.stringify(clipStart(said, MAX_QUOTED))}`;
  }

  async start(): Promise<void> {
    const decoder = new TextDecoder();
    let read = (): void => undefined;
    const all = new Promise<void>((resolve) => (read = resolve));
    this.#child = await this.#spawner.start(this.#request, {
      output: (bytes, isError) => {
        if (isError === true) {
          this.#errors = (this.#errors + decoder.decode(bytes, { stream: true })).slice(-ERRORS_KEPT);
        } else if (!this.#isClosed) {
          // The bytes are overwritten after this call; a Buffer's own slice would be a view of them.
          this.#lines.add(new Uint8Array(bytes));
          if (this.#lines.isTooLong) {
            this.#failTooLong();
          }
        }
      },
      exit: (code, signal) => {
        const why = code === undefined ? `it was ended by ${signal ?? "a signal"}` : `it exited with code ${code}`;
        // Its last answer may still be in the pipe, which what is left of its group keeps open.
        this.#kill();
        all.then(() => this.#fail(why)).catch(() => undefined);
        setTimeout(() => this.#fail(why), LAST_OUTPUT).unref();
        this.#exited();
      },
      close: () => read(),
    });
    if (this.#isClosed) {
      this.#kill();
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && "method" in message && message.id !== undefined) {
      this.#pending.add(message.id);
    }
    if (this.#isClosed || this.#child === undefined) {
      throw new Error(this.whyClosed ?? "it is not running");
    }
    // If a server does not read, the call's time limit reports it.
    void this.#child.write(`${JSON.stringify(message)}\n`).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#end("it was told to end");
    const child = this.#child;
    if (child === undefined) {
      return;
    }
    void child.closeInput().catch(() => undefined);
    if (child.isGroupAlive()) {
      child.signal("SIGTERM");
    }
    const time = new Promise<void>((resolve) => setTimeout(resolve, GRACE).unref());
    await Promise.race([this.#exit, time]);
    // Whatever is left of its group, too.
    this.#kill();
  }

  #receive(line: string): void {
    if (this.#isClosed || line.trim() === "") {
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.#garbage += line.length + 1;
      if (this.#garbage > MAX_GARBAGE) {
        this.#fail(`it wrote more than ${MAX_GARBAGE / 1e6} MB that are not MCP messages, so it was ended`);
      }
      return;
    }
    if (!("method" in message) && message.id !== undefined) {
      if (!this.#pending.delete(message.id)) {
        this.#fail(
          `it answered a request that was not made (id ${shorten(JSON.stringify(message.id), 60)}), so it was ended`,
        );
        return;
      }
      this.#unasked = 0;
      this.#unaskedBytes = 0;
    } else {
      this.#unasked++;
      this.#unaskedBytes += line.length;
      if (this.#unasked > MAX_UNASKED || this.#unaskedBytes > MAX_UNASKED_BYTES) {
        this.#fail("it wrote messages without end that nobody asked for, so it was ended");
        return;
      }
    }
    this.onmessage?.(message);
  }

  #failTooLong(): void {
    this.#fail(`it wrote a message of more than ${MAX_LINE / 1e6} MB, so it was ended`);
  }

  /** Ends the connection, and kills the server. */
  #fail(why: string): void {
    this.#end(why);
    this.#kill();
  }

  /** Ends the connection. Only the first reason is kept. */
  #end(why: string): void {
    if (!this.#isClosed) {
      this.#why = why;
      this.#isClosed = true;
      this.onclose?.();
    }
  }

  #kill(): void {
    if (this.#child?.isGroupAlive() === true) {
      this.#child.signal("SIGKILL");
    }
  }
}
