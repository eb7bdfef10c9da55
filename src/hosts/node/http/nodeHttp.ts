import type { IncomingMessage } from "node:http";
import { ToolError } from "../../../core/errors.js";
import type { Http, HttpAnswer, HttpRequest } from "../../../ports/http.js";
import { oneLine } from "../../../text/clip.js";
import { reasonOf } from "../../shared/reasonOf.js";
import { encodeBody, type EncodedBody } from "./encodeBody.js";
import { exchange } from "./exchange.js";
import { PRIVATE, PrivateAddressError, type PrivateNetwork } from "./publicLookup.js";
import { readBody } from "./readBody.js";
import { unreachable } from "./unreachable.js";

/** As many as browsers' specification allows is 20; services need 2 or 3. */
const MAX_REDIRECTS = 5;
/** Headers that also go to another origin. */
const HARMLESS_HEADERS = ["accept", "user-agent"];
/** Characters of an address in an error. */
const MAX_SHOWN_URL = 2_000;
const READS = ["GET", "HEAD"];
const PUBLIC_ONLY = "Only public addresses are fetched. For a server of this machine, use a command, such as curl.";

/** One request on its way: redirects change it. */
interface Step {
  url: URL;
  method: string;
  headers: Map<string, string>;
  body: EncodedBody | undefined;
  mayBePrivate: boolean;
  trustsAll: boolean;
  staysOnSite: boolean;
}

export interface HttpOptions {
  network?: PrivateNetwork;
  /** The variables that name a proxy. */
  env?: NodeJS.ProcessEnv;
  /** Whether the user wants servers' certificates not to be checked. */
  trustsAll?: () => boolean;
}

/** Returns requests with Node's own client. */
export function nodeHttp(
  userAgent: string,
  { network = PRIVATE, env = process.env, trustsAll = () => false }: HttpOptions = {},
): Http {
  return {
    send: (request, signal) => send(request, { userAgent, network, env, trustsAll }, signal),
    checkPublic: async (url) => {
      const { hostname, origin: server } = new URL(url);
      if (network.isHost(hostname)) {
        throw unreachable(server, new PrivateAddressError(hostname), "", PUBLIC_ONLY);
      }
    },
  };
}

async function send(
  request: HttpRequest,
  { userAgent, network, env, trustsAll }: { userAgent: string } & Required<HttpOptions>,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const first = new URL(request.url);
  const time = AbortSignal.timeout(request.timeout);
  const either = AbortSignal.any([signal, time]);
  const body = request.body && encodeBody(request.body);
  let step: Step = {
    url: first,
    method: request.method,
    headers: new Map([
      ["user-agent", userAgent],
      ["accept-encoding", "gzip, deflate, br"],
      ...request.headers,
      ...(body?.headers ?? []),
      ...request.credentials,
    ]),
    body,
    mayBePrivate: request.mayBePrivate,
    trustsAll: trustsAll(),
    staysOnSite: request.staysOnSite === true,
  };
  try {
    for (let redirects = 0; ; redirects++) {
      const message = await exchange(step, network, env, either);
      const location = message.headers.location;
      const status = message.statusCode ?? 0;
      if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) {
        const { error, ...read } = await readBody(message, request.maxBytes, request.onProgress);
        signal.throwIfAborted();
        return {
          ...headOf(message, step),
          ...read,
          ...(error === undefined ? {} : { broken: broken(error, time, request) }),
        };
      }
      message.destroy();
      if (redirects === MAX_REDIRECTS) {
        throw new ToolError("denied", `${origin(step)}: it redirects more than ${MAX_REDIRECTS} times.`, CHECK_ADDRESS);
      }
      step = redirected(step, location, status, first, network);
    }
  } catch (error) {
    if (error instanceof ToolError) {
      throw error;
    }
    signal.throwIfAborted();
    if (time.aborted) {
      throw new ToolError(
        "timeout",
        `${origin(step)}: no complete answer within ${request.timeout / 1_000} s.${arrived(step.method)}`,
        READS.includes(step.method)
          ? "Ask for less, or try again later."
          : "Look whether it was done before you repeat it.",
      );
    }
    throw unreachable(origin(step), error, arrived(step.method), ...(step.staysOnSite ? [PUBLIC_ONLY] : []));
  }
}

const CHECK_ADDRESS = "The user can check the server's address.";

function origin({ url }: Step): string {
  return url.origin;
}

/** What is known about a request that was sent and got no answer. */
function arrived(method: string): string {
  return READS.includes(method) ? "" : " Whether the request arrived is not known.";
}

/** Returns the request that follows a redirect (Fetch standard, "HTTP-redirect fetch"). */
function redirected(step: Step, location: string, status: number, first: URL, network: PrivateNetwork): Step {
  const url = URL.canParse(location, step.url) ? new URL(location, step.url) : undefined;
  const refuse = (
    where: string,
    hint = "If that is the right server, the user can give its address instead.",
  ): ToolError =>
    new ToolError("denied", `${origin(step)}: it redirects ${where} (${status}), which is not followed.`, hint);
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw refuse("to an address that is not of the web", CHECK_ADDRESS);
  }
  url.username = "";
  url.password = "";
  const becomesGet = status === 303 ? step.method !== "HEAD" : status < 303 && step.method === "POST";
  const method = becomesGet ? "GET" : step.method;
  const body = becomesGet ? undefined : step.body;
  const headers = new Map(step.headers);
  if (becomesGet) {
    step.body?.headers.forEach((_value, name) => headers.delete(name));
  }
  if (url.origin === first.origin && step.url.origin === first.origin) {
    return { ...step, url, method, body, headers };
  }
  if (step.url.protocol === "https:" && url.protocol === "http:") {
    throw refuse(`from https to ${url.origin}`);
  }
  if (!READS.includes(step.method)) {
    throw refuse(`to another origin, ${url.origin}`);
  }
  if (network.isHost(url.hostname)) {
    throw refuse(`to ${url.origin}, which is on a private network`);
  }
  // To the same host by https instead of http is no other site.
  if (step.staysOnSite && (url.hostname !== step.url.hostname || url.port !== step.url.port)) {
    throw new ToolError(
      "denied",
      `${origin(step)}: it redirects to another site, ${url.href.slice(0, MAX_SHOWN_URL)} (${status}), which is not followed.`,
      "If that is the page you want, ask for that address.",
    );
  }
  const harmless = [...headers].filter(([name]) => HARMLESS_HEADERS.includes(name.toLowerCase()));
  return {
    url,
    method,
    body: undefined,
    headers: new Map(harmless),
    mayBePrivate: false,
    trustsAll: step.trustsAll,
    staysOnSite: step.staysOnSite,
  };
}

/** Returns an answer without its body. */
function headOf(message: IncomingMessage, step: Step): Omit<HttpAnswer, "body" | "isWhole"> {
  const headers = Object.entries(message.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(", ")]],
  );
  return {
    status: message.statusCode ?? 0,
    reason: message.statusMessage ?? "",
    headers: new Map(headers),
    url: step.url.href,
  };
}

/** Returns why a body cannot be read whose head arrived. */
function broken(error: unknown, time: AbortSignal, { timeout }: HttpRequest): NonNullable<HttpAnswer["broken"]> {
  const { message, code } = reasonOf(error);
  return time.aborted
    ? { type: "timeout", reason: `it was not complete within ${timeout / 1_000} s` }
    : { type: "io_error", reason: code === "ECONNRESET" ? "the connection broke" : oneLine(message) };
}
