/** A request as it goes out. */
interface HttpRequest {
  method: "GET" | "POST";
  /** By name, in lower case. */
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | undefined;
  signal: AbortSignal;
}

/** A server's answer, its body unread. */
export interface HttpAnswer {
  status: number;
  headers: Pick<Headers, "get">;
  /** Returns the next piece of the body; undefined at its end. Throws if the connection breaks or the signal is aborted. */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the connection if the body was not read to its end. */
  cancel(): void;
}

/** Sends one request and follows no redirect. Throws if no answer came. */
export type SendHttp = (url: URL, request: HttpRequest) => Promise<HttpAnswer>;

/** Sends with `fetch`, which VS Code leads through the user's proxy. */
export const sendWithFetch: SendHttp = async (url, { body, ...request }) => {
  const response = await fetch(url, { ...request, redirect: "manual", ...(body === undefined ? {} : { body }) });
  const reader = response.body?.getReader();
  return {
    status: response.status,
    headers: response.headers,
    read: async () => (await reader?.read())?.value,
    cancel: () => void reader?.cancel().catch(() => undefined),
  };
};

/**
 * Reads a body as UTF-8, up to a limit, and then closes the connection.
 *
 * @param maxBytes maximum to read, rounded up to the chunk that exceeds it
 * @returns undefined for a longer body
 */
export async function readBounded(answer: HttpAnswer, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for (let chunk = await answer.read(); chunk !== undefined; chunk = await answer.read()) {
    size += chunk.length;
    if (size > maxBytes) {
      answer.cancel();
      return undefined;
    }
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}
