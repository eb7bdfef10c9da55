import type { SendHttp } from "./http.js";
import type { ServerSetting } from "../../ports/modelServers.js";

/** A server, its credentials, and advice that fits where the user configured them. */
export interface ServerAccess {
  setting: ServerSetting;
  /** Returns the current key; undefined if there is none. */
  key(): Promise<string | undefined>;
  /** Advice for when the address or the key is wrong: one sentence each. */
  advice: { address: string; key: string };
  /** Sends requests; `sendWithFetch` if absent. */
  send?: SendHttp;
}

/** Names the server in a message: its name and its host. */
export function nameServer({ setting }: ServerAccess): string {
  const { host } = new URL(setting.baseUrl);
  return setting.name === host ? host : `${setting.name} (${host})`;
}

/** Minimum characters of a secret: shorter values are not secrets, and hiding them would mangle every text. */
const MIN_SECRET = 6;
/** Keys that providers mark with a prefix, whole or in part (`sk-proj-12…`, `gsk_12`). */
const MARKED_KEY = /\b(?:sk|gsk|xai)[-_][\w*-]{4,}(?:(?:\.{2,}|…)[\w-]+)?/gi;
/** A key of which the server shows only the ends: `abcd****wxyz`. */
const MASKED_KEY = /[\w-]*\*{3,}[\w*-]*/g;
const BEARER = /\bBearer\s+[\w*.~+/=-]{6,}/gi;

/** Removes keys from a server's message, which may repeat the request, or part of it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .reduce((shown, secret) => shown.replaceAll(secret, "[key]"), text);
  return hidden.replaceAll(BEARER, "Bearer [key]").replaceAll(MARKED_KEY, "[key]").replaceAll(MASKED_KEY, "[key]");
}
