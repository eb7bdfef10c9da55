// HTTP of revision 2026-07-28, which has no sessions, in front of one process of `toolhost mcp`.
import type { ChildProcess } from "node:child_process";
import type { ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { listen, type Bridge } from "./bridge.js";

type Meta = Record<string, unknown>;

interface Message {
  id?: number | string;
  method?: string;
  params?: { progressToken?: unknown; _meta?: Meta };
  error?: { code: number };
}

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const TOKEN = "progressToken";

/** HTTP's status for an error, as MCP says. */
const STATUS: Readonly<Record<number, number>> = { [-32_601]: 404, [-32_602]: 400, [-32_021]: 400, [-32_022]: 400 };

/** @param start starts the server on standard input and output */
export async function openStatelessBridge(start: () => ChildProcess): Promise<Bridge> {
  const child = start();
  const waiting = new Map<number, { asked: Message; response: ServerResponse }>();
  let next = 1;
  const send = (message: object): void =>
    void child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  createInterface({ input: child.stdout ?? Readable.from([]) }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    const id = Number(message.id ?? message.params?._meta?.[SUBSCRIPTION] ?? message.params?.progressToken);
    const { asked, response } = waiting.get(id) ?? {};
    if (asked === undefined || response === undefined) {
      return;
    }
    if (message.method !== undefined) {
      startEvents(response);
      writeEvent(response, { ...message, params: backward(message, asked) });
      return;
    }
    waiting.delete(id);
    const answer = { ...message, id: asked.id };
    if (response.headersSent) {
      writeEvent(response, answer);
      response.end();
    } else {
      response.writeHead(STATUS[message.error?.code ?? 0] ?? 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
    }
  });
  // On standard input, the first request but `server/discover` says for all of them which revision it is.
  send({ id: 0, method: "tools/list", params: { _meta: { [VERSION]: "2026-07-28", [CAPABILITIES]: {} } } });

  return listen(new Set([child]), async (request, response) => {
    const asked = (await json(request)) as Message;
    if (asked.id === undefined) {
      send(asked);
      response.writeHead(202).end();
      return;
    }
    // Several requests have one id.
    const id = next++;
    waiting.set(id, { asked, response });
    response.on("close", () => {
      if (waiting.delete(id)) {
        send({ method: "notifications/cancelled", params: { requestId: id } });
      }
    });
    send({ ...asked, id, ...(asked.params && { params: { ...asked.params, ...forward(asked.params._meta, id) } }) });
  });
}

/** Returns what a request says of itself, with the bridge's id for its progress. */
function forward(meta: Meta | undefined, id: number): { _meta?: Meta } {
  if (meta === undefined) {
    return {};
  }
  const _meta: Meta = { ...meta, ...(meta[TOKEN] !== undefined && { [TOKEN]: id }) };
  if (meta[CAPABILITIES] !== undefined) {
    // The suite's client says that it has roots, and does not tell them when it is asked.
    const { roots: _, ...others } = meta[CAPABILITIES] as Meta;
    _meta[CAPABILITIES] = others;
  }
  return { _meta };
}

/** Returns what a notification says, with the client's own ids. */
function backward({ params = {} }: Message, asked: Message): object {
  const { _meta = {}, progressToken } = params;
  return {
    ...params,
    ...(progressToken !== undefined && { progressToken: asked.params?._meta?.[TOKEN] }),
    ...(_meta[SUBSCRIPTION] !== undefined && { _meta: { ..._meta, [SUBSCRIPTION]: asked.id } }),
  };
}

function startEvents(response: ServerResponse): void {
  if (!response.headersSent) {
    response.writeHead(200, { "content-type": "text/event-stream" });
  }
}

function writeEvent(response: ServerResponse, message: object): void {
  response.write(`data: ${JSON.stringify(message)}\n\n`);
}
