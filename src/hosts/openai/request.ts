import { ModelError } from "../../features/models/modelError.js";
import { nameServer, type ServerAccess } from "./access.js";
import type { Refusal } from "./failures.js";
import { sendWithFetch, type HttpAnswer, type HttpRequest } from "./http.js";

/** Maximum bytes of an error page that are read. */
const MAX_ERROR_BYTES = 65_536;
/** How long to wait for the rest of an error page, in ms. */
const ERROR_PAGE_TIMEOUT = 5_000;
const MAX_REDIRECTS = 3;

/** A request to send. */
export interface Sending {
  method: "GET" | "POST";
  /** JSON. */
  body?: HttpRequest["body"];
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
): Promise<HttpAnswer> {
  const headers = {
    accept: method === "POST" ? "text/event-stream, application/json" : "application/json",
    "user-agent": userAgent,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...Object.fromEntries(Object.entries(access.setting.headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
  let target = new URL(url);
  for (let redirects = 0; ; redirects++) {
    const answer = await (access.send ?? sendWithFetch)(target, { method, headers, signal, body });
    const { status } = answer;
    if (status >= 200 && status <= 299) {
      return answer;
    }
    const location = answer.headers.get("location");
    if (status < 300 || status > 399 || location === null) {
      throw new RefusedError({ status, headers: answer.headers, body: await errorPage(answer) });
    }
    answer.cancel();
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
async function errorPage(answer: HttpAnswer): Promise<string> {
  const decoder = new TextDecoder();
  const timer = setTimeout(() => answer.cancel(), ERROR_PAGE_TIMEOUT);
  let text = "";
  try {
    for (let bytes = 0; bytes < MAX_ERROR_BYTES;) {
      const chunk = await answer.read();
      if (chunk === undefined) {
        break;
      }
      bytes += chunk.length;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    // If reading fails, the status alone is enough.
  } finally {
    clearTimeout(timer);
    answer.cancel();
  }
  return text;
}
