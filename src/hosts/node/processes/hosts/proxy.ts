import {
  createServer,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { SETTING } from "../../../../names/settings.js";
import type { ReachableHosts, WantedHost } from "../../../../ports/processes.js";
import { hostName } from "../../../../text/hosts/allowedHosts.js";
import { oneLine, shorten } from "../../../../text/clip.js";
import { isPrivateHost } from "../../../../text/privateAddress.js";
import { messageOf } from "../../../../text/words.js";
import { PrivateAddressError } from "../../http/publicLookup.js";
import { dial, plainlyTo, type Outside } from "./dial.js";

/** Bytes of a request's head. Those of package managers have less than 1,000. */
const MAX_HEAD = 16_384;
/** How long a head may take, in ms, and how often that is checked. */
const HEAD_TIME = 10_000;
const CHECKS = 1_000;
/** Connections at the same time, from the command and to hosts; npm has 15, pip 1. */
const MAX_CONNECTIONS = 128;
/** Refused hosts that are remembered. */
const MAX_WANTED = 20;
const TARGET = /^([^:@/\s]{1,255}):(\d{1,5})$/;

/** Headers that are for the next machine alone (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set(
  "connection proxy-connection keep-alive te trailer transfer-encoding upgrade proxy-authorization proxy-authenticate host".split(
    " ",
  ),
);

const OUTSIDE = "or the command can run outside of the sandbox, which asks: exec with outside: true";

/**
 * An HTTP proxy for one contained command, which reaches the hosts that the user allowed and nothing else. What it
 * passes on in tunnels is not read.
 */
export class HostsProxy {
  readonly #allowed: ReachableHosts;
  readonly #outside: Outside;
  readonly #server: Server;
  readonly #wanted = new Map<string, WantedHost>();
  readonly #over = new AbortController();
  readonly #sockets = new Set<Duplex>();
  /** Connections to hosts. The command's own may have ended while one is made. */
  #reached = 0;

  constructor(allowed: ReachableHosts, outside: Outside) {
    this.#allowed = allowed;
    this.#outside = outside;
    this.#server = createServer({
      maxHeaderSize: MAX_HEAD,
      headersTimeout: HEAD_TIME,
      connectionsCheckingInterval: CHECKS,
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("connection", (socket) => this.#keep(socket));
    this.#server.on("connect", (request, socket, head) => void this.#tunnel(request, socket, head));
    this.#server.on("request", (request, response) => void this.#pass(request, response));
  }

  /** Listens at a Unix socket. */
  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(path, resolve);
      // It must not keep a program alive that has ended otherwise.
      this.#server.unref();
    });
  }

  /** The hosts that were asked for and not reached since they are not allowed; the first of them. */
  wanted(): readonly WantedHost[] {
    return [...this.#wanted.values()];
  }

  /** Ends all connections. */
  close(): void {
    this.#over.abort();
    this.#server.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  async #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const [, host = "", port = ""] = TARGET.exec(request.url ?? "") ?? [];
    const refused = this.#refusal(host, Number(port));
    if (refused !== undefined) {
      refuse(socket, refused.status, refused.why);
      return;
    }
    const name = hostName(host) ?? "";
    let upstream: Duplex;
    try {
      upstream = await this.#reach(() => dial(name, Number(port), this.#outside, this.#over.signal));
    } catch (error) {
      const { status, why } = this.#failure(name, error);
      refuse(socket, status, why);
      return;
    }
    this.#keep(upstream);
    if (socket.destroyed) {
      upstream.destroy();
      return;
    }
    socket.on("close", () => upstream.destroy());
    upstream.on("close", () => socket.destroy());
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = ({ status, why }: Refusal): void => {
      response.writeHead(status, { ...PLAIN, connection: "close" }).end(`${why}\n`);
    };
    const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
    if (url === undefined || url.protocol !== "http:" || url.username !== "" || url.password !== "") {
      answer({ status: 400, why: "This proxy takes CONNECT, and requests of http:// addresses without a password." });
      return;
    }
    const refused = this.#refusal(url.hostname, Number(url.port || 80));
    if (refused !== undefined) {
      answer(refused);
      return;
    }
    const failed = (error: unknown): void => {
      if (response.writableEnded) {
        return;
      }
      if (response.headersSent) {
        response.destroy();
      } else {
        answer(this.#failure(url.hostname, error));
      }
    };
    try {
      url.hostname = hostName(url.hostname) ?? "";
      // Whom the request is for says its address alone.
      const headers = { ...headersOf(request), ...lengthOf(request), host: url.host };
      const passed = await this.#reach(() =>
        plainlyTo(url, { method: request.method, headers }, this.#outside, this.#over.signal),
      );
      passed.on("error", failed);
      passed.on("socket", (socket) => this.#keep(socket));
      passed.on("response", (message) => {
        message.on("error", failed);
        try {
          response.writeHead(message.statusCode ?? 502, headersOf(message));
        } catch (error) {
          // Such as a status that there is none of: what a server sends must not end this process.
          failed(error);
          message.destroy();
          return;
        }
        message.pipe(response);
      });
      passed.on("upgrade", (_message, socket) => {
        failed(new Error("it answered in another protocol"));
        socket.destroy();
      });
      response.on("close", () => passed.destroy());
      if (response.closed) {
        passed.destroy();
      }
      request.on("error", () => passed.destroy());
      request.pipe(passed);
    } catch (error) {
      failed(error);
    }
  }

  /** Returns why a host is not reached; undefined if it may be. */
  #refusal(written: string, port: number): Refusal | undefined {
    const name = hostName(written);
    if (name === undefined || port < 1 || port > 65_535) {
      return {
        status: written === "" ? 400 : 403,
        why: "Toolhost's sandbox reaches hosts by their names alone, and only those that the user allowed.",
      };
    }
    if (this.#allowed.allows(name, port)) {
      return undefined;
    }
    if (isPrivateHost(name)) {
      return {
        status: 403,
        why: `${name} is of this machine or a private network, which Toolhost's sandbox never reaches.`,
      };
    }
    const shown = port === 443 || port === 80 ? name : `${name}:${port}`;
    this.#note({ host: shown, isPrivate: false });
    return {
      status: 403,
      why: `Toolhost's sandbox does not reach ${shown}. The user can add it to ${SETTING.sandboxHosts} (TOOLHOST_SANDBOX_HOSTS at the command line), ${OUTSIDE}.`,
    };
  }

  #failure(name: string, error: unknown): Refusal {
    if (error instanceof PrivateAddressError) {
      this.#note({ host: name, isPrivate: true });
      return { status: 403, why: `${error.message}, which Toolhost's sandbox never reaches; ${OUTSIDE}.` };
    }
    return { status: 502, why: `${name} is not reached: ${shorten(oneLine(messageOf(error)), 200)}.` };
  }

  #note(wanted: WantedHost): void {
    if (this.#wanted.size < MAX_WANTED) {
      this.#wanted.set(wanted.host, wanted);
    }
  }

  /** Makes a connection to a host, unless there are too many. */
  async #reach<T extends Duplex | ClientRequest>(make: () => Promise<T>): Promise<T> {
    if (this.#reached >= MAX_CONNECTIONS) {
      throw new Error("there are too many connections at the same time");
    }
    this.#reached++;
    const ended = (): void => void this.#reached--;
    try {
      const made = await make();
      made.once("close", ended);
      return made;
    } catch (error) {
      ended();
      throw error;
    }
  }

  #keep(socket: Duplex): void {
    if (!this.#sockets.has(socket)) {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => this.#sockets.delete(socket));
    }
  }
}

interface Refusal {
  status: number;
  why: string;
}

const PLAIN = { "content-type": "text/plain; charset=utf-8" };
const REASONS: Readonly<Record<number, string>> = { 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway" };

function refuse(socket: Duplex, status: number, why: string): void {
  const body = `${why}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? ""}\r\ncontent-type: ${PLAIN["content-type"]}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Returns the headers of a message that are for its end. */
function headersOf({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const own = new Set((headers.connection ?? "").toLowerCase().split(/[\s,]+/));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name) && !own.has(name)));
}

/**
 * Returns the header that says where a request's body ends, whatever its method and its other headers say: without one,
 * the body would be read as a second request, and a proxy of the user's sends that anywhere.
 */
function lengthOf({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined
    ? { "transfer-encoding": "chunked" }
    : { ...(length !== undefined && { "content-length": length }) };
}
