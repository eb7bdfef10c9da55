// Streamable HTTP in front of `toolhost mcp`: the conformance suite speaks HTTP, and Toolhost opens no port. A process a
// session, as agents start it.
import {
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

export interface Bridge {
  url: string;
  close: () => Promise<void>;
}

/** For the revisions with sessions. @param start starts the server on standard input and output */
export async function openBridge(start: () => ChildProcess): Promise<Bridge> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const children = new Set<ChildProcess>();

  const open = (): WebStandardStreamableHTTPServerTransport => {
    const child = start();
    children.add(child);
    let last: RequestId | undefined;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    transport.onmessage = (message) => {
      if ("method" in message && "id" in message) {
        last = message.id;
      }
      child.stdin?.write(`${JSON.stringify(message)}\n`);
    };
    transport.onclose = () => child.stdin?.end();
    createInterface({ input: child.stdout ?? Readable.from([]) }).on("line", (line) => {
      const message = JSON.parse(line) as JSONRPCMessage;
      // What belongs to no request goes with the latest one, as most clients read it there.
      const isAnswer = !("method" in message);
      void transport
        .send(message, isAnswer || last === undefined ? {} : { relatedRequestId: last })
        .catch(() => undefined);
    });
    return transport;
  };

  return listen(children, async (request, response) => {
    const asked = await toRequest(request);
    const id = request.headers["mcp-session-id"];
    const transport = typeof id === "string" ? sessions.get(id) : open();
    const answer = (await transport?.handleRequest(asked)) ?? new Response(null, { status: 404 });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    for await (const chunk of answer.body ?? []) {
      response.write(chunk);
    }
    response.end();
  });
}

/** Listens to HTTP until it is closed, and the processes behind it have ended. */
export async function listen(
  children: ReadonlySet<ChildProcess>,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Bridge> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      children.forEach((child) => child.stdin?.end());
      await Promise.all([...children].filter(({ exitCode }) => exitCode === null).map((child) => once(child, "close")));
    },
  };
}

async function toRequest(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  const { method = "GET", url = "/", headers } = request;
  return new Request(`http://${headers.host ?? "localhost"}${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
    ...(method === "POST" && { body: Buffer.concat(chunks) }),
  });
}
