// An OpenAI-compatible server on this machine: real HTTP and server-sent events, answers from a script, every request
// recorded.
import { createServer, type IncomingHttpHeaders, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A tool call as it goes over the wire: the parts of its `arguments` come in fragments. */
export interface ScriptedToolCall {
  id?: string;
  /** `null`: the fragments have no index. */
  index?: number | null;
  name: string;
  /** Fragments of a text, or an object in one piece. */
  arguments: string[] | object;
}

/** One answer. Fields may be combined; they happen in the order in which they are listed here. */
export interface ServerStep {
  /** Waits before anything is sent. */
  delayMs?: number;
  /** Waits for this before anything is sent. */
  until?: Promise<void>;
  /** Nothing is sent before so many requests for answers have come since the last `script`. */
  untilChats?: number;
  /** Anything but 200: nothing is streamed, `body` is sent. */
  status?: number;
  headers?: Record<string, string>;
  /** Sent unchanged instead of a stream; an object as JSON. */
  body?: string | object;
  /** Streamed, an event each. */
  text?: string | string[];
  /** The stream is written in pieces of so many bytes, so that events and characters are torn apart. */
  chunkBytes?: number;
  calls?: ScriptedToolCall[];
  /** Chunks as they are: objects become events, texts are written unchanged. */
  raw?: (object | string)[];
  /** `stop` or `tool_calls` when absent; null: the model does not say why it ends. */
  finish?: string | null;
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** Then the connection stays open, and nothing more comes. */
  hang?: true;
  /** Then the connection is torn down. */
  drop?: true;
  /** Without `data: [DONE]`. */
  noDone?: true;
  /** The step answers only a request whose body contains this. */
  when?: string;
}

/** A request that reached the server. */
export interface ServerRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed; undefined for none. */
  body: ChatBody | undefined;
  /** Whether whoever asked went away before the answer was whole. */
  aborted: boolean;
}

/** The parts of a request that tests check. */
export interface ChatBody {
  model: string;
  messages: {
    role: string;
    content: unknown;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
  }[];
  tools?: { type: string; function: { name: string; description: string; parameters: Record<string, unknown> } }[];
  tool_choice?: string;
  stream?: boolean;
  stream_options?: { include_usage: boolean };
}

export interface OpenAiServerOptions {
  /** The response of `GET /v1/models`: ids, whole entries, or a step. */
  models?: (string | object)[] | ServerStep;
  /** Requests without this key are answered with 401. */
  key?: string;
  /** Lets pages of every origin ask (fetch.spec.whatwg.org, "HTTP CORS protocol"). */
  forPages?: boolean;
}

export class OpenAiServer {
  readonly #server: HttpServer;
  readonly #sockets = new Set<Socket>();
  #options: OpenAiServerOptions;
  #port = 0;
  #steps: ServerStep[] = [];
  #requests: ServerRequest[] = [];
  /** Answers that wait for other requests. */
  #waiting: (() => void)[] = [];

  private constructor(server: HttpServer, options: OpenAiServerOptions) {
    this.#server = server;
    this.#options = options;
  }

