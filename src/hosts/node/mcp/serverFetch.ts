import type { RequestId } from "@modelcontextprotocol/client";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { ToolError } from "../../../core/errors.js";
import { isPrivateHost } from "../../../text/privateAddress.js";
import { exchange } from "../http/exchange.js";
import { PRIVATE, PrivateAddressError } from "../http/publicLookup.js";
import { unreachable } from "../http/unreachable.js";

/** Maximum bytes of an answer, of which a stream of events is one. */
const MAX_ANSWER = 32_000_000;
/** Milliseconds after the end of an answer in which the SDK has read all of it. */
const AFTER_END = 1_000;
/** Statuses whose answers have no body. */
const EMPTY = [204, 205, 304];

/**
 * Returns `fetch` for one MCP server: requests go to its origin alone, and redirects are answers like any other. A name
 * that leads to this machine or a private network is refused, unless the address itself says so.
 *
 * @param server the address that the user approved
 * @param onEnd called some time after the answer to a request has ended, with the request's id
 */
export function serverFetch(server: URL, onEnd: (id: RequestId, why: string) => void): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.origin !== server.origin) {
      throw new ToolError("denied", `a request to ${url.origin} was refused, since its server is ${server.origin}.`);
    }
    if (request.method === "GET") {
      // A stream for messages that nobody asked for is optional, and one more that never ends.
      return new Response(null, { status: 405 });
    }
    const body = new Uint8Array(await request.arrayBuffer());
    let message: IncomingMessage;
    try {
      const sent = {
        ...{ url, method: request.method, headers: new Map(request.headers), body: { bytes: body } },
        mayBePrivate: isPrivateHost(url.hostname),
        trustsAll: false,
      };
      message = await exchange(sent, PRIVATE, process.env, init?.signal ?? request.signal);
    } catch (error) {
      init?.signal?.throwIfAborted();
      throw error instanceof PrivateAddressError
        ? new ToolError(
            "denied",
            `${error.message}, so nothing was sent.`,
            "If that is meant, the user can write the address itself into the url.",
          )
        : unreachable(server.origin, error, " Whether the request arrived is not known.");
    }
    const status = message.statusCode ?? 502;
    if (status >= 300 && status < 400) {
      message.destroy();
      const { location } = message.headers;
      const where = location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : "elsewhere";
      throw new ToolError(
        "denied",
        `it redirects to ${where.slice(0, 200)} (${status}), which is not followed.`,
        "If that is the right address, the user can write it into the definition.",
      );
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(message.headers)) {
      if (value !== undefined) {
        headers.set(name, [value].flat().join(", "));
      }
    }
    if (EMPTY.includes(status)) {
      message.resume();
      return new Response(null, { status, headers });
    }
    const id = idOf(body);
    const end = (why: string): void => {
      if (id !== undefined) {
        setTimeout(() => onEnd(id, why), AFTER_END).unref();
      }
    };
    return new Response(Readable.toWeb(Readable.from(limited(message, end))) as ReadableStream, { status, headers });
  };
}

async function* limited(source: IncomingMessage, end: (why: string) => void): AsyncGenerator<Uint8Array> {
  let length = 0;
  let why = "connection closed: the server ended it without an answer";
  try {
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > MAX_ANSWER) {
        why = `the answer has more than ${MAX_ANSWER / 1e6} MB, so the connection was closed`;
        throw new Error(why);
      }
      yield chunk;
    }
  } finally {
    end(why);
  }
}

/** Returns the id of a request, of which somebody waits for the answer. */
function idOf(body: Uint8Array): RequestId | undefined {
  try {
    const message = JSON.parse(new TextDecoder().decode(body)) as { id?: unknown; method?: unknown };
    return message.method !== undefined && (typeof message.id === "string" || typeof message.id === "number")
      ? message.id
      : undefined;
  } catch {
    return undefined;
  }
}
