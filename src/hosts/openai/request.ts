import { ModelError } from "../../features/models/modelError.js";
import { nameServer, type ServerAccess } from "./access.js";
import type { Refusal } from "./failures.js";

/** Maximum bytes of an error page that are read. */
const MAX_ERROR_BYTES = 65_536;
/** How long to wait for the rest of an error page, in ms. */
const ERROR_PAGE_TIMEOUT = 5_000;
const MAX_REDIRECTS = 3;

/** A request to send. */
export interface Sending {
  method: "GET" | "POST";
  body?: string | undefined;
  key: string | undefined;
  userAgent: string;
  signal: AbortSignal;
}

/** A server's answer other than success. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`HTTP ${refusal.status}`);
    this.refusal = refusal;
  }
}

/**
 * Sends one request to a server with our headers, the user's headers and the key, and nothing else. Follows redirects
 * only within the same origin, so that neither the key nor the conversation goes to a server the user did not name.
 *
 * @returns a successful answer with its body unread
 * @throws RefusedError on every other answer; ModelError on a redirect elsewhere; the error of `fetch` if no answer
 *   came
 */
export async function request(
  access: ServerAccess,
  url: string,
  { method, body, key, userAgent, signal }: Sending,
): Promise<Response> {
  const headers = new Headers({
    accept: method === "POST" ? "text/event-stream, application/json" : "application/json",
    "user-agent": userAgent,
  });
  if (body !== undefined) {
    headers.set("content-type", "application/json");
  }
  if (key !== undefined) {
    headers.set("authorization", `Bearer ${key}`);
  }
  for (const [name, value] of Object.entries(access.setting.headers)) {
    headers.set(name, value);
  }
  let target = new URL(url);
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(target, {
      method,
      headers,
      signal,
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    if (response.ok) {
      return response;
    }
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) {
      throw new RefusedError({ status: response.status, headers: response.headers, body: await errorPage(response) });
    }
    await response.body?.cancel();
    const next = URL.canParse(location, target) ? new URL(location, target) : undefined;
    if (next?.origin !== target.origin || redirects >= MAX_REDIRECTS) {
      throw elsewhere(access, next, redirects);
    }
    target = next;
  }
}

function elsewhere(access: ServerAccess, next: URL | undefined, redirects: number): ModelError {
  const server = nameServer(access);
  if (redirects >= MAX_REDIRECTS) {
    return new ModelError(`${server} redirects in circles. ${access.advice.address}`, { wrong: "address" });
  }
  const where = next === undefined ? "an invalid address" : next.origin;
  return new ModelError(
    `${server} redirects to ${where}, where nothing is sent because you did not name it. If it is the right server, use its address. ${access.advice.address}`,
    { wrong: "address" },
  );
}

/** Reads the start of an error's body; returns what has arrived if the body breaks off or does not end. */
async function errorPage(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    return "";
  }
  const decoder = new TextDecoder();
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), ERROR_PAGE_TIMEOUT);
  let text = "";
  try {
    for (let bytes = 0; bytes < MAX_ERROR_BYTES;) {
      const { value, done } = await reader.read();
      if (done) {
        break;
      }
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // If reading fails, the status alone is enough.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return text;
}
