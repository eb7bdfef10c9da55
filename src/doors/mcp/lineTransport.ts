import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import type { Readable, Writable } from "node:stream";
import { messageOf } from "../../text/words.js";
import { LineBuffer } from "../../text/lineBuffer.js";

/** Maximum bytes of a message: more than any file that tools write. */
const MAX_LINE = 16_000_000;
/** Maximum requests without an answer: more than any client makes at once, few enough to hold. */
const MAX_PENDING = 100;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** An id where a message begins or ends with it, so that no nested one is taken for it. */
const FIRST_ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")\s*,/;
const LAST_ID = /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/**
 * JSON-RPC on lines of two streams. Whatever a client sends, it gets an answer that says what was wrong, and memory is
 * bounded: the SDK's own transport ignores lines that are not messages and closes at a long one.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves once the connection has ended. */
  readonly closed: Promise<void>;

  readonly #pending = new Set<RequestId>();
  /** Forms that the client was asked to show. */
  readonly #forms = new Set<RequestId>();
  readonly #line: LineBuffer;
  #end!: () => void;
  #isClosed = false;

  /** @param parse checks the form of a message. @throws an Error if it has another one */
  constructor(
    readonly input: Readable,
    readonly output: Writable,
    readonly parse: (line: string) => JSONRPCMessage,
  ) {
    this.closed = new Promise((resolve) => (this.#end = resolve));
    this.#line = new LineBuffer(
      MAX_LINE,
      (line) => this.#receive(line),
      (start, end) => {
        const id = FIRST_ID.exec(start)?.[1] ?? LAST_ID.exec(end)?.[1];
        const limit = `The message is longer than ${MAX_LINE / 1e6} MB, and nothing was done. Write a large file in parts.`;
        this.#refuse(INVALID_REQUEST, limit, id === undefined ? undefined : (JSON.parse(id) as RequestId));
      },
    );
  }

  async start(): Promise<void> {
    const close = (): void => void this.close();
    this.input.on("data", (chunk: Buffer) => this.#line.add(chunk));
    this.input.on("end", close).on("close", close).on("error", close);
    this.output.on("error", close).on("close", close);
    this.output.on("drain", () => this.input.resume());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    if ("id" in message && message.id !== undefined && !("method" in message)) {
      this.#pending.delete(message.id);
    }
    if ("method" in message && message.method === "elicitation/create" && "id" in message) {
      this.#forms.add(message.id);
    } else if ("method" in message && message.method === "notifications/cancelled") {
      this.#forms.delete(message.params?.["requestId"] as RequestId);
    }
    let line: string;
    try {
      line = JSON.stringify(message);
    } catch (error) {
      const id = "id" in message ? message.id : undefined;
      this.#refuse(INTERNAL_ERROR, `The answer cannot be written as JSON: ${messageOf(error)}`, id);
      return;
    }
    // A client that does not read is not read from either, so that its answers do not pile up.
    if (!this.output.write(`${line}\n`)) {
      this.input.pause();
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    this.input.destroy();
    this.onclose?.();
    this.#end();
  }

  #receive(line: string): void {
    if (line.trim() === "" || this.#isClosed) {
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = this.parse(line);
    } catch (error) {
      this.#refuseLine(line, error);
      return;
    }
    if ("method" in message && "id" in message) {
      if (this.#pending.has(message.id)) {
        // Its id would answer the first one.
        this.#refuse(
          INVALID_REQUEST,
          `Request ${JSON.stringify(message.id)} (${message.method}) was not run: another request with this id has no answer yet. Give each request an id of its own.`,
        );
        return;
      }
      if (this.#pending.size >= MAX_PENDING) {
        const most = `${MAX_PENDING} requests have no answer yet, and this one was not run. Wait for answers.`;
        this.#refuse(INVALID_REQUEST, most, message.id);
        return;
      }
      this.#pending.add(message.id);
    } else if ("method" in message && message.method === "notifications/cancelled") {
      // A cancelled request gets no answer.
      const id = message.params?.["requestId"];
      if (typeof id === "string" || typeof id === "number") {
        this.#pending.delete(id);
      }
    }
    this.onmessage?.(this.#withoutFormErrors(message));
  }

  /** A form that the client cannot show is one that nobody filled in: the SDK would let the call fail with words of its own. */
  #withoutFormErrors(message: JSONRPCMessage): JSONRPCMessage {
    const isOfForm = !("method" in message) && message.id !== undefined && this.#forms.delete(message.id);
    return isOfForm && "error" in message && message.id !== undefined
      ? { jsonrpc: "2.0", id: message.id, result: { action: "cancel" } }
      : message;
  }

  /** Answers a line that is not a message. */
  #refuseLine(line: string, error: unknown): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (wrong) {
      this.#refuse(PARSE_ERROR, `The line is not JSON: ${messageOf(wrong)}`);
      return;
    }
    if (Array.isArray(value)) {
      this.#refuse(INVALID_REQUEST, "MCP has no batches: send each message on a line of its own. Nothing was run.");
      return;
    }
    const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
    const known = typeof id === "string" || (typeof id === "number" && Number.isFinite(id)) ? id : undefined;
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    this.#refuse(
      INVALID_REQUEST,
      'The line is not a JSON-RPC 2.0 message: expected {"jsonrpc": "2.0", "id", "method", "params"}.',
      known,
    );
  }

  #refuse(code: number, message: string, id?: RequestId): void {
    void this.send({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error: { code, message } });
  }
}
