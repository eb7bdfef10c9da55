// A model server on this machine. Each request of an agent's loop waits until the script answers it.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { offeredTools, protocols, sideAnswer, type Reply, type RequestBody, type ServerEvent } from "./protocols.js";

/** A request of the agent's loop, not answered yet. */
export interface LoopRequest {
  /** When it arrived, as `performance.now()`. */
  arrived: number;
  /** Its whole body. */
  text: string;
  tools: string[];
  /** Answers it. Returns when that was. */
  answer: (reply: Reply) => number;
}

export class ScriptedModel {
  readonly #server: Server;
  /** A tool that only requests of the loop offer: agents also ask for titles and the like. */
  readonly #loopTool: string;
  readonly #arrived: LoopRequest[] = [];
  #wake: () => void = () => {};
  #calls = 0;

  private constructor(server: Server, loopTool: string) {
    this.#server = server;
    this.#loopTool = loopTool;
  }

  static async start(loopTool: string): Promise<ScriptedModel> {
    const server = createServer();
    const model = new ScriptedModel(server, loopTool);
    server.on("request", (request, response) => {
      const arrived = performance.now();
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const path = (request.url ?? "").split("?")[0] ?? "";
        model.#take(path, Buffer.concat(chunks).toString("utf8"), arrived, response);
      });
    });
    // An agent waits for its turn longer than Node keeps a connection open.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next request of the loop, or undefined if none came before `end` resolved. */
  async next(end: Promise<unknown>): Promise<LoopRequest | undefined> {
    let hasEnded = false;
    void end.then(() => {
      hasEnded = true;
      this.#wake();
    });
    while (this.#arrived.length === 0 && !hasEnded) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#arrived.shift();
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(path: string, text: string, arrived: number, response: ServerResponse): void {
    const protocol = protocols.find(({ serves }) => serves(path));
    if (protocol === undefined) {
      // What agents ask for before they begin: which models there are, and what a text would cost.
      const isList = path.endsWith("/models");
      const body = isList ? { object: "list", data: [{ id: "scripted", object: "model" }] } : { error: "not here" };
      return send(response, body, isList ? 200 : 404);
    }
    const body = JSON.parse(text) as RequestBody;
    const answer = (reply: Reply): number => {
      const id = `call${++this.#calls}`;
      const whole = protocol.answer(reply, id, protocol.isStreamed(path, body));
      const answered = performance.now();
      send(response, whole, 200);
      return answered;
    };
    const tools = offeredTools(body);
    if (!tools.includes(this.#loopTool)) {
      answer({ text: sideAnswer(body) });
      return;
    }
    this.#arrived.push({ arrived, text, tools, answer });
    this.#wake();
  }
}

function send(response: ServerResponse, body: ServerEvent[] | object, status: number): void {
  const isStream = Array.isArray(body);
  response.writeHead(status, { "content-type": isStream ? "text/event-stream" : "application/json" });
  response.end(isStream ? body.map(eventText).join("") : JSON.stringify(body));
}

function eventText({ name, data }: ServerEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}
