import {
  Client,
  ProtocolError,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { resolve } from "node:path";
import * as z from "zod";
import { once } from "../../../core/once.js";
import { ToolError } from "../../../core/errors.js";
import { MAX_TOOLS } from "../../../features/mcp/toolDefinitions.js";
import type { McpConnection } from "../../../features/mcp/mcpServers.js";
import type { ResolvedServer } from "../../../features/mcp/resolveServer.js";
import type { Spawner } from "../../../features/processes/spawner.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { messageOf } from "../../../text/words.js";
import { ProcessTransport } from "./processTransport.js";
import { serverFetch } from "./serverFetch.js";

/** Milliseconds for a server to say which revision it speaks; an older one may not answer that. */
const PROBE_TIMEOUT = 5_000;
/** Milliseconds for a list of tools. */
const LIST_TIMEOUT = 30_000;
/** Longer than any call may take, which has a deadline of its own. */
const CALL_TIMEOUT = 86_400_000;
/** Maximum number of pages of a list: a server may never say that there are no more. */
const MAX_PAGES = 100;
/** Milliseconds after which a server is asked for its list again: not every one can say that it has changed. */
const LIST_AGE = 60_000;
/** The SDK's code for an answer that will not come. */
const CONNECTION_CLOSED = -32_000;
/** Maximum characters of an error of a server. */
const MAX_ERROR = 1_000;

/** The variables that a server has of this process's, besides those that its definition names. */
export const PASSED_ON = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
];

const page = once(() => z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() }));
const anything = once(() => z.looseObject({}));

interface ConnectHost {
  spawner: Spawner;
  /** The workspace folder, absolute: where servers start. */
  folder: string;
  version: string;
  /** Milliseconds for a server to start and answer. */
  startTimeout: number;
}

/**
 * Starts or reaches a server.
 *
 * @throws Error or ToolError that says why it cannot be used, with the last lines of its standard error
 */
export async function connectServer(server: ResolvedServer, host: ConnectHost): Promise<McpConnection> {
  const child = server.kind === "stdio" ? new ProcessTransport(host.spawner, spawnRequest(server, host)) : undefined;
  const transport: Transport = child ?? httpTransport(server as Extract<ResolvedServer, { kind: "http" }>);
  const connection = new Connection(transport, child, host.version);
  try {
    await connection.open(host.startTimeout);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function spawnRequest(
  { command, args, env, cwd }: Extract<ResolvedServer, { kind: "stdio" }>,
  { folder }: ConnectHost,
): ConstructorParameters<typeof ProcessTransport>[1] {
  const removed = Object.keys(process.env).filter((name) => !PASSED_ON.includes(name));
  return {
    command,
    program: { file: command, args },
    folder: cwd === undefined ? folder : resolve(folder, cwd),
    shownFolder: cwd ?? folder,
    env: { ...Object.fromEntries(removed.map((name) => [name, null])), ...env },
    interactive: true,
    apart: true,
  };
}

function httpTransport({ url, headers }: Extract<ResolvedServer, { kind: "http" }>): Transport {
  const address = new URL(url);
  const transport = new StreamableHTTPClientTransport(address, {
    requestInit: { headers },
    fetch: serverFetch(address, (id, why) => {
      // Only an answer that has not come yet is taken: without this one, its call would wait for its time limit.
      transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: CONNECTION_CLOSED, message: why } });
    }),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  return transport;
}

class Connection implements McpConnection {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #child: ProcessTransport | undefined;
  #isOpen = false;
  #hasOpened = false;
  #isListChanged = false;
  #listedAt = 0;

  constructor(transport: Transport, child: ProcessTransport | undefined, version: string) {
    this.#transport = transport;
    this.#child = child;
    this.#client = new Client(
      { name: "toolhost", title: "Toolhost", version },
      { versionNegotiation: { mode: "auto", ...(child && { probe: { timeoutMs: PROBE_TIMEOUT } }) } },
    );
    this.#client.onclose = () => (this.#isOpen = false);
    // What a server writes outside of an answer does not fail a call.
    this.#client.onerror = () => undefined;
    this.#client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.#isListChanged = true;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#child?.whyClosed === undefined;
  }

  get isListStale(): boolean {
    return this.#isListChanged || Date.now() - this.#listedAt > LIST_AGE;
  }

  async open(timeout: number): Promise<void> {
    const time = AbortSignal.timeout(timeout);
    await this.#told(
      Promise.race([
        this.#client.connect(this.#transport, { timeout, signal: time }),
        new Promise<never>((_resolve, reject) =>
          time.addEventListener("abort", () =>
            reject(
              new Error(`it gave no answer within ${timeout / 1_000} s: timed out.${this.#child?.errorsText() ?? ""}`),
            ),
          ),
        ),
      ]),
    );
    this.#isOpen = true;
    this.#hasOpened = true;
  }

  async listTools(signal: AbortSignal): Promise<{ tools: readonly unknown[]; isCut: boolean }> {
    this.#isListChanged = false;
    this.#listedAt = Date.now();
    const all: unknown[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES && all.length <= MAX_TOOLS; pages++) {
      const params = cursor === undefined ? {} : { cursor };
      const options = { signal, timeout: LIST_TIMEOUT };
      const { tools, nextCursor } = await this.#told(
        this.#client.request({ method: "tools/list", params }, page(), options),
      );
      all.push(...tools);
      if (nextCursor === undefined || nextCursor === cursor) {
        return { tools: all, isCut: false };
      }
      cursor = nextCursor;
    }
    return { tools: all, isCut: true };
  }

  callTool(name: string, args: object, signal: AbortSignal): Promise<unknown> {
    const params = { name, arguments: args as Record<string, unknown> };
    return this.#told(
      this.#client.request({ method: "tools/call", params }, anything(), { signal, timeout: CALL_TIMEOUT }),
    );
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await (this.#child?.close() ?? Promise.resolve());
    await this.#client.close().catch(() => undefined);
  }

  /** Waits for an answer. If the server has ended, the error says why. */
  async #told<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw failureOf(error, this.#child, this.#hasOpened);
    }
  }
}

/** @param isOpen whether it worked before, so that it may work again */
function failureOf(error: unknown, child: ProcessTransport | undefined, isOpen: boolean): unknown {
  const inner = (error as { cause?: unknown } | undefined)?.cause;
  if (error instanceof ToolError || inner instanceof ToolError) {
    return error instanceof ToolError ? error : inner;
  }
  const why = child?.whyClosed;
  if (why !== undefined) {
    return new Error(isOpen ? `connection closed: ${why}` : why);
  }
  const said = shorten(oneLine(messageOf(error)), MAX_ERROR);
  const code =
    error instanceof SdkHttpError
      ? { word: "HTTP", number: error.status }
      : error instanceof ProtocolError
        ? { word: "error", number: error.code }
        : undefined;
  return new Error(
    code?.number === undefined || said.includes(String(code.number)) ? said : `${code.word} ${code.number}: ${said}`,
  );
}
