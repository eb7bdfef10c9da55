import type { ServerSetting } from "../../ports/modelServers.js";

/** A server, how to sign in to it, and where the user said so. */
export interface ServerAccess {
  setting: ServerSetting;
  /** The key as it is now; undefined for none. */
  key(): Promise<string | undefined>;
  /** What to do when the address is wrong, and when the key is: a sentence each. */
  advice: { address: string; key: string };
}

/** The server in a message: its name and where it is. */
export function nameServer({ setting }: ServerAccess): string {
  const { host } = new URL(setting.baseUrl);
  return setting.name === host ? host : `${setting.name} (${host})`;
}

/** Shorter values are no secrets, and taking them out would mangle every text. */
const MIN_SECRET = 6;
/** Keys of providers that mark theirs, whole or in part (`sk-proj-12…`, `gsk_12`). */
const MARKED_KEY = /\b(?:sk|gsk|xai)[-_][\w*-]{4,}(?:(?:\.{2,}|…)[\w-]+)?/gi;
/** A key of which the server shows the ends: `abcd****wxyz`. */
const MASKED_KEY = /[\w-]*\*{3,}[\w*-]*/g;
const BEARER = /\bBearer\s+[\w*.~+/=-]{6,}/gi;

/** What a server says, which may repeat what was sent, or a part of it, without keys. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .reduce((shown, secret) => shown.replaceAll(secret, "[key]"), text);
  return hidden.replaceAll(BEARER, "Bearer [key]").replaceAll(MARKED_KEY, "[key]").replaceAll(MASKED_KEY, "[key]");
}
