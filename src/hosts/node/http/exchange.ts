// One request, directly or through the user's proxy.
// VS Code replaces the modules `http` and `https`, but not `node:http`, to send through the user's proxy with the system's
// certificates.
import * as plain from "http";
import * as secure from "https";
import { request as ownRequest, type Agent, type AgentOptions, type IncomingMessage } from "node:http";
import { reasonOf } from "../../shared/reasonOf.js";
import { pin } from "./pin.js";
import { PrivateAddressError, type PrivateNetwork } from "./publicLookup.js";

/** What goes to a server. */
export interface Exchange {
  url: URL;
  method: string;
  headers: ReadonlyMap<string, string>;
  body: { bytes: Uint8Array } | undefined;
  mayBePrivate: boolean;
  /** Whether the certificate of a server is not checked. */
  trustsAll: boolean;
}

/**
 * Sends one request and waits for the head of its answer.
 *
 * @param env the variables that name a proxy, which count where VS Code does not choose one
 * @throws PrivateAddressError before anything is sent
 */
export async function exchange(
  { url, method, headers, body, mayBePrivate, trustsAll }: Exchange,
  network: PrivateNetwork,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (!mayBePrivate && network.isHost(url.hostname)) {
    throw new PrivateAddressError(url.hostname);
  }
  const pinned = mayBePrivate ? undefined : await pin(url.hostname, network, signal);
  const proxy = proxyOf(url, network, env);
  const agent = proxy?.agent ?? (pinned && false);
  const { request } = url.protocol === "https:" ? secure : plain;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        ...{ method, headers: Object.fromEntries(headers), signal },
        // A kept connection may have been opened by somebody who looked the name up without our check.
        ...(agent !== undefined && { agent }),
        ...(pinned && { lookup: pinned.lookup }),
        ...(trustsAll && { rejectUnauthorized: false }),
      },
      resolve,
    );
    sent.on("error", (error) =>
      reject(proxy === undefined ? error : ofProxy(error, proxy.address, pinned?.wasUsed() === true)),
    );
    sent.on("socket", (socket) => {
      const check = (): void => {
        const { remoteAddress } = socket;
        if (pinned?.wasUsed() === true && remoteAddress !== undefined && network.isAddress(remoteAddress)) {
          sent.destroy(new PrivateAddressError(url.hostname));
        }
      };
      socket.on("connect", check);
      check();
    });
    sent.end(body?.bytes);
  });
}

/** Whether VS Code leads requests, by the user's settings and the environment. */
const isLed = plain.request !== ownRequest;
/** From 22.21 and 24.5 on Node has agents that use the proxy of the environment. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const CAN_PROXY = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);

/** Returns the environment's proxy for an address; undefined if none is wanted here. */
function proxyOf(
  url: URL,
  network: PrivateNetwork,
  env: NodeJS.ProcessEnv,
): { agent: Agent; address: string } | undefined {
  const [name, Its] = url.protocol === "https:" ? ["https_proxy", secure.Agent] : ["http_proxy", plain.Agent];
  const address = env[name] ?? env[name.toUpperCase()] ?? "";
  // What is on this machine or in its network is not for a proxy, as in VS Code.
  if (isLed || !CAN_PROXY || address === "" || network.isHost(url.hostname)) {
    return undefined;
  }
  const options: AgentOptions & { proxyEnv: NodeJS.ProcessEnv } = { proxyEnv: env };
  return { agent: new Its(options), address };
}

/**
 * Returns an error as one of the proxy, if it is about the proxy's address and not the server's.
 *
 * @param isDirect whether the server's name was looked up, as for a request that goes past the proxy
 */
function ofProxy(error: Error, address: string, isDirect: boolean): Error {
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  const { message, code, port, hostname } = reasonOf(error);
  const isAtPort = proxy !== undefined && port === portOf(proxy) && !isDirect;
  // Without its cause, whose code is that of a server that does not answer.
  return isAtPort || (proxy !== undefined && hostname === proxy.hostname)
    ? Object.assign(new Error(message.includes(code) ? message : `${message} (${code})`), { code: "ERR_PROXY_TUNNEL" })
    : error;
}

function portOf({ port, protocol }: URL): number {
  return Number(port === "" ? (protocol === "https:" ? 443 : 80) : port);
}
