// One request, directly or through the user's proxy.
// VS Code replaces the modules `http` and `https`, but not `node:http`, to send through the user's proxy with the system's
// certificates.
import * as plain from "http";
import * as secure from "https";
import { request as ownRequest, type Agent, type AgentOptions, type IncomingMessage } from "node:http";
import { pin } from "./pin.js";
import { PrivateAddressError, type PrivateNetwork } from "./publicLookup.js";

/** What goes to a server. */
export interface Exchange {
  url: URL;
  method: string;
  headers: ReadonlyMap<string, string>;
  body: { bytes: Uint8Array } | undefined;
  mayBePrivate: boolean;
}

/**
 * Sends one request and waits for the head of its answer.
 *
 * @param env the variables that name a proxy, which count where VS Code does not choose one
 * @throws PrivateAddressError before anything is sent
 */
export async function exchange(
  { url, method, headers, body, mayBePrivate }: Exchange,
  network: PrivateNetwork,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (!mayBePrivate && network.isHost(url.hostname)) {
    throw new PrivateAddressError(url.hostname);
  }
  const pinned = mayBePrivate ? undefined : await pin(url.hostname, network, signal);
  const agent = proxyAgent(url, network, env) ?? (pinned && false);
  const { request } = url.protocol === "https:" ? secure : plain;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        ...{ method, headers: Object.fromEntries(headers), signal },
        // A kept connection may have been opened by somebody who looked the name up without our check.
        ...(agent !== undefined && { agent }),
        ...(pinned && { lookup: pinned.lookup }),
      },
      resolve,
    );
    sent.on("error", reject);
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

/** Returns an agent that sends through the environment's proxy; undefined if that is not wanted here. */
function proxyAgent(url: URL, network: PrivateNetwork, env: NodeJS.ProcessEnv): Agent | undefined {
  const [name, Its] = url.protocol === "https:" ? ["https_proxy", secure.Agent] : ["http_proxy", plain.Agent];
  const isNamed = (env[name] ?? env[name.toUpperCase()] ?? "") !== "";
  // What is on this machine or in its network is not for a proxy, as in VS Code.
  if (isLed || !CAN_PROXY || !isNamed || network.isHost(url.hostname)) {
    return undefined;
  }
  const options: AgentOptions & { proxyEnv: NodeJS.ProcessEnv } = { proxyEnv: env };
  return new Its(options);
}
