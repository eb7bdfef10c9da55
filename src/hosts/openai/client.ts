import type * as Package from "openai";
import { loadOnce } from "../../core/once.js";
import { toResponse, type HttpAnswer, type HttpRequest } from "./http.js";

/** The `openai` package, and the error that it does not pass on. */
export interface Client {
  openai: Package.OpenAI;
  /** The last error that `send` threw: the package wraps it in its own error and loses its cause. */
  failure(): unknown;
}

/** Sends a request of the package. */
export type Send = (url: string, wanted: { body: HttpRequest["body"]; signal: AbortSignal }) => Promise<HttpAnswer>;

const loadPackage = loadOnce(() => import("openai"));

/**
 * Opens a client for a server, loading the package the first time. It gets neither the key nor headers, and sends
 * nothing that it reads from environment variables: `send` decides what goes out.
 *
 * @param baseURL up to `/v1`, without a final slash
 * @param signal ends every request of this client
 */
export async function openClient(baseURL: string, signal: AbortSignal, send: Send): Promise<Client> {
  const { OpenAI } = await loadPackage();
  let failure: unknown;
  const openai = new OpenAI({
    baseURL,
    apiKey: "unused",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    // The package passes addresses as strings.
    fetch: async (url, init) => {
      try {
        const answer = await send(url as string, {
          // The package only sends JSON, which it gets as bytes or writes as a string.
          body: init?.body as HttpRequest["body"],
          signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]),
        });
        return toResponse(answer);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    // Callers retry, since they can tell the user.
    maxRetries: 0,
    // Callers have their own limits, suited to the kind of request.
    timeout: 2 ** 31 - 1,
    logLevel: "off",
  });
  return { openai, failure: () => failure };
}

/**
 * Reads a body as UTF-8, up to a limit, and then closes the connection.
 *
 * @param maxBytes maximum to read, rounded up to the chunk that exceeds it
 * @returns undefined for a longer body
 */
export async function readBounded({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) {
      return undefined;
    }
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}
