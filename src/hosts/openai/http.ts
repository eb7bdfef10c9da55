/** A request as it goes out. */
export interface HttpRequest {
  method: "GET" | "POST";
  /** By name, in lower case. */
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  signal: AbortSignal;
}

/** A server's answer, its body unread. */
export interface HttpAnswer {
  status: number;
  headers: Pick<Headers, "get">;
  /** Returns the next piece of the body; undefined at its end. Throws if the connection breaks or the signal is aborted. */
  read: () => Promise<Uint8Array | undefined>;
  /** Closes the connection if the body was not read to its end. */
  cancel: () => void;
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

/** Returns an answer in the form that packages read. */
export function toResponse({ status, headers, read, cancel }: HttpAnswer): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await read();
        if (chunk === undefined) {
          controller.close();
        } else {
          controller.enqueue(chunk);
        }
      },
      cancel,
    },
    // Don't read ahead: the time the consumer takes must not count as the server's.
    { highWaterMark: 0 },
  );
  const type = headers.get("content-type");
  return new Response(body, { status, ...(type === null ? {} : { headers: { "content-type": type } }) });
}