  static async start(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
    const http = createServer();
    const server = new OpenAiServer(http, options);
    http.on("connection", (socket) => {
      server.#sockets.add(socket);
      socket.on("close", () => server.#sockets.delete(socket));
    });
    http.on("request", (request, response) => {
      if (server.#options.forPages === true) {
        response.setHeader("access-control-allow-origin", "*");
        response.setHeader("access-control-allow-headers", "*");
        if (request.method === "OPTIONS") {
          response.writeHead(204).end();
          return;
        }
      }
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const recorded: ServerRequest = {
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          body: text === "" ? undefined : (JSON.parse(text) as ChatBody),
          aborted: false,
        };
        server.#requests.push(recorded);
        server.#waiting.splice(0).forEach((look) => look());
        response.on("close", () => {
          recorded.aborted = !response.writableFinished;
        });
        void server.#answer(recorded, text, response);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    server.#port = (http.address() as AddressInfo).port;
    return server;
  }

  /** Also when it has stopped. */
  get port(): number {
    return this.#port;
  }

  /** Up to `/v1`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Replaces the script and forgets the record. */
  script(...steps: ServerStep[]): void {
    this.#steps = steps;
    this.#requests = [];
  }

  configure(options: OpenAiServerOptions): void {
    this.#options = { ...this.#options, ...options };
  }

  /** Everything that was asked since the last `script`. */
  requests(): readonly ServerRequest[] {
    return this.#requests;
  }

  /** The requests for answers among them. */
  chats(): ServerRequest[] {
    return this.#requests.filter(({ path }) => path.endsWith("/chat/completions"));
  }

  /** Starts it again after `stop`, at the same address. */
  async restart(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
  }

  /** Stops it immediately, with all open connections. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer({ method, path, headers }: ServerRequest, text: string, response: ServerResponse): Promise<void> {
    const { key, models = ["test-model"] } = this.#options;
    if (key !== undefined && headers.authorization !== `Bearer ${key}`) {
      const given = headers.authorization?.replace("Bearer ", "") ?? "";
      return play(
        {
          status: 401,
          body: {
            error: {
              message: `Incorrect API key provided: ${given}.`,
              type: "invalid_request_error",
              code: "invalid_api_key",
            },
          },
        },
        response,
      );
    }
    if (method === "GET" && path === "/v1/models") {
      const data = Array.isArray(models)
        ? models.map((model) => (typeof model === "string" ? { id: model, object: "model" } : model))
        : undefined;
      return play(data ? { status: 200, body: { object: "list", data } } : (models as ServerStep), response);
    }
    if (method === "POST" && path === "/v1/chat/completions") {
      const index = this.#steps.findIndex(({ when }) => when === undefined || text.includes(when));
      const [step] = index === -1 ? [] : this.#steps.splice(index, 1);
      while (this.chats().length < (step?.untilChats ?? 0)) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      return play(step ?? { text: "Nothing more to say." }, response);
    }
    return play({ status: 404, body: { detail: "Not Found" } }, response);
  }
}

async function play(step: ServerStep, response: ServerResponse): Promise<void> {
  await step.until;
  if (step.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, step.delayMs));
  const status = step.status ?? 200;
  if (step.body !== undefined || status !== 200) {
    const body = typeof step.body === "object" ? JSON.stringify(step.body) : (step.body ?? "");
    response.writeHead(status, {
      "content-type": typeof step.body === "object" ? "application/json" : "text/html",
      ...step.headers,
    });
    response.write(body === "" ? " " : body);
  } else {
    response.writeHead(200, { "content-type": "text/event-stream", ...step.headers });
    response.flushHeaders();
    await writePieces(response, eventsOf(step), step.chunkBytes);
  }
  if (step.hang) return;
  if (step.drop) {
    // What was written is on its way first: a reset would take it along.
    await new Promise((resolve) => setTimeout(resolve, 20));
    response.socket?.destroy();
    return;
  }
  response.end();
}

function eventsOf(step: ServerStep): string {
  const chunk = (delta: object, finish: string | null = null): string =>
    event({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] });
  const texts = [step.text ?? []].flat();
  const isWhole = !step.hang && !step.drop && step.raw === undefined;
  const finish = step.finish === undefined ? (step.calls ? "tool_calls" : "stop") : step.finish;
  return [
    ...(step.raw ? [] : [chunk({ role: "assistant", content: "" })]),
    ...texts.map((content) => chunk({ content })),
    ...(step.calls ?? []).flatMap(callChunks).map((fragment) => chunk({ tool_calls: [fragment] })),
    ...(step.raw ?? []).map((raw) => (typeof raw === "string" ? raw : event(raw))),
    ...(isWhole && finish !== null ? [chunk({}, finish)] : []),
    ...(step.usage ? [event({ choices: [], usage: step.usage })] : []),
    ...(isWhole && !step.noDone ? ["data: [DONE]\n\n"] : []),
  ].join("");
}

function callChunks(call: ScriptedToolCall, place: number): object[] {
  const at = call.index === null ? {} : { index: call.index ?? place };
  const head = { ...at, ...(call.id === undefined ? {} : { id: call.id }), type: "function" };
  if (!Array.isArray(call.arguments)) {
    return [{ ...head, function: { name: call.name, arguments: call.arguments } }];
  }
  const [first = "", ...rest] = call.arguments as string[];
  return [
    { ...head, function: { name: call.name, arguments: first } },
    ...rest.map((part) => ({ ...at, function: { arguments: part } })),
  ];
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

async function writePieces(response: ServerResponse, text: string, size: number | undefined): Promise<void> {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; at += size ?? bytes.length) {
    response.write(bytes.subarray(at, at + (size ?? bytes.length)));
    // Pieces that are written in one go arrive as one.
    if (size !== undefined) await new Promise((resolve) => setImmediate(resolve));
  }
}
