// A server on this machine that takes messages: real HTTP, answers from a script, every request recorded.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** One answer; the last one is given again. */
export interface WebhookStep {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** `headers`: nothing comes; `body`: the answer begins and does not end; `drop`: the connection is torn down. */
  breaks?: "headers" | "body" | "drop";
}

export interface WebhookRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** As it came. */
  body: string;
}

export class WebhookServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly requests: WebhookRequest[] = [];
  #steps: WebhookStep[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(...steps: WebhookStep[]): Promise<WebhookServer> {
    const http = createServer();
    const server = new WebhookServer(http);
    server.#steps = steps;
    http.on("connection", (socket) => {
      server.#sockets.add(socket);
      socket.on("close", () => server.#sockets.delete(socket));
    });
    http.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        server.requests.push({
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(chunks).toString("utf8"),
        });
        server.#answer(response);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(response: ServerResponse): void {
    const {
      status = 200,
      headers = {},
      body = "ok",
      breaks,
    } = (this.#steps.length > 1 ? this.#steps.shift() : this.#steps[0]) ?? {};
    if (breaks === "drop") {
      response.socket?.destroy();
    } else if (breaks !== "headers") {
      response.writeHead(status, headers);
      response.write(body);
      if (breaks === undefined) {
        response.end();
      }
    }
  }
}
