import { request as sendHttp, type IncomingMessage } from "node:http";
import type { HttpAnswer, SendHttp } from "./http.js";

/**
 * Sends with Node's own client, in less processor time than `fetch`. For processes of our own, where nobody leads
 * `fetch` through a proxy; `NODE_USE_ENV_PROXY` applies to both. Kept connections are used again.
 */
export const sendDirectly: SendHttp = async (url, { method, headers, body, signal }) => {
  const { request: send } = url.protocol === "https:" ? await import("node:https") : { request: sendHttp };
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      ...{ method, signal },
      // A name and password in an address would take the place of the key.
      auth: null,
      headers: {
        ...headers,
        "accept-encoding": "identity",
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      },
    });
    sent.once("response", (message) => resolve(answerOf(message)));
    // Stays for the rest of the request: an error that comes later is also the body's, where it is reported.
    sent.on("error", reject);
    sent.end(body);
  });
};

function answerOf(message: IncomingMessage): HttpAnswer {
  const pieces = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  return {
    status: message.statusCode ?? 0,
    headers: { get: (name) => [message.headers[name]].flat()[0] ?? null },
    read: async () => (await pieces.next()).value,
    cancel: () => void message.destroy(),
  };
}
