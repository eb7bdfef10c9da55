// Connections to the hosts that contained commands may reach.
import { request as plainRequest, type ClientRequest, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import { connect, type Socket } from "node:net";
import { pin } from "../../http/pin.js";
import { PrivateAddressError, type PrivateNetwork } from "../../http/publicLookup.js";
import { usersProxy, type UsersProxy } from "./usersProxy.js";

/** The network as this process sees it. */
export interface Outside {
  network: PrivateNetwork;
  /** The variables that name the user's proxy. */
  env: Readonly<Record<string, string | undefined>>;
}

/** How long a connection may take, in ms. */
const CONNECT_TIME = 30_000;

/**
 * Connects to a host, through the user's proxy if there is one. The name is looked up once, for the check and for the
 * connection; a proxy looks it up itself.
 *
 * @throws PrivateAddressError for a host of this machine or a private network; Error if there is no connection
 */
export async function dial(host: string, port: number, { network, env }: Outside, over: AbortSignal): Promise<Socket> {
  if (network.isHost(host)) {
    throw new PrivateAddressError(host);
  }
  const signal = AbortSignal.any([over, AbortSignal.timeout(CONNECT_TIME)]);
  const pinned = await pin(host, network, signal);
  signal.throwIfAborted();
  const proxy = usersProxy(host, port, true, env);
  if (proxy !== undefined) {
    return tunnel(proxy, host, port, signal);
  }
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: pinned.lookup, autoSelectFamily: true, allowHalfOpen: true });
    const onAbort = (): void => void socket.destroy(new Error("no connection in time"));
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed")));
    socket.once("connect", () => {
      signal.removeEventListener("abort", onAbort);
      const { remoteAddress } = socket;
      if (remoteAddress === undefined || network.isAddress(remoteAddress)) {
        socket.destroy(new PrivateAddressError(host));
      } else {
        resolve(socket);
      }
    });
  });
}

/**
 * Begins a request of plain HTTP to a host, through the user's proxy if there is one.
 *
 * @param url an http one
 * @throws PrivateAddressError for a host of this machine or a private network
 */
export async function plainlyTo(
  url: URL,
  options: Pick<RequestOptions, "method" | "headers">,
  outside: Outside,
  over: AbortSignal,
): Promise<ClientRequest> {
  const port = Number(url.port || 80);
  const proxy = usersProxy(url.hostname, port, false, outside.env);
  if (proxy === undefined) {
    const socket = await dial(url.hostname, port, { ...outside, env: {} }, over);
    return plainRequest(url, { ...options, createConnection: () => socket });
  }
  if (outside.network.isHost(url.hostname)) {
    throw new PrivateAddressError(url.hostname);
  }
  await pin(url.hostname, outside.network, over);
  const headers = { ...options.headers, ...authorization(proxy) };
  // A connection of its own, on which nothing follows.
  return requestTo(proxy.url)({ ...proxyPlace(proxy), ...options, headers, path: url.href, agent: false });
}

/** Has a proxy connect to a host. */
function tunnel(proxy: UsersProxy, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const target = `${host}:${port}`;
    const asked = requestTo(proxy.url)({
      ...{ ...proxyPlace(proxy), method: "CONNECT", path: target, signal, agent: false },
      headers: { host: target, ...authorization(proxy) },
    });
    asked.once("error", reject);
    asked.once("response", ({ statusCode }) => {
      asked.destroy();
      reject(new Error(`the user's proxy refused it (${statusCode})`));
    });
    asked.once("connect", ({ statusCode }, socket: Socket, head) => {
      if (statusCode === 200) {
        socket.unshift(head);
        resolve(socket);
      } else {
        socket.destroy();
        reject(new Error(`the user's proxy refused it (${statusCode})`));
      }
    });
    asked.end();
  });
}

function requestTo({ protocol }: URL): typeof plainRequest {
  return protocol === "https:" ? secureRequest : plainRequest;
}

function proxyPlace({ url }: UsersProxy): RequestOptions {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port };
}

function authorization({ authorization: value }: UsersProxy): Record<string, string> {
  return value === undefined ? {} : { "proxy-authorization": value };
}
