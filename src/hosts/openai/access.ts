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

/** A text that may repeat what was sent, without keys. OpenAI's servers quote a part of a wrong key: that goes, too. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .reduce((shown, secret) => shown.replaceAll(secret, "[key]"), text);
  return hidden.replaceAll(/\b(?:sk|gsk|xai)-[\w*.-]{4,}/gi, "[key]").replaceAll(/\bBearer\s+[\w*.~+/=-]{6,}/gi, "Bearer [key]");
}
